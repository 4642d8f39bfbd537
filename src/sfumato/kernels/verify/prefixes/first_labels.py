"""The first labels of patterns: where each label begins a pattern."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["FirstLabels", "place_first_labels", "tally_first_labels"]


class FirstLabels(NamedTuple):
    """The leftmost visit of each label in each record, label by label."""

    previous: Any  # int32[total]: where the same label stands earlier in the same record, at last; or -1
    starts: Any  # int64[labels + 1]
    records: Any  # int32[...], rising under each label
    positions: Any  # int32[...], in the record
    supports: Any  # int64[labels]: units


@njit(cache=True)
def tally_first_labels(codes, offsets, units, first, end, previous, entries, supports):
    """Count, in the records from `first` to `end`, the records and the units of each label; fill in `previous`."""
    last = np.full(len(entries), -1, dtype=np.int64)
    last_unit = np.full(len(entries), -1, dtype=np.int64)
    for record in range(first, end):
        start = offsets[record]
        for position in range(start, offsets[record + 1]):
            label = codes[position]
            if last[label] >= start:
                previous[position] = last[label] - start
            else:
                previous[position] = -1
                entries[label] += 1
                if last_unit[label] != units[record]:
                    last_unit[label] = units[record]
                    supports[label] += 1
            last[label] = position


@njit(cache=True)
def place_first_labels(codes, offsets, first, end, previous, fill, records, positions):
    """Put the first visit of each label in the records from `first` to `end` where `fill` says."""
    for record in range(first, end):
        for position in range(offsets[record], offsets[record + 1]):
            if previous[position] < 0:
                slot = fill[codes[position]]
                records[slot] = record
                positions[slot] = position - offsets[record]
                fill[codes[position]] += 1
