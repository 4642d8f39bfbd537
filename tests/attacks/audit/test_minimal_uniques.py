"""Minimal sample uniques: counts of the literal program, on small key spaces and on large ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Persons, Table
from sfumato.attacks.audit.coded_columns import CodedColumns
from sfumato.attacks.audit.minimal_uniques import MOST_COLUMNS, find_minimal_uniques
from sfumato.errors import DataError
from sfumato.kernels.verify import column_sets as kernel
from twins import table_risks as twin


def check(rows: list[tuple[Any, ...]], persons: list[int] | None, largest: int) -> None:
    names = tuple("abcdef"[: len(rows[0])])
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    table = Table(columns, persons=None if persons is None else Persons.of(persons))
    result = find_minimal_uniques(CodedColumns.of(table, names), largest)
    who = list(range(len(rows))) if persons is None else persons
    expected = twin.units_by_set(rows, who, largest)
    counts = zip(result.unique.tolist(), result.minimal.tolist(), strict=True)
    assert dict(zip(result.sets, counts, strict=True)) == expected
    sets = [twin.minimal_sets(rows, who, number, largest) for number in range(len(rows))]
    assert result.fewest.tolist() == [min(map(len, own), default=0) for own in sets]
    assert result.singled_out == len({who[n] for n, own in enumerate(sets) if own})
    for column in range(len(names)):
        having = {who[n] for n, own in enumerate(sets) if any(column in part for part in own)}
        without = {who[n] for n, own in enumerate(sets) if any(column not in part for part in own)}
        assert result.with_column(column) == len(having)
        assert result.only_with_column(column) == result.singled_out - len(without)


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(st.tuples(*[st.sampled_from([0, 1, 2, None])] * 4), min_size=1, max_size=12),
    largest=st.integers(1, 3),
    draw=st.data(),
)
def test_every_set_is_counted(rows: list[tuple[Any, ...]], largest: int, draw: Any) -> None:
    persons = draw.draw(st.none() | st.lists(st.integers(0, 5), min_size=len(rows), max_size=len(rows)))
    check(rows, persons, largest)


@pytest.mark.parametrize("persons", [None, [n // 3 for n in range(90)]])
def test_many_values_are_compared_in_buckets(persons: list[int] | None) -> None:
    rng = np.random.default_rng(3)
    rows = [tuple(row) for row in (rng.integers(0, 9, (90, 4)) * 1000).tolist()]
    codes = np.array(rows).T // 1000
    n = len(rows)
    units = np.arange(n, dtype=np.int32) if persons is None else np.array(persons, dtype=np.int32)
    # the kernel takes the radix as given: a large one sends the same keys into buckets
    for radix in ([9] * 3, [1 << 20] * 3):
        empty, bits = np.zeros((2, (n + 7) // 8), dtype=np.uint8)
        masks = np.zeros((2, n), dtype=np.uint64)
        columns = [np.ascontiguousarray(codes[column], dtype=np.int32) for column in (0, 1, 3)]
        counts = kernel.unique_rows(*columns, np.array(radix), units, empty, bits, masks, np.uint64(11))
        unique_rows = [row for row in range(n) if twin.is_unique(rows, units.tolist(), row, (0, 1, 3))]
        assert np.flatnonzero(np.unpackbits(bits, bitorder="little")).tolist() == unique_rows
        assert np.flatnonzero(masks[0]).tolist() == unique_rows
        assert counts == (len({int(units[row]) for row in unique_rows}),) * 2


def test_many_rows_need_several_buckets() -> None:
    rng = np.random.default_rng(4)
    n = 30_000
    columns = {name: rng.integers(0, 3000, n) for name in "abc"}
    table = Table(columns)
    result = find_minimal_uniques(CodedColumns.of(table, tuple("abc")), 3)
    for part, unique in zip(result.sets, result.unique.tolist(), strict=True):
        sizes = table.frame.group_by([list("abc")[column] for column in part]).len()["len"]
        assert unique == int((sizes == 1).sum())


def test_keys_beyond_64_bits_are_numbered_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato.attacks.audit import minimal_uniques

    monkeypatch.setattr(minimal_uniques, "_LARGEST_KEY", 8)
    check([(0, 1, 2), (0, 1, 1), (0, 2, 2), (1, 1, 2)], None, 3)


def test_too_many_columns_are_refused() -> None:
    table = Table({f"c{number}": [1, 2] for number in range(MOST_COLUMNS + 1)})
    with pytest.raises(DataError, match="among up to 60 quasi-identifiers, got 61"):
        find_minimal_uniques(CodedColumns.of(table, table.quasi_identifiers), 1)
