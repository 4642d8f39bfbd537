"""CBA: the literal twin, and the index."""

from __future__ import annotations

import pytest

from driving import drives, published_rows, steps_of
from sfumato import Cba
from sfumato.errors import ParameterError
from twins.icba import literal


@pytest.mark.parametrize("people", [False, True], ids=["records", "persons"])
@pytest.mark.parametrize("seed", range(6))
def test_the_literal_twin_publishes_the_same(seed: int, people: bool) -> None:
    data = drives(seed, people=people)
    k, threshold = 2 + seed % 4, (0.6, 0.2, 2.0)[seed % 3]
    release = Cba(k=k, threshold=threshold, similarity=0.5).anonymize(data)
    rows, invented, removed = literal(steps_of(data), k, 0.5, threshold=threshold)
    assert published_rows(release.data) == rows
    assert (release.counts["dummies"], release.counts["removed_trajectories"]) == (invented, removed)
    assert release.holds


@pytest.mark.parametrize("index", ["tree", "none"])
def test_every_index_gives_the_same_release(index: str) -> None:
    data = drives(2, vehicles=1500, nodes=40, roads=4.0)
    one, other = (Cba(k=4, index=way).anonymize(data) for way in ("lists", index))
    assert one.data.to_polars().equals(other.data.to_polars())


def test_a_threshold_above_nothing() -> None:
    with pytest.raises(ParameterError, match="threshold must be a number above 0, got 0"):
        Cba(k=2, threshold=0)
