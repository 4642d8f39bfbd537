"""Distances between the labels of a recoding: average linkage, kept up to date while labels are merged."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.kernels.recoding.average_linkage import add_distances, linkage_distances, relabel
from sfumato.kernels.space.displacement import mean_distances

__all__ = ["Linkage"]

_ROWS = 256  # at most this many labels keep a row of distances, so that 100,000 locations fit into memory


class Linkage:
    """Average linkage between the active labels; see `sfumato.kernels.recoding.average_linkage`."""

    def __init__(self, data: Trajectories, active: Ints) -> None:
        if data.places is None:
            raise ValueError("places are needed")
        self._points = np.asfortranarray(data.places.points(data.names))
        self._radius = data.places.radius
        n = len(self._points)
        self.active = active
        self._at = np.zeros(n, dtype=np.int64)
        self._at[active] = np.arange(len(active))
        self._centroids = np.asfortranarray(self._points[active])
        self._alike = np.ones(len(active))
        self._sizes = np.ones(n)
        self._first = np.arange(n)
        self._end = np.arange(n)
        self._following = np.full(n, -1)
        self._row_of = np.full(n, -1)
        self._many = max(32, -(-n // _ROWS))
        self._rows = np.zeros((n // self._many + 1, n))
        self._free = list(range(len(self._rows)))

    def distances(self, label: int, factor: npt.NDArray[np.float64] | None) -> npt.NDArray[np.float64]:
        """To the active labels, as far as they can be the nearest; infinite to others."""
        distances: npt.NDArray[np.float64] = linkage_distances(
            self._at[label],
            self.active,
            self._alike[: len(self.active)] if factor is None else factor,
            self._points,
            self._radius,
            self._centroids,
            self._first,
            self._following,
            self._sizes,
            self._row_of,
            self._rows,
        )
        return distances

    def mean_distances(self, members: Ints, label: Ints, starts: Ints) -> npt.NDArray[np.float64]:
        """The mean distance of each member to the members of its label, which begin at starts[label]."""
        means: npt.NDArray[np.float64] = mean_distances(self._points, self._radius, members, label, starts, members)
        return means

    def join(self, kept: int, gone: int, current: Ints) -> None:
        """Make two labels one, also in `current`, the label of each location."""
        relabel(self._first[gone], self._following, kept, current)
        if self._sizes[kept] + self._sizes[gone] >= self._many:
            self._join_rows(kept, gone)
        self._sizes[kept] += self._sizes[gone]
        self._following[self._end[kept]] = self._first[gone]
        self._end[kept] = self._end[gone]
        here, there = self._at[kept], self._at[gone]
        self._centroids[here] += (self._centroids[there] - self._centroids[here]) * (
            self._sizes[gone] / self._sizes[kept]
        )
        self.leave(gone)

    def leave(self, gone: int) -> None:
        """No longer look at a label: the last active one takes its place."""
        there, last = self._at[gone], len(self.active) - 1
        self._centroids[there] = self._centroids[last]
        self.active[there] = self.active[last]
        self._at[self.active[last]] = there
        self.active = self.active[:last]
        self._free_row(gone)

    def _join_rows(self, kept: int, gone: int) -> None:
        if self._row_of[kept] < 0:
            self._row_of[kept] = self._free.pop()
            self._rows[self._row_of[kept]] = 0.0
            add_distances(
                self._points, self._radius, self._first[kept], self._following, self._rows[self._row_of[kept]]
            )
        row = self._rows[self._row_of[kept]]
        if self._row_of[gone] < 0:
            add_distances(self._points, self._radius, self._first[gone], self._following, row)
        else:
            row += self._rows[self._row_of[gone]]
            self._free_row(gone)

    def _free_row(self, label: int) -> None:
        if self._row_of[label] >= 0:
            self._free.append(int(self._row_of[label]))
            self._row_of[label] = -1
