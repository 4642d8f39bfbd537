"""The F-measure of road patterns, against sets by brute force."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace

import pytest

from driving import drives, town
from sfumato import BfP2ka, Icba, RoadTrajectories
from sfumato.errors import DataError
from sfumato.utility.patterns.road_patterns import RoadPatterns

Sets = set[frozenset[str]]


def maximal(rows: list[list[str]], support: int) -> Sets:
    """Every set of roads that enough trajectories travel and that is part of no other one."""
    every = {frozenset(some) for row in rows for n in range(1, 5) for some in combinations(sorted(set(row)), n)}
    frequent = {some for some in every if sum(some <= set(row) for row in rows) >= support}
    return {some for some in frequent if not any(some < other for other in frequent)}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("match", ["full", "half"])
def test_f_by_brute_force(seed: int, match: str) -> None:
    data = drives(seed, vehicles=80)
    data = RoadTrajectories.from_lists([row[:4] for row in data.to_lists()], network=data.network)
    for release in (Icba(k=3).anonymize(data), BfP2ka(k=3).anonymize(data.as_trajectories())):
        patterns = maximal(data.to_lists(), 3)
        shown = {frozenset(row) for row in release.data.to_lists()}
        need = {"full": lambda one, other: one == other, "half": lambda one, other: 2 * len(one & other) >= len(one)}
        matches = sum(any(need[match](one, other) for other in patterns) for one in shown)
        assert matches
        found = RoadPatterns(match=match)(data, release).value
        assert found == pytest.approx(2 * matches / (len(patterns) + len(shown)))


def test_neither_patterns_nor_trajectories() -> None:
    none = RoadTrajectories.from_lists([[]], network=town("ab"))
    one = RoadTrajectories.from_lists([["ab+"]], network=town("ab"))
    assert RoadPatterns(support=2)(none, SimpleNamespace(data=none, origin=None)).value == 1
    for match in ("full", "half"):
        assert RoadPatterns(support=2, match=match)(one, SimpleNamespace(data=one, origin=None)).value == 0


def test_a_release_without_a_k() -> None:
    one = RoadTrajectories.from_lists([["ab+"]], network=town("ab"))
    with pytest.raises(DataError, match="road-patterns: wanted the k of the release"):
        RoadPatterns()(one, SimpleNamespace(data=one, origin=None))
