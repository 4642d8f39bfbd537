"""The resources of a knowledge base that targets can be linked to: places with geometries and labels, and events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from sfumato.data.base import Ints
from sfumato.errors import DataError, listed
from sfumato.semantics.linking.comparisons import TextSets
from sfumato.semantics.linking.geometries import Geometries
from sfumato.semantics.linking.similarity import plain_column
from sfumato.semantics.vocabulary import BQ, SEGMENT_CLASSES

__all__ = ["Resources"]

# a knowledge base may hold the movement itself
MOVEMENT_CLASSES = (
    *SEGMENT_CLASSES.values(),
    BQ + "MovingObjectPosition",
    BQ + "MovementSegment",
    BQ + "MovementPattern",
)


@dataclass(frozen=True)
class Resources:
    """Resources by number, in the order of their IRIs.

    iris : the IRI of each.  geometries, labels : their geometries and plain labels, by number.
    classes : resource (IRI) and class.  events : resource, begin, end and place.
    """

    iris: pl.Series
    geometries: Geometries
    labels: TextSets
    classes: pl.DataFrame
    events: pl.DataFrame

    @classmethod
    def of(
        cls,
        geometries: pl.DataFrame,
        labels: pl.DataFrame,
        *,
        classes: pl.DataFrame | None = None,
        events: pl.DataFrame | None = None,
        languages: Sequence[str] = (),
    ) -> Resources:
        """The resources that have a geometry.

        geometries : resource, wkt.  labels : resource, label, language.  classes : resource, class.
        events : resource, begin, end, place.  languages : use labels in these languages and without one; empty for all.
        """
        none = pl.DataFrame(schema={"resource": pl.String, "class": pl.String})
        classes = none if classes is None else classes
        if events is None:
            events = pl.DataFrame(
                schema={"resource": pl.String, "begin": pl.Float64, "end": pl.Float64, "place": pl.String}
            )
        moving = classes.filter(pl.col("class").is_in(MOVEMENT_CLASSES)).select("resource").unique()
        geometries = geometries.join(moving, on="resource", how="anti")
        iris = geometries["resource"].unique().sort()
        chosen = _in_languages(labels, languages).join(iris.to_frame(), on="resource", how="semi")
        return cls(
            iris=iris,
            geometries=Geometries.of(_numbers(geometries["resource"], iris), geometries["wkt"]),
            labels=TextSets.of(_numbers(chosen["resource"], iris), plain_column(chosen["label"]), len(iris)),
            classes=classes,
            events=events,
        )

    @classmethod
    def from_knowledge_base(cls, base: Any, languages: Sequence[str] = ()) -> Resources:
        """The resources of a `KnowledgeBase`; one without any is refused, since nothing could be linked to it."""
        own = cls.of(base.geometries(), base.labels(), classes=base.types(), events=base.events(), languages=languages)
        if len(own) == 0:
            raise DataError("link: wanted places with a geometry in the knowledge base, found none")
        return own

    def of_kinds(self, pairs: pl.DataFrame, kinds: pl.DataFrame) -> pl.DataFrame:
        """The pairs of a target and a resource that share a class; a target without a class keeps all its pairs.

        pairs : target, resource (numbers) and more.  kinds : owner (number of a target) and class.
        """
        if kinds.is_empty():
            return pairs
        stated = pairs.with_row_index("pair").join(kinds.rename({"owner": "target"}), on="target")
        stated = stated.with_columns(iri=self.iris.gather(stated["resource"]))
        shared = stated.join(self.classes, left_on=["iri", "class"], right_on=["resource", "class"], how="semi")
        number = pl.int_range(len(pairs), eager=True, dtype=pl.UInt32)
        return pairs.filter(number.is_in(shared["pair"].implode()) | ~number.is_in(stated["pair"].implode()))

    def __len__(self) -> int:
        return len(self.iris)


def _numbers(names: pl.Series, iris: pl.Series) -> Ints:
    table = pl.DataFrame({"name": iris, "number": np.arange(len(iris), dtype=np.int64)})
    return names.to_frame("name").join(table, on="name", how="left", maintain_order="left")["number"].to_numpy()


def _in_languages(labels: pl.DataFrame, languages: Sequence[str]) -> pl.DataFrame:
    """Labels without a language, or in one of some languages: `pt` is also `pt-BR`."""
    if not languages:
        return labels
    language = pl.col("language").str.to_lowercase()
    fits = [(language == name.lower()) | language.str.starts_with(f"{name.lower()}-") for name in languages]
    for name, fit in zip(languages, fits, strict=True):
        if not labels.select(fit.any()).item():
            others = sorted(set(labels["language"].drop_nulls().unique().to_list()))
            has = f"labels in {listed(others)}" if others else "labels without a language"
            raise DataError(f"languages: wanted labels in {name!r}, found {has}")
    return labels.filter(language.is_null() | pl.any_horizontal(fits))
