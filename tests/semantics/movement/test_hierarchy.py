"""Hierarchies by containment, compared with the definition."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.semantics import Movement
from twins.movements import father, random_frames


@pytest.mark.parametrize("seed", range(10))
def test_fathers_follow_the_definition(seed: int) -> None:
    frames = random_frames(seed)
    if not frames["segments"]:
        return
    movement = Movement.of(**{name: pl.DataFrame(rows) for name, rows in frames.items()})
    rows = movement.segments.to_dicts()
    for row in rows:
        above = father(rows, row)
        assert row["father"] == (None if above is None else rows.index(above))
    assert Movement.violations(movement.frames()).is_empty()


def test_of_equal_spans_the_deeper_is_the_father() -> None:
    segments = {"object": [0] * 3, "type": ["STOP", "PART", "TRAIL"], "first": [0] * 3, "last": [2] * 3}
    positions = {"object": [0] * 3, "begin": [0.0, 10.0, 20.0], "x": [0.0] * 3, "y": [0.0] * 3}
    movement = Movement.of({"object": ["a"]}, positions, {**segments, "name": ["stop", "part", "trail"]})
    names = movement.segments["name"].to_list()
    above = [None if row is None else names[row] for row in movement.segments["father"]]
    assert dict(zip(names, above, strict=True)) == {
        "a/history": None, "trail": "a/history", "stop": "trail", "part": "stop",
    }  # fmt: skip
    assert movement.segments["level"].to_list() == [2, 3, 1, 0]


@pytest.mark.parametrize("shared", [0, 1])
def test_segments_that_overlap_without_covering_are_refused(shared: int) -> None:
    positions = {"object": [0] * 6, "begin": np.arange(6.0), "x": [0.0] * 6, "y": [0.0] * 6}
    segments = {"object": [0, 0], "type": ["STOP", "MOVE"], "first": [0, 3 - shared], "last": [2, 5]}
    if shared:
        with pytest.raises(DataError, match="rule '06 siblings share no instant' does not hold: 1 segments overlap"):
            Movement.of({"object": ["a"]}, positions, segments)
    else:
        assert Movement.of({"object": ["a"]}, positions, segments).segments["ord"].to_list() == [1, 2, 1]
