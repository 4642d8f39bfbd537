"""Published records that match background knowledge, and matching records of two releases; used by attacks only."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["LabelledRecords", "compatible", "contains_in_order", "explained_together", "reads_as"]


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
    contained = np.zeros(len(records), dtype=np.bool_)
    known = hits.shape[0]
    for row in range(len(records)):
        index = 0
        for position in range(offsets[records[row]], offsets[records[row] + 1]):
            if index < known and hits[index, codes[position]]:
                index += 1
        contained[row] = index == known
    return contained


@njit(cache=True)
def _explained(piece, begin, end, codes, hits, table):
    """The most known visits that a piece and the labels from `begin` to `end` explain, each side in order.

    table : int64[2, len(piece) + 1, longest + 1]: by labels used of either side, before and with a known visit.
    """
    rows, columns = len(piece) + 1, end - begin + 1
    table[:, :rows, :columns] = 0
    for known in range(hits.shape[0]):
        old, new = table[known % 2], table[(known + 1) % 2]
        for row in range(rows):
            for column in range(columns):
                most = old[row, column]
                if row > 0:
                    most = max(most, new[row - 1, column])
                    if hits[known, piece[row - 1]]:
                        most = max(most, old[row - 1, column] + 1)
                if column > 0:
                    most = max(most, new[row, column - 1])
                    if hits[known, codes[begin + column - 1]]:
                        most = max(most, old[row, column - 1] + 1)
                new[row, column] = most
    return table[hits.shape[0] % 2, rows - 1, columns - 1]


@njit(cache=True)
def explained_together(piece, codes, offsets, hits):
    """For each record the largest number of known visits that it and a given piece explain together.

    Every known visit stands for at most one label, and every label for at most one known visit; on either side the
    labels are in the order of the known visits.  piece : int32[...], labels.  codes, offsets : the records.
    hits : bool[known, labels], which labels may stand for each known visit.  Returns int64[records].
    """
    n_records = len(offsets) - 1
    longest = 0
    for record in range(n_records):
        longest = max(longest, offsets[record + 1] - offsets[record])
    table = np.zeros((2, len(piece) + 1, longest + 1), dtype=np.int64)
    alone = _explained(piece, 0, 0, codes, hits, table)
    explained = np.full(n_records, alone, dtype=np.int64)
    useful = np.zeros(hits.shape[1], dtype=np.bool_)
    for known in range(hits.shape[0]):
        useful |= hits[known]
    for record in range(n_records):
        for position in range(offsets[record], offsets[record + 1]):
            if useful[codes[position]]:
                explained[record] = _explained(piece, offsets[record], offsets[record + 1], codes, hits, table)
                break
    return explained


@njit(cache=True)
def _overlap(label, other_label, left, right):
    """Whether a label of one release and a label of another have a member in common."""
    i, j = left.starts[label], right.starts[other_label]
    while i < left.starts[label + 1] and j < right.starts[other_label + 1]:
        if left.members[i] == right.members[j]:
            return True
        if left.members[i] < right.members[j]:
            i += 1
        else:
            j += 1
    return False


@njit(cache=True)
def _labels_overlap(a, b, left, right):
    """Whether every label of record a shares a member with some label of record b."""
    for i in range(left.offsets[a], left.offsets[a + 1]):
        shared = False
        for j in range(right.offsets[b], right.offsets[b + 1]):
            if _overlap(left.codes[i], right.codes[j], left, right):
                shared = True
                break
        if not shared:
            return False
    return True


@njit(cache=True)
def _same_record(a, b, ordered, left, right):
    """Whether records a and b can be the same record."""
    if not ordered:
        return _labels_overlap(a, b, left, right) and _labels_overlap(b, a, right, left)
    length = left.offsets[a + 1] - left.offsets[a]
    if length != right.offsets[b + 1] - right.offsets[b]:
        return False
    for step in range(length):
        if not _overlap(left.codes[left.offsets[a] + step], right.codes[right.offsets[b] + step], left, right):
            return False
    return True


@njit(cache=True)
def _shortened_record(a, b, ordered, left, right):
    """Whether record a can be record b after suppression: in order and with gaps, or a set of labels that b shares."""
    if not ordered:
        return _labels_overlap(a, b, left, right)
    i = left.offsets[a]
    for j in range(right.offsets[b], right.offsets[b + 1]):
        if i < left.offsets[a + 1] and _overlap(left.codes[i], right.codes[j], left, right):
            i += 1
    return i == left.offsets[a + 1]


@njit(cache=True)
def reads_as(first, second, ordered, left, right):
    """For each pair of records whether the first can be the second, whole or after suppression.

    first, second : int64[n].  ordered, left, right : as for `compatible`.
    Returns bool[n], bool[n].
    """
    whole = np.zeros(len(first), dtype=np.bool_)
    shortened = np.zeros(len(first), dtype=np.bool_)
    for i in range(len(first)):
        whole[i] = _same_record(first[i], second[i], ordered, left, right)
        shortened[i] = whole[i] or _shortened_record(first[i], second[i], ordered, left, right)
    return whole, shortened


@njit(cache=True)
def _can_be_same(a, b, mode, ordered, left, right):
    """Whether two records can be of the same person; mode as for `compatible`."""
    if mode == 1:
        return _shortened_record(a, b, ordered, left, right)
    if mode == 2:
        return _shortened_record(b, a, ordered, right, left)
    return _same_record(a, b, ordered, left, right)


@njit(cache=True)
def compatible(first, second, mode, ordered, left, right):
    """Which records of one release can be the same person's as some record of another one, and the other way round.

    first, second : int64[...], records of the one and of the other release.
    mode : 0 where records are whole in both; 1, 2 where those of the first, the second were shortened by suppression.
    ordered : records are sequences of the same length, label by label; otherwise sets in which every label of one has a
    member in common with a label of the other.  A shortened sequence is in the whole one in order, with gaps.
    left, right : LabelledRecords.  Returns bool[first], bool[second].
    """
    first_matched = np.zeros(len(first), dtype=np.bool_)
    second_matched = np.zeros(len(second), dtype=np.bool_)
    for i in range(len(first)):
        for j in range(len(second)):
            if first_matched[i] and second_matched[j]:
                continue
            if _can_be_same(first[i], second[j], mode, ordered, left, right):
                first_matched[i] = True
                second_matched[j] = True
    return first_matched, second_matched
