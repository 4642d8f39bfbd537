"""KM-SUPPRESS: whole trajectories, without the visits that would make a short sequence rare."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.methods.base import Run
from sfumato.methods.trajectories.sparse.base import SparseMethod
from sfumato.methods.trajectories.sparse.cutting import Cutting
from sfumato.methods.trajectories.sparse.granularities import granularities
from sfumato.methods.trajectories.sparse.label_tree import LabelTree, Partition
from sfumato.methods.trajectories.sparse.pieces import Pieces
from sfumato.methods.trajectories.sparse.specialization import specialize
from sfumato.methods.trajectories.sparse.unit_visits import UnitVisits

__all__ = ["KmSuppress"]

_STEP = math.sqrt(2)  # ratio of two granularities that are tried one after the other
_BISECTIONS = 3
_CLOSE = 0.02  # a granularity that keeps at most so much more than is wanted, as a share of all visits, is good enough
_GUESS = 2  # times the square root of k times the units: about where pairs of labels begin to have k units


@dataclass(frozen=True, kw_only=True)
class KmSuppress(SparseMethod):
    """Publish whole trajectories in which any m visits of a person are shared by at least k persons.

    Rare places that are near each other and about equally popular are published as one label.  Where a short sequence
    of labels is still rare, visits are suppressed in the trajectories that hold it, and nowhere else.  Every published
    visit is true and in its order.

    Notes
    -----
    Labels are as fine as possible while the share `keep` of the visits can stay: places with enough visitors keep their
    names, the others are grouped by a k-d tree over position and popularity, or under nodes of a taxonomy where there
    is one.  Each trajectory keeps the visits of a greedy clique: a set of visits of which every two form a pair of
    labels that enough persons have in this order, and likewise for sequences of up to m.  What is rare inside the
    cliques is forbidden, and the trajectories that hold it are treated again, until nothing is rare.  Then labels are
    replaced by finer ones in as many trajectories as the promise allows, from the coarsest down.

    With `l`, sensitive places keep their names and are not grouped.  A sensitive visit is suppressed where it could be
    inferred with a probability above 1/l, counted over all labels that a known place may be published under.

    ``docs/method-km-split.md`` has the definitions, the proofs and the experiments.

    Examples
    --------
    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists(
    ...     ["ab", "ab", "abc", "ad", "ad"], places={"a": (0, 0), "b": (9, 0), "c": (0, 9), "d": (9, 9)}
    ... )
    >>> release = KmSuppress(k=2, m=2, keep=0.9).anonymize(walks)
    >>> release.data.to_lists(), release.holds
    ([['a', 'b'], ['a', 'b'], ['a', 'b'], ['a', 'd'], ['a', 'd']], True)
    """

    name: ClassVar[str] = "km-suppress"
    title: ClassVar[str] = "KM-SUPPRESS"

    def cut(
        self, visits: UnitVisits, partition: Partition, run: Run
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], LabelTree]:
        with run.phase("choosing labels"):
            size, piece = _Sizes(self, visits, partition, run).finest()
        with run.phase("grouping places"):
            sizes = granularities(self.k, size, self.levels)
            tree = LabelTree.of(visits.visited(), sizes, partition, visits.n_places)
        labels = tree.label_at[-1][visits.places]
        pieces = Pieces.of(visits, labels, piece)
        with run.phase("making labels finer"):
            labels[pieces.visits] = specialize(pieces, visits.places[pieces.visits], tree, self.k, self.m, run)
        return labels, piece.astype(np.int64), tree


class _Sizes:
    """The smallest number of persons of a label, and what is kept of the visits with it."""

    def __init__(self, method: KmSuppress, visits: UnitVisits, partition: Partition, run: Run) -> None:
        self._method, self._visits, self._partition, self._run = method, visits, partition, run
        self._wanted = method.visits_wanted(visits)
        self._places = visits.visited()
        self._pieces: dict[int, Ints] = {}

    def finest(self) -> tuple[int, Ints]:
        """The smallest size found that keeps enough visits, or the largest one; with the piece of each visit.

        Sizes in equal ratios are tried from a guess on, up or down, then some between the last two, until one keeps
        little more than it must.
        """
        k, units = self._method.k, max(self._method.k, self._visits.n_units)
        size = min(units, max(k, round(_GUESS * math.sqrt(k * units))))
        while size < units and not self._keeps_enough(size):
            size = min(units, math.ceil(size * _STEP))
        below = max(k, int(size / _STEP))
        while below < size and not self._is_close(size) and self._keeps_enough(below):
            size, below = below, max(k, int(below / _STEP))
        for _ in range(_BISECTIONS if below < size else 0):
            if not self._is_close(size):
                between = (below + size) // 2
                size, below = (between, below) if self._keeps_enough(between) else (size, between)
        self._keeps_enough(size)
        return size, self._pieces[size]

    def _is_close(self, size: int) -> bool:
        """Whether a size keeps enough visits, and not many more."""
        return self._keeps_enough(size) and self._kept(size) <= self._wanted + _CLOSE * len(self._visits.places)

    def _kept(self, size: int) -> int:
        return int(np.count_nonzero(self._pieces[size] >= 0))

    def _keeps_enough(self, size: int) -> bool:
        if size not in self._pieces:
            tree = LabelTree.of(self._places, [size], self._partition, self._visits.n_places)
            labels = tree.label_at[0][self._visits.places]
            once = np.ones(len(self._visits.offsets) - 1, dtype=np.int64)
            method = self._method
            listed = method.l is not None
            cutting = Cutting(self._visits, labels, len(tree), method.k, method.m, most=once, least=1, listed=listed)
            largest = size >= self._visits.n_units
            self._pieces[size] = cutting.run(self._run, give_up_below=0 if largest else self._wanted)
        return self._kept(size) >= self._wanted
