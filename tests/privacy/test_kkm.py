"""(k,k^m)-anonymity: the paper's figure, the literal twin, and what a verifier must not overlook."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import overlapping_records
from sfumato.data import Mixed, Persons, Table
from sfumato.errors import DataError
from sfumato.privacy import KkmAnonymity
from twins.mixed import kkm_holds


def mixed(rows: list[tuple[Any, str]], who: list[str] | None = None, **members: tuple[str, ...]) -> Mixed:
    data = Mixed.from_frame({"age": [age for age, _ in rows], "items": [items for _, items in rows]})
    data = replace(data, items=replace(data.items, members=members))
    return data.with_persons(None if who is None else Persons.of(who))


@st.composite
def small(draw: Any) -> Mixed:
    rows = draw(
        st.lists(
            st.tuples(st.sampled_from([30, 40, None]), st.sets(st.sampled_from("abc"), max_size=3).map(" ".join)),
            min_size=1,
            max_size=10,
        )
    )
    who = draw(st.none() | st.lists(st.sampled_from("uvwx"), min_size=len(rows), max_size=len(rows)))
    return mixed(rows, who)


@settings(max_examples=150)
@given(data=small(), m=st.integers(1, 3))
def test_agrees_with_the_twin(data: Mixed, m: int) -> None:
    model = KkmAnonymity(k=2, m=m)
    verdict = model.check(data)
    assert verdict.holds is kkm_holds(model, data)
    assert bool(verdict.witnesses) is not verdict.holds


@settings(max_examples=100, deadline=None)
@given(drawn=overlapping_records().filter(lambda drawn: drawn[0]), m=st.integers(1, 2))
def test_labels_that_overlap_between_records_are_opaque(drawn: Any, m: int) -> None:
    baskets, members = drawn
    data = mixed([(30, " ".join(basket)) for basket in baskets], **members)
    verdict = KkmAnonymity(k=2, m=m).check(data)
    assert verdict.holds is kkm_holds(KkmAnonymity(k=2, m=m), data)
    assert bool(verdict.witnesses) is not verdict.holds


def test_none_of_the_items_is_a_case_too() -> None:
    verdict = KkmAnonymity(k=2, m=1).check(mixed([(30, ""), (40, ""), (40, "")]))
    assert verdict.witnesses == ({"values": {"age": 30}, "pattern": [], "support": 1},)
    assert verdict.measured == {
        "unit": "record",
        "classes": 2,
        "smallest_class": 1,
        "patterns": 2,
        "smallest_support": 1,
        "violating_classes": 1,
        "violating_patterns": 1,
    }


def test_a_missing_value_matches_missing_values_only() -> None:
    assert KkmAnonymity(k=2, m=1).check(mixed([(None, "a"), (30, "a"), (30, "a")])).holds is False
    assert KkmAnonymity(k=2, m=1).check(mixed([(None, "a"), (None, "a"), (30, "a"), (30, "a")])).holds is True


def test_only_quasi_identifiers_are_known() -> None:
    frame = {"age": [30, 30], "job": ["cook", "none"], "items": ["a", "a"]}
    assert KkmAnonymity(k=2, m=1).check(Mixed.from_frame(frame, sensitive=("job",))).holds is True
    assert KkmAnonymity(k=2, m=1).check(Mixed.from_frame(frame)).holds is False


def test_two_records_of_one_person_hide_nobody() -> None:
    rows = [(30, "a"), (30, "a")]
    assert KkmAnonymity(k=2, m=1).check(mixed(rows)).holds is True
    assert KkmAnonymity(k=2, m=1).check(mixed(rows, ["u", "u"])).holds is False
    assert KkmAnonymity(k=2, m=1).check(mixed(rows), mixed(rows, ["u", "v"])).holds == "not checkable"


def test_a_torn_record_is_refused() -> None:
    verdict = KkmAnonymity(k=2, m=1).check(mixed([(30, "a g"), (30, "a g")], g=("a", "b")))
    assert verdict.witnesses == ({"labels": ["a", "g"], "shared_member": "a"},)


def test_a_sensitive_item_is_known_like_any_other() -> None:
    data = mixed([(30, "a"), (30, "")])
    assert KkmAnonymity(k=2, m=1).check(data.with_sensitive(["a"])).holds is False


def test_nothing_holds_in_no_records() -> None:
    empty = mixed([(30, "a")]).take([])  # type: ignore[arg-type]
    assert KkmAnonymity(k=2, m=1).check(empty).holds is True


def test_a_planted_violation_is_found_among_many() -> None:
    rows = [(30 + at % 3, "a b" if at % 2 else "a") for at in range(300)]
    assert KkmAnonymity(k=40, m=2).check(mixed(rows)).holds is True
    assert KkmAnonymity(k=2, m=2).check(mixed([*rows, (30, "a c")])).witnesses[0] == {
        "values": {"age": 30},
        "pattern": ["c"],
        "support": 1,
    }


def test_wants_mixed_data() -> None:
    with pytest.raises(DataError, match=r"^kkm: wanted mixed, got table$"):
        KkmAnonymity(k=2, m=1).check(Table({"age": [30]}))
