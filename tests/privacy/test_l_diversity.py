"""The l-diversity verifier, which never leaves a row out and gives one person one value."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Table, Trajectories
from sfumato.data import Persons
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.privacy import LDiversity
from sfumato.privacy.l_diversity import matched_values
from twins.diversity import l_diversity_holds, matched, sick_people


@settings(max_examples=150, deadline=None)
@given(table=sick_people(), l=st.integers(2, 4), variant=st.sampled_from(["distinct", "entropy"]))
def test_the_verdict_is_that_of_brute_force(table: Table, l: int, variant: str) -> None:  # noqa: E741
    model = LDiversity(l=l, variant=variant)
    assert model.check(table).holds is l_diversity_holds(model, table)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=10))
def test_the_matching_is_a_largest_one(pairs: list[tuple[int, int]]) -> None:
    pairs = sorted(set(pairs))
    assert matched_values(np.array([v for _, v in pairs]), np.array([p for p, _ in pairs])) == matched(pairs)


def table(ages: list[Any], ill: list[Any], **more: Any) -> Table:
    return Table({"age": ages, "ill": ill}, sensitive=("ill",), **more)


def test_what_is_measured() -> None:
    verdict = LDiversity(l=2).check(table([30, 30, 30, 31], ["flu", "hiv", "flu", "flu"]))
    assert verdict.holds is False
    assert verdict.checked_from == "files"
    assert verdict.measured == {"unit": "record", "groups": 2, "smallest_diversity": 1, "violating_groups": 1}
    assert verdict.witnesses == ({"values": {"age": 31}, "column": "ill", "diversity": 1},)


def test_missing_values_are_one_value_however_they_are_written() -> None:
    assert LDiversity(l=2).check(table([30, 30], [None, "flu"])).holds is True
    assert LDiversity(l=2).check(table([30, 30], [None, ""])).holds is False
    assert LDiversity(l=2).check(table([30, 30], [None, float("nan")])).holds is False
    assert LDiversity(l=2).check(table([30, 30], [0.0, -0.0])).holds is False
    assert LDiversity(l=2).check(table([30, None], ["flu", "hiv"])).holds is False


def test_several_values_of_one_person_are_one_persons() -> None:
    """Ann and Bob have flu, Cid has three illnesses: three values, but no three persons for them."""
    who = Persons.of(["ann", "bob", "cid", "cid", "cid"])
    ill = table([30] * 5, ["flu", "flu", "flu", "cold", "hiv"], persons=who)
    assert LDiversity(l=3).check(ill.with_persons(None)).holds is True
    verdict = LDiversity(l=3).check(ill)
    assert verdict.holds is False
    assert verdict.checked_from == "original"
    assert verdict.witnesses[0]["diversity"] == 2
    assert LDiversity(l=2).check(ill).holds is True


def test_entropy_is_decided_exactly() -> None:
    """Four values in equal shares have the entropy of exactly 4; one more row of one of them has less."""
    even = table([30] * 40, [f"v{n % 4}" for n in range(40)])
    assert LDiversity(l=4, variant="entropy").check(even).holds is True
    assert LDiversity(l=4, variant="entropy").check(even).measured["smallest_diversity"] == 4.0
    uneven = table([30] * 4001, [f"v{n % 4}" for n in range(4001)])
    assert LDiversity(l=4, variant="entropy").check(uneven).holds is False
    # 2^2 values cannot be told from 3 by distinct values, but by entropy: shares 1/2, 1/4, 1/4 weigh 2^1.5 = 2.83
    skewed = table([30] * 4, ["a", "a", "b", "c"])
    assert LDiversity(l=3).check(skewed).holds is True
    verdict = LDiversity(l=3, variant="entropy").check(skewed)
    assert (verdict.holds, verdict.measured["smallest_diversity"]) == (False, 2.828427)


def test_each_sensitive_column_is_diverse() -> None:
    two = Table({"age": [30, 30], "ill": ["flu", "hiv"], "pay": [1, 1]}, sensitive=("ill", "pay"))
    verdict = LDiversity(l=2).check(two)
    assert [witness["column"] for witness in verdict.witnesses] == ["pay"]


def test_a_flag_that_the_release_has_lost_counts() -> None:
    bare = Table({"age": [30, 30], "ill": ["flu", "flu"]}, quasi_identifiers=("age",))
    with pytest.raises(MissingKnowledge, match="l-diversity: needs a sensitive column"):
        LDiversity(l=2).check(bare)
    assert LDiversity(l=2).check(bare, table([30, 30], ["flu", "hiv"])).holds is False


def test_edges() -> None:
    empty = pl.DataFrame({"age": pl.Series([], dtype=pl.Int64), "ill": pl.Series([], dtype=pl.String)})
    assert LDiversity(l=2).check(Table(empty, sensitive=("ill",))).holds is True
    assert LDiversity(l=2).check(table([1], ["flu"])).holds is False
    assert LDiversity(l=2).check(Table({"ill": ["a", "b"]}, sensitive=("ill",))).holds is True
    original = table([1, 1], ["flu", "hiv"], persons=Persons.of(["u", "u"]))
    assert LDiversity(l=2).check(table([1, 1], ["flu", "hiv"]), original).holds == "not checkable"
    with pytest.raises(DataError, match="l-diversity: wanted table, got trajectories"):
        LDiversity(l=2).check(Trajectories.from_lists([["a"]]))
    with pytest.raises(ParameterError, match="l must be a whole number of at least 2, got 1"):
        LDiversity(l=1)
    with pytest.raises(ParameterError, match="variant must be one of 'distinct', 'entropy', got 'some'"):
        LDiversity(l=2, variant="some")


def test_a_shuffled_pandas_index_does_not_matter() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"age": [30, 31, 30, 31], "ill": ["a", "a", "b", "b"]}, index=[3, 3, 0, 1])
    assert LDiversity(l=2).check(Table(frame, sensitive=("ill",))).holds is True
