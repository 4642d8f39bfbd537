"""The privacy budget of a differentially private run: the only source of noise, and what each drawing of it spent.

Contributions
    What is counted.  Each belongs to a record and so to a unit, the person (or the record) that is protected; a
    unit has at most `at_most` of them.
Branches
    Where contributions stand.  All begin in branch 0.  Splitting a branch counts its contributions by cell, with
    noise; a cell whose noisy count is released becomes a branch, and its contributions move there.  A contribution
    stands in one branch at a time, so the branches it has been in are a path.
Spending
    A split with a share s of epsilon adds two-sided geometric noise with rate s epsilon / at_most to every cell.
    Adding or removing a unit changes the counts along at most `at_most` paths, by one each; the probability of what is
    released changes by at most the factor exp(sum over its contributions of (shares along its path) epsilon / at_most).
    That is exp(epsilon) if no path spends more than the whole: spends add up along a path, not across siblings.

Shares are whole numbers, of which 2^40 make epsilon, so that sums along paths are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from sfumato.data import Dataset
from sfumato.data.base import Ints
from sfumato.errors import Bug
from sfumato.params import JsonObject, exact
from sfumato.privacy.noise.geometric import Entropy, passing, two_sided

__all__ = ["WHOLE", "Counts", "PrivacyBudget", "Spends"]

WHOLE = 1 << 40
"""All of epsilon, in shares."""

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Counts:
    """The cells that a split releases, those of one branch next to each other and in order.

    parent : the branch that was split.  cell : the cell.  noisy : its noisy count.  branch : the branch it became.
    """

    parent: Whole
    cell: Whole
    noisy: Whole
    branch: Whole


@dataclass(frozen=True)
class Spends:
    """The spends that a privacy budget recorded, for the verifier.

    parents : int64[b], the branch that each branch came out of; -1 for branch 0.
    branches, shares : what each split was of and what it spent, in shares; a branch may be split again.
    epsilon, at_most : what the whole budget and the rate of the noise assume.
    largest : how many contributions the unit with most of them has.
    """

    parents: Whole
    branches: Whole
    shares: Whole
    epsilon: float
    at_most: int
    largest: int


class PrivacyBudget:
    """Draws noise and records it.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a"], ["a"], ["b"]])
    >>> budget = PrivacyBudget(seed=1)
    >>> budget.open(walks, records=np.array([0, 1, 2]), epsilon=8.0, at_most=1)
    >>> cells = budget.split(np.array([0]), np.array([0, 0, 1]), sizes=np.array([3]), shares=np.array([WHOLE]))
    >>> cells.cell.tolist(), cells.noisy.tolist()
    ([0, 1, 2], [2, 1, 0])
    >>> budget.remaining(cells.branch).tolist()
    [0, 0, 0]
    """

    def __init__(self, seed: int | None = None) -> None:
        self.entropy = Entropy(seed)
        self.data: Dataset | None = None
        self._splits: list[JsonObject] = []

    def open(self, data: Dataset, *, records: Ints, epsilon: float, at_most: int) -> None:
        """Begin: the record that each contribution comes from, the budget, and the most that one unit has."""
        if self.data is not None:
            raise Bug("a privacy budget was opened twice")
        units = data.units[records]
        self._largest = int(np.bincount(units).max(initial=0))
        if self._largest > at_most:
            raise Bug("a unit contributes more than the privacy budget was opened for")
        self.data = data
        self._epsilon, self._at_most = epsilon, at_most
        self._at = np.zeros(len(records), dtype=np.int64)
        self._parents = np.array([-1], dtype=np.int64)
        self._used = np.zeros(1, dtype=np.int64)

    @property
    def at(self) -> Whole:
        """The branch of each contribution, -1 where it stands in none any more.  Private."""
        return self._at.copy()

    def remaining(self, branches: Whole) -> Whole:
        """The shares of epsilon that are left along the paths to these branches."""
        return np.asarray(WHOLE - self._used[branches])

    def split(
        self,
        branches: Whole,
        cells: Ints,
        *,
        sizes: Ints,
        shares: Ints,
        floors: Ints | None = None,
        always: int | None = None,
    ) -> Counts:
        """Count the contributions of some branches by cell, with noise.

        branches : rising.  cells : for each contribution the cell of its branch that it goes to, -1 for none.
        sizes : how many cells each branch has, whether or not anything is in them.  shares : what each split spends.
        floors : the noisy count, at least 1, from which a cell of each branch is released; all if not given.
        always : a cell that is released for any noisy count, in the branches that have it.

        Contributions in other branches, in no cell or in a cell that is not released go no further.
        """
        if np.any(np.diff(branches) <= 0) or np.any(shares <= 0) or (floors is not None and np.any(floors < 1)):
            raise Bug("a split needs rising branches, shares above 0 and floors of at least 1")
        starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        slot_of = self._slots(branches, cells, sizes, starts)
        slots, counts = np.unique(slot_of[slot_of >= 0], return_counts=True)
        if floors is None:
            everything = np.zeros(starts[-1], dtype=np.int64)
            everything[slots] = counts
            slots, noisy = np.arange(starts[-1]), everything
            self._disturb(noisy, np.searchsorted(starts, slots, side="right") - 1, shares)
        else:
            if always is not None:
                pinned = starts[:-1][np.asarray(sizes) > always] + always
                slots, counts = _with_zeros(slots, counts, pinned)
            slots, noisy = self._reaching(slots, counts, starts, np.asarray(shares), np.asarray(floors), always)
        rows = np.searchsorted(starts, slots, side="right") - 1
        cells_released = Counts(
            branches[rows], slots - starts[rows], noisy, len(self._parents) + np.arange(len(slots), dtype=np.int64)
        )
        self._used[branches] += shares
        self._splits.append({"branches": branches.copy(), "shares": np.array(shares), "cells": int(starts[-1])})
        self._parents = np.concatenate((self._parents, cells_released.parent))
        self._used = np.concatenate((self._used, self._used[cells_released.parent]))
        self._move(slot_of, slots, cells_released.branch)
        return cells_released

    @property
    def spends(self) -> Spends:
        """What was recorded."""
        if self.data is None:
            raise Bug("a privacy budget was read before it was opened")
        none = np.empty(0, dtype=np.int64)
        return Spends(
            self._parents.copy(),
            np.concatenate([none, *(split["branches"] for split in self._splits)]),
            np.concatenate([none, *(split["shares"] for split in self._splits)]),
            self._epsilon,
            self._at_most,
            self._largest,
        )

    def report(self) -> list[JsonObject]:
        """Each split in a few figures, for the private report."""
        return [
            {
                "branches": len(split["branches"]),
                "cells": split["cells"],
                "sensitivity": self._at_most,
                "epsilon": [round(1 / scale * self._at_most, 9) for scale in self._scales(split["shares"])],
                "scale": [round(scale, 6) for scale in self._scales(split["shares"])],
            }
            for split in self._splits
        ]

    def _scales(self, shares: Whole) -> tuple[float, ...]:
        """The scale of the noise by the smallest and by the largest share."""
        return tuple(float(1 / self._rate(share)) for share in (shares.min(), shares.max())) if len(shares) else ()

    def _slots(self, branches: Whole, cells: Ints, sizes: Ints, starts: Whole) -> Whole:
        """The cell of each contribution among the cells of all branches, -1 for none."""
        row_of = np.full(len(self._parents), -1, dtype=np.int64)
        row_of[branches] = np.arange(len(branches))
        row = np.where(self._at >= 0, row_of[self._at], -1)
        counted = (row >= 0) & (np.asarray(cells) >= 0)
        if np.any(cells[counted] >= np.asarray(sizes)[row[counted]]):
            raise Bug("a contribution goes to a cell that its branch does not have")
        return np.where(counted, starts[row] + cells, -1)

    def _disturb(self, counts: Whole, rows: Whole, shares: Ints) -> None:
        for share in np.unique(shares[np.unique(rows)]):
            here = np.flatnonzero(shares[rows] == share)
            counts[here] += two_sided(self._rate(share), len(here), self.entropy)

    def _reaching(
        self, slots: Whole, counts: Whole, starts: Whole, shares: Ints, floors: Ints, always: int | None
    ) -> tuple[Whole, Whole]:
        """The cells whose noisy counts reach their floors: those with contributions, and the zeros among the others."""
        rows = np.searchsorted(starts, slots, side="right") - 1
        noisy = counts.astype(np.int64)
        self._disturb(noisy, rows, shares)
        reached = (noisy >= floors[rows]) | (slots - starts[rows] == (-1 if always is None else always))
        slots_found = [slots[reached]]
        values = [noisy[reached]]
        for share, floor in np.unique(np.column_stack((shares, floors)), axis=0).tolist():
            group = np.flatnonzero((shares == share) & (floors == floor))
            ends = np.cumsum(starts[group + 1] - starts[group])
            # cells with contributions are drawn once more here and left out: they have had their noise
            passing_slots, number = passing(self._rate(share), floor, int(ends[-1]) if len(ends) else 0, self.entropy)
            of = np.searchsorted(ends, passing_slots, side="right")
            slot = (starts[group[of] + 1] - ends[of] + passing_slots).astype(np.int64)
            empty = ~np.isin(slot, slots)
            slots_found.append(slot[empty])
            values.append(number[empty])
        together, those = np.concatenate(slots_found), np.concatenate(values)
        order = np.argsort(together)
        return together[order], those[order]

    def _rate(self, share: int) -> Fraction:
        return exact(self._epsilon) * int(share) / (WHOLE * self._at_most)

    def _move(self, slot_of: Whole, slots: Whole, branch: Whole) -> None:
        places = np.searchsorted(slots, slot_of)
        inside = (slot_of >= 0) & (places < len(slots))
        inside[inside] = slots[places[inside]] == slot_of[inside]
        self._at = np.full(len(slot_of), -1, dtype=np.int64)
        self._at[inside] = branch[places[inside]]


def _with_zeros(slots: Whole, counts: Whole, more: Whole) -> tuple[Whole, Whole]:
    """The slots and some more, rising, those that are new with a count of 0."""
    both = np.union1d(slots, more)
    counted = np.zeros(len(both), dtype=np.int64)
    counted[np.searchsorted(both, slots)] = counts
    return both, counted
