"""Other tables of whole numbers that agree with all that was published, of which an attacker cannot tell the true one.

The counts of a table are the corner of a linear programme in which the simplex method walks, starting from the truth;
a corner serves as another table only if it consists of whole numbers and agrees with every published number, which is
verified exactly.  So a table that is returned exists, even if the walk made rounding errors.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["OtherTables"]

_TINY = 1e-9
_MOST_STEPS = 3000
_BOLD_STEPS = 1000
_TRIES = 6
Matrix = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


class OtherTables:
    """Tables that agree with published sums.

    shown : a row for each published sum, which says what it counts.  hidden : a row for each hidden one, of which an
    attacker knows that it is not zero.  counts : the true counts; a sum of all of them is among the published ones.
    """

    def __init__(self, shown: Whole, hidden: Whole, counts: Whole) -> None:
        """Start from the true counts; each hidden sum less 1 is a further unknown, which is at least 0."""
        self.shown, self.hidden, self.counts = shown, hidden, counts
        equations = np.block(
            [[shown, np.zeros((len(shown), len(hidden)), dtype=np.int64)], [hidden, -np.eye(len(hidden), dtype=int)]]
        ).astype(float)
        start = np.concatenate([counts, hidden @ counts - 1]).astype(float)
        free = _null_space(equations)
        self.size = len(start)
        self.first = 2 * free.shape[1]
        self.table = np.hstack([-free, free, np.eye(self.size), start[:, None]])
        self.basis = np.arange(self.first, self.first + self.size)
        self.known: Whole = counts[None, :].copy()
        self.random = np.random.default_rng(21)

    def has(self, goal: Whole, k: int) -> bool:
        """Whether a table is found in which a sum is zero or at least k; no answer is no."""
        if self._is_known(goal, k):
            return True
        for number in range(_TRIES):
            noise = self.random.normal(size=len(goal)) * (0.01 * number)
            for sign in (1, -1):
                self._walk(sign * goal + noise)
                if self._is_known(goal, k):
                    return True
        return False

    def _is_known(self, goal: Whole, k: int) -> bool:
        sums = self.known @ goal
        return bool(((sums == 0) | (sums >= k)).any())

    def _walk(self, goal: Matrix) -> None:
        """Go to the corner where a sum is greatest, and keep the corners on the way that are tables."""
        costs = np.zeros(self.table.shape[1] - 1)
        costs[self.first : self.first + len(goal)] = goal
        for step in range(_MOST_STEPS):
            gains = costs - costs[self.basis] @ self.table[:, :-1]
            entering = np.flatnonzero(gains > _TINY)
            if not entering.size:
                break
            # the greatest gain; later the first one, so that the method does not go in a circle (Bland)
            column = int(gains.argmax() if step < _BOLD_STEPS else entering[0])
            rows = np.flatnonzero(self.table[:, column] > _TINY)
            if not rows.size:
                break
            ratios = self.table[rows, -1] / self.table[rows, column]
            ties = rows[ratios <= ratios.min() + _TINY]
            row = int(min(ties, key=lambda place: self.basis[place]))
            self.table[row] /= self.table[row, column]
            others = np.flatnonzero(self.table[:, column])
            others = others[others != row]
            self.table[others] -= np.outer(self.table[others, column], self.table[row])
            self.basis[row] = column
        self._keep()

    def _keep(self) -> None:
        """Keep the corner if it is a table of whole numbers that agrees with all that is published."""
        corner = np.zeros(self.first + self.size)
        corner[self.basis] = self.table[:, -1]
        table = np.rint(corner[self.first : self.first + len(self.counts)]).astype(np.int64)
        agrees = (self.shown @ table == self.shown @ self.counts).all() and (self.hidden @ table >= 1).all()
        if agrees and (table >= 0).all():
            self.known = np.vstack([self.known, table])


def _null_space(equations: Matrix) -> Matrix:
    """Columns that span the solutions of the homogeneous equations."""
    _left, sizes, right = np.linalg.svd(equations)
    rank = int((sizes > 1e-9 * max(equations.shape)).sum())
    space: Matrix = right[rank:].T
    return space
