"""Visits that are in no piece, published as pieces of their own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.methods.trajectories.sparse.label_tree import LabelTree
from sfumato.methods.trajectories.sparse.unit_visits import UnitVisits

__all__ = ["single_visits"]


def single_visits(
    visits: UnitVisits, tree: LabelTree, labels: npt.NDArray[np.int32], k: int, wanted: int
) -> npt.NDArray[np.int32]:
    """The label of each visit that is published as a piece of its own, -1 for all others.

    The label is the finest that k units hold.  A visit whose label the trajectory already shows would be counted twice;
    such visits are published only as far as `wanted` visits are not reached without them, those to the best supported
    labels first.

    labels : of the visits that are in pieces, -1 for all others.
    """
    single = np.full(len(labels), -1, dtype=np.int32)
    free = np.flatnonzero(labels < 0)
    for label_of_place in tree.label_at:
        candidate = single.copy()
        candidate[free] = label_of_place[visits.places[free]]
        support = visits.support_of(np.maximum(labels, candidate), len(tree))
        enough = support[candidate[free]] >= k
        single[free[enough]] = candidate[free[enough]]
        free = free[~enough]
    again = _shown_again(visits, labels, single, len(tree))
    missing = wanted - int(np.count_nonzero(labels >= 0)) - int(np.count_nonzero(single >= 0)) + len(again)
    support = visits.support_of(np.maximum(labels, single), len(tree))
    order = np.lexsort((single[again], -support[single[again]]))
    single[again[order[max(0, missing) :]]] = -1
    return single


def _shown_again(visits: UnitVisits, labels: Ints, single: Ints, n_labels: int) -> Ints:
    """The single visits whose record shows their label in a piece, or in an earlier single visit."""
    placed = np.flatnonzero(labels >= 0)
    alone = np.flatnonzero(single >= 0)
    record = visits.records.astype(np.int64)
    keys = np.concatenate((record[placed] * n_labels + labels[placed], record[alone] * n_labels + single[alone]))
    first = np.zeros(len(keys), dtype=bool)
    first[np.unique(keys, return_index=True)[1]] = True
    return alone[~first[len(placed) :]]
