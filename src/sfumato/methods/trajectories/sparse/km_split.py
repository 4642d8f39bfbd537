"""KM-SPLIT: trajectories as unlinked pieces in which no short sequence is rare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.methods.base import Run
from sfumato.methods.trajectories.sparse.base import SparseMethod
from sfumato.methods.trajectories.sparse.cutting import Cutting
from sfumato.methods.trajectories.sparse.granularities import granularities
from sfumato.methods.trajectories.sparse.label_tree import LabelTree, Partition
from sfumato.methods.trajectories.sparse.pieces import Pieces
from sfumato.methods.trajectories.sparse.single_visits import single_visits
from sfumato.methods.trajectories.sparse.specialization import specialize
from sfumato.methods.trajectories.sparse.unit_visits import UnitVisits
from sfumato.params import param
from sfumato.privacy.not_covered import Limit

__all__ = ["KmSplit"]

_COARSEST = 9  # times k persons
_LARGEST = 0.3  # of all persons: a label that more of them hold says little


@dataclass(frozen=True, kw_only=True)
class KmSplit(SparseMethod):
    """Publish trajectories as unlinked pieces in which any m visits of a person are shared by at least k persons.

    A trajectory is cut where two visits form a rare sequence: both visits stay, in different pieces, and nothing shows
    which pieces belong together.  Visits that fit into no piece are published as pieces of one visit.  Every published
    visit is true, and visits of one piece are in their order.

    Notes
    -----
    Labels have several granularities: at each, places with enough visitors keep their names, and the others are grouped
    by a k-d tree over position and popularity, or under nodes of a taxonomy where there is one.  From fine to coarse,
    the visits that are in no piece yet are cut into greedy cliques of at least two visits, as in `KmSuppress`, until
    nothing is rare inside the pieces.  Then labels are replaced by finer ones in as many pieces as the promise allows.
    A visit that is left over becomes a piece of its own, under the finest label that k persons hold; if its trajectory
    shows that label already, only as far as `keep` needs it, because it would be counted twice.

    Persons are counted across all pieces of their trajectories; without persons, all pieces of an original trajectory
    count as one record.

    With `l`, sensitive places keep their names and are not grouped.  A sensitive visit stands in the longest piece of
    its trajectory, or, where it could be inferred with a probability above 1/l, as a piece of its own.

    ``docs/method-km-split.md`` has the definitions, the proofs and the experiments.

    Examples
    --------
    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists(
    ...     ["ab", "ab", "abcd", "cd", "cd"], places={"a": (0, 0), "b": (9, 0), "c": (0, 9), "d": (9, 9)}
    ... )
    >>> release = KmSplit(k=3, m=2).anonymize(walks)
    >>> release.data.to_lists(), release.holds
    ([['a', 'b'], ['a', 'b'], ['a', 'b'], ['c', 'd'], ['c', 'd'], ['c', 'd']], True)
    """

    name: ClassVar[str] = "km-split"
    title: ClassVar[str] = "KM-SPLIT"
    record_changes: ClassVar[tuple[str, ...]] = ("suppressed", "split")
    counts_originals: ClassVar[bool] = True
    not_covered: ClassVar[tuple[Limit, ...]] = (
        *SparseMethod.not_covered,
        Limit(
            "pieces-linked",
            "an attacker who can tell that several pieces belong to one trajectory or one person, for example by known "
            "visits or by the places that the person usually visits: each piece is protected separately",
            rank=2,
        ),
        Limit(
            "pieces-not-trajectories",
            "counts of trajectories, because pieces are not trajectories: records are more and shorter than in the "
            "original, a trajectory with several pieces in a region counts several times there, and sequences of "
            "visits in different pieces are not counted",
            rank=3,
        ),
    )

    pieces: int | None = param(
        None,
        at_least=1,
        help="largest number of pieces of two or more visits of a trajectory; if not given, no limit",
    )

    def cut(
        self, visits: UnitVisits, partition: Partition, run: Run
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], LabelTree]:
        with run.phase("grouping places"):
            coarsest = min(_COARSEST * self.k, _LARGEST * visits.n_units)
            sizes = granularities(self.k, coarsest, self.levels)
            tree = LabelTree.of(visits.visited(), sizes, partition, visits.n_places)
        with run.phase("cutting"):
            labels, piece, used = self._cut(visits, tree, run)
        pieces = Pieces.of(visits, labels, piece)
        with run.phase("making labels finer"):
            labels[pieces.visits] = specialize(pieces, visits.places[pieces.visits], tree, self.k, self.m, run)
        with run.phase("adding single visits"):
            single = single_visits(visits, tree, labels, self.k, self.visits_wanted(visits))
            alone = np.flatnonzero(single >= 0)
            labels[alone] = single[alone]
            piece[alone] = used.max(initial=0) + np.arange(len(alone))
        return labels, piece, tree

    def _cut(
        self, visits: UnitVisits, tree: LabelTree, run: Run
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The label and the piece of each visit, -1 for those in none, and the number of pieces of each record."""
        labels = np.full(len(visits.places), -1, dtype=np.int32)
        piece = np.full(len(visits.places), -1, dtype=np.int64)
        used = np.zeros(len(visits.offsets) - 1, dtype=np.int64)
        for label_of_place in tree.label_at:  # from fine to coarse
            free = np.flatnonzero(piece < 0)
            part = visits.only(piece < 0)
            now = label_of_place[part.places]
            most = np.diff(part.offsets) if self.pieces is None else self.pieces - used
            number = Cutting(part, now, len(tree), self.k, self.m, most=most, least=2, listed=self.l is not None).run(
                run
            )
            placed = number >= 0
            records = part.records[placed]
            piece[free[placed]] = used[records] + number[placed]
            labels[free[placed]] = now[placed]
            np.maximum.at(used, records, piece[free[placed]] + 1)
        return labels, piece, used
