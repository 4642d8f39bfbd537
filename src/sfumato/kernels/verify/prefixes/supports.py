"""Supports of all subsequences of up to m labels that begin with some labels; used by verifiers and attacks only."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner
from sfumato.kernels.verify.prefixes.growing import (
    clear_touched,
    empty_search,
    grow_prefixes,
    prefix_arrays,
    tally_extensions,
)

__all__ = ["shares_a_member", "supports_of_part"]

PATTERNS, VIOLATIONS, SMALLEST, WORK, COMPLETE, WITNESSES, EARLIER = range(7)


@inner
def _lower(records, positions, arrays, lowest):
    """Lower each unit's smallest support to that of the extensions it holds."""
    codes, offsets, units, previous, supports, _, _, _, _ = arrays
    for entry in range(len(records)):
        record, floor = records[entry], positions[entry]
        for position in range(offsets[record] + floor + 1, offsets[record + 1]):
            if previous[position] <= floor and supports[codes[position]] < lowest[units[record]]:
                lowest[units[record]] = supports[codes[position]]


@inner
def _comes_first(support, pattern, other_support, other):
    """Whether a violation is shown before another: smaller support, then name order."""
    if support != other_support:
        return support < other_support
    for level in range(len(pattern)):
        if pattern[level] != other[level]:
            return pattern[level] < other[level]
    return False


@inner
def _count_pattern(prefix, size, label, support, k, result, witnesses, witness_supports):
    """Add a pattern to the result; the rarest violations become witnesses, in any order."""
    result[PATTERNS] += 1
    result[SMALLEST] = min(result[SMALLEST], support)
    if support >= k:
        return
    result[VIOLATIONS] += 1
    pattern = np.full(witnesses.shape[1], -1, dtype=np.int32)
    for level in range(size - 1):
        pattern[level] = prefix[level]
    pattern[size - 1] = label
    row = result[WITNESSES]
    if row < len(witnesses):
        result[WITNESSES] += 1
    else:
        row = 0
        for other in range(1, len(witnesses)):
            if _comes_first(witness_supports[row], witnesses[row], witness_supports[other], witnesses[other]):
                row = other
        if not _comes_first(support, pattern, witness_supports[row], witnesses[row]):
            return
    witness_supports[row] = support
    for level in range(len(pattern)):
        witnesses[row, level] = pattern[level]


@njit(cache=True)
def supports_of_part(
    codes, offsets, units, previous, starts, records, positions, supports, labels, m, k, limit, lowest, witnesses,
    witness_supports
):  # fmt: skip
    """Check every subsequence that begins with one of these labels; see `divided.subsequence_supports`.

    Returns int64[7]: its figures and, last, how many positions were read before the last prefix.
    """
    result = np.zeros(7, dtype=np.int64)
    result[SMALLEST], result[COMPLETE] = np.iinfo(np.int64).max, 1
    arrays, search = prefix_arrays(codes, offsets, units, previous, len(supports)), empty_search()
    prefix = np.empty(m, dtype=np.int32)
    for label in labels:
        prefix[0] = label
        _count_pattern(prefix, 1, label, supports[label], k, result, witnesses, witness_supports)
        here, floors = records[starts[label] : starts[label + 1]], positions[starts[label] : starts[label + 1]]
        if len(lowest) > 0:
            for record in here:
                lowest[units[record]] = min(lowest[units[record]], supports[label])
        n_buckets, end, size = 0, np.int64(0), np.int64(2)
        while size <= m:
            n_touched, work = tally_extensions(here, floors, arrays)
            result[EARLIER] = result[WORK]
            result[WORK] += work if limit < 0 or size == m else 0
            for i in range(n_touched):
                new, support = arrays.touched[i], arrays.supports[arrays.touched[i]]
                _count_pattern(prefix, size, new, support, k, result, witnesses, witness_supports)
            if len(lowest) > 0:
                _lower(here, floors, arrays, lowest)
            if limit >= 0 and (result[SMALLEST] <= 1 or result[WORK] > limit):
                return result
            if size < m:
                search = grow_prefixes(here, floors, n_touched, n_buckets, end, size, search, arrays)
                n_buckets += n_touched
            clear_touched(arrays, n_touched)
            if n_buckets == 0:
                break
            n_buckets -= 1
            extension, start, end, level = search.stack[n_buckets]
            prefix[level - 1] = extension
            here, floors, size = search.records[start:end], search.positions[start:end], level + 1
    return result


@njit(cache=True)
def shares_a_member(codes, offsets, member_starts, members, n_members):
    """The first record in which two different labels share a member, or -1.

    member_starts : int64[labels + 1] and members : int32[...], the contested members of each label.
    """
    owner = np.full(n_members, -1, dtype=np.int64)
    claimed = np.full(n_members, -1, dtype=np.int64)
    for record in range(len(offsets) - 1):
        for position in range(offsets[record], offsets[record + 1]):
            label = codes[position]
            for i in range(member_starts[label], member_starts[label + 1]):
                member = members[i]
                if claimed[member] == record and owner[member] != label:
                    return record
                claimed[member] = record
                owner[member] = label
    return -1
