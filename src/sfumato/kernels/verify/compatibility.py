"""Which published records fit what is known, and which of two releases fit each other; used by attacks only."""

import numpy as np
from numba import njit

__all__ = ["compatible", "contains_in_order", "reads_as"]


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
def _overlap(one, other, starts, members, other_starts, other_members):
    """Whether two labels have a member in common; members of a label rise."""
    i, j = starts[one], other_starts[other]
    while i < starts[one + 1] and j < other_starts[other + 1]:
        if members[i] == other_members[j]:
            return True
        if members[i] < other_members[j]:
            i += 1
        else:
            j += 1
    return False


@njit(cache=True)
def _half(a, b, codes, offsets, starts, members, other_codes, other_offsets, other_starts, other_members):
    """Whether every label of record a shares a member with some label of record b."""
    for i in range(offsets[a], offsets[a + 1]):
        shared = False
        for j in range(other_offsets[b], other_offsets[b + 1]):
            if _overlap(codes[i], other_codes[j], starts, members, other_starts, other_members):
                shared = True
                break
        if not shared:
            return False
    return True


@njit(cache=True)
def _fit(a, b, ordered, codes, offsets, starts, members, other_codes, other_offsets, other_starts, other_members):
    if ordered:
        if offsets[a + 1] - offsets[a] != other_offsets[b + 1] - other_offsets[b]:
            return False
        for step in range(offsets[a + 1] - offsets[a]):
            one, other = codes[offsets[a] + step], other_codes[other_offsets[b] + step]
            if not _overlap(one, other, starts, members, other_starts, other_members):
                return False
        return True
    if not _half(a, b, codes, offsets, starts, members, other_codes, other_offsets, other_starts, other_members):
        return False
    return _half(b, a, other_codes, other_offsets, other_starts, other_members, codes, offsets, starts, members)


@njit(cache=True)
def _within(a, b, ordered, codes, offsets, starts, members, other_codes, other_offsets, other_starts, other_members):
    """Whether record a can be what is left of record b: in order and with gaps, or a set of labels that b shares."""
    if not ordered:
        return _half(a, b, codes, offsets, starts, members, other_codes, other_offsets, other_starts, other_members)
    i = offsets[a]
    for j in range(other_offsets[b], other_offsets[b + 1]):
        if i < offsets[a + 1] and _overlap(codes[i], other_codes[j], starts, members, other_starts, other_members):
            i += 1
    return i == offsets[a + 1]


@njit(cache=True)
def reads_as(
    first, second, ordered, codes, offsets, starts, members, other_codes, other_offsets, other_starts, other_members
):
    """For each pair of records whether the first is all of the second, and whether it is what is left of it.

    first, second : int64[n].  The rest as for `compatible`.
    Returns bool[n], bool[n].
    """
    whole = np.zeros(len(first), dtype=np.bool_)
    within = np.zeros(len(first), dtype=np.bool_)
    for i in range(len(first)):
        a, b = first[i], second[i]
        whole[i] = _fit(
            a, b, ordered, codes, offsets, starts, members, other_codes, other_offsets, other_starts, other_members
        )
        within[i] = whole[i] or _within(
            a, b, ordered, codes, offsets, starts, members, other_codes, other_offsets, other_starts, other_members
        )
    return whole, within


@njit(cache=True)
def _twins(
    a, b, mode, ordered, codes, offsets, starts, members, other_codes, other_offsets, other_starts, other_members
):
    if mode == 1:
        return _within(
            a, b, ordered, codes, offsets, starts, members, other_codes, other_offsets, other_starts, other_members
        )
    if mode == 2:
        return _within(
            b, a, ordered, other_codes, other_offsets, other_starts, other_members, codes, offsets, starts, members
        )
    return _fit(a, b, ordered, codes, offsets, starts, members, other_codes, other_offsets, other_starts, other_members)


@njit(cache=True)
def compatible(
    first,
    second,
    mode,
    ordered,
    codes,
    offsets,
    starts,
    members,
    other_codes,
    other_offsets,
    other_starts,
    other_members,
):
    """Which records of one release can be the same person's as some record of another one, and the other way round.

    first, second : int64[...], records of the one and of the other release.
    mode : 0 where records are whole in both; 1, 2 where those of the first, the second are what is left of whole ones.
    ordered : records are sequences of the same length, label by label; otherwise sets in which every label of one has a
    member in common with a label of the other.  What is left of a sequence is in it in order, with gaps.
    starts, members : int64[labels + 1], int32[...]; what each label stands for, rising.
    Returns bool[first], bool[second].
    """
    left = np.zeros(len(first), dtype=np.bool_)
    right = np.zeros(len(second), dtype=np.bool_)
    for i in range(len(first)):
        for j in range(len(second)):
            if left[i] and right[j]:
                continue
            if _twins(
                first[i],
                second[j],
                mode,
                ordered,
                codes,
                offsets,
                starts,
                members,
                other_codes,
                other_offsets,
                other_starts,
                other_members,
            ):
                left[i] = True
                right[j] = True
    return left, right
