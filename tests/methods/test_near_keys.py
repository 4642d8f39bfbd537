"""Columns that nearly are keys are named before anything is published."""

from __future__ import annotations

import numpy as np

from sfumato import Incognito, Mixed, RFirst, Table, Taxonomy
from sfumato.data import Persons
from sfumato.methods.near_keys import near_keys

AGES = [30, 30, 30, 40, 40, 40, 40, 40, 40, 40]


def table(pay: list[int | None], **more: object) -> Table:
    return Table({"age": AGES, "pay": pay}, quasi_identifiers=("age",), **more)  # type: ignore[arg-type]


def test_six_of_ten_are_named_and_five_are_not() -> None:
    release = Incognito(k=2).anonymize(table([1, 2, 3, 4, 5, 6, 7, 7, 7, 7], sensitive=("pay",)))
    assert release.notes[-1].startswith("column 'pay' is published unchanged, and 60 % of the rows (6 of 10)")
    assert release.report()["notes"] == list(release.notes)
    fewer = Incognito(k=2).anonymize(table([1, 2, 3, 4, 5, 7, 7, 7, 7, 7]))
    assert not any("column 'pay'" in sentence for sentence in fewer.notes)


def test_missing_values_and_quasi_identifiers_are_nobodys_key() -> None:
    assert near_keys(table([1, 2, 3, 4, 5] + [None] * 5)) == ()
    assert near_keys(Table({"age": list(range(10))})) == ()
    assert near_keys(table([1] * 10).take(np.arange(1))) == ()


def test_a_value_of_one_person_in_many_rows_is_that_persons() -> None:
    data = table([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    assert near_keys(data) == ()
    assert "100 % of the rows" in near_keys(data.with_persons(Persons.of(list("aabbccddee"))))[0]


def test_mixed_data_too() -> None:
    ills = Taxonomy({"any": None, "flu": "any", "cough": "any"})
    people = {"age": [31, 31, 31, 36, 36, 36], "pay": [1, 2, 3, 4, 5, 5], "ills": ["flu"] * 6}
    data = Mixed.from_frame(people, items="ills", taxonomy=ills, quasi_identifiers=("age",))
    assert RFirst(k=2, m=1).anonymize(data).notes[-1].startswith("column 'pay' is published unchanged, and 66 %")
