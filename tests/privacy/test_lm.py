"""The verifier of l^m-diversity."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import overlapping_records, persons, records
from sfumato import Transactions
from sfumato.errors import MissingKnowledge
from sfumato.privacy import LmDiversity
from twins.items import lm_holds


@settings(max_examples=200, deadline=None)
@given(rows=records(), l=st.integers(1, 3), m=st.integers(1, 3), k=st.integers(1, 3), draw=st.data())
def test_the_verdict_is_that_of_brute_force(rows: list[list[str]], l: int, m: int, k: int, draw: st.DataObject) -> None:  # noqa: E741
    rows = [*rows, ["e", "a"], ["f"]]
    data = Transactions.from_lists(rows, persons=draw.draw(persons(len(rows))), sensitive=["e", "f"])
    model = LmDiversity(l=l, m=m, k=k)
    assert model.check(data).holds is lm_holds(model, data, data)


@settings(max_examples=200, deadline=None)
@given(drawn=overlapping_records(), l=st.integers(1, 3), m=st.integers(1, 3), k=st.integers(1, 3), draw=st.data())
def test_labels_that_overlap_between_records(
    drawn: Any,
    l: int,  # noqa: E741
    m: int,
    k: int,
    draw: st.DataObject,
) -> None:
    rows, members = drawn
    data = Transactions.from_lists(rows, persons=draw.draw(persons(len(rows))))
    data = replace(data, members=members, sensitive=frozenset("yz"))
    model = LmDiversity(l=l, m=m, k=k)
    assert model.check(data).holds is lm_holds(model, data, data)


def test_all_images_of_an_item_are_counted_together() -> None:
    rows = [["g", "s"], ["g"], ["h"], ["h", "s"]]
    data = Transactions.from_lists(rows, sensitive=["s"], persons=list("uvuv"))
    verdict = LmDiversity(l=2, m=1).check(replace(data, members={"g": ("a", "b"), "h": ("b", "c")}))
    assert verdict.holds is False
    assert verdict.witnesses[0]["pattern"] == ["b"]
    assert verdict.witnesses[0]["images"] == [["g", "h"]]


def test_a_label_of_sensitive_and_other_items_is_refused() -> None:
    data = Transactions.from_lists([["g"], ["g"], ["s"]], sensitive=["s"])
    mixed = replace(data, members={"g": ("a", "s")})
    assert LmDiversity(l=1, m=1).check(mixed).witnesses == ({"mixed_label": "g"},)


def test_two_labels_with_a_common_member_are_refused() -> None:
    data = Transactions.from_lists([["g", "h"], ["g", "h"], ["s"]], sensitive=["s"])
    torn = replace(data, members={"g": ("a", "b"), "h": ("b", "c")})
    assert LmDiversity(l=1, m=1).check(torn).witnesses == ({"labels": ["g", "h"], "shared_member": "b"},)


def test_a_release_that_lost_its_flags_is_read_with_those_of_the_original() -> None:
    data = Transactions.from_lists([["a", "s"], ["a"]], sensitive=["s"])
    lost = replace(data, sensitive=frozenset())
    with pytest.raises(MissingKnowledge, match="lm: needs to know which items are sensitive"):
        LmDiversity(l=2, m=1).check(lost)
    assert LmDiversity(l=2, m=1).check(lost, data).holds is True
    assert LmDiversity(l=3, m=1).check(lost, data).holds is False


def test_somebody_with_sensitive_items_only_is_reached_by_nobody() -> None:
    data = Transactions.from_lists([["s"], ["a"], ["a"]], sensitive=["s"])
    assert LmDiversity(l=2, m=2, k=2).check(data).holds is True
