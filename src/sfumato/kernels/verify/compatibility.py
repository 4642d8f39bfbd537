"""Published records that match background knowledge, and matching records of two releases; used by attacks only."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

__all__ = ["LabelledRecords", "compatible", "contains_in_order", "reads_as"]


class LabelledRecords(NamedTuple):
    """The records of a release, and the members of each of its labels."""

    codes: Any  # int32[total]
    offsets: Any  # int64[records + 1]
    starts: Any  # int64[labels + 1]: where the members of each label begin
    members: Any  # int32[...], rising under each label


@njit(cache=True)
def contains_in_order(records, hits, codes, offsets):
    """Whether each record has labels for the known places in their order, with gaps.

    records : int64[n].  hits : bool[known, labels], which labels may stand for each known place.
    Returns bool[n].
    """
    found = np.zeros(len(records), dtype=np.bool_)
    known = hits.shape[0]
    for row in range(len(records)):
        at = 0
        for position in range(offsets[records[row]], offsets[records[row] + 1]):
            if at < known and hits[at, codes[position]]:
                at += 1
        found[row] = at == known
    return found


@njit(cache=True)
def _overlap(label, other_label, one, other):
    """Whether a label of one release and a label of another have a member in common."""
    i, j = one.starts[label], other.starts[other_label]
    while i < one.starts[label + 1] and j < other.starts[other_label + 1]:
        if one.members[i] == other.members[j]:
            return True
        if one.members[i] < other.members[j]:
            i += 1
        else:
            j += 1
    return False


@njit(cache=True)
def _labels_overlap(a, b, one, other):
    """Whether every label of record a shares a member with some label of record b."""
    for i in range(one.offsets[a], one.offsets[a + 1]):
        shared = False
        for j in range(other.offsets[b], other.offsets[b + 1]):
            if _overlap(one.codes[i], other.codes[j], one, other):
                shared = True
                break
        if not shared:
            return False
    return True


@njit(cache=True)
def _same_record(a, b, ordered, one, other):
    """Whether records a and b can be the same record."""
    if not ordered:
        return _labels_overlap(a, b, one, other) and _labels_overlap(b, a, other, one)
    length = one.offsets[a + 1] - one.offsets[a]
    if length != other.offsets[b + 1] - other.offsets[b]:
        return False
    for step in range(length):
        if not _overlap(one.codes[one.offsets[a] + step], other.codes[other.offsets[b] + step], one, other):
            return False
    return True


@njit(cache=True)
def _shortened_record(a, b, ordered, one, other):
    """Whether record a can be record b after suppression: in order and with gaps, or a set of labels that b shares."""
    if not ordered:
        return _labels_overlap(a, b, one, other)
    i = one.offsets[a]
    for j in range(other.offsets[b], other.offsets[b + 1]):
        if i < one.offsets[a + 1] and _overlap(one.codes[i], other.codes[j], one, other):
            i += 1
    return i == one.offsets[a + 1]


@njit(cache=True)
def reads_as(first, second, ordered, one, other):
    """For each pair of records whether the first can be the second, whole or after suppression.

    first, second : int64[n].  ordered, one, other : as for `compatible`.
    Returns bool[n], bool[n].
    """
    whole = np.zeros(len(first), dtype=np.bool_)
    shortened = np.zeros(len(first), dtype=np.bool_)
    for i in range(len(first)):
        whole[i] = _same_record(first[i], second[i], ordered, one, other)
        shortened[i] = whole[i] or _shortened_record(first[i], second[i], ordered, one, other)
    return whole, shortened


@njit(cache=True)
def _can_be_same(a, b, mode, ordered, one, other):
    """Whether two records can be of the same person; mode as for `compatible`."""
    if mode == 1:
        return _shortened_record(a, b, ordered, one, other)
    if mode == 2:
        return _shortened_record(b, a, ordered, other, one)
    return _same_record(a, b, ordered, one, other)


@njit(cache=True)
def compatible(first, second, mode, ordered, one, other):
    """Which records of one release can be the same person's as some record of another one, and the other way round.

    first, second : int64[...], records of the one and of the other release.
    mode : 0 where records are whole in both; 1, 2 where those of the first, the second were shortened by suppression.
    ordered : records are sequences of the same length, label by label; otherwise sets in which every label of one has a
    member in common with a label of the other.  A shortened sequence is in the whole one in order, with gaps.
    one, other : LabelledRecords.  Returns bool[first], bool[second].
    """
    left = np.zeros(len(first), dtype=np.bool_)
    right = np.zeros(len(second), dtype=np.bool_)
    for i in range(len(first)):
        for j in range(len(second)):
            if left[i] and right[j]:
                continue
            if _can_be_same(first[i], second[j], mode, ordered, one, other):
                left[i] = True
                right[j] = True
    return left, right
