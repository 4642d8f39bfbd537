"""Finer labels for those pieces that can have them without making any short sequence rare."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.errors import Bug
from sfumato.kernels.pieces.specialization import largest_safe_set, numbered_rows, patterns_with
from sfumato.methods.base import Run
from sfumato.methods.trajectories.sparse.label_tree import LabelTree
from sfumato.methods.trajectories.sparse.pieces import Pieces

__all__ = ["specialize"]


def specialize(pieces: Pieces, places: Ints, tree: LabelTree, k: int, m: int, run: Run) -> npt.NDArray[np.int32]:
    """The label of each visit of the pieces, after as many as possible were replaced by a child in the tree.

    From the coarsest labels down, the largest set of pieces is sought whose visits to a label may all be published
    under its children: no subsequence of up to m labels may end up with 1 to k - 1 units, neither with the children nor
    with the label in the pieces that keep it.

    places : of each visit of the pieces.
    """
    labels, units, piece_of_visit = pieces.labels.copy(), pieces.units, pieces.piece_of_visit
    holders = _Holders(len(tree))
    holders.add(piece_of_visit, labels)
    wanted = np.zeros(len(tree), dtype=bool)
    for done, (group, children) in enumerate(tree.children.items()):  # parents stand before their children
        run.advance(done, len(tree.children))
        holding = holders.of([group])
        if len(holding) == 0:
            continue
        near = holders.of([group, *children.tolist()])
        visits = _visits(pieces, holding)
        visits = visits[labels[visits] == group]
        finer = tree.child_of(group, places[visits])
        wanted[[group, *children]] = True
        before = patterns_with(labels, pieces.offsets, near, wanted, m)
        labels[visits] = finer
        after = patterns_with(labels, pieces.offsets, holding, wanted, m)
        wanted[[group, *children]] = False
        inside = np.isin(near, holding, assume_unique=True)
        _shrink(inside, before, (after[0], np.flatnonzero(inside)[after[1]]), units[near], k)
        stays = ~np.isin(piece_of_visit[visits], near[inside])
        labels[visits[stays]] = group
        holders.add(piece_of_visit[visits[~stays]], finer[~stays])
    return labels


def _shrink(
    inside: npt.NDArray[np.bool_], before: tuple[Ints, Ints], after: tuple[Ints, Ints], units: Ints, k: int
) -> None:
    """Take pieces out of the set until every pattern has enough support."""
    rows = np.concatenate((before[0], after[0]))
    owners = np.concatenate((before[1], after[1]))
    slots = 1 << (2 * len(rows)).bit_length()
    numbers, n = numbered_rows(
        rows, np.full((slots, rows.shape[1]), -1, dtype=np.int32), np.zeros(slots, dtype=np.int32)
    )
    later = np.arange(len(rows)) >= len(before[0])
    order = np.argsort(owners, kind="stable")
    scratch = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    if not largest_safe_set(numbers[order], owners[order], later[order], units, inside, k, *scratch):
        raise Bug("a pattern was rare before labels were made finer")


class _Holders:
    """The pieces that hold each label, or held it before it was replaced."""

    def __init__(self, n_labels: int) -> None:
        self._arrays: list[list[Ints]] = [[] for _ in range(n_labels)]

    def add(self, pieces: Ints, labels: Ints) -> None:
        order = np.lexsort((pieces, labels))
        present, starts = np.unique(labels[order], return_index=True)
        for label, part in zip(present.tolist(), np.split(pieces[order], starts[1:]), strict=False):
            self._arrays[label].append(part)

    def of(self, labels: list[int]) -> Ints:
        """The pieces that hold one of the labels, rising."""
        parts = [part for label in labels for part in self._arrays[label]]
        return np.unique(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)


def _visits(pieces: Pieces, chosen: Ints) -> Ints:
    """The positions of the visits of some pieces."""
    lengths = np.diff(pieces.offsets)[chosen]
    ends = np.cumsum(lengths)
    return np.asarray(np.arange(ends[-1]) + np.repeat(pieces.offsets[:-1][chosen] - (ends - lengths), lengths))
