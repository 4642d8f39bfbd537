"""Top-down specialization against its literal twin."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import BottomUp, Table, TopDown
from sfumato.data import Persons
from sfumato.errors import DataError, Infeasible
from tabled import classes_of, numbers, people, tables
from twins.tables import GONE, LiteralCuts


def published(release: Any) -> list[tuple[Any, ...]]:
    return sorted(tuple(GONE if cell is None else cell for cell in row) for row in release.data.frame.rows())


@settings(max_examples=60, deadline=None)
@given(table=tables(), k=st.integers(2, 4), share=st.sampled_from([0.0, 0.2, 0.5]))
def test_it_goes_as_the_literal_twin(table: Table, k: int, share: float) -> None:
    if len(set(table.units.tolist())) < k:
        with pytest.raises(Infeasible):
            TopDown(k=k).anonymize(table)
        return
    release = TopDown(k=k, suppression=share).anonymize(table)
    twin = LiteralCuts(table, k, int(share * len(table) + 1e-9), at_root=True)
    twin.specialize()
    assert published(release) == twin.published()
    assert release.holds


@settings(max_examples=40, deadline=None)
@given(table=numbers(), k=st.integers(2, 4), share=st.sampled_from([0.0, 0.2]))
def test_numbers_without_a_hierarchy_cost_their_length(table: Table, k: int, share: float) -> None:
    twin = LiteralCuts(table, k, int(share * len(table) + 1e-9), at_root=True)
    twin.specialize()
    assert classes_of(TopDown(k=k, suppression=share).anonymize(table)) == twin.classes()


@settings(max_examples=60, deadline=None)
@given(table=tables() | numbers(), k=st.integers(2, 4), share=st.sampled_from([0.0, 0.2, 0.5]), seed=st.integers(0, 9))
def test_a_class_column_leads_as_in_the_literal_twin(table: Table, k: int, share: float, seed: int) -> None:
    if len(set(table.units.tolist())) < k:
        return
    draw = Random(seed)
    classes = [draw.choice(["yes", "no", "no", None]) for _ in range(len(table))]
    classified = replace(table, frame=table.frame.with_columns(pl.Series("class", classes, dtype=pl.String)))
    method = TopDown(k=k, suppression=share, class_column="class", allow_keys=True)
    release = method.anonymize(classified)
    twin = LiteralCuts(table, k, int(share * len(table) + 1e-9), at_root=True)
    twin.specialize(classes)
    assert classes_of(release) == twin.classes()
    assert release.holds


def test_the_attribute_that_decides_the_class_keeps_its_detail() -> None:
    """With k = 20, towns or jobs can be told, not both; towns are larger, but the class depends on the job alone."""
    draw = Random(5)
    rows = [(draw.choice("abcd"), draw.choice("abcdefgh"), draw.randrange(20, 60)) for _ in range(200)]
    frame = pl.DataFrame(rows, schema=["town", "job", "age"], orient="row")
    frame = frame.with_columns(paid=pl.Series(["yes" if job in "aceg" else "no" for _, job, _ in rows]))
    names = ("town", "job", "age")
    table = Table(frame, quasi_identifiers=names, sensitive=("paid",))
    release = TopDown(k=20, class_column="paid").anonymize(table)
    detail = {name: release.data[name].n_unique() for name in names}
    assert detail == {"town": 1, "job": 8, "age": 1}
    assert release.holds
    assert TopDown(k=20).anonymize(table).data["job"].n_unique() == 1


def test_what_is_no_class_column_is_refused() -> None:
    table = Table({"age": [30, 30], "ill": ["flu", "gout"]}, sensitive=("ill",))
    for wrong in ("age", "il"):
        with pytest.raises(DataError, match=rf"^top-down: wanted a class column .* found '{wrong}'; "):
            TopDown(k=2, class_column=wrong, allow_keys=True).anonymize(table)


def test_a_table_worked_out_by_hand() -> None:
    """Sex stays as it is (one class); town can be told apart, or job, but not both: job gains more."""
    table = people([("joiner", "Rome", "f"), ("turner", "Bari", "f"), ("joiner", "Bari", "f"), ("turner", "Rome", "f")])
    # gains by the first steps: job (1 - 3/4) * 4 = 1, town (1 - 2/3) * 4 = 4/3, sex 4; sex first, nothing is given up
    release = TopDown(k=2).anonymize(table)
    assert release.data.frame.rows() == [("wood", "Bari", "f")] * 2 + [("wood", "Rome", "f")] * 2
    assert release.data.members == {"job": {"wood": ("joiner", "turner")}}


def test_every_step_must_be_worth_what_it_suppresses() -> None:
    table = people([("joiner", "Rome", "f")] * 3 + [("poet", "Oslo", "m")])
    release = TopDown(k=2, suppression=1.0).anonymize(table)
    assert release.data.frame.rows() == [("joiner", "Rome", "f")] * 3
    assert release.counts["suppressed_records"] == 1


def test_a_node_without_rows_is_not_specialized_in_vain() -> None:
    """Nobody lives in the north: its children are never looked at, and the south is told apart."""
    table = people([("poet", "Rome", "f")] * 2 + [("poet", "Bari", "f")] * 2)
    assert TopDown(k=2).anonymize(table).data["town"].to_list() == ["Bari"] * 2 + ["Rome"] * 2


def test_all_equal_and_k_equal_to_the_rows() -> None:
    table = people([("poet", None, None)] * 3)
    for method in (TopDown(k=3), BottomUp(k=3)):
        assert method.anonymize(table).data.frame.rows() == [("poet", None, None)] * 3
    mixed = people([("poet", "Rome", "f"), ("smith", "Oslo", "m"), (None, "Bari", None)])
    assert set(TopDown(k=3).anonymize(mixed).data.frame.rows()) == {("any", "*", "*")}


def test_diverse_and_close() -> None:
    table = people([("joiner", "Rome", "f")] * 2 + [("turner", "Rome", "f")] * 2, ill=["flu", "flu", "hiv", "flu"])
    assert TopDown(k=2).anonymize(table).data["job"].n_unique() == 2
    assert TopDown(k=2, l=2).anonymize(table).data["job"].to_list() == ["wood"] * 4
    assert TopDown(k=2, t=0.25).anonymize(table).data["job"].n_unique() == 2
    assert TopDown(k=2, t=0.2).anonymize(table).data["job"].to_list() == ["wood"] * 4


def test_values_of_one_person_are_not_diverse() -> None:
    """Ann has flu and hiv, Bob has flu: two values in a class, but only Ann has the second one; that is a matching."""
    rows = [("joiner", "Rome", "f")] * 3 + [("turner", "Rome", "f")] * 2
    table = people(rows, ["ann", "ann", "bob", "cy", "di"], ill=["flu", "hiv", "flu", "flu", "hiv"])
    assert TopDown(k=2, l=2).anonymize(table).data["job"].n_unique() == 2
    alone = people(rows, ["ann", "ann", "bob", "cy", "di"], ill=["flu", "hiv", "hiv", "flu", "hiv"])
    assert TopDown(k=2, l=2).anonymize(alone).data["job"].n_unique() == 2
    same = people(rows, ["ann", "ann", "ann", "cy", "di"], ill=["flu", "hiv", "hiv", "flu", "hiv"])
    assert TopDown(k=2, l=2).anonymize(same).data["job"].to_list() == ["wood"] * 5


def test_a_key_among_the_columns_is_refused() -> None:
    ages = {"age": [30, 30, 31, 31], "number": [7, 8, 9, 10]}
    sentence = (
        r"^top-down: no two rows share a value of the column 'number', so it would identify every row; "
        r"leave it out, make it a quasi-identifier, or allow it$"
    )
    with pytest.raises(Infeasible, match=sentence):
        TopDown(k=2).anonymize(Table(ages, quasi_identifiers=("age",)))
    with pytest.raises(Infeasible, match=sentence):
        TopDown(k=2).anonymize(Table(ages, sensitive=("number",)))
    kept = TopDown(k=2, allow_keys=True).anonymize(Table(ages, quasi_identifiers=("age",)))
    assert kept.data["number"].to_list() == [7, 8, 9, 10]
    patients = Table(
        {"age": [30, 30, 31, 31], "patient": ["p", "p", "q", "r"]},
        quasi_identifiers=("age",),
        persons=Persons.of(["u", "u", "v", "w"]),
    )
    with pytest.raises(Infeasible, match="no two persons share a value of the column 'patient'"):
        TopDown(k=2).anonymize(patients)
    alike = Table({"age": [30, 30], "number": [7, 7]}, quasi_identifiers=("age",))
    assert len(TopDown(k=2).anonymize(alike).data) == 2
    gaps = Table({"age": [30, 30, 30], "number": [7, None, 8]}, quasi_identifiers=("age",))
    with pytest.raises(Infeasible, match="'number'"):
        TopDown(k=2).anonymize(gaps)
