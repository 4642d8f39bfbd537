"""The places of a knowledge base: unique names, coordinates, categories, a taxonomy, and facts for attacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from sfumato.data.places import Places
from sfumato.data.taxonomy import Taxonomy
from sfumato.errors import DataError
from sfumato.semantics.linking.geometries import shapely_module
from sfumato.semantics.ontology.terms import ontology_classes
from sfumato.semantics.publishing.opening_hours import opening_hours
from sfumato.semantics.publishing.place_classes import ROOT, UNCLASSIFIED, PlaceClasses
from sfumato.semantics.publishing.place_facts import PlaceFacts
from sfumato.semantics.publishing.readable_names import best_labels, unique_names
from sfumato.semantics.publishing.sensitive_classes import sensitive_classes
from sfumato.semantics.vocabulary import BQ, LGDO, SCHEMA

if TYPE_CHECKING:
    from sfumato.semantics.knowledge.class_graph import ClassGraph
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

__all__ = ["KnowledgePlaces"]

OPENING_HOURS = (f"{SCHEMA}openingHours", "https://schema.org/openingHours", f"{LGDO}opening_hours")
AROUND = "around-movement"
"""The rule of a taxonomy whose places were chosen by the box of a movement."""
POPULARITY = (f"{BQ}popularity",)
_NO_PLACES = tuple(
    BQ + name for name in ("MovementData", "MovementModel", "MovingObject", "MovingEntity", "Event", "Annotation")
)
_NO_VALUES = pl.DataFrame(schema={"resource": pl.String, "value": pl.String})


@dataclass(frozen=True, eq=False)
class KnowledgePlaces:
    """Everything with a geometry that is no movement and no event, by unique readable names.

    names : the name of each place, by resource.  category : the name of the class of each place that has one.
    unread_hours : of how many places opening hours are stated in words that are not understood.
    areas : of places with an area, by resource, its size in square degrees at the equator.
    """

    names: dict[str, str]
    places: Places
    taxonomy: Taxonomy
    facts: PlaceFacts
    unread_hours: int = 0
    areas: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, base: KnowledgeBase | str | Path, sensitive: Sequence[str] | None = None) -> KnowledgePlaces:
        """The places of a knowledge base or of its directory.

        sensitive : classes of sensitive places; None for the default list, `sensitive_classes.SENSITIVE`.

        If a part of the knowledge base was chosen by the box of a movement, the places and the taxonomy are marked as
        derived from private data, so that no release publishes them.
        """
        if isinstance(base, str | Path):
            from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

            with KnowledgeBase.open(base) as opened:
                return cls.of(opened, sensitive)
        from sfumato.semantics.knowledge.facets.extraction import class_graph_of

        public = cls.from_frames(
            class_graph_of(base),
            base.labels(),
            base.geometries(),
            events=base.events(),
            hours=_values(base, OPENING_HOURS),
            popularity=_values(base, POPULARITY),
            sensitive=sensitive,
        )
        return public._as_private() if any(entry.get("around") for entry in base.files) else public

    def _as_private(self) -> KnowledgePlaces:
        """The same places and tree, marked as derived from a movement."""
        places, tree = replace(self.places, derived=True), self.taxonomy
        parents = {node: parent for node, parent, _ in tree.to_parents()}
        taxonomy = Taxonomy(parents, sensitive=tree.sensitive, rule=AROUND)
        return replace(self, places=places, taxonomy=taxonomy, facts=replace(self.facts, places=places))

    @classmethod
    def from_frames(
        cls,
        graph: ClassGraph,
        labels: pl.DataFrame,
        geometries: pl.DataFrame,
        *,
        events: pl.DataFrame | None = None,
        hours: pl.DataFrame = _NO_VALUES,
        popularity: pl.DataFrame = _NO_VALUES,
        sensitive: Sequence[str] | None = None,
    ) -> KnowledgePlaces:
        """The same from frames.

        labels : resource, label, language.  geometries : resource, x, y (longitude, latitude), and wkt where known.
        events : begin, end, place.  hours, popularity : resource, value.
        """
        excluded = _movements_and_events(graph)
        located = geometries.filter(~pl.col("resource").is_in(excluded))
        if len(located) == 0:
            raise DataError("wanted at least one place with a geometry in the knowledge base, found none")
        resources = located["resource"].unique().to_list()
        classes = PlaceClasses.of(graph, resources, sensitive_classes(graph, labels, sensitive))
        texts = best_labels(labels)
        class_names = classes.names(_labels_of_classes(graph, texts))
        names = unique_names(resources, texts, taken=(*class_names.values(), ROOT, UNCLASSIFIED))
        taxonomy = classes.taxonomy(names, class_names)
        flagged = {names[resource] for resource in classes.sensitive_places}
        category = {names[resource]: class_names[name] for resource, name in classes.own.items()}
        places = _places(located, names, category, flagged)
        spans, unread = _hours(hours, names)
        facts = PlaceFacts.of(
            categories={"place": list(category), "category": list(category.values())},
            classes=classes.classes.select(
                place=pl.col("place").replace_strict(names), **{"class": pl.col("class").replace_strict(class_names)}
            ),
            hours=spans,
            events=None
            if events is None
            else _named(events.select("begin", "end", resource="place"), names, "begin", "end"),
            popularity=_popularity(popularity, names),
            places=places,
            sensitive=flagged,
        )
        return cls(names, places, taxonomy, facts, unread, _areas(located))


def _areas(located: pl.DataFrame) -> dict[str, float]:
    """The size of each place that has an area, of several areas the largest."""
    if "wkt" not in located.columns:
        return {}
    shaped = located.filter(~pl.col("wkt").str.contains("(?i)^\\s*POINT"))
    if len(shaped) == 0:
        return {}
    shapely = shapely_module()
    sizes = shapely.area(shapely.from_wkt(shaped["wkt"].to_numpy())) * np.cos(np.radians(shaped["y"].to_numpy()))
    largest = shaped.select("resource", size=pl.Series(sizes)).group_by("resource").agg(pl.col("size").max())
    return dict(largest.filter(pl.col("size") > 0).rows())


def _values(base: KnowledgeBase, properties: Sequence[str]) -> pl.DataFrame:
    """resource, value: what the knowledge base states by any of some properties, as texts."""
    listed = " ".join(f"<{name}>" for name in properties)
    query = f"SELECT ?resource (STR(?v) AS ?value) WHERE {{ VALUES ?p {{ {listed} }} ?resource ?p ?v }}"
    frame = base.answer(query).frame
    return (
        frame.select(pl.col("resource").cast(pl.String), pl.col("value").cast(pl.String)) if len(frame) else _NO_VALUES
    )


def _movements_and_events(graph: ClassGraph) -> list[str]:
    """What is no place, also in a knowledge base without the ontology, whose classes are then not under each other."""
    tops = [name for name in (*_NO_PLACES, *_classes_of_the_ontology()) if name in graph]
    below = {name for top in tops for name in (graph.name_of(top), *graph.subclasses(top))}
    return graph.types.filter(pl.col("class").is_in(sorted(below)))["resource"].unique().to_list()


@lru_cache(maxsize=1)
def _classes_of_the_ontology() -> frozenset[str]:
    """The classes of movements and events that the ontology itself declares."""
    below = set(_NO_PLACES)
    pairs = [
        (name, parent) for name, parents in ontology_classes().select("class", "parents").rows() for parent in parents
    ]
    while fresh := {name for name, parent in pairs if parent in below} - below:
        below |= fresh
    return frozenset(below)


def _labels_of_classes(graph: ClassGraph, texts: dict[str, str]) -> dict[str, str]:
    """The label of each class, which may be that of an equivalent class."""
    labelled = {
        name: next((texts[alias] for alias in graph.names_of(name) if alias in texts), "") for name in graph.classes
    }
    return {name: text for name, text in labelled.items() if text}


def _places(located: pl.DataFrame, names: dict[str, str], category: dict[str, str], flagged: set[str]) -> Places:
    rows = located.select(location=pl.col("resource").replace_strict(names), lat="y", lon="x").with_columns(
        category=pl.col("location").replace_strict(category, default=None, return_dtype=pl.String),
        sensitive=pl.col("location").is_in(sorted(flagged)),
    )
    return Places.from_frame(rows)


def _named(frame: pl.DataFrame, names: dict[str, str], *columns: str) -> pl.DataFrame:
    """The rows about places, by the names of the places."""
    numbers = pl.DataFrame(list(names.items()), schema={"resource": pl.String, "place": pl.String}, orient="row")
    return frame.join(numbers, on="resource", how="inner").select("place", *columns)


def _hours(hours: pl.DataFrame, names: dict[str, str]) -> tuple[pl.DataFrame, int]:
    """place, opens_s, closes_s, and of how many places hours are stated but not understood; those have no rows."""
    rows, unread = [], set()
    known: dict[str, list[tuple[int, int]] | None] = {}
    for place, text in _named(hours, names, "value").rows():
        if text not in known:
            known[text] = opening_hours(text)
        spans = known[text]
        if spans is None:
            unread.add(place)
        else:
            rows += [(place, opens, closes) for opens, closes in spans]
    schema = {"place": pl.String, "opens_s": pl.Float64, "closes_s": pl.Float64}
    frame = pl.DataFrame([row for row in rows if row[0] not in unread], schema=schema, orient="row")
    return frame, len(unread)


def _popularity(popularity: pl.DataFrame, names: dict[str, str]) -> pl.DataFrame:
    """place, popularity: the largest stated number of each place."""
    rows = _named(popularity, names, "value").with_columns(popularity=pl.col("value").cast(pl.Float64, strict=False))
    stated = rows.filter(pl.col("popularity").is_finite() & (pl.col("popularity") >= 0))
    return stated.group_by("place").agg(pl.col("popularity").max()).sort("place")
