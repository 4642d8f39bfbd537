"""What subsequences of up to m labels give away: their supports, alone and together with each secret; for verifiers.

Prefixes grow as in `subsequences`; every pattern is looked at where the list of its embeddings lies ready.
"""

import numpy as np
from numba import njit

from sfumato.kernels.verify.subsequences import _previous, _push, _scatter, _tally, _with_length

__all__ = ["association_supports"]

PATTERNS, TOO_RARE, TELLING, SMALLEST, WITNESSES = range(5)
SUPPORT, TOGETHER, SECRET = range(3)


@njit(cache=True)
def _worst_secret(here, units, secret_starts, secrets, together, last_unit):
    """The support of the pattern whose records these are, its best supported secret (or -1) and how often.

    together : int64[secrets], all 0, and last_unit : int64[secrets], all -1, both left so.
    """
    support = 0
    last = -1
    worst, most = np.int64(-1), np.int64(0)
    for entry in range(len(here)):
        record = here[entry]
        unit = units[record]
        support += unit != last
        last = unit
        for at in range(secret_starts[record], secret_starts[record + 1]):
            secret = secrets[at]
            if last_unit[secret] != unit:
                last_unit[secret] = unit
                together[secret] += 1
                if together[secret] > most or (together[secret] == most and secret < worst):
                    worst, most = np.int64(secret), together[secret]
    for entry in range(len(here)):
        for at in range(secret_starts[here[entry]], secret_starts[here[entry] + 1]):
            together[secrets[at]] = 0
            last_unit[secrets[at]] = -1
    return support, worst, most


@njit(cache=True)
def _precedes(pattern, other):
    """Name order, a shorter pattern before a longer one that begins with it."""
    for level in range(len(pattern)):
        if pattern[level] != other[level]:
            return pattern[level] < other[level]
    return False


@njit(cache=True)
def _is_worse(figures, pattern, other_figures, other):
    """Whether more of the supporters share a secret; equal shares by smaller support, then name order."""
    one = figures[TOGETHER] * other_figures[SUPPORT]
    two = other_figures[TOGETHER] * figures[SUPPORT]
    if one != two:
        return one > two
    if figures[SUPPORT] != other_figures[SUPPORT]:
        return figures[SUPPORT] < other_figures[SUPPORT]
    return _precedes(pattern, other)


@njit(cache=True)
def _is_rarer(figures, pattern, other_figures, other):
    if figures[SUPPORT] != other_figures[SUPPORT]:
        return figures[SUPPORT] < other_figures[SUPPORT]
    return _precedes(pattern, other)


@njit(cache=True)
def _comes_first(figures, pattern, other_figures, other, k):
    """Too rare patterns are shown first, the rarest of them; then those that tell most."""
    rare, other_rare = figures[SUPPORT] < k, other_figures[SUPPORT] < k
    if rare != other_rare:
        return rare
    if rare:
        return _is_rarer(figures, pattern, other_figures, other)
    return _is_worse(figures, pattern, other_figures, other)


@njit(cache=True)
def _keep(figures, pattern, row, all_figures, all_patterns):
    for column in range(3):
        all_figures[row, column] = figures[column]
    for level in range(len(pattern)):
        all_patterns[row, level] = pattern[level]


@njit(cache=True)
def _note(figures, pattern, k, diversity, result, witness_figures, witnesses):
    """Enter one pattern into the result.  The last row holds the worst association, the others the violations."""
    result[PATTERNS] += 1
    result[SMALLEST] = min(result[SMALLEST], figures[SUPPORT])
    last = len(witnesses) - 1
    if figures[TOGETHER] > 0 and _is_worse(figures, pattern, witness_figures[last], witnesses[last]):
        _keep(figures, pattern, last, witness_figures, witnesses)
    rare = figures[SUPPORT] < k
    telling = diversity * figures[TOGETHER] > figures[SUPPORT]
    result[TOO_RARE] += rare
    result[TELLING] += telling
    if not (rare or telling):
        return
    row = result[WITNESSES]
    if row < last:
        result[WITNESSES] += 1
    else:
        row = 0
        for other in range(1, last):
            if _comes_first(witness_figures[row], witnesses[row], witness_figures[other], witnesses[other], k):
                row = other
        if not _comes_first(figures, pattern, witness_figures[row], witnesses[row], k):
            return
    _keep(figures, pattern, row, witness_figures, witnesses)


@njit(cache=True)
def association_supports(
    codes, offsets, units, n_labels, secret_starts, secrets, n_secrets, m, k, diversity, witness_figures, witnesses
):
    """Check every distinct subsequence of 1 to m labels, alone and together with every secret.

    units : int32[records], not falling: records of one unit lie together.
    secret_starts : int64[records + 1] into secrets : int32[...], the distinct secrets of each record.
    witnesses : int32[w + 1, m], all -1, and witness_figures : int64[w + 1, 3] (support, together, secret), w >= 1,
    receive up to w violations, unsorted, and in their last row the worst association.
    Returns int64[5]: patterns, those with a support below k, those of which more than one in `diversity` supporters
    share a secret, smallest support, number of witnesses.  Memory: one embedding per visit and level.
    """
    result = np.zeros(5, dtype=np.int64)
    result[SMALLEST] = np.iinfo(np.int64).max
    witness_figures[:, SUPPORT] = 1  # no association yet: 0 of 1
    previous = _previous(codes, offsets, n_labels)
    supports, entries, fill = np.zeros(n_labels, np.int64), np.zeros(n_labels, np.int64), np.zeros(n_labels, np.int64)
    last_unit, touched = np.full(n_labels, -1, np.int64), np.empty(n_labels, np.int64)
    together, last_holder = np.zeros(n_secrets, np.int64), np.full(n_secrets, -1, np.int64)
    pattern, figures = np.full(m, -1, np.int32), np.zeros(3, np.int64)
    # the empty prefix is embedded once in every record, before its first position
    records = np.arange(len(offsets) - 1).astype(np.int32)
    positions = offsets[:-1] - 1
    stack = np.zeros((1, 4), dtype=np.int64)
    stack[0, 2] = len(records)
    n_buckets = 1
    while n_buckets > 0:
        n_buckets -= 1
        label, start, end, size = stack[n_buckets]
        here, floors = records[start:end], positions[start:end]
        if size > 0:
            pattern[size - 1] = label
            for level in range(size, m):
                pattern[level] = -1
            figures[SUPPORT], figures[SECRET], figures[TOGETHER] = _worst_secret(
                here, units, secret_starts, secrets, together, last_holder
            )
            _note(figures, pattern, k, diversity, result, witness_figures, witnesses)
        if size == m:
            continue
        n_touched, _ = _tally(here, floors, codes, offsets, units, previous, supports, entries, last_unit, touched)
        total = 0
        for i in range(n_touched):
            total += entries[touched[i]]
        # buckets lie on the arrays as on the stack: whatever is behind this one is free
        records, positions = _with_length(records, end, end + total), _with_length(positions, end, end + total)
        stack, _ = _push(stack, n_buckets, touched, n_touched, entries, fill, end, size + 1)
        _scatter(here, floors, codes, offsets, previous, fill, records, positions)
        n_buckets += n_touched
        for i in range(n_touched):
            supports[touched[i]] = 0
            entries[touched[i]] = 0
            last_unit[touched[i]] = -1
    return result
