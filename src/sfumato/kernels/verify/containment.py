"""The support of each sequence of one dataset among the units of another; used by verifiers only.

The sequences are walked in the order of their content, so that what two of them begin with is looked up once.  A prefix
is held as its leftmost embeddings, one (record, position) a record that contains it; the next visit narrows that list.
Records of one unit lie together, so that distinct units are counted by watching the unit change.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.verify.prefixes.growing import with_length

__all__ = ["NameIndex", "containing_units"]


class NameIndex(NamedTuple):
    """For each name the records that hold it, and where they hold it first."""

    starts: Any  # int64[names + 1]
    records: Any  # int32[...]
    positions: Any  # int64[...]


@njit(cache=True)
def _shared(codes, offsets, order):
    """How many leading labels each sequence has in common with the one before it in the order."""
    shared = np.zeros(len(order), dtype=np.int64)
    for place in range(1, len(order)):
        left, right = offsets[order[place - 1]], offsets[order[place]]
        limit = min(offsets[order[place - 1] + 1] - left, offsets[order[place] + 1] - right)
        size = 0
        while size < limit and codes[left + size] == codes[right + size]:
            size += 1
        shared[place] = size
    return shared


@njit(cache=True)
def _index(codes, offsets, n_names):
    """The index of the names of a dataset."""
    starts, seen = np.zeros(n_names + 1, dtype=np.int64), np.full(n_names, -1, dtype=np.int64)
    for record in range(len(offsets) - 1):
        for position in range(offsets[record], offsets[record + 1]):
            if seen[codes[position]] != record:
                seen[codes[position]] = record
                starts[codes[position] + 1] += 1
    for name in range(n_names):
        starts[name + 1] += starts[name]
        seen[name] = -1
    fill = starts[:-1].copy()
    records, positions = np.empty(starts[n_names], dtype=np.int32), np.empty(starts[n_names], dtype=np.int64)
    for record in range(len(offsets) - 1):
        for position in range(offsets[record], offsets[record + 1]):
            name = codes[position]
            if seen[name] != record:
                seen[name] = record
                records[fill[name]], positions[fill[name]] = record, position
                fill[name] += 1
    return NameIndex(starts, records, positions)


@njit(cache=True)
def _begin(records, positions, into, index, name, units):
    """Write the embeddings of a single name; returns where they end and how many distinct units they have."""
    count, last_unit = 0, -1
    for position in range(index.starts[name], index.starts[name + 1]):
        records[into], positions[into] = index.records[position], index.positions[position]
        into += 1
        if units[records[into - 1]] != last_unit:
            last_unit = units[records[into - 1]]
            count += 1
    return into, count


@njit(cache=True)
def _narrow(records, positions, first, end, into, codes, offsets, units, wanted):
    """Write the embeddings of a prefix with one more visit from those of the prefix; `into` may be `first`.

    Returns where they end and how many distinct units they have.
    """
    count, last_unit = 0, -1
    for entry in range(first, end):
        record = records[entry]
        position = positions[entry] + 1
        while position < offsets[record + 1] and not wanted[codes[position]]:
            position += 1
        if position < offsets[record + 1]:
            records[into] = record
            positions[into] = position
            into += 1
            if units[record] != last_unit:
                last_unit = units[record]
                count += 1
    return into, count


@njit(cache=True)
def containing_units(codes, offsets, order, label_starts, label_members, data_codes, data_offsets, units, n_names, k):
    """The support of sequences, each as a whole, among the units of a dataset.

    codes, offsets : the sequences; order : int64[n], sorted by content.  label_starts, label_members : for each label
    the names that match it.  data_codes, data_offsets : the dataset, whose names are below n_names; units : int32[...],
    the unit of each record, those of one unit together.
    Returns by place in the order supports int64[n], and rare int64[n, 2]: the length of the shortest prefix whose
    support is below k and that support, or zeros.  The empty sequence is in every record.
    """
    n_records = len(data_offsets) - 1
    shared = _shared(codes, offsets, order)
    longest, n_units = 0, 0
    for sequence in range(len(order)):
        longest = max(longest, offsets[sequence + 1] - offsets[sequence])
    records, positions = np.empty(2 * n_records + 1, dtype=np.int32), np.empty(2 * n_records + 1, dtype=np.int64)
    for record in range(n_records):
        records[record], positions[record] = record, data_offsets[record] - 1
        n_units += record == 0 or units[record] != units[record - 1]
    first, end = np.zeros(longest + 1, dtype=np.int64), np.zeros(longest + 1, dtype=np.int64)
    count = np.zeros(longest + 1, dtype=np.int64)
    end[0], count[0] = n_records, n_units
    index = _index(data_codes, data_offsets, n_names)
    wanted = np.zeros(n_names, dtype=np.bool_)
    supports, rare = np.zeros(len(order), dtype=np.int64), np.zeros((len(order), 2), dtype=np.int64)
    for place in range(len(order)):
        begin, size = offsets[order[place]], offsets[order[place] + 1] - offsets[order[place]]
        # prefixes that the next sequence does not share are overwritten by longer ones
        needed = shared[place + 1] if place + 1 < len(order) else 0
        for depth in range(shared[place], size):
            into = end[depth] if depth <= needed else first[depth]
            length = into + end[depth] - first[depth]
            records = with_length(records, len(records), length)
            positions = with_length(positions, len(positions), length)
            label = codes[begin + depth]
            first[depth + 1] = into
            if depth == 0 and label_starts[label + 1] - label_starts[label] == 1:
                name = label_members[label_starts[label]]
                end[1], count[1] = _begin(records, positions, into, index, name, units)
                continue
            for position in range(label_starts[label], label_starts[label + 1]):
                wanted[label_members[position]] = True
            end[depth + 1], count[depth + 1] = _narrow(
                records, positions, first[depth], end[depth], into, data_codes, data_offsets, units, wanted
            )
            for position in range(label_starts[label], label_starts[label + 1]):
                wanted[label_members[position]] = False
        supports[place] = count[size]
        for depth in range(size, 0, -1):
            if count[depth] < k:
                rare[place, 0], rare[place, 1] = depth, count[depth]
    return supports, rare
