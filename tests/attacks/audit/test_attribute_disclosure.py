"""Attribute disclosure: figures of literal programs and of the privacy models."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Persons, Table
from sfumato.attacks import TableAudit
from sfumato.privacy import LDiversity, TCloseness
from twins import table_risks as twin

ROWS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["flu", "hiv", "mumps", None])), min_size=1, max_size=14)


@settings(max_examples=40, deadline=None)
@given(rows=ROWS, draw=st.data(), threshold=st.sampled_from([0.5, 0.75, 0.9, 1.0]))
def test_figures(rows: list[tuple[int, Any]], draw: Any, threshold: float) -> None:
    persons = draw.draw(st.none() | st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)))
    table = Table(
        {"age": [age for age, _ in rows], "ill": [ill for _, ill in rows]},
        sensitive=("ill",),
        persons=None if persons is None else Persons.of(persons),
    )
    risks = TableAudit(inference=threshold).run(table)
    (result,) = risks.disclosures
    who = list(range(len(rows))) if persons is None else persons
    known, values = [(age,) for age, _ in rows], [ill for _, ill in rows]
    expected = twin.disclosure(known, values, who, threshold)
    assert (result.inferred, result.one_value_units) == (expected["inferred"], expected["one_value_units"])
    shown = risks.people["probability of ill"].to_list()
    assert sorted(shown) == pytest.approx(sorted(expected["probabilities"].values()))
    assert result.distinct_l == LDiversity(l=2).check(table).measured["smallest_diversity"]
    entropy = LDiversity(l=2, variant="entropy").check(table).measured["smallest_diversity"]
    assert result.entropy_l == pytest.approx(entropy, abs=1e-6)
    assert result.closeness == pytest.approx(TCloseness(t=0).check(table).measured["largest_distance"], abs=1e-6)
    if persons is None:
        assert result.entropy_l == pytest.approx(twin.entropy_l(known, values))


def test_values_computed_by_hand() -> None:
    # classes: flu flu hiv | flu flu | hiv; of all six, four have flu
    table = Table(
        {"age": [30, 30, 30, 40, 40, 50], "ill": ["flu", "flu", "hiv", "flu", "flu", "hiv"]}, sensitive=("ill",)
    )
    (result,) = TableAudit(inference=0.6).run(table).disclosures
    assert (result.one_value_classes, result.one_value_units, result.inferred) == (2, 3, 5)
    assert (result.distinct_l, result.most_frequent) == (1, pytest.approx(4 / 6))
    assert result.closeness == pytest.approx(4 / 6)  # of the class with hiv alone
    assert result.to_json()["column"] == "ill"
