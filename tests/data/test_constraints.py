"""Utility constraints: a partition of the locations."""

from __future__ import annotations

import pytest

from sfumato.data import Constraints
from sfumato.errors import DataError


def test_groups_are_in_name_order_whatever_the_order_of_the_rows() -> None:
    found = Constraints.from_frame({"location": ["c", "a", "b"], "constraint": ["two", "two", "one"]})
    assert found.groups == {"one": ("b",), "two": ("a", "c")}
    assert len(found) == 2
    assert found["c"] == "two"


@pytest.mark.parametrize(
    ("frame", "problem"),
    [
        ({"location": ["a"]}, "the constraints: wanted the columns location, constraint, found location"),
        ({"location": [], "constraint": []},
         "the constraints: wanted at least one location with its constraint, found none"),
        ({"location": ["a", ""], "constraint": ["1", "1"]}, "the constraints, row 2: wanted a location, found nothing"),
        ({"location": ["a", "b"], "constraint": ["1", None]},
         "the constraints, row 2: wanted a constraint, found nothing"),
        (
            {"location": ["a", "b", "a"], "constraint": ["1", "1", "2"]},
            "the constraints, row 3: wanted every location in one constraint, found a location for the second time",
        ),
    ],
)  # fmt: skip
def test_what_is_no_partition_is_refused(frame: dict[str, list[str]], problem: str) -> None:
    with pytest.raises(DataError) as refusal:
        Constraints.from_frame(frame)
    assert str(refusal.value) == problem


def test_a_location_in_no_constraint_is_refused() -> None:
    with pytest.raises(DataError, match=r"found none for 2"):
        Constraints({"a": "one"}).require(["a", "x", "y"])


def test_time_slots_are_in_the_constraint_of_their_place() -> None:
    found = Constraints({"a": "one", "b@9": "two"})
    found.require(["a", "a@8", "b@9"])
    assert (found["a@8"], found["b@9"]) == ("one", "two")
    with pytest.raises(DataError, match=r"found none for 1"):
        found.require(["a@8", "b@8"])
