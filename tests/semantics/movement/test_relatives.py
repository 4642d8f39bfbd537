"""Relatives of segments, compared with their recursive definitions."""

from __future__ import annotations

import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.semantics import Movement
from twins import movements as twin
from twins.movements import random_frames


def pairs(frame: pl.DataFrame) -> dict[int, list[int]]:
    grouped = frame.group_by("row", maintain_order=True).agg("relative")
    return dict(zip(grouped["row"].to_list(), grouped["relative"].to_list(), strict=True))


@pytest.mark.parametrize("seed", [3, 5, 8])
def test_relatives_follow_the_definitions(seed: int) -> None:
    movement = Movement.of(**random_frames(seed, objects=4, longest=25))
    rows = movement.segments.to_dicts()
    every = range(len(rows))
    assert len(rows) > 10
    children, below, above = (
        pairs(getattr(movement, name)(every)) for name in ("children", "descendants", "ancestors")
    )
    beside, lines = pairs(movement.siblings(every)), pairs(movement.lineage(every))
    before, after = pairs(movement.predecessors(every)), pairs(movement.successors(every))
    for row, own in enumerate(rows):
        others = sorted(twin.siblings(rows, own), key=lambda other: other["begin"])
        assert sorted(children.get(row, [])) == twin.children(rows, row)
        assert sorted(below.get(row, [])) == sorted(twin.descendants(rows, row))
        assert above.get(row, []) == twin.ancestors(rows, row)[::-1]  # the root first
        assert beside.get(row, []) == [rows.index(other) for other in others]
        assert before.get(row, []) == [rows.index(other) for other in others if other["end"] < own["begin"]]
        assert after.get(row, []) == [rows.index(other) for other in others if other["begin"] > own["end"]]
        assert sorted(lines[row]) == sorted([row, *twin.ancestors(rows, row), *twin.descendants(rows, row)])
    assert pairs(movement.ancestors([2, 2]))[2] == above[2]
    assert movement.children([]).is_empty()


def test_rows_that_do_not_exist_are_refused() -> None:
    movement = Movement.of(**random_frames(3))
    with pytest.raises(DataError, match="wanted rows from 0 to"):
        movement.children([len(movement.segments)])
