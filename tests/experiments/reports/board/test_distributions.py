"""Distributions beside literal counts on random releases of every kind."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest

import sfumato
from random_releases import KINDS, cases
from sfumato.data import Chunks, Mixed, Table
from sfumato.experiments.reports.board.distributions import (
    COARSENESS,
    before_and_after,
    coarseness,
    hierarchy_levels,
    lengths,
    published_counts,
)
from sfumato.experiments.reports.board.record_classes import class_sizes, row_class_sizes


def records_of(data: Any) -> list[Any]:
    """Records as values that can be compared, by the public ways out of a dataset."""
    if isinstance(data, Table):
        return data.frame.rows()
    if isinstance(data, Mixed):
        return [(row, tuple(items)) for row, items in zip(data.table.frame.rows(), data.items.to_lists(), strict=True)]
    if data.kind == "roads":
        return [tuple(row) for row in data.as_trajectories(by_interval=True).to_lists()]
    return [tuple(row) for row in data.to_lists()]


@pytest.mark.parametrize("kind", KINDS)
def test_equal_records_are_counted_as_by_hand(kind: str) -> None:
    for case in cases(kind):
        data = case.release.data
        if isinstance(data, Chunks) or len(data) == 0:
            continue
        assert sorted(class_sizes(data).tolist()) == sorted(Counter(records_of(data)).values()), case.name
        table = data.table if isinstance(data, Mixed) else data
        if isinstance(table, Table):
            rows = table.frame.select(table.quasi_identifiers).rows()
            assert sorted(row_class_sizes(table).tolist()) == sorted(Counter(rows).values())


@pytest.mark.parametrize("kind", ["trajectories", "transactions", "mixed"])
def test_labels_are_counted_as_by_hand(kind: str) -> None:
    for case in cases(kind):
        data = case.release.data
        if isinstance(data, Chunks):
            continue
        ragged = data.items if isinstance(data, Mixed) else data
        held = Counter(label for row in ragged.to_lists() for label in set(row))
        *_, (_, _, bars) = published_counts(data)
        shown = {name.partition(" (")[0]: count for name, _, count in bars}
        assert {name: held[name] for name in shown} == shown, case.name
        by_length = lengths(data, case.original)
        assert sum(now for _, _, now in by_length) == len(data)
        assert sum(before or 0 for _, before, _ in by_length) == len(case.original)


def test_labels_by_what_they_stand_for() -> None:
    frame = pl.DataFrame({"age": ["[30:39]", "31", "*", None], "town": ["Rome", "north", "north", "world"]})
    members = {
        "age": {"*": ("[0:99]", "(missing)")},
        "town": {"north": ("Oslo", "Bergen"), "world": tuple(f"t{number}" for number in range(30))},
    }
    rows = dict(coarseness(Table(frame, members=members)))
    assert dict(zip(COARSENESS, rows["age"], strict=True)) == {
        "one value": 0.5, "2 to 5 values": 0, "6 to 20 values": 0, "more than 20 values": 0, "a range of numbers": 0.5,
    }  # fmt: skip
    assert rows["town"] == [0.25, 0.5, 0, 0.25, 0]


def test_levels_of_a_hierarchy() -> None:
    tree = sfumato.Taxonomy(
        {"*": None, "north": "*", "south": "*", "Oslo": "north", "Bergen": "north", "Rome": "south"}
    )
    original = sfumato.Table({"town": ["Oslo", "Bergen", "Rome", "Rome"]}, hierarchies={"town": tree})
    published = Table({"town": ["north", "north", "Rome", "*"]})
    assert hierarchy_levels(published, original) == [("town", [0.25, 0.5, 0.25, 0, 0])]
    assert hierarchy_levels(Table({"town": ["g1", "north"]}), original) == []  # labels that are not nodes


def test_numbers_are_shown_in_ranges_and_lose_nothing() -> None:
    values = [(f"{value}", 1.0, 2.0) for value in range(17, 91)] + [(None, 3.0, 4.0)]
    frame = pl.DataFrame(
        [("age", value, before, after, 0.0) for value, before, after in values],
        schema=["attribute", "value", "original", "published", "relative_difference"],
        orient="row",
    )
    ((name, more, bars),) = before_and_after(frame, ["age"])
    assert (name, more) == ("age", "")
    assert [bar[0] for bar in bars[:2]] == ["17-24", "25-32"]
    assert bars[-1] == ("(missing)", 3.0, 4.0)
    assert sum(before or 0 for _, before, _ in bars) == sum(before for _, before, _ in values)
    assert sum(after for _, _, after in bars) == sum(after for _, _, after in values)
    fractions = frame.with_columns(pl.col("value").cast(pl.Float64) + 0.5).with_columns(pl.col("value").cast(pl.String))
    ((_, _, bars),) = before_and_after(fractions, ["age"])
    assert sum(after for _, _, after in bars) == sum(after for _, _, after in values)


def test_names_that_look_like_numbers_stay_names() -> None:
    rows = [("location", f"{number}", float(number % 7), 1.0, 0.0) for number in range(40)]
    schema = ["attribute", "value", "original", "published", "relative_difference"]
    frame = pl.DataFrame([*rows, ("location", "nan", 0.0, 0.0, 0.0)], schema=schema, orient="row")
    assert list(before_and_after(frame, ["location"])) == list(before_and_after(frame))  # not all are finite
    ((_, more, bars),) = before_and_after(pl.DataFrame(rows, schema=schema, orient="row"))
    assert more == "the 10 most frequent of 40 values"
    assert [before for _, before, _ in bars] == [6.0] * 5 + [5.0] * 5


def test_counts_that_did_not_change_have_no_picture() -> None:
    rows = [("job", "cook", 2.0, 2.0, 0.0), ("job", None, 1.0, 1.0, 0.0)]
    schema = ["attribute", "value", "original", "published", "relative_difference"]
    assert list(before_and_after(pl.DataFrame(rows, schema=schema, orient="row"))) == []
