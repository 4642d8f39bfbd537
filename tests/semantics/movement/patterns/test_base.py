"""Patterns of users: functions, registered names, classes, and mistakes."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl
import pytest

from sfumato.errors import DataError, ParameterError
from sfumato.params import param
from sfumato.semantics import Movement, Pattern, register_pattern
from sfumato.semantics.movement.patterns.base import Found
from twins.movements import random_frames


def movement() -> Movement:
    return Movement.of(**random_frames(3))


def test_a_function_gives_sets_of_rows() -> None:
    def together(_: Movement) -> list[list[int]]:
        return [[0, 1, 1], [2]]

    found = movement().with_patterns(together).with_patterns(together)
    assert found.patterns["name"].to_list() == ["together/1", "together/2", "together/3", "together/4"]
    assert found.members.rows() == [(0, 0), (0, 1), (1, 2), (2, 0), (2, 1), (3, 2)]


def test_a_registered_function_has_a_name() -> None:
    @register_pattern("EMPTY")
    def nothing(_: Movement) -> list[list[int]]:
        return []

    assert movement().with_patterns("EMPTY").patterns.is_empty()
    with pytest.raises(ParameterError, match=r"no pattern is called 'EMPTI'.*EMPTY"):
        movement().with_patterns("EMPTI")


def test_a_class_has_parameters() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Long(Pattern):
        """Segments that last."""

        type = "LONG"
        minutes: float = param(1.0, above=0, help="shortest duration")

        def find(self, movement: Movement) -> Found:
            rows = (movement.minutes() >= self.minutes).arg_true().cast(pl.Int64)
            sets = pl.DataFrame({"set": rows, "begin": movement.segments["begin"].gather(rows), "end": None})
            return Found(sets, pl.DataFrame({"set": rows, "segment": rows}))

    given = movement()
    found = given.with_patterns(Long(minutes=2))
    assert len(found.patterns) == (given.minutes() >= 2).sum() > 0
    assert found.patterns["type"].unique().to_list() == ["LONG"]


@pytest.mark.parametrize(
    ("rows", "rule"), [([[99]], "15 references"), ([["x"]], "wanted sets of rows"), (7, "wanted sets")]
)
def test_sets_that_are_none(rows: object, rule: str) -> None:
    with pytest.raises(DataError, match=rule):
        movement().with_patterns(lambda _: rows)


def test_what_is_no_pattern() -> None:
    with pytest.raises(ParameterError, match="wanted a pattern, a function or a name, found int"):
        movement().with_patterns(7)
