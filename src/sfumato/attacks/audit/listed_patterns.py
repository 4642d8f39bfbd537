"""Every pattern that an attacker may know of each unit, one after the other: for anonymity sets that are counted
elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sfumato.attacks.audit.known_points import KnowablePoints
from sfumato.data.base import Ints, distinct_rows
from sfumato.kernels.verify.prefixes.divided import continuation_counts
from sfumato.kernels.verify.sampled_patterns import numbered_patterns

__all__ = ["ListedPatterns", "listed_patterns", "pattern_counts"]

_ROWS = 1 << 18  # of a batch


class ListedPatterns(NamedTuple):
    """Patterns of one size, each once for each unit.

    units : int64[n].  patterns : int32[n, size].  whole : whether the pattern is all of a record of the unit.
    """

    units: Ints
    patterns: Ints
    whole: npt.NDArray[np.bool_]


def pattern_counts(points: KnowablePoints, size: int) -> npt.NDArray[np.float64]:
    """How many distinct patterns of this size each record has: float64[records], exact up to 2^53."""
    _, counts = continuation_counts(points.codes, points.offsets, points.n_labels, size)
    return np.where(points.lengths >= size, counts, 0.0)


def listed_patterns(points: KnowablePoints, size: int) -> Iterator[ListedPatterns]:
    """The distinct patterns of this size (subsequences of the records) of every unit, in batches of units.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"], ["a", "b", "c"]], persons=["ann", "ann"])
    >>> [batch] = listed_patterns(KnowablePoints.of(walks, ordered=True), 2)
    >>> batch.patterns.tolist(), batch.whole.tolist()
    ([[0, 1], [0, 2], [1, 2]], [True, False, False])
    """
    counts = pattern_counts(points, size)
    reached = np.concatenate(([0.0], np.cumsum(counts)))[points.unit_offsets]
    batch_of_unit = (reached[:-1] // _ROWS).astype(np.int64)
    for units in np.split(np.arange(len(points)), np.flatnonzero(np.diff(batch_of_unit)) + 1):
        if len(units) and reached[units[-1] + 1] > reached[units[0]]:
            yield _listed(points.take(units), units, size)


def _listed(points: KnowablePoints, units: Ints, size: int) -> ListedPatterns:
    after, whole = continuation_counts(points.codes, points.offsets, points.n_labels, size)
    counts = np.where(points.lengths >= size, whole, 0.0).astype(np.int64)
    records = np.repeat(np.arange(len(counts)), counts)
    ranks = (np.arange(len(records)) - np.repeat(np.cumsum(counts) - counts, counts)).astype(np.float64)
    of_record = np.arange(len(counts) + 1, dtype=np.int64)
    patterns = numbered_patterns(
        records, ranks, size, points.codes, points.offsets, of_record, points.n_labels, after, whole
    )
    is_whole, owners = points.lengths[records] == size, units[points.units[records]]
    if len(points) == len(counts):  # everybody has one record
        return ListedPatterns(owners, patterns, is_whole)
    rows, position = distinct_rows(np.column_stack((owners, patterns)).astype(np.int64))
    wholes = np.zeros(len(rows), dtype=bool)
    wholes[position[is_whole]] = True
    return ListedPatterns(rows[:, 0], rows[:, 1:].astype(np.int32), wholes)
