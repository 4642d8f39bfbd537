"""What all preparations have in common."""

from __future__ import annotations

import inspect
from dataclasses import replace

import numpy as np
import pytest

import sfumato.prepare
from sfumato import Positions, Trajectories
from sfumato.errors import DataError
from sfumato.prepare import (
    CollapseRepeats,
    DropImpossibleSpeeds,
    Grid,
    LimitRecords,
    Preparation,
    SplitByDay,
    TimeSlots,
    prepare,
)

STEPS = [
    step
    for step in vars(sfumato.prepare).values()
    if inspect.isclass(step) and issubclass(step, Preparation) and step is not Preparation
]


def test_steps_in_turn() -> None:
    x = [0.0, 10.0, 9e6, 999.0, 999.0, 0.0]
    points = Positions.from_frame(
        {"person": ["ann"] * 6, "time": [0, 10, 20, 3600, 3700, 90_000], "x": x, "y": [0.0, 0, 0, 999, 0, 0]}
    )
    done = prepare(points, DropImpossibleSpeeds(), SplitByDay(), Grid(cells=2), TimeSlots(minutes=1440))
    assert done.data.to_lists() == [["x1y1@00", "x2y2@00", "x2y1@00"], ["x1y1@00"]]
    assert done.counts == {
        "impossible": 1, "parts": 2, "empty": 0, "outside": 0, "repeats": 1, "nowhere": 0, "locations": 3,
    }  # fmt: skip
    again = prepare(done.data, CollapseRepeats(), CollapseRepeats())
    assert again.counts == {"repeats": 0}
    assert prepare(points).data is points


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_every_step_is_declared_named_and_documented(step: type[Preparation]) -> None:
    required = {parameter.name: 1 for parameter in step.parameters() if parameter.required}
    made = step(**required)
    assert step.from_json(made.to_json()) == made
    assert made.name == "".join(f"-{c.lower()}" if c.isupper() else c for c in step.__name__)[1:]
    assert "Examples\n--------\n" in step.__doc__
    assert all(parameter.name in step.__doc__ for parameter in step.parameters())


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_every_step_refuses_generalized_and_other_data(step: type[Preparation]) -> None:
    made = step(**{parameter.name: 1 for parameter in step.parameters() if parameter.required})
    walks = Trajectories.from_lists([["g1"]], places={"g1": (0, 0)})
    walks = replace(walks, members={"g1": ("a", "b")}, times=np.array([0.0]))
    with pytest.raises(DataError) as refusal:
        made.apply(walks)
    assert str(refusal.value) == (
        f"{step.__name__}: wanted original locations, found generalized ones; prepare data before anonymizing"
    )
    fits = "trajectories, roads, transactions, table or mixed" if step is LimitRecords else "positions or trajectories"
    with pytest.raises(DataError, match=f"^{step.__name__}: wanted {fits}, found dict$"):
        made.apply({})
