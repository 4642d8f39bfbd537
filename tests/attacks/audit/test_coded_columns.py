"""Columns as codes: equivalence classes, their sizes in persons, and one class for every combination of values."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato import Persons, Table
from sfumato.attacks.audit import coded_columns
from sfumato.attacks.audit.coded_columns import CodedColumns, class_sizes
from sfumato.kernels.verify.column_sets import number_keys


@pytest.mark.parametrize("largest", [2**62, 10])
def test_classes_are_the_distinct_rows(monkeypatch: pytest.MonkeyPatch, largest: int) -> None:
    monkeypatch.setattr(coded_columns, "_LARGEST", largest)  # keys that do not fit are numbered on the way
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 4, (200, 5))
    table = Table({f"c{n}": np.where(rows[:, n] == 3, np.nan, rows[:, n]) for n in range(5)})
    classes, count = CodedColumns.of(table, table.quasi_identifiers).classes()
    _, expected = np.unique(rows, axis=0, return_inverse=True)
    assert count == expected.max() + 1
    assert len(set(zip(classes.tolist(), expected.ravel().tolist(), strict=True))) == count


def test_a_class_counts_persons_once() -> None:
    table = Table({"age": [30, 30, 30, 41]}, persons=Persons.of(["a", "a", "b", "a"]))
    coded = CodedColumns.of(table, ("age",))
    classes, count = coded.classes()
    assert class_sizes(classes, count, coded.units, coded.n_units).tolist() == [2, 1]
    part = CodedColumns.of(table.take(np.array([2, 3])), ("age",))  # persons keep their numbers there
    assert (part.n_units, part.names.to_list()) == (2, ["a", "b"])


def test_keys_are_numbered_by_first_appearance() -> None:
    keys = np.random.default_rng(2).integers(0, 2**61, 3000)
    keys = np.concatenate((keys, keys[::-1]))
    ids, count = number_keys(keys)
    assert count == 3000
    assert ids[:3000].tolist() == list(range(3000))
    assert ids[3000:].tolist() == list(range(2999, -1, -1))
