"""Searches for patterns, divided among threads by the first label of a pattern.

Everything that begins with one label is counted by itself: threads share what they read, and write only to arrays of
their own.  Figures are put together so that neither the division nor the order of the parts changes one.
"""

from itertools import chain
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from sfumato.kernels.verify.prefixes.associations import (
    SensitiveValues,
    add_part,
    associations_of_part,
    empty_result,
)
from sfumato.kernels.verify.prefixes.first_labels import FirstLabels, place_first_labels, tally_first_labels
from sfumato.kernels.verify.prefixes.risks import LOWEST, add_rows, continuations_of_records, risks_of_part
from sfumato.kernels.verify.prefixes.supports import (
    COMPLETE,
    EARLIER,
    PATTERNS,
    SMALLEST,
    VIOLATIONS,
    WITNESSES,
    WORK,
    supports_of_part,
)
from sfumato.kernels.verify.prefixes.tables import table_of_labels
from sfumato.threads import Buffers, falling_spans, side_by_side, spans

__all__ = [
    "association_supports",
    "continuation_counts",
    "find_first_labels",
    "subsequence_risks",
    "subsequence_supports",
    "subsequence_table",
]

Array = npt.NDArray[Any]

_RECORDS = 20_000  # that one thread reads at least
_EMBEDDINGS = 100_000  # that one thread grows at least
_EXACT = 2.0**53  # whole numbers below it are exact


def find_first_labels(codes: Array, offsets: Array, units: Array, n_labels: int) -> FirstLabels:
    """The first labels of all records; units : int32[records], not falling."""
    cuts = _cuts(units)
    previous = np.empty(len(codes), dtype=np.int32)
    entries, supports = (np.zeros((len(cuts), n_labels), dtype=np.int64) for _ in range(2))

    def tally(at: int) -> None:
        tally_first_labels(codes, offsets, units, *cuts[at], previous, entries[at], supports[at])

    list(side_by_side(tally, range(len(cuts))))
    starts = np.concatenate(([0], np.cumsum(entries.sum(axis=0)))).astype(np.int64)
    fill = starts[:-1] + np.cumsum(entries, axis=0) - entries
    records, positions = np.empty(starts[-1], dtype=np.int32), np.empty(starts[-1], dtype=np.int32)

    def place(at: int) -> None:
        place_first_labels(codes, offsets, *cuts[at], previous, fill[at], records, positions)

    list(side_by_side(place, range(len(cuts))))
    return FirstLabels(previous, starts, records, positions, supports.sum(axis=0))


def _cuts(units: Array) -> list[tuple[int, int]]:
    """Spans of records that keep the records of a unit together."""
    ends = [
        int(np.searchsorted(units, units[end])) if end < len(units) else end for _, end in spans(len(units), _RECORDS)
    ]
    return list(zip([0, *ends[:-1]], ends, strict=True)) if ends else []


def _label_parts(first: FirstLabels, *, rarest_first: bool = False) -> list[Array]:
    """The labels that begin a pattern, in parts of fewer and fewer visits: the most frequent labels first.

    With the rarest labels first, of which a search may need few, parts have more and more visits.
    The order of the labels does not depend on the number of parts.
    """
    visits = np.diff(first.starts)
    order = np.argsort(visits if rarest_first else -visits, kind="stable").astype(np.int32)
    order = order[visits[order] > 0]
    reached = np.cumsum(visits[order])
    cuts = falling_spans(len(first.records), _EMBEDDINGS)
    wanted = [len(first.records) - start for start, _ in reversed(cuts)] if rarest_first else [end for _, end in cuts]
    ends = [int(np.searchsorted(reached, end)) + 1 for end in wanted]
    return (
        [part for start, end in zip([0, *ends[:-1]], ends, strict=True) if len(part := order[start:end])]
        if ends
        else []
    )


def subsequence_supports(
    codes: Array,
    offsets: Array,
    units: Array,
    n_labels: int,
    m: int,
    k: int,
    limit: int,
    lowest: Array,
    witnesses: Array,
    witness_supports: Array,
    first: FirstLabels | None = None,
) -> Array:
    """Check every distinct subsequence of 1 to m labels.

    units : int32[records], not falling: records of one unit lie together.
    limit : stop once the longest patterns have cost more than this many positions, or at a support of 1;
    no limit where it is negative.
    lowest : int64[units], lowered to the smallest support among the patterns each unit holds; or int64[0].
    witnesses : int32[w, m] and witness_supports : int64[w], w >= 1, receive the rarest violations, rarest first.
    first : of `find_first_labels`, where they are known.
    Returns int64[6]: patterns, violations (support below k), smallest support, positions read, whether
    complete, number of witnesses.  Memory: one embedding per visit, and for each thread one per visit that follows
    its prefix and level below m, and a copy of `lowest`.
    """
    first = find_first_labels(codes, offsets, units, n_labels) if first is None else first
    copies = Buffers(lowest.copy)

    def count(labels: Array) -> tuple[Array, Array, Array]:
        own, own_supports = np.empty_like(witnesses), np.empty_like(witness_supports)
        with copies.taken() as copy:
            found = supports_of_part(
                codes, offsets, units, *first, labels, m, k, limit, copy, own, own_supports
            )  # fmt: skip
        return found, own[: found[WITNESSES]], own_supports[: found[WITNESSES]]

    total = np.zeros(7, dtype=np.int64)
    total[SMALLEST], total[COMPLETE] = first.supports[first.supports > 0].min(initial=np.iinfo(np.int64).max), 1
    total[WORK] = len(codes) + len(units) if limit < 0 or m == 1 else 0
    kept = []
    if limit < 0 or total[SMALLEST] > 1:
        parts = _label_parts(first, rarest_first=limit >= 0)
        alone = 1 if limit >= 0 else 0  # the rarest labels may end the search
        for found, *rarest in chain(map(count, parts[:alone]), side_by_side(count, parts[alone:])):
            kept.append(rarest)
            if _stops(total, found, limit):
                break
    for copy in copies.all:
        np.minimum(lowest, copy, out=lowest)
    total[PATTERNS] = max(total[PATTERNS], np.count_nonzero(first.supports))
    total[WITNESSES] = _keep_rarest(kept, witnesses, witness_supports)
    return total[:EARLIER]


