"""How well the frequent patterns of a generalized release cover those of the original.

A. Monreale et al., "C-safety: a framework for the anonymization of semantic trajectories", Transactions on Data Privacy
4(2), 2011, Section 6.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar, Literal

from sfumato.data import Taxonomy, Trajectories
from sfumato.mining import FrequentSequences
from sfumato.params import param
from sfumato.utility.base import Better, Measure, Released, Score
from sfumato.utility.patterns.smallest_support import smallest_support
from sfumato.utility.places.taxonomy_distance import ClimbingCost, taxonomy_of

__all__ = ["DistanceCoefficient", "PatternCount", "PatternCoverage"]

Pattern = tuple[str, ...]
_PRODUCTS = 4_096  # up to this many generalizations of a pattern are looked up one by one


@dataclass(frozen=True, kw_only=True)
class _MinedPatterns(Measure):
    """Mines the frequent sequences of the original and of the release, with labels as opaque symbols."""

    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)

    support: float = param(
        0.008, above=0, help="smallest support: a number of records, or below 1 a share of the original's records"
    )
    largest: int | None = param(None, at_least=1, help="largest number of labels in a pattern")

    def _frequent(self, original: Trajectories, published: Trajectories) -> tuple[list[Pattern], list[Pattern]]:
        """The frequent patterns of the original and of the release, with the same smallest support."""
        miner = FrequentSequences(support=smallest_support(self.support, original), max_length=self.largest)
        return _mine(original, miner), _mine(published, miner)


@dataclass(frozen=True, kw_only=True)
class PatternCount(_MinedPatterns):
    """The number of frequent patterns of the release, relative to the original.

    Examples
    --------
    >>> from sfumato.methods.trajectories.cast.cast import Cast
    >>> tree = Taxonomy({"all": None, "bar": "all", "b1": "bar", "b2": "bar", "c1": "all"}, sensitive=["c1"])
    >>> walks = Trajectories.from_lists([["b1", "c1"], ["b2"]], taxonomy=tree)
    >>> PatternCount(support=1)(walks, Cast(c=0.5, group_size=2).anonymize(walks))  # b1 and b2 become bar
    Score(value=75.0, unit='%')
    """

    name: ClassVar[str] = "pattern-count"
    title: ClassVar[str] = "number of frequent patterns, relative to the original"
    meaning: ClassVar[str] = "number of frequent patterns of the release in percent of the original's"
    formula: ClassVar[str] = "100 x |F(release)| / |F(original)|, with one smallest support for both"
    unit: ClassVar[str] = "%"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "Monreale et al., Trans. Data Privacy 4(2), 2011, Section 6"
    better: ClassVar[Better] = "closer to 100"

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        before, after = map(len, self._frequent(original, release.data))
        return Score(100.0 * after / before if before else 100.0, "%")


@dataclass(frozen=True, kw_only=True)
class PatternCoverage(_MinedPatterns):
    """The share of the original's frequent patterns that a frequent pattern of the release covers: Definition 17.

    A pattern covers another of the same length if it has the same place or an ancestor at every position.  The `upper`
    bound uses all patterns of the release; `plain` leaves out those of the root alone, `lower` all patterns with the
    root.

    Examples
    --------
    >>> from sfumato.methods.trajectories.cast.cast import Cast
    >>> tree = Taxonomy({"all": None, "bar": "all", "b1": "bar", "b2": "bar", "c1": "all"}, sensitive=["c1"])
    >>> walks = Trajectories.from_lists([["b1"], ["b2"]], taxonomy=tree)
    >>> PatternCoverage(support=1, bound="lower")(walks, Cast(c=0.5, group_size=2).anonymize(walks))
    Score(value=1.0, unit='')
    """

    name: ClassVar[str] = "pattern-coverage"
    needs: ClassVar[tuple[str, ...]] = ("taxonomy",)
    reads_hierarchy: ClassVar[bool] = True
    title: ClassVar[str] = "coverage coefficient"
    meaning: ClassVar[str] = "share of the original's frequent patterns that a frequent pattern of the release covers"
    formula: ClassVar[str] = "|{p in F(original): some q in F(release) covers p}| / |F(original)|"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Monreale et al., Trans. Data Privacy 4(2), 2011, Definition 17"
    better: ClassVar[Literal["lower", "higher"]] = "higher"

    bound: str = param(
        "plain",
        choices=("upper", "plain", "lower"),
        help="which patterns with the root of the taxonomy count: all, not those of the root alone, or none",
    )

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        tree = taxonomy_of(self, original)
        before, after = self._frequent(original, release.data)
        keep: dict[str, Callable[[Pattern], bool]] = {
            "upper": lambda pattern: True,  # noqa: ARG005
            "plain": lambda pattern: any(label != tree.root for label in pattern),
            "lower": lambda pattern: tree.root not in pattern,
        }
        index = _Index([pattern for pattern in after if keep[self.bound](pattern)], tree)
        covered = sum(next(index.covers(pattern), None) is not None for pattern in before)
        return Score(covered / len(before) if before else 1.0)


@dataclass(frozen=True, kw_only=True)
class DistanceCoefficient(_MinedPatterns):
    """The mean distance from the original's frequent patterns to the nearest of the release: Definition 18.

    The distance of two patterns is that of Definition 11 or 12 if the second covers the first, otherwise 1.

    Examples
    --------
    >>> from sfumato.methods.trajectories.cast.cast import Cast
    >>> tree = Taxonomy({"all": None, "bar": "all", "b1": "bar", "b2": "bar", "c1": "all"}, sensitive=["c1"])
    >>> walks = Trajectories.from_lists([["b1", "c1"], ["b2"]], taxonomy=tree)
    >>> DistanceCoefficient(support=1)(walks, Cast(c=0.5, group_size=2).anonymize(walks))
    Score(value=0.3125, unit='')
    """

    name: ClassVar[str] = "pattern-distance"
    needs: ClassVar[tuple[str, ...]] = ("taxonomy",)
    reads_hierarchy: ClassVar[bool] = True
    title: ClassVar[str] = "distance coefficient"
    meaning: ClassVar[str] = "mean distance of the original's frequent patterns to the nearest pattern of the release"
    formula: ClassVar[str] = "mean over p in F(original) of min(1, d(p, q) over q in F(release) that cover p)"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Monreale et al., Trans. Data Privacy 4(2), 2011, Definition 18"
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    distance: str = param("hops", choices=("hops", "leaves"), help="unit of distance: steps in the taxonomy, or leaves")

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        tree = taxonomy_of(self, original)
        cost = ClimbingCost(tree, self.distance)
        before, after = self._frequent(original, release.data)
        index = _Index(after, tree)
        total = sum(
            min((_distance(pattern, cover, cost) for cover in index.covers(pattern)), default=1.0) for pattern in before
        )
        return Score(total / len(before) if before else 0.0)


def _mine(data: Trajectories, miner: FrequentSequences) -> list[Pattern]:
    if len(data.codes) == 0:
        return []
    return [tuple(pattern) for pattern in miner.mine(data.with_persons(None))["pattern"].to_list()]


def _distance(pattern: Pattern, cover: Pattern, cost: ClimbingCost) -> float:
    costs = [cost(node, label) for node, label in zip(pattern, cover, strict=True)]
    return sum(value for value in costs if value is not None) / len(pattern)


class _Index:
    """An index of patterns, to find those that cover another."""

    def __init__(self, patterns: list[Pattern], tree: Taxonomy) -> None:
        self._tree = tree
        self._known = set(patterns)
        self._labels = {label for pattern in patterns for label in pattern}
        self._by_length: dict[int, list[Pattern]] = {}
        for pattern in patterns:
            self._by_length.setdefault(len(pattern), []).append(pattern)

    def covers(self, pattern: Pattern) -> Any:
        """All patterns that cover this one, searched among its generalizations or among all of its length."""
        chains = [[node for node in (label, *self._tree.ancestors(label)) if node in self._labels] for label in pattern]
        n_generalizations = 1
        for chain in chains:
            n_generalizations *= len(chain)
        same_length = self._by_length.get(len(pattern), [])
        if n_generalizations <= max(_PRODUCTS, len(same_length)):
            yield from (candidate for candidate in product(*chains) if candidate in self._known)
            return
        allowed = [set(chain) for chain in chains]
        for other in same_length:
            if all(label in chain for label, chain in zip(other, allowed, strict=True)):
                yield other
