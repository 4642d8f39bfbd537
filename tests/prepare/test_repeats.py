"""Collapsing of repeats."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given

from datasets import records
from sfumato import Positions, Trajectories
from sfumato.errors import DataError, MissingKnowledge
from sfumato.prepare import CollapseRepeats


@given(records("ab"))
def test_agrees_with_grouping(rows: list[list[str]]) -> None:
    done = CollapseRepeats().apply(Trajectories.from_lists(rows))
    wanted = [[label for label, _ in groupby(row)] for row in rows]
    assert done.data.to_lists() == wanted
    assert done.counts == {"repeats": sum(map(len, rows)) - sum(map(len, wanted))}


def test_the_window_is_between_a_visit_and_the_one_before_it() -> None:
    walks = Trajectories.from_frame(
        {"trajectory": [1] * 5 + [2], "location": list("aaabaa"), "time": [0, 50, 100, 101, 102, 102]}
    )
    # the third visit is 100 after the first, but only 50 after the second
    done = CollapseRepeats(window_s=50).apply(walks)
    assert done.data.to_lists() == [["a", "b", "a"], ["a"]]
    assert done.data.times.tolist() == [0.0, 101.0, 102.0, 102.0]
    assert CollapseRepeats(window_s=49).apply(walks).data.to_lists() == [["a", "a", "a", "b", "a"], ["a"]]
    assert len(walks.codes) == 6


def test_records_persons_and_places_stay() -> None:
    walks = Trajectories.from_lists([["a", "a"], []], ids=["x", "y"], persons=["ann", "bob"], places={"a": (0, 0)})
    made = CollapseRepeats().apply(walks).data
    assert made.ids.to_list() == ["x", "y"]
    assert len(made.persons) == 2
    assert made.places is walks.places


def test_refusals() -> None:
    with pytest.raises(MissingKnowledge, match=r"^CollapseRepeats: wanted the time of each visit"):
        CollapseRepeats(window_s=5).apply(Trajectories.from_lists([["a"]]))
    points = Positions(offsets=[0], times=[], where=np.empty((0, 2)), geographic=False)
    with pytest.raises(DataError, match=r"^CollapseRepeats: wanted trajectories"):
        CollapseRepeats().apply(points)
