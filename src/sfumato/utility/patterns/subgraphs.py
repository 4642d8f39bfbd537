"""Percentages of frequent subgraphs of the mobility graph that a release preserves, and of spurious ones."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from sfumato.data import Trajectories
from sfumato.errors import MissingKnowledge
from sfumato.mining.mobility import categories_of, mobility_graph
from sfumato.mining.subgraphs.grami import FrequentSubgraphs
from sfumato.params import exact, param
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.patterns.pattern_changes import PatternCounts

__all__ = ["SubgraphsPreserved", "SubgraphsSpurious"]

Patterns = set[tuple[tuple[str, ...], tuple[tuple[int, int, str], ...]]]


@dataclass(frozen=True, kw_only=True)
class _FrequentSubgraphs(Measure):
    """Mines the frequent subgraphs of both mobility graphs.

    Categories come from the places of the original: a published label has the category that all of its members share,
    or none, so that it occurs in no pattern.  Support counts places; in the release, published labels.
    """

    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)

    support: float = param(
        0.05, above=0, help="smallest support: a number of places, or below 1 a share of the places of the original"
    )
    largest: int = param(3, at_least=1, help="largest number of edges in a pattern")
    directed: bool = param(True, help="whether edges are directed, from the earlier to the later place")

    def require_data(self, original: Any) -> None:
        super().require_data(original)
        if len(original.codes) and not categories_of(original):
            raise MissingKnowledge(
                f"{self.name}: needs categories, and without them all places are alike",
                remedy="give-categories",
            )

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        self.require_data(original)
        published = replace(release.data, places=original.places, taxonomy=original.taxonomy)
        # a release may have places without visits in the original
        categories = categories_of(published) | categories_of(original)
        threshold = self._threshold(original)
        before, after = (self._frequent(data, categories, threshold) for data in (original, release.data))
        return Score(self._share(PatternCounts(len(before), len(after), len(before & after))), "%")

    def _threshold(self, original: Trajectories) -> int:
        if self.support >= 1:
            return math.ceil(self.support)
        places = len(original.with_used_names().names)
        return max(2, math.ceil(exact(self.support) * places))  # a single place is not a frequent pattern

    def _frequent(self, data: Trajectories, categories: Mapping[str, str], threshold: int) -> Patterns:
        if len(data.codes) == 0:
            return set()
        graph = mobility_graph(data, categories, directed=self.directed)
        mined = FrequentSubgraphs(support=threshold, max_edges=self.largest).mine(graph)
        return {(pattern.labels, pattern.edges) for pattern in mined.patterns}

    @abstractmethod
    def _share(self, counts: PatternCounts) -> float:
        """The percentage."""


@dataclass(frozen=True, kw_only=True)
class SubgraphsPreserved(_FrequentSubgraphs):
    """The percentage of the frequent subgraphs of the original's mobility graph that are frequent in the release's.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from sfumato.data import Places
    >>> kinds = {"a": "bar", "b": "shop", "c": "bar", "d": "shop", "e": "park", "f": "park"}
    >>> places = Places.from_frame({"location": list(kinds), "category": list(kinds.values())})
    >>> walks = Trajectories.from_lists(["abe", "cdf"], places=places)
    >>> published = Trajectories.from_lists(["ab", "cd", "e", "f"])  # no trajectory goes from a shop to a park
    >>> str(SubgraphsPreserved(support=2)(walks, SimpleNamespace(data=published, origin=None)))
    '33.33 %'
    """

    name: ClassVar[str] = "subgraphs-preserved"
    title: ClassVar[str] = "frequent subgraphs preserved"
    meaning: ClassVar[str] = "share of the frequent subgraphs of the mobility graph that are frequent in the release's"
    formula: ClassVar[str] = "100 * frequent subgraphs of both / frequent subgraphs of the original"
    unit: ClassVar[str] = "%"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    paper: ClassVar[str] = "our own"
    better: ClassVar[Literal["lower", "higher"]] = "higher"

    def _share(self, counts: PatternCounts) -> float:
        return counts.preserved


@dataclass(frozen=True, kw_only=True)
class SubgraphsSpurious(_FrequentSubgraphs):
    """The percentage of the release's frequent subgraphs that are not frequent in the original's mobility graph."""

    name: ClassVar[str] = "subgraphs-spurious"
    title: ClassVar[str] = "spurious frequent subgraphs"
    meaning: ClassVar[str] = "share of the release's frequent subgraphs that are not frequent in the original"
    formula: ClassVar[str] = "100 * (1 - frequent subgraphs of both / frequent subgraphs of the release)"
    unit: ClassVar[str] = "%"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    paper: ClassVar[str] = "our own"
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def _share(self, counts: PatternCounts) -> float:
        return counts.spurious
