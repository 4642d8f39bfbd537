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
from sfumato.kernels.recoding.subsequence_supports import PatternTable, fill_slots
from sfumato.threads import side_by_side, spans

__all__ = ["count_patterns", "pattern_table"]

Codes = npt.NDArray[np.int32]
Ints = npt.NDArray[np.integer[Any]]

_RECORDS = 20_000  # that one thread reads at least
_VISITS = 100_000  # that one thread counts at least
_SLOTS = 2**16  # that one thread fills at least


def count_patterns(
    codes: Ints, offsets: Ints, unit_offsets: Ints, n_labels: int, smallest: int, largest: int
) -> tuple[Codes, Codes]:
    """All patterns of `smallest` to `largest` labels, padded with -1, and the support of each: how many units hold it.

    unit_offsets : over records.
    Patterns are divided among threads by their first label, so that each is counted once.  Memory: 12 bytes a visit,
    and for each thread what is counted at a time.

    >>> lists = np.array([0, 1, 0, 1, 1], dtype=np.int32), np.array([0, 2, 5]), np.array([0, 1, 2])
    >>> patterns, supports = count_patterns(*lists, 2, 2, 2)
    >>> sorted(zip(patterns.tolist(), supports.tolist()))
    [([0, 1], 2), ([1, 1], 1)]
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
    parts = [np.empty((0, largest + 1), dtype=np.int32), *found]
    patterns = np.concatenate([part[:, :-1] for part in parts])
    return patterns, np.concatenate([part[:, -1] for part in parts])


def _label_parts(starts: Ints) -> list[Codes]:
    """The labels in parts with about the same number of visits, the most frequent labels first."""
    visits = np.diff(starts)
    order = np.argsort(-visits, kind="stable").astype(np.int32)[: np.count_nonzero(visits)]
    reached = np.cumsum(visits[order])
    ends = [int(np.searchsorted(reached, end)) + 1 for _, end in spans(int(starts[-1]), _VISITS)]
    parts = [order[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    return [part for part in parts if len(part)]


def pattern_table(patterns: Codes, supports: Codes) -> PatternTable:
    """The table of distinct patterns and their supports; threads fill parts of its slots."""
    slots = 1024
    while slots < 3 * len(patterns):
        slots *= 2
    keys = np.full((slots, patterns.shape[1]), -1, dtype=np.int32)
    counts = np.zeros(slots, dtype=np.int32)
    left = side_by_side(lambda span: fill_slots(patterns, supports, *span, keys, counts), spans(slots, _SLOTS))
    over = np.concatenate([np.empty(0, dtype=np.int64), *left])
    fill_slots(patterns[over], supports[over], -1, -1, keys, counts)
    return PatternTable(keys, counts, np.full(slots, -1, dtype=np.int64), np.int64(len(patterns)))
