"""Coverage and distance coefficients against their definitions."""

from __future__ import annotations

from itertools import product
from random import Random
from types import SimpleNamespace

import pytest

from oracles import contains, subsequences
from sfumato.data import Taxonomy, Trajectories
from sfumato.utility.patterns import coverage as pattern_coverage
from sfumato.utility.patterns.coverage import DistanceCoefficient, PatternCount, PatternCoverage
from twins.frequent_patterns import threshold
from twins.random_releases import walks

TREE = Taxonomy({"all": None, "food": "all", "fruit": "food", "a": "fruit", "b": "fruit", "c": "food", "d": "all"})
LABELS = ["all", "food", "fruit", "a", "b", "c", "d"]


def frequent(rows: list[list[str]], least: int) -> set[tuple[str, ...]]:
    found = {pattern for row in rows for pattern in subsequences(row, 1, 9)}
    return {pattern for pattern in found if sum(contains(row, pattern) for row in rows) >= least}


def covers(label: str, node: str) -> bool:
    return label == node or label in TREE.ancestors(node)


def apart(pattern: tuple[str, ...], other: tuple[str, ...], distance: str) -> float:
    if len(pattern) != len(other) or not all(covers(b, a) for a, b in zip(pattern, other, strict=True)):
        return 1.0
    if distance == "hops":
        return sum(TREE.depth(a) - TREE.depth(b) for a, b in zip(pattern, other, strict=True)) / 3 / len(pattern)
    return sum(TREE.leaf_count(b) - TREE.leaf_count(a) for a, b in zip(pattern, other, strict=True)) / 4 / len(pattern)


@pytest.mark.parametrize("products", [4_096, 0], ids=["by generalization", "by length"])
def test_against_the_definitions(products: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_coverage, "_PRODUCTS", products)
    chance = Random(6)
    for _ in range(15):
        rows = [[chance.choice("abcd") for _ in range(chance.randint(1, 4))] for _ in range(8)]
        published = [
            [chance.choice([label for label in LABELS if covers(label, place)]) for place in row] for row in rows
        ]
        original = Trajectories.from_lists(rows, taxonomy=TREE)
        release = SimpleNamespace(data=Trajectories.from_lists(published), origin=None)
        before, after = frequent(rows, 2), frequent(published, 2)
        kept = {
            "upper": after,
            "plain": {pattern for pattern in after if set(pattern) != {"all"}},
            "lower": {pattern for pattern in after if "all" not in pattern},
        }
        for bound, patterns in kept.items():
            expected = sum(any(apart(p, q, "hops") < 1 or p == q or _covered(p, q) for q in patterns) for p in before)
            measure = PatternCoverage(support=2, bound=bound)
            assert measure(original, release).value == pytest.approx(expected / len(before))
        for distance in ("hops", "leaves"):
            nearest = [min((apart(p, q, distance) for q in after), default=1.0) for p in before]
            measure = DistanceCoefficient(support=2, distance=distance)
            assert measure(original, release).value == pytest.approx(sum(nearest) / len(nearest))
        assert PatternCount(support=2)(original, release).value == pytest.approx(100 * len(after) / len(before))


def _covered(pattern: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return len(pattern) == len(other) and all(covers(b, a) for a, b in zip(pattern, other, strict=True))


def test_bounds_are_in_order() -> None:
    rows = [list(pair) for pair in product("abcd", repeat=2)]
    original = Trajectories.from_lists(rows, taxonomy=TREE)
    published = Trajectories.from_lists([["all", "food"] if row[0] == "d" else ["food", "all"] for row in rows])
    release = SimpleNamespace(data=published, origin=None)
    upper, plain, lower = (
        PatternCoverage(support=1, bound=bound)(original, release).value for bound in ("upper", "plain", "lower")
    )
    assert 1 >= upper >= plain >= lower > 0


def test_nothing_frequent_and_nothing_published() -> None:
    original = Trajectories.from_lists(["a", "b"], taxonomy=TREE)
    nothing = SimpleNamespace(data=Trajectories.from_lists([]), origin=None)
    assert PatternCoverage(support=2)(original, nothing).value == 1.0
    assert DistanceCoefficient(support=2)(original, nothing).value == 0.0
    assert PatternCoverage(support=1)(original, nothing).value == 0.0
    assert DistanceCoefficient(support=1)(original, nothing).value == 1.0


def test_a_share_is_of_the_original_records() -> None:
    original = Trajectories.from_lists(["ac"] * 10, taxonomy=TREE)
    parts = Trajectories.from_lists(["a", "c"] * 10)
    assert PatternCount(support=0.6)(original, parts).value == pytest.approx(200 / 3)
    assert PatternCoverage(support=0.6)(original, parts).value == pytest.approx(2 / 3)
    assert DistanceCoefficient(support=0.6)(original, parts).value == pytest.approx(1 / 3)


@pytest.mark.parametrize("support", [0.2, 0.5, 2])
def test_the_number_of_patterns_of_every_shape(support: float) -> None:
    for case in walks(6):
        least = threshold(support, case.before)
        before, after = frequent(case.before, least), frequent(case.after, least)
        value = PatternCount(support=support)(case.original, case.published).value
        assert value == pytest.approx(100 * len(after) / len(before) if before else 100)