def _stops(total: Array, found: Array, limit: int) -> bool:
    """Add what was found among the next labels; whether a search that does not examine them together stops there."""
    within = limit < 0 or total[WORK] + found[EARLIER] <= limit
    for counter in (PATTERNS, VIOLATIONS, WORK):
        total[counter] += found[counter]
    if within:
        total[SMALLEST] = min(total[SMALLEST], found[SMALLEST])
    if limit < 0 or (total[SMALLEST] > 1 and total[WORK] <= limit):
        return False
    total[COMPLETE] = total[SMALLEST] <= 1
    return True


def _keep_rarest(kept: list[list[Array]], witnesses: Array, witness_supports: Array) -> int:
    """Write the rarest of the violations that were found, by support, then in name order; returns how many."""
    if not kept:
        return 0
    patterns, supports = (np.concatenate(column) for column in zip(*kept, strict=True))
    order = np.lexsort((*patterns.T[::-1], supports))[: len(witnesses)]
    witnesses[: len(order)], witness_supports[: len(order)] = patterns[order], supports[order]
    return len(order)


def subsequence_table(codes: Array, offsets: Array, units: Array, n_labels: int, m: int) -> tuple[Array, Array]:
    """Every distinct subsequence of 1 to m labels, int32[rows, m] with -1 behind shorter ones, and int64[rows], its
    support in units.

    units : int32[records], not falling: records of one unit lie together.
    """
    first = find_first_labels(codes, offsets, units, n_labels)
    parts = side_by_side(lambda labels: table_of_labels(codes, offsets, units, *first, labels, m), _label_parts(first))
    tables = list(parts)
    if not tables:
        return np.empty((0, m), dtype=np.int32), np.empty(0, dtype=np.int64)
    patterns, supports = (np.concatenate(column) for column in zip(*tables, strict=True))
    return patterns.reshape(-1, m), supports


def continuation_counts(codes: Array, offsets: Array, n_labels: int, m: int) -> tuple[Array, Array]:
    """The figures of `continuations_of_records` for all records: [total, m - 1] and float64[records].

    Counts after a position have 32 bits wherever the longest record leaves room for no more.
    """
    longest = int(np.diff(offsets).max(initial=0))
    most = comb(longest, min(m - 1, longest // 2))
    after = np.empty((len(codes), m - 1), dtype=np.uint32 if most < 2**32 else np.float64)
    whole = np.empty(len(offsets) - 1)

    def count(span: tuple[int, int]) -> None:
        continuations_of_records(codes, offsets, *span, n_labels, after, whole)

    list(side_by_side(count, spans(len(whole), _RECORDS)))
    return after, whole


def subsequence_risks(
    codes: Array,
    offsets: Array,
    units: Array,
    n_units: int,
    first: FirstLabels,
    m: int,
    limit: int,
    after: Array,
    whole: Array,
) -> Array | None:
    """The risks of each unit over all distinct subsequences of m labels (of all labels, in shorter records).

    units : int32[records], not falling: records of one unit lie together.  first : of `find_first_labels`.
    limit : stop once more than this many positions were read.
    after, whole : of `continuation_counts`.
    Returns float64[units, 5], the columns that `risks` names; None where the limit was met.
    Memory: as `subsequence_supports`, and the rows once for each thread.
    """
    read = len(codes) + len(units)
    spent = np.array([read])
    rows = Buffers(lambda: _no_risks(n_units))

    def add(labels: Array) -> int:
        with rows.taken() as risks:
            return int(risks_of_part(codes, offsets, units, *first, labels, m, limit, spent, after, risks))

    exact = whole.sum() < _EXACT  # beyond, the order of additions matters
    parts = _label_parts(first)
    if read <= limit:
        read += sum(side_by_side(add, parts if exact or not parts else [np.concatenate(parts)]))
    if read > limit:
        return None
    risks, *others = rows.all or [_no_risks(n_units)]
    for other in others:
        add_rows(other, risks)
    return risks


def _no_risks(n_units: int) -> Array:
    risks = np.zeros((n_units, 5))
    risks[:, LOWEST] = n_units
    return risks


def association_supports(
    codes: Array,
    offsets: Array,
    units: Array,
    n_labels: int,
    sensitive: SensitiveValues,
    m: int,
    k: int,
    diversity: int,
    witness_figures: Array,
    witnesses: Array,
) -> Array:
    """What `association_supports` of `associations` returns, counted side by side."""
    first = find_first_labels(codes, offsets, units, n_labels)

    def count(labels: Array) -> tuple[Array, Array, Array]:
        own_figures, own = np.zeros_like(witness_figures), np.full_like(witnesses, -1)
        ones = np.ones(len(labels), dtype=np.int64)
        roots = np.column_stack((labels, first.starts[labels], first.starts[labels + 1], ones))
        found = associations_of_part(
            codes, offsets, units, first.previous, n_labels, roots, first.records, first.positions, sensitive, m, k,
            diversity, own_figures, own,
        )  # fmt: skip
        return found, own_figures, own

    result: Array = empty_result(witness_figures)
    for part in side_by_side(count, _label_parts(first)):
        add_part(*part, k, result, witness_figures, witnesses)
    return result
