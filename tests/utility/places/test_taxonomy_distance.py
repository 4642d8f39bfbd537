"""How far trajectories climbed."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from sfumato.data import Taxonomy, Trajectories
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.utility.places.taxonomy_distance import ClimbingCost, GeneralizationCost

TREE = Taxonomy({"all": None, "food": "all", "fruit": "food", "a": "fruit", "b": "fruit", "c": "food", "d": "all"})
WALKS = Trajectories.from_lists(["ac", "d", "ab", []], taxonomy=TREE)


def released(rows: list[list[str]], origin: list[int]) -> SimpleNamespace:
    return SimpleNamespace(data=Trajectories.from_lists(rows, taxonomy=TREE), origin=np.array(origin, dtype=np.int64))


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        # a -> food 2 of 3 steps, c -> food 1 of 3; d as it is; the third lost a visit
        ("hops", ((2 / 3 + 1 / 3) / 2 + 0 + 1) / 3),
        # a -> food and c -> food are 2 more leaves of 4 each
        ("leaves", ((2 / 4 + 2 / 4) / 2 + 0 + 1) / 3),
    ],
)
def test_by_hand(distance: str, expected: float) -> None:
    release = released([["food", "food"], ["d"], ["b"]], [0, 1, 2, 4])
    assert GeneralizationCost(distance=distance)(WALKS, release).value == pytest.approx(expected)


def test_what_is_not_published_costs_all_and_what_is_unchanged_nothing() -> None:
    assert GeneralizationCost()(WALKS, released([], [])).value == 1.0
    assert GeneralizationCost()(WALKS, released(WALKS.to_lists(), list(range(5)))).value == 0.0


def test_leaves_at_different_depths() -> None:
    assert ClimbingCost(TREE, "hops")("d", "all") == pytest.approx(1 / 3)
    assert ClimbingCost(TREE, "leaves")("d", "all") == 3 / 4
    assert ClimbingCost(TREE, "leaves")("fruit", "food") == 1 / 4
    assert ClimbingCost(TREE, "hops")("food", "fruit") is None


def test_refusals() -> None:
    release = released([["d"]], [2])
    with pytest.raises(MissingKnowledge, match=r"^generalization-cost: needs a taxonomy, these data carry none"):
        GeneralizationCost()(Trajectories.from_lists(["d"]), release)
    with pytest.raises(DataError, match="generalization-cost: needs the run itself"):
        GeneralizationCost()(WALKS, SimpleNamespace(data=release.data, origin=None))
    with pytest.raises(ParameterError, match="distance must be one of 'hops', 'leaves'"):
        GeneralizationCost(distance="x")
