"""A uniform grid: visits become cells, and the centres of the cells become places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sfumato.data.base import Ints
from sfumato.errors import DataError
from sfumato.params import param
from sfumato.prepare.base import Prepared, as_trajectories, located, with_elements, without_empty
from sfumato.prepare.lattice import Gridded, Lattice
from sfumato.prepare.repeats import starts_of_runs

__all__ = ["Grid"]

_MOST_LISTED = 10_000_000


@dataclass(frozen=True, kw_only=True)
class Grid(Gridded):
    """Positions (or visits to places) as visits to the cells of a uniform grid, in the order of time.

    Consecutive positions in one cell become one visit, at the time of the first.  Positions outside a given box, and
    trajectories left without a visit, are left out and counted.

    Notes
    -----
    With the default, a grid of 10 x 10 cells over the bounding box whose centroids are the locations: the setting of
    the Oldenburg data in [1]_.  Cells are equal in x and y, or in longitude and latitude.  A box taken from the data
    discloses the farthest positions; give a public box where that matters, and `unvisited` if the list of places must
    not depend on the data either.

    References
    ----------
    .. [1] G. Poulis, S. Skiadopoulos, G. Loukides, A. Gkoulalas-Divanis, "Apriori-based algorithms for
       k^m-anonymizing trajectory data", Transactions on Data Privacy 7(2), 2014.

    Examples
    --------
    >>> from sfumato import Positions
    >>> drive = Positions.from_frame(
    ...     {"person": ["ann"] * 4, "time": [0, 10, 20, 30], "x": [0, 40, 550, 1000], "y": [0, 80, 550, 1000]}
    ... )
    >>> walks = Grid(cells=10).apply(drive).data
    >>> walks.to_lists()
    [['x01y01', 'x06y06', 'x10y10']]
    >>> walks.places.coordinates(["x06y06"]).tolist()
    [[550.0, 550.0]]
    """

    name: ClassVar[str] = "grid"

    unvisited: bool = param(False, help="list cells without visits among the places too")

    def change(self, data: Any) -> Prepared:
        points = located(data, "Grid")
        lattice = self.lattice(points)
        cell = lattice.cells_of(points.where)
        inside = cell >= 0
        visited, codes = np.unique(cell[inside], return_inverse=True)
        listed = self._listed(lattice, visited)
        public = self.unvisited and self.west is not None  # every cell of a given box
        places = lattice.places(lattice.names_of(listed), *lattice.corners(listed), derived=not public)
        walks = as_trajectories(with_elements(data, inside), codes, lattice.names_of(visited), places)
        counts = {"outside": int(np.sum(~inside))}
        origin = np.flatnonzero(inside)
        if not self.keep_repeats:
            is_first = starts_of_runs(walks.codes, walks.offsets)
            walks, origin = with_elements(walks, is_first), origin[is_first]
            counts["repeats"] = int(np.sum(~is_first))
        walks, counts["nowhere"] = without_empty(walks)
        return Prepared(walks, counts, origin)

    def _listed(self, lattice: Lattice, visited: Ints) -> Ints:
        if not self.unvisited:
            if len(visited) == 0:
                raise DataError("Grid: wanted a position inside the box, found none")
            return visited
        if len(lattice) > _MOST_LISTED:
            raise DataError(
                f"Grid: wanted at most {_MOST_LISTED:,} cells to list, found {len(lattice):,}; choose larger cells"
            )
        return np.arange(len(lattice))
