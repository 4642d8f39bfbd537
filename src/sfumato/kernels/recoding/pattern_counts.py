"""Supports of all short subsequences of records, counted side by side, and as a table that merges keep up to date."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sfumato.kernels.recoding.pattern_prefixes import (
    UnitRecords,
    gather_first_visits,
    patterns_from_labels,
    tally_first_visits,
)
from sfumato.kernels.recoding.subsequence_supports import (
    PatternTable,
    divide_by_slots,
    enter_rows,
    fill_slots,
    tally_slots,
)
from sfumato.threads import falling_spans, side_by_side, spans

__all__ = ["count_patterns", "pattern_parts", "pattern_table"]

Codes = npt.NDArray[np.int32]
Ints = npt.NDArray[np.integer[Any]]

_RECORDS = 20_000  # that one thread reads at least
_VISITS = 100_000  # that one thread counts at least
_BITS = 15  # of the slots of a range: the nearest memory holds them


def count_patterns(
    codes: Ints, offsets: Ints, unit_offsets: Ints, n_labels: int, smallest: int, largest: int
) -> tuple[Codes, Codes]:
    """All patterns of `smallest` to `largest` labels, padded with -1, and the support of each: how many units hold it.

    unit_offsets : over records.

    >>> lists = np.array([0, 1, 0, 1, 1], dtype=np.int32), np.array([0, 2, 5]), np.array([0, 1, 2])
    >>> patterns, supports = count_patterns(*lists, 2, 2, 2)
    >>> sorted(zip(patterns.tolist(), supports.tolist()))
    [([0, 1], 2), ([1, 1], 1)]
    """
    parts = pattern_parts(codes, offsets, unit_offsets, n_labels, smallest, largest)
    ends = np.cumsum([0, *map(len, parts)])
    patterns, supports = np.empty((ends[-1], largest), dtype=np.int32), np.empty(ends[-1], dtype=np.int32)

    def put(at: int) -> None:
        here = slice(ends[at], ends[at + 1])
        patterns[here], supports[here] = parts[at][:, :-1], parts[at][:, -1]

    list(side_by_side(put, range(len(parts))))
    return patterns, supports


def pattern_parts(
    codes: Ints, offsets: Ints, unit_offsets: Ints, n_labels: int, smallest: int, largest: int
) -> list[Codes]:
    """What `count_patterns` counts, in parts: rows of a pattern and its support.

    Patterns are divided among threads by their first label, so that each is counted once.  Memory: 12 bytes a visit,
    and for each thread what is counted at a time.
    """
    units = np.repeat(np.arange(len(unit_offsets) - 1, dtype=np.int32), np.diff(unit_offsets))
    records = UnitRecords(codes, offsets, units, np.empty(len(codes), dtype=np.int32))
    cuts = spans(len(units), _RECORDS)
    visits = np.zeros((len(cuts), n_labels), dtype=np.int64)
    list(side_by_side(lambda at: tally_first_visits(records, *cuts[at], visits[at]), range(len(cuts))))
    starts = np.concatenate(([0], np.cumsum(visits.sum(axis=0)))).astype(np.int64)
    place = starts[:-1] + np.cumsum(visits, axis=0) - visits
    rows, positions = np.empty(starts[-1], dtype=np.int32), np.empty(starts[-1], dtype=np.int32)
    list(side_by_side(lambda at: gather_first_visits(records, *cuts[at], place[at], rows, positions), range(len(cuts))))
    found = side_by_side(
        lambda labels: patterns_from_labels(records, labels, starts, rows, positions, smallest, largest),
        _label_parts(starts),
    )
    return list(found)


def _label_parts(starts: Ints) -> list[Codes]:
    """The labels in parts of fewer and fewer visits, the most frequent labels first."""
    visits = np.diff(starts)
    order = np.argsort(-visits, kind="stable").astype(np.int32)[: np.count_nonzero(visits)]
    reached = np.cumsum(visits[order])
    ends = [int(np.searchsorted(reached, end)) + 1 for _, end in falling_spans(int(starts[-1]), _VISITS)]
    parts = [order[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    return [part for part in parts if len(part)]


def pattern_table(parts: list[Codes], width: int) -> PatternTable:
    """The table of distinct patterns of at most `width` labels and their supports: of `pattern_parts`.

    Patterns are divided by ranges of slots, each of which is filled by itself, in memory that is near.
    """
    total = sum(map(len, parts))
    slots = 1024
    while slots < 2 * total:
        slots *= 2
    table = PatternTable(
        np.empty((slots, width), dtype=np.int32),
        np.empty(slots, dtype=np.int32),
        np.empty(slots, dtype=np.int64),
        np.int64(total),
    )
    counts = np.zeros((len(parts), max(1, slots >> _BITS)), dtype=np.int64)
    list(side_by_side(lambda at: tally_slots(parts[at], slots, _BITS, counts[at]), range(len(parts))))
    starts = np.concatenate(([0], np.cumsum(counts.sum(axis=0))))
    place = starts[:-1] + np.cumsum(counts, axis=0) - counts
    rows = np.empty((total, width + 1), dtype=np.int32)
    list(side_by_side(lambda at: divide_by_slots(parts[at], slots, _BITS, place[at], rows), range(len(parts))))
    left = side_by_side(lambda span: fill_slots(rows, starts, *span, table), spans(len(starts) - 1, 2))
    enter_rows(rows, np.concatenate(list(left)), table)
    return table
