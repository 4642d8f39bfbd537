"""Members are values, in every dataset that holds members."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import Mixed, Table, Trajectories, Transactions
from sfumato.data.labels.flat_members import nested_label
from sfumato.errors import DataError

NAMES = st.sampled_from("abcd")
NESTED = {"g1": ("a", "g2"), "g2": ("b", "c")}
FLAT = {"g1": ("a", "b", "c"), "g2": ("b", "c"), "d": ("d",)}
ROWS = [["g1", "g2"], ["d"]]


@given(st.dictionaries(NAMES, st.lists(NAMES, max_size=3).map(tuple)))
def test_a_nested_label_is_one_that_stands_for_others_under_another(members: dict[str, tuple[str, ...]]) -> None:
    nested = [
        inner
        for outer in members
        for inner in members
        if outer != inner and inner in members[outer] and set(members[inner]) != {inner}
    ]
    assert nested_label(members) == min(nested, default=None)


@pytest.mark.parametrize("shape", [Trajectories, Transactions])
def test_records_refuse_nested_labels(shape: type[Trajectories] | type[Transactions]) -> None:
    data = shape.from_lists(ROWS)
    assert replace(data, members=FLAT).members == FLAT
    with pytest.raises(DataError, match="found 'g2', a label with members of its own"):
        replace(data, members=NESTED)


def test_tables_and_mixed_records_refuse_nested_labels() -> None:
    frame = {"town": ["g1", "g2"], "items": ["g1", "g2"]}
    assert Table(frame, members={"town": FLAT, "items": {}}).members["town"] == FLAT
    with pytest.raises(DataError, match=r"the column 'town': .* found 'g2'"):
        Table(frame, members={"town": NESTED})
    mixed = Mixed.from_frame(frame)
    with pytest.raises(DataError, match=r"the items: .* found 'g2'"):
        replace(mixed, items=replace(mixed.items, members=NESTED))


def test_a_label_of_one_column_may_be_a_member_in_another() -> None:
    members = {"home": {"g1": ("a", "b")}, "work": {"x": ("c", "g1")}}
    assert Table({"home": ["g1"], "work": ["x"]}, members=members).members == members
