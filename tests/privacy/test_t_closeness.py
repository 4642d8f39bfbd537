"""The t-closeness verifier, which compares exactly."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Table, Trajectories
from sfumato.data import Persons
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.privacy import TCloseness
from twins.diversity import sick_people, t_closeness_holds

SHARES = st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.3, 0.5, 2 / 3, 0.6, 0.75, 0.9, 1.0])


@settings(max_examples=120, deadline=None)
@given(table=sick_people(), t=SHARES)
def test_the_verdict_is_that_of_brute_force(table: Table, t: float) -> None:
    model = TCloseness(t=t)
    assert model.check(table).holds is t_closeness_holds(model, table)


@settings(max_examples=120, deadline=None)
@given(table=sick_people(st.sampled_from([3, 5, 40, None])), t=SHARES)
def test_the_ordered_verdict_is_that_of_brute_force(table: Table, t: float) -> None:
    if not table["ill"].dtype.is_numeric():
        return
    model = TCloseness(t=t, distance="ordered")
    assert model.check(table).holds is t_closeness_holds(model, table)


def table(ages: list[Any], ill: list[Any], **more: Any) -> Table:
    return Table({"age": ages, "ill": ill}, sensitive=("ill",), **more)


def test_the_boundary_is_the_decimal_number_that_was_written() -> None:
    """Half of the table has flu, three of five in the class: exactly 0.1 apart, which no float is."""
    ill = table([1] * 5 + [2] * 5, ["flu"] * 3 + ["hiv"] * 2 + ["flu"] * 2 + ["hiv"] * 3)
    verdict = TCloseness(t=0.1).check(ill)
    assert verdict.holds is True
    assert verdict.measured == {"unit": "record", "groups": 2, "largest_distance": 0.1, "violating_groups": 0}
    refused = TCloseness(t=0.0999).check(ill)
    assert refused.holds is False
    assert refused.witnesses[0] == {"values": {"age": 1}, "column": "ill", "distance": 0.1}


def test_the_salaries_of_the_paper() -> None:
    """Li, Li, Venkatasubramanian, Section 4.2: salaries 3k to 11k; {3,4,5} is 0.375 away, {6,8,11} 0.167."""
    salaries = [3, 4, 5, 6, 8, 11, 7, 9, 10]
    pay = Table({"zip": [1, 1, 1, 2, 2, 2, 3, 3, 3], "pay": salaries}, sensitive=("pay",))
    verdict = TCloseness(t=0.3, distance="ordered").check(pay)
    assert verdict.holds is False
    assert verdict.witnesses == ({"values": {"zip": 1}, "column": "pay", "distance": 0.375},)
    assert TCloseness(t=0.375, distance="ordered").check(pay).holds is True
    only = TCloseness(t=0.16, distance="ordered").check(pay)
    assert {witness["values"]["zip"]: witness["distance"] for witness in only.witnesses}[2] == 0.166667
    assert TCloseness(t=0.66, distance="equal").check(pay).holds is False  # three of nine values: 2/3 away


def test_a_person_counts_once_for_each_value() -> None:
    """Cid's four rows of flu are one: by rows the second class is all flu but for one, by persons it is even."""
    who = Persons.of(["ann", "bob", "cid", "cid", "cid", "cid", "dan"])
    ill = table([1, 1, 2, 2, 2, 2, 2], ["flu", "hiv", *["flu"] * 4, "hiv"], persons=who)
    verdict = TCloseness(t=0).check(ill)
    assert verdict.holds is False  # not by rows
    assert verdict.measured["worst_unit"] == "record"
    assert (
        verdict.measured["largest_distance"]
        == TCloseness(t=0).check(ill.with_persons(None)).measured["largest_distance"]
    )
    assert all(witness["unit"] == "record" for witness in verdict.witnesses)
    even = table([1, 1, 1, 1, 2, 2], ["flu", "flu", "hiv", "hiv", "flu", "hiv"], persons=Persons.of(list("uuuvwx")))
    by_person = TCloseness(t=0.09).check(even)
    assert by_person.holds is False  # by rows every class is half flu, by persons the first is a third
    assert by_person.measured["worst_unit"] == "person"


def test_rows_that_fail_are_a_failure_whoever_is_behind_them() -> None:
    original = table([1, 2], ["flu", "hiv"], persons=Persons.of(["u", "v"]))
    assert TCloseness(t=0.4).check(table([1, 2], ["flu", "hiv"]), original).holds is False


def test_edges() -> None:
    empty = pl.DataFrame({"age": pl.Series([], dtype=pl.Int64), "ill": pl.Series([], dtype=pl.String)})
    assert TCloseness(t=0).check(Table(empty, sensitive=("ill",))).holds is True
    assert TCloseness(t=0).check(table([1], ["flu"])).holds is True
    assert TCloseness(t=0).check(table([1, 2], [None, ""])).holds is True
    assert TCloseness(t=0.4).check(table([1, 2], [None, "flu"])).holds is False
    assert TCloseness(t=0).check(Table({"ill": ["a", "b"]}, sensitive=("ill",))).holds is True
    original = table([1, 1], ["flu", "hiv"], persons=Persons.of(["u", "u"]))
    assert TCloseness(t=0.5).check(table([1, 1], ["flu", "hiv"]), original).holds == "not checkable"
    with pytest.raises(MissingKnowledge, match="t-closeness: needs a sensitive column"):
        TCloseness(t=0.5).check(Table({"age": [1]}))
    with pytest.raises(DataError, match="the ordered distance needs numbers, the column 'ill'"):
        TCloseness(t=0.5, distance="ordered").check(table([1], ["flu"]))
    with pytest.raises(DataError, match="t-closeness: wanted table, got trajectories"):
        TCloseness(t=0.5).check(Trajectories.from_lists([["a"]]))
    with pytest.raises(ParameterError, match=r"t must be a number of at least 0 and at most 1, got 1\.5"):
        TCloseness(t=1.5)
