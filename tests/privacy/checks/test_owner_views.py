"""What owners see, and shares without rounding."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from datasets import PLACES
from sfumato import Trajectories
from sfumato.privacy.checks.owner_views import Sightings, most_allowed
from sfumato.privacy.checks.place_owners import Adversaries


@given(st.floats(0, 1, exclude_min=True), st.lists(st.integers(0, 5000), max_size=20))
def test_the_most_that_is_allowed_is_the_most_that_is_not_above(threshold: float, sizes: list[int]) -> None:
    for size, most in zip(sizes, most_allowed(threshold, np.array(sizes, dtype=np.int64)), strict=True):
        share = Fraction(str(threshold))
        assert int(most) <= share * size < int(most) + 1


def test_what_each_owner_sees() -> None:
    data = Trajectories.from_lists([["a", "c", "b"], ["f"], [], ["a", "b"]], persons=list("vuuw"), places=PLACES)
    seen = Sightings.of(data, Adversaries.of(data))
    filled = [node for node in range(len(seen.parents)) if seen.sizes[node]]
    assert {(seen.owner(node), tuple(seen.places(node))): int(seen.sizes[node]) for node in filled} == {
        ("A", ("a", "b")): 2,
        ("B", ("c",)): 1,
    }
    assert seen.places(0) == []
    assert [int(depth) for depth in seen.depths()] == [len(seen.places(node)) for node in range(len(seen.parents))]


def test_nothing_is_seen_of_nothing() -> None:
    data = Trajectories.from_lists([[], []], places=PLACES)
    found = Sightings.of(data, Adversaries.of(data)).threats(0.5, rows=3)
    assert (found.n_pairs, found.n_problems) == (0, 0)
    assert found.worst(5, 0.5) == []
