"""Supports of all subsequences of some sizes, counted label by label.

The visits that follow a prefix are read record by record: one counter a label counts every extension of the prefix.
A prefix is held as its leftmost embeddings, as (record, position in it); those of an extension are gathered label by
label behind those of the prefix, so that the embeddings of the prefixes of one pattern lie on each other like a stack.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner

__all__ = ["UnitRecords", "gather_first_visits", "patterns_from_labels", "tally_first_visits"]


class UnitRecords(NamedTuple):
    """Records in the order of their units."""

    codes: Any  # int32[total]
    offsets: Any  # int64[records + 1]
    units: Any  # int32[records], not falling
    before: Any  # int32[total]: the visit of the same label before this one in its record; -1 for none


class Counters(NamedTuple):
    """What extends a prefix, by label."""

    supports: Any  # int64[labels], all 0: units
    embeddings: Any  # int64[labels], all 0
    last: Any  # int64[labels], all -1: the last unit
    labels: Any  # int32[labels]: those with an embedding, as many as there are


@njit(cache=True)
def tally_first_visits(records, first, end, counts):
    """Fill in `before` for the records from `first` to `end`, and count the records of each label."""
    codes, offsets, _, before = records
    last = np.full(len(counts), -1, dtype=np.int64)
    for record in range(first, end):
        start = offsets[record]
        for position in range(start, offsets[record + 1]):
            earlier = last[codes[position]]
            before[position] = earlier - start if earlier >= start else -1
            counts[codes[position]] += before[position] < 0
            last[codes[position]] = position


@njit(cache=True)
def gather_first_visits(records, first, end, place, rows, positions):
    """Put the first visits of each label, in the records from `first` to `end`, at place[label] and behind."""
    codes, offsets, _, before = records
    for record in range(first, end):
        for position in range(offsets[record], offsets[record + 1]):
            if before[position] < 0:
                rows[place[codes[position]]] = record
                positions[place[codes[position]]] = position - offsets[record]
                place[codes[position]] += 1


@inner
def _count_extensions(rows, positions, records, counters):
    """Count what follows these embeddings; returns how many labels do."""
    codes, offsets, units, before = records
    supports, embeddings, last, labels = counters
    n_labels = 0
    for entry in range(len(rows)):
        unit, floor = units[rows[entry]], positions[entry]
        for position in range(offsets[rows[entry]] + floor + 1, offsets[rows[entry] + 1]):
            if before[position] > floor:
                continue
            label = codes[position]
            if embeddings[label] == 0:
                labels[n_labels] = label
                n_labels += 1
            embeddings[label] += 1
            if last[label] != unit:
                last[label] = unit
                supports[label] += 1
    return n_labels


@inner
def _longer(array, used, wanted):
    """The array with room for `wanted` rows, its first `used` rows kept."""
    if wanted <= len(array):
        return array
    grown = np.empty((2 * wanted, array.shape[1]), dtype=array.dtype)
    for row in range(used):
        for column in range(array.shape[1]):
            grown[row, column] = array[row, column]
    return grown


@inner
def _longer_line(array, wanted):
    """The array with room for `wanted` values."""
    if wanted <= len(array):
        return array
    grown = np.empty(2 * wanted, dtype=array.dtype)
    for at in range(len(array)):
        grown[at] = array[at]
    return grown


@inner
def _gather(rows, positions, records, place, new_rows, new_positions):
    """Put the embeddings of every extension at place[label] and behind."""
    codes, offsets, _, before = records
    for entry in range(len(rows)):
        start, floor = offsets[rows[entry]], positions[entry]
        for position in range(start + floor + 1, offsets[rows[entry] + 1]):
            if before[position] <= floor:
                new_rows[place[codes[position]]] = rows[entry]
                new_positions[place[codes[position]]] = position - start
                place[codes[position]] += 1


@inner
def _append(prefix, size, counters, n_labels, found, n_found):
    """Append the extensions of a prefix and their supports to `found`; returns it, perhaps grown."""
    found = _longer(found, n_found, n_found + n_labels)
    width = found.shape[1] - 1
    for at in range(n_labels):
        label = counters.labels[at]
        for level in range(width):
            found[n_found + at, level] = prefix[level] if level < size - 1 else -1
        found[n_found + at, size - 1] = label
        found[n_found + at, width] = counters.supports[label]
    return found


@inner
def _push(rows, positions, records, counters, n_labels, waiting, n_waiting, top, size, all_rows, all_positions, place):
    """Gather the embeddings of every extension behind `top`; each waits to be extended.  Returns grown arrays."""
    waiting = _longer(waiting, n_waiting, n_waiting + n_labels)
    for at in range(n_labels):
        label = counters.labels[at]
        place[label] = top
        waiting[n_waiting + at, 0], waiting[n_waiting + at, 1] = label, top
        top += counters.embeddings[label]
        waiting[n_waiting + at, 2], waiting[n_waiting + at, 3] = top, size
    all_rows, all_positions = _longer_line(all_rows, top), _longer_line(all_positions, top)
    _gather(rows, positions, records, place, all_rows, all_positions)
    return waiting, all_rows, all_positions


@njit(cache=True)
def patterns_from_labels(records, labels, starts, rows, positions, smallest, largest):
    """The patterns of `smallest` to `largest` labels that begin with one of these labels, and their supports.

    rows, positions : the first visits of each label, from starts[label] on.
    Returns int32[n, largest + 1]: patterns padded with -1, and the support.  Linear in the embeddings read.
    """
    n_labels = len(starts) - 1
    counters = Counters(
        np.zeros(n_labels, np.int64), np.zeros(n_labels, np.int64), np.full(n_labels, -1), np.empty(n_labels, np.int32)
    )
    found, n_found = np.empty((256, largest + 1), np.int32), 0
    waiting, all_rows, all_positions = np.empty((64, 4), np.int64), np.empty(64, np.int32), np.empty(64, np.int32)
    place, prefix = np.empty(n_labels, np.int64), np.full(largest, -1, np.int32)
    for first in labels:
        here, there = rows[starts[first] : starts[first + 1]], positions[starts[first] : starts[first + 1]]
        prefix[0], size, top, n_waiting = first, np.int64(1), np.int64(0), 0
        if smallest == 1:
            counters.labels[0], counters.supports[first] = first, _units_of(here, records.units)
            found = _append(prefix, size, counters, 1, found, n_found)
            n_found += 1
            counters.supports[first] = 0
        while size < largest:
            size += 1
            n = _count_extensions(here, there, records, counters)
            if size >= smallest:
                found = _append(prefix, size, counters, n, found, n_found)
                n_found += n
            if size < largest:
                waiting, all_rows, all_positions = _push(
                    here, there, records, counters, n, waiting, n_waiting, top, size, all_rows, all_positions, place
                )
                n_waiting += n
            for at in range(n):
                label = counters.labels[at]
                counters.supports[label], counters.embeddings[label], counters.last[label] = 0, 0, -1
            if n_waiting == 0:
                break
            n_waiting -= 1
            label, begin, top, size = waiting[n_waiting]
            prefix[size - 1] = label
            here, there = all_rows[begin:top], all_positions[begin:top]
    return found[:n_found]


@inner
def _units_of(rows, units):
    """How many units have these records."""
    many, last = 0, -1
    for row in rows:
        many += units[row] != last
        last = units[row]
    return many
