"""Supports of short subsequences: as counted one by one, with any number of threads."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.recoding import pattern_counts
from sfumato.kernels.recoding.pattern_counts import count_patterns, pattern_parts, pattern_table
from sfumato.kernels.recoding.subsequence_supports import slot_of
from sfumato.threads import use_threads

WALKS = st.lists(st.lists(st.lists(st.integers(0, 4), max_size=6), max_size=3), max_size=8)


@given(WALKS, st.integers(1, 3), st.integers(1, 3))
def test_patterns_are_those_counted_one_by_one(people: list[list[list[int]]], one: int, other: int) -> None:
    smallest, largest = min(one, other), max(one, other)
    expected: dict[tuple[int, ...], int] = {}
    for records in people:
        held = {
            pattern
            for record in records
            for size in range(smallest, largest + 1)
            for pattern in combinations(record, size)
        }
        for pattern in held:
            expected[pattern] = expected.get(pattern, 0) + 1
    patterns, supports = count_patterns(*_arrays(people), 5, smallest, largest)
    listed = [tuple(code for code in row if code >= 0) for row in patterns.tolist()]
    assert len(set(listed)) == len(listed)
    assert dict(zip(listed, supports.tolist(), strict=True)) == expected
    table = pattern_table(pattern_parts(*_arrays(people), 5, smallest, largest), largest)
    assert int(table.used) == len(listed)
    for row, support in zip(patterns, supports.tolist(), strict=True):
        assert table.counts[slot_of(table.keys, row)] == support


def _arrays(people: list[list[list[int]]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    records = [record for one in people for record in one]
    codes = np.array([code for record in records for code in record], dtype=np.int32)
    offsets = np.cumsum([0, *(len(record) for record in records)]).astype(np.int64)
    return codes, offsets, np.cumsum([0, *(len(one) for one in people)]).astype(np.int64)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 2), (1, 3)])
def test_the_number_of_threads_does_not_show(monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, int]) -> None:
    for name, smallest in (("_RECORDS", 16), ("_VISITS", 16), ("_BITS", 4)):
        monkeypatch.setattr(pattern_counts, name, smallest)
    rng = np.random.default_rng(1)
    people = [[rng.integers(0, 30, rng.integers(0, 9)).tolist() for _ in range(2)] for _ in range(300)]
    seen = []
    for number in (1, 2, 3):
        with use_threads(number):
            patterns, supports = count_patterns(*_arrays(people), 30, *sizes)
            table = pattern_table(pattern_parts(*_arrays(people), 30, *sizes), sizes[1])
        for row, support in zip(patterns, supports.tolist(), strict=True):
            assert table.counts[slot_of(table.keys, row)] == support
        assert np.count_nonzero(table.counts) == len(patterns)
        seen.append((patterns.tolist(), supports.tolist()))
    assert seen[0] == seen[1] == seen[2]
