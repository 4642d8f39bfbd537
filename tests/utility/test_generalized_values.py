"""Which generalized values there are."""

from __future__ import annotations

from dataclasses import replace

from sfumato import Disassociate, Incognito, Mixed, Table, Trajectories, Transactions
from sfumato.utility.generalized_values import generalized_values


def test_labels_count_records_not_visits() -> None:
    walks = Trajectories.from_lists([["a", "b", "a"], ["b", "c"], ["c"]])
    seen = Trajectories.from_lists([["g", "g", "g"], ["g", "h"], ["h"]])
    seen = replace(seen, members={"g": ("a", "b"), "h": ("c", "d", "e")})
    assert generalized_values(walks, seen).rows() == [("location", "h", 2, 3), ("location", "g", 1 + 1, 2)]


def test_a_name_of_its_own_is_not_generalized() -> None:
    walks = Trajectories.from_lists([["a"]])
    assert len(generalized_values(walks, replace(walks, members={"a": ("a",)}))) == 0


def test_columns_one_by_one_and_a_missing_value_is_a_value() -> None:
    people = Table({"age": [30, 31, 52, 53], "town": ["Rome", "Oslo", "Rome", None]})
    seen = Table(
        {"age": ["[30:31]", "[30:31]", "52", "53"], "town": ["*", "*", "*", "*"]},
        members={"town": {"*": ("Oslo", "Rome")}},
    )
    assert generalized_values(people, seen).rows() == [("age", "[30:31]", 2, 2), ("town", "*", 4, 3)]


def test_the_root_of_a_hierarchy_stands_for_all_its_leaves() -> None:
    people = Table({"age": [30, 31, 52, 53], "town": ["Rome", "Oslo", "Rome", "Rome"]})
    release = Incognito(k=4).anonymize(people)
    found = {attribute: members for attribute, _, _, members in generalized_values(people, release.data).iter_rows()}
    assert found["town"] == 2


def test_mixed_records_have_both() -> None:
    people = Mixed.from_frame({"age": [30, 31], "items": ["flu", "cough"]})
    seen = Mixed.from_frame({"age": ["[30:31]", "[30:31]"], "items": ["ill", "ill"]})
    seen = replace(seen, items=replace(seen.items, members={"ill": ("cough", "flu")}))
    assert generalized_values(people, seen).rows() == [("age", "[30:31]", 2, 2), ("items", "ill", 2, 2)]


def test_chunks_generalize_nothing() -> None:
    baskets = Transactions.from_lists([["ale", "bread"]] * 4)
    assert len(generalized_values(baskets, Disassociate(k=2, m=2).anonymize(baskets).data)) == 0
