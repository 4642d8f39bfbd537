"""Workplaces: pairs of a person or a trajectory and a location."""

from __future__ import annotations

import pytest

from sfumato.data import Trajectories, Workplaces
from sfumato.errors import DataError


def test_of_trajectories() -> None:
    walks = Trajectories.from_lists(["ab", "ba"], ids=["t1", "t2"])
    found = Workplaces.from_frame({"trajectory": ["t2", "t9"], "location": ["a", "b"]})
    assert found.visits(walks).tolist() == [False, False, False, True]
    assert found.visits(Trajectories.from_lists([[], ["c"]], ids=["t1", "t2"])).tolist() == [False]


def test_numbers_are_names_too() -> None:
    walks = Trajectories.from_lists(["ab"], persons=[7])
    assert Workplaces.from_frame({"person": [7], "location": ["a"]}).visits(walks).tolist() == [True, False]


@pytest.mark.parametrize(
    ("frame", "problem"),
    [
        ({"who": ["u"], "location": ["a"]},
         "the workplaces: wanted the columns person, location or trajectory, location, found who, location"),
        ({"person": ["u"]},
         "the workplaces: wanted the columns person, location or trajectory, location, found person"),
        ({"person": [], "location": []}, "the workplaces: wanted at least one workplace, found none"),
        ({"person": ["u", "v"], "location": ["a", ""]}, "the workplaces, row 2: wanted a location, found nothing"),
        ({"person": ["u", None], "location": ["a", "b"]}, "the workplaces, row 2: wanted a person, found nothing"),
    ],
)  # fmt: skip
def test_what_is_no_list_of_workplaces_is_refused(frame: dict[str, list[str]], problem: str) -> None:
    with pytest.raises(DataError) as refusal:
        Workplaces.from_frame(frame)
    assert str(refusal.value) == problem


def test_workplaces_of_others_are_refused_without_naming_anybody() -> None:
    walks = Trajectories.from_lists(["ab"], persons=["ann"])
    with pytest.raises(DataError) as refusal:
        Workplaces.of("person", [("bob", "a")]).visits(walks)
    assert str(refusal.value) == "the workplaces: wanted workplaces of a person that occurs in the data, found none"
    with pytest.raises(DataError, match="give workplaces with the columns trajectory, location"):
        Workplaces.of("person", [("bob", "a")]).visits(Trajectories.from_lists(["ab"]))
