"""Supports of subsequences of up to m labels, alone and together with each sensitive value; used by verifiers only.

Prefixes grow as in `growing`; every pattern is checked where the list of its embeddings lies ready.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.verify.prefixes.growing import (
    clear_touched,
    empty_search,
    grow_prefixes,
    prefix_arrays,
    previous_positions,
    tally_extensions,
)

__all__ = [
    "SMALLEST",
    "SUPPORT",
    "TOGETHER",
    "VALUE",
    "SensitiveValues",
    "add_part",
    "association_supports",
    "associations_of_part",
    "count_pattern",
    "empty_result",
    "worst_value",
]

PATTERNS, TOO_RARE, NOT_DIVERSE, SMALLEST, WITNESSES = range(5)
SUPPORT, TOGETHER, VALUE = range(3)


class SensitiveValues(NamedTuple):
    """The distinct sensitive values of each record, as numbers."""

    starts: Any  # int64[records + 1]
    values: Any  # int32[...]
    n: Any  # int: how many values there are


@njit(cache=True)
def worst_value(here, units, sensitive, together, last_unit):
    """The support of the pattern whose records these are, its best supported sensitive value (or -1) and how often.

    together : int64[values], all 0, and last_unit : int64[values], all -1, both left so.
    """
    starts, values, _ = sensitive
    support = 0
    last = -1
    worst, most = np.int64(-1), np.int64(0)
    for entry in range(len(here)):
        record = here[entry]
        unit = units[record]
        support += unit != last
        last = unit
        for position in range(starts[record], starts[record + 1]):
            value = values[position]
            if last_unit[value] != unit:
                last_unit[value] = unit
                together[value] += 1
                if together[value] > most or (together[value] == most and value < worst):
                    worst, most = np.int64(value), together[value]
    for entry in range(len(here)):
        for position in range(starts[here[entry]], starts[here[entry] + 1]):
            together[values[position]] = 0
            last_unit[values[position]] = -1
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
    """Whether a larger share of the supporters has one sensitive value; ties by smaller support, then name order."""
    product = figures[TOGETHER] * other_figures[SUPPORT]
    two = other_figures[TOGETHER] * figures[SUPPORT]
    if product != two:
        return product > two
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
    """Whether a violation is shown before another: the rarest patterns, then the worst associations."""
    rare, other_rare = figures[SUPPORT] < k, other_figures[SUPPORT] < k
    if rare != other_rare:
        return rare
    if rare:
        return _is_rarer(figures, pattern, other_figures, other)
    return _is_worse(figures, pattern, other_figures, other)


@njit(cache=True)
def _write_row(figures, pattern, row, all_figures, all_patterns):
    for column in range(3):
        all_figures[row, column] = figures[column]
    for level in range(len(pattern)):
        all_patterns[row, level] = pattern[level]


@njit(cache=True)
def _keep_worst(figures, pattern, witness_figures, witnesses):
    """Let the last witness be the worst association."""
    last = len(witnesses) - 1
    if figures[TOGETHER] > 0 and _is_worse(figures, pattern, witness_figures[last], witnesses[last]):
        _write_row(figures, pattern, last, witness_figures, witnesses)


@njit(cache=True)
def _keep_violation(figures, pattern, k, result, witness_figures, witnesses):
    """Let a violation be a witness, where it comes before another one or there is room."""
    last = len(witnesses) - 1
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
    _write_row(figures, pattern, row, witness_figures, witnesses)


@njit(cache=True)
def count_pattern(figures, pattern, weight, k, diversity, result, witness_figures, witnesses):
    """Add a pattern to the result; the last witness is the worst association, the others are violations.

    weight : how many patterns it stands for.
    """
    result[PATTERNS] += weight
    result[SMALLEST] = min(result[SMALLEST], figures[SUPPORT])
    _keep_worst(figures, pattern, witness_figures, witnesses)
    rare = figures[SUPPORT] < k
    not_diverse = diversity * figures[TOGETHER] > figures[SUPPORT]
    result[TOO_RARE] += weight * rare
    result[NOT_DIVERSE] += weight * not_diverse
    if rare or not_diverse:
        _keep_violation(figures, pattern, k, result, witness_figures, witnesses)


@njit(cache=True)
def add_part(part, part_figures, part_witnesses, k, result, witness_figures, witnesses):
    """Add the result of other patterns, and their witnesses, to a result."""
    for counter in (PATTERNS, TOO_RARE, NOT_DIVERSE):
        result[counter] += part[counter]
    result[SMALLEST] = min(result[SMALLEST], part[SMALLEST])
    last = len(part_witnesses) - 1
    _keep_worst(part_figures[last], part_witnesses[last], witness_figures, witnesses)
    for row in range(part[WITNESSES]):
        _keep_violation(part_figures[row], part_witnesses[row], k, result, witness_figures, witnesses)


@njit(cache=True)
def empty_result(witness_figures):
    """The result of no pattern, and figures of witnesses that say so."""
    result = np.zeros(5, dtype=np.int64)
    result[SMALLEST] = np.iinfo(np.int64).max
    for row in range(len(witness_figures)):
        witness_figures[row, SUPPORT] = 1  # no association yet: 0 of 1
    return result


@njit(cache=True)
def associations_of_part(
    codes, offsets, units, previous, n_labels, roots, records, positions, sensitive, m, k, diversity, witness_figures,
    witnesses
):  # fmt: skip
    """Check every subsequence that begins with a root; see `association_supports`.

    roots : int64[n, 4], rows of label, first embedding, end, length: 0 for the empty prefix, which is no pattern.
    records, positions : the embeddings of the roots.
    """
    result = empty_result(witness_figures)
    arrays, search = prefix_arrays(codes, offsets, units, previous, n_labels), empty_search()
    together, last_holder = np.zeros(sensitive.n, np.int64), np.full(sensitive.n, -1, np.int64)
    pattern, figures = np.full(m, -1, np.int32), np.zeros(3, np.int64)
    for root in range(len(roots)):
        label, start, end, size = roots[root]
        here, floors = records[start:end], positions[start:end]
        n_buckets, end = 0, np.int64(0)
        while True:
            if size > 0:
                pattern[size - 1] = label
                for level in range(size, m):
                    pattern[level] = -1
                figures[SUPPORT], figures[VALUE], figures[TOGETHER] = worst_value(
                    here, units, sensitive, together, last_holder
                )
                count_pattern(figures, pattern, 1, k, diversity, result, witness_figures, witnesses)
            if size < m:
                n_touched, _ = tally_extensions(here, floors, arrays)
                search = grow_prefixes(here, floors, n_touched, n_buckets, end, size + 1, search, arrays)
                n_buckets += n_touched
                clear_touched(arrays, n_touched)
            if n_buckets == 0:
                break
            n_buckets -= 1
            label, start, end, size = search.stack[n_buckets]
            here, floors = search.records[start:end], search.positions[start:end]
    return result


@njit(cache=True)
def association_supports(codes, offsets, units, n_labels, sensitive, m, k, diversity, witness_figures, witnesses):
    """Check every distinct subsequence of 1 to m labels, alone and together with every sensitive value.

    units : int32[records], not falling: records of one unit lie together.  sensitive : SensitiveValues.
    witnesses : int32[w + 1, m], all -1, and witness_figures : int64[w + 1, 3] (support, together, value), w >= 1,
    receive up to w violations, unsorted, and in their last row the worst association.
    Returns int64[5]: patterns, those with a support below k, those of which more than one in `diversity` supporters
    share a sensitive value, smallest support, number of witnesses.  Memory: one embedding per visit and level.
    """
    roots = np.zeros((1, 4), dtype=np.int64)
    roots[0, 2] = len(units)
    return associations_of_part(
        codes, offsets, units, previous_positions(codes, offsets, n_labels), n_labels, roots,
        np.arange(len(units)).astype(np.int32), np.full(len(units), -1, np.int32), sensitive, m, k, diversity,
        witness_figures, witnesses,
    )  # fmt: skip
