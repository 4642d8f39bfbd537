"""`link`: positions or stops of a movement linked to places and events of a knowledge base (Baquara2, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sfumato.data.base import Ints
from sfumato.params import Declared, param
from sfumato.semantics.linking.comparisons import Comparison, NameComparison, TagComparison, TextSets, WordComparison
from sfumato.semantics.linking.event_links import event_links
from sfumato.semantics.linking.far_mentions import far_mentions
from sfumato.semantics.linking.near import near_resources
from sfumato.semantics.linking.refinement import FIRST, refined
from sfumato.semantics.linking.resources import Resources
from sfumato.semantics.linking.targets import Targets
from sfumato.semantics.linking.text_stages import changed_column
from sfumato.semantics.movement.movement import Movement
from sfumato.semantics.vocabulary import BQ

__all__ = ["Linked", "Linker", "link"]

_CANDIDATES = {"target": pl.Int64, "resource": pl.Int64, "metres": pl.Float64, "similarity": pl.Float64}


@dataclass(frozen=True)
class Linked:
    """A movement with its links.

    movement : the movement with an annotation for each link.
    links : target_kind, target (row of the movement), property, value (IRI), metres, similarity, source.
    counts : targets, targets with texts, candidates, linked targets, links by property, targets with several links.
    """

    movement: Movement
    links: pl.DataFrame
    counts: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class Linker(Declared):
    """Link positions or stops to the resources that are near and have a similar name.

    Notes
    -----
    Algorithm 1 of [1]_, independent of the order of rows: of the resources within `tau_s` metres whose names are at
    least `tau_t` similar, near first keeps the nearest and of these the most similar, similar first the most similar
    and of these the nearest.  All ties stay.

    References
    ----------
    .. [1] R. Fileto et al., "The Baquara2 knowledge-based framework for semantic enrichment and analysis of movement
       data", Data & Knowledge Engineering, 2015.
    """

    tau_s: float = param(16.0, at_least=0, help="the largest distance of a place, in metres")
    tau_t: float = param(0.9, at_least=0, at_most=1, help="the least similarity of a name and a label")
    first: str = param("near", choices=FIRST, help="whether the nearest or the most similar is preferred, or all stay")
    on: str = param("positions", choices=("positions", "stops"), help="what is linked")
    names: str = param(
        "place",
        help="the texts that name a place: 'place', 'text' or 'tags' of posts, another property, or 'none' for "
        "distance alone",
    )
    compare: str = param(
        "names",
        choices=("names", "words", "best"),
        help="texts as whole names (Jaro-Winkler), by their words (soft TF-IDF), or by the better of both",
    )
    languages: str = param("", help="languages of the labels to use, separated by commas; empty for all")
    stages: str = param(
        "",
        help="changes of texts and labels before they are compared, separated by commas: 'clean' (addresses, users), "
        "'frequent-words' and 'stem' (by language)",
    )
    kinds: str = param(
        "", help="the property that states the class of a visited place; a linked place must share it; empty for none"
    )
    near_property: str = param(
        "visits", choices=("visits", "isAt", "occursAt", "occursIn", "observes"), help="the property of a near place"
    )
    far_property: str = param(
        "none",
        choices=("none", "mentions", "hasAnnotation"),
        help="the property of a place with a similar name that is not near, for targets without a near one",
    )
    events: bool = param(
        True,
        help="whether events at linked places are linked, as takesPartIn, if both share some time; posts without an "
        "end last no time, stops do",
    )
    moves: bool = param(True, help="whether moves between linked stops get comesFrom and goesTo")

    def resources(self, base: Any) -> Resources:
        """The resources of a knowledge base, given open or as its directory, with labels in the chosen languages."""
        if isinstance(base, Resources):
            return base
        languages = _listed(self.languages)
        if isinstance(base, str | Path):
            from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

            with KnowledgeBase.open(base) as opened:
                return Resources.from_knowledge_base(opened, languages)
        return Resources.from_knowledge_base(base, languages)

    def targets(self, movement: Movement) -> Targets:
        """What is linked."""
        if self.on == "positions":
            return Targets.positions(movement, self.names, self.kinds)
        return Targets.segments(movement, self.names, self.kinds)

    def candidates(self, targets: Targets, resources: Resources) -> pl.DataFrame:
        """Every accepted pair before refinement: target and resource (numbers), metres, similarity."""
        return pl.concat([_empty(), *self._blocks(targets, resources)])

    def _blocks(self, targets: Targets, resources: Resources) -> Iterator[pl.DataFrame]:
        """The candidates of some targets after the others; all of a target are in one block."""
        comparison = self._comparison(targets, resources)
        similarity = None if comparison is None else comparison.values
        for pairs in near_resources(targets.where, resources.geometries, self.tau_s, similarity=similarity):
            frame = pairs.rename({"position": "target"}).select(list(_CANDIDATES))
            yield resources.of_kinds(frame, targets.kinds)

    def chosen(self, targets: Targets, resources: Resources) -> tuple[pl.DataFrame, int]:
        """The candidates that refinement keeps, and the number of candidates."""
        kept, count = [_empty()], 0
        for block in self._blocks(targets, resources):
            kept.append(refined(block, self.first))
            count += len(block)
        return pl.concat(kept), count

    def text_sets(self, targets: Targets) -> TextSets:
        """The texts of the targets after the stages, in plain letters."""
        changed = changed_column(targets.texts["text"], _listed(self.stages))
        return TextSets.of(targets.texts["owner"].to_numpy(), changed, len(targets))

    def label_sets(self, resources: Resources) -> TextSets:
        """The labels of the resources after the same stages, so that equal names stay equal."""
        labels, stages = resources.labels, _listed(self.stages)
        return TextSets.of(labels.owner, changed_column(labels.text, stages), labels.count) if stages else labels

    def _comparison(self, targets: Targets, resources: Resources) -> Comparison | None:
        if self.names == "none":
            return None
        texts, labels = self.text_sets(targets), self.label_sets(resources)
        if self.names == "tags":
            return TagComparison(texts, labels, self.tau_t)
        if self.compare == "best":
            return _Better(texts, labels, self.tau_t)
        return (NameComparison if self.compare == "names" else WordComparison)(texts, labels, self.tau_t)

    def link(self, movement: Movement, base: Any) -> Linked:
        """The movement with its links to a knowledge base."""
        resources, targets = self.resources(base), self.targets(movement)
        chosen, count = self.chosen(targets, resources)
        near = self._rows(chosen, targets, resources, self.near_property)
        parts = [near]
        if self.far_property != "none" and self.names != "none":
            without = np.setdiff1d(np.arange(len(targets)), chosen["target"].to_numpy())
            pairs = far_mentions(self.text_sets(targets), self.label_sets(resources), without, self.tau_t)
            parts.append(self._rows(pairs, targets, resources, self.far_property))
        if self.events:
            parts.append(self._events(chosen, targets, resources))
        if self.moves and self.on == "stops":
            parts.append(_moves(movement, near))
        links = pl.concat(parts)
        counts = {
            "targets": len(targets),
            "with_texts": targets.texts["owner"].n_unique(),
            "resources": len(resources),
            "candidates": count,
            "linked": chosen["target"].n_unique(),
            "several": int((chosen["target"].value_counts()["count"] > 1).sum()),
            **{row[0].removeprefix(BQ): row[1] for row in links["property"].value_counts().sort("property").rows()},
        }
        return Linked(movement.annotated(links.with_columns(kind=pl.lit("resource"))), links, counts)

    @property
    def source(self) -> str:
        """How a link was found, for its annotation."""
        shown = ("first", "tau_s", "tau_t", "names", "compare", "languages", "stages", "kinds")
        values = {name: value for name, value in self.to_json().items() if name in shown and value != ""}
        return "link " + " ".join(
            f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}" for name, value in values.items()
        )

    def _rows(self, pairs: pl.DataFrame, targets: Targets, resources: Resources, name: str) -> pl.DataFrame:
        """Links as annotations."""
        return self._annotations(
            pairs.with_columns(resources.iris.gather(pairs["resource"]).alias("resource")), targets, name
        )

    def _annotations(self, pairs: pl.DataFrame, targets: Targets, name: str) -> pl.DataFrame:
        return pairs.select(
            target_kind=pl.lit(targets.kind),
            target=pl.Series(targets.rows[pairs["target"].to_numpy()], dtype=pl.Int64),
            property=pl.lit(BQ + name),
            value=pl.col("resource").cast(pl.String),
            metres="metres",
            similarity="similarity",
            source=pl.lit(self.source),
        )

    def _events(self, chosen: pl.DataFrame, targets: Targets, resources: Resources) -> pl.DataFrame:
        number = chosen["target"].to_numpy()
        places = chosen.with_columns(
            begin=pl.Series(targets.begin[number], dtype=pl.Float64),
            end=pl.Series(targets.end[number], dtype=pl.Float64),
            resource=resources.iris.gather(chosen["resource"]),
        )
        return self._annotations(event_links(places, resources.events), targets, "takesPartIn")


class _Better(Comparison):
    """The better of whole names and words."""

    def __init__(self, names: TextSets, labels: TextSets, tau_t: float) -> None:
        self._comparisons = (NameComparison(names, labels, tau_t), WordComparison(names, labels, tau_t))

    def values(self, targets: Ints, resources: Ints) -> Any:
        return np.maximum(*(comparison.values(targets, resources) for comparison in self._comparisons))


def link(movement: Movement, kb: Any, **parameters: Any) -> Linked:
    """The movement with links to a knowledge base; the parameters are those of `Linker`.

    kb : a `KnowledgeBase`, the directory of one, or `Resources`.
    """
    return Linker(**parameters).link(movement, kb)


def _empty() -> pl.DataFrame:
    return pl.DataFrame(schema=_CANDIDATES)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _moves(movement: Movement, near: pl.DataFrame) -> pl.DataFrame:
    """Where moves come from and go to: the places of the stops before and after them."""
    moves = movement.of_type("MOVE").select(pl.col("row").cast(pl.Int64), "prev", "next")
    parts = []
    for column, name in (("prev", "comesFrom"), ("next", "goesTo")):
        ends = moves.select("row", target=column).drop_nulls()
        part = near.join(ends, on="target", maintain_order="left_right")
        parts.append(part.with_columns(target="row", property=pl.lit(BQ + name)).drop("row"))
    return pl.concat(parts).select(near.columns)
