"""Groups of rare places that are near each other and about equally popular: a k-d tree."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.kernels.pieces.group_cuts import best_cut
from sfumato.methods.trajectories.sparse.popular_places import Visitors
from sfumato.methods.trajectories.sparse.unit_visits import UnitVisits

__all__ = ["NearPlaces"]

Floats = npt.NDArray[np.float64]


class NearPlaces:
    """Partitions places: popular ones stay alone, and the others are grouped by position and popularity.

    A place is a point in space with the logarithm of its number of trajectories as a further coordinate, whose unit is
    the median distance between two consecutive visits of the data.  A group is cut where the sum of squared distances
    from the means of the two parts, each place with its number of trajectories as weight, is smallest, as long as both
    parts have enough units.
    """

    def __init__(self, data: Trajectories, visits: UnitVisits) -> None:
        assert data.places is not None
        self._visitors = Visitors(visits)
        popularity = np.maximum(1, visits.popularity())
        points = np.zeros((visits.n_places, 3))
        used = visits.visited()
        points[used] = data.places.points([data.names[place] for place in used])
        scale = _median_step(points[visits.places], visits.records)
        self._points = np.column_stack((points, scale * np.log(popularity)))
        self._weights = popularity.astype(np.float64)

    def __call__(self, places: Ints, size: int) -> list[Ints]:
        alone, rest = self._visitors.popular(places, size)
        return [*alone, *self._grouped(rest, size)]

    def _grouped(self, places: Ints, size: int) -> list[Ints]:
        groups, todo = [], [places] if len(places) else []
        while todo:
            group = todo.pop()
            parts = self._cut(group, size)
            if parts is None:
                groups.append(group)
            else:
                todo += parts[::-1]
        return groups

    def _cut(self, places: Ints, size: int) -> tuple[Ints, Ints] | None:
        """The best cut of a group whose parts have enough units; ties go to the earlier coordinate and place."""
        best, parts = 0.0, None
        for axis in range(self._points.shape[1]):
            values = self._points[places, axis]
            order = places[np.argsort(values, kind="stable")]
            cut, gain = best_cut(order, axis, self._points, self._weights, size, *self._visitors.arrays())
            if cut and gain > best:
                best, parts = gain, (np.sort(order[:cut]), np.sort(order[cut:]))
        return parts


def _median_step(points: Floats, records: Ints) -> float:
    """The median distance between two consecutive visits at different points; 1 where no record moves."""
    steps = np.sqrt(np.sum(np.diff(points, axis=0) ** 2, axis=1))[np.diff(records) == 0]
    steps = steps[steps > 0]
    return float(np.median(steps)) if len(steps) else 1.0
