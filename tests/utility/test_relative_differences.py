"""How far single counts are off: by hand, against asking one query a value, and for every shape."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import records
from sfumato import Disassociate, Mixed, Table, Trajectories, Transactions
from sfumato.data import Chunks
from sfumato.data.queries import ESTIMATES, Query
from sfumato.errors import ParameterError
from sfumato.utility.relative_differences import relative_differences

SHAPES = {"trajectories": Trajectories, "transactions": Transactions}
LABELS = {"ab": "g1", "cd": "g2", "ac": "g3"}


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("kind", SHAPES)
@settings(max_examples=80, deadline=None)
@given(rows=records("abcd"), draw=st.data())
def test_every_count_is_that_of_its_own_query(kind: str, estimate: str, rows: Any, draw: Any) -> None:
    """Each element is published under its own name or under a label that holds it, labels may overlap."""
    shape: Any = SHAPES[kind]
    original = shape.from_lists(rows)

    def image(name: str) -> str:
        return draw.draw(st.sampled_from([name, *(label for group, label in LABELS.items() if name in group)]))

    published = shape.from_lists([[image(name) for name in row] for row in original.to_lists()])
    used = {label: tuple(group) for group, label in LABELS.items() if label in published.names}
    published = replace(published, members=used)
    frame = relative_differences(original, published, estimate)
    asked = {
        name: Query(items=(name,)) if kind == "transactions" else Query(locations=(name,)) for name in original.names
    }
    found = {value: (before, after) for _, value, before, after, _ in frame.iter_rows()}
    assert set(found) == {name for row in original.to_lists() for name in row}
    for name, (before, after) in found.items():
        assert before == original.expected_count(asked[name])
        assert after == pytest.approx(published.expected_count(asked[name], estimate))
    for _, _, before, after, off in frame.iter_rows():
        assert off == pytest.approx(abs(after - before) / before)
    assert frame["relative_difference"].to_list() == sorted(frame["relative_difference"].to_list(), reverse=True)


def test_a_suppressed_place_is_off_by_all_of_it() -> None:
    walks = Trajectories.from_lists([["a", "b"], ["a"]])
    assert relative_differences(walks, Trajectories.from_lists([["a"], ["a"]])).rows() == [
        ("location", "b", 1.0, 0.0, 1.0),
        ("location", "a", 2.0, 2.0, 0.0),
    ]


def test_columns_by_hand() -> None:
    """Two of [30:31] are one of each; towns as one label are 1.5 each of three; the sensitive column is as it was."""
    people = Table({"age": [30, 30, 52], "town": ["Rome", "Oslo", "Rome"], "ill": ["flu", "flu", None]},
                   sensitive=("ill",))  # fmt: skip
    seen = Table(
        {"age": ["[30:30]", "[30:30]", "52"], "town": ["*", "*", "*"], "ill": ["flu", "flu", None]},
        sensitive=("ill",),
        members={"town": {"*": ("Oslo", "Rome")}},
    )
    assert relative_differences(people, seen).rows() == [
        ("age", "30", 2.0, 2.0, 0.0),
        ("age", "52", 1.0, 1.0, 0.0),
        ("town", "Oslo", 1.0, 1.5, 0.5),
        ("town", "Rome", 2.0, 1.5, 0.25),
        ("ill", None, 1.0, 1.0, 0.0),
        ("ill", "flu", 2.0, 2.0, 0.0),
    ]


def test_mixed_records_have_columns_and_items() -> None:
    frame = {"age": [30, 31], "items": ["flu cough", "flu"]}
    people = Mixed.from_frame(frame)
    found = relative_differences(people, Mixed.from_frame({**frame, "items": ["flu", "flu"]}))
    assert [row[:2] for row in found.rows()] == [("age", "30"), ("age", "31"), ("items", "cough"), ("items", "flu")]
    assert found["relative_difference"].to_list() == [0.0, 0.0, 1.0, 0.0]


def test_chunks_keep_single_items() -> None:
    baskets = Transactions.from_lists([["ale", "bread"]] * 4 + [["ale", "tea"]] * 2 + [["oil"]])
    release = Disassociate(k=2, m=2).anonymize(baskets)
    assert isinstance(release.data, Chunks)
    for _, name, before, after, _ in relative_differences(baskets, release.data).iter_rows():
        assert after == pytest.approx(release.data.expected_count(Query(items=(name,))))
        assert before == baskets.expected_count(Query(items=(name,)))


def test_a_member_has_its_share_of_a_label() -> None:
    """One label of three members in one record: a third of a record each; as subsets, 4 of 7."""
    baskets = Transactions.from_lists([["a"], ["b", "c"]])
    published = replace(Transactions.from_lists([["g"], ["b", "c"]]), members={"g": ("a", "b", "c")})
    found = {name: after for _, name, _, after, _ in relative_differences(baskets, published).iter_rows()}
    assert found == pytest.approx({"a": 1 / 3, "b": 4 / 3, "c": 4 / 3})
    found = {name: after for _, name, _, after, _ in relative_differences(baskets, published, "subsets").iter_rows()}
    assert found == pytest.approx({"a": 4 / 7, "b": 11 / 7, "c": 11 / 7})
    with pytest.raises(ParameterError, match="estimate must be one of"):
        relative_differences(Table({"age": [1]}), Table({"age": [1]}), "all")


def test_nothing_is_off_where_there_is_nothing() -> None:
    nobody = Trajectories.from_lists([[]])
    assert len(relative_differences(nobody, nobody)) == 0
