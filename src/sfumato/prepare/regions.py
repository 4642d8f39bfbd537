"""Regions of interest: rectangles of cells that many trajectories cross."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar

import numpy as np
import polars as pl

from sfumato.data.base import Ints
from sfumato.errors import DataError, Infeasible
from sfumato.kernels.space.regions import grow_regions
from sfumato.params import exact, param
from sfumato.prepare.base import Located, Prepared, Raw, as_trajectories, located, with_elements, without_empty
from sfumato.prepare.lattice import Gridded, Lattice
from sfumato.prepare.repeats import starts_of_runs

__all__ = ["RegionsOfInterest"]

_MOST_CELLS = 50_000_000


@dataclass(frozen=True, kw_only=True)
class RegionsOfInterest(Gridded):
    """Trajectories as sequences of the popular regions they cross, in the order of time.

    The density of a cell is the number of trajectories with a position in it.  A cell is dense if that is at least the
    given share of all trajectories.  Every dense cell ends up in one of several disjoint rectangles whose mean density
    reaches the threshold.  Positions outside the regions are left out; trajectories that cross none are left out
    and counted.

    Notes
    -----
    Section 5.1 of [1]_ with the heuristic of [2]_: rectangles grow from the densest free cell, by one whole row or
    column at a time, to the side that leaves the mean density highest, only if the added cells include a dense one and
    belong to no other region, until no side is left.  Ties: cells in name order; sides west, south, east, north.
    As in [1]_, a cell is crossed if it holds a position; [2]_ also counts cells between two positions.
    Regions are numbered in the order in which they are found, the densest seed first.

    References
    ----------
    .. [1] R. Pensa, A. Monreale, F. Pinelli, D. Pedreschi, "Pattern-preserving k-anonymization of sequences and its
       application to mobility data mining", PiLBA 2008.
    .. [2] F. Giannotti, M. Nanni, F. Pinelli, D. Pedreschi, "Trajectory pattern mining", KDD 2007.

    Examples
    --------
    >>> from sfumato import Positions
    >>> drives = Positions.from_frame({
    ...     "trajectory": [1, 1, 2, 2, 3, 3, 4], "time": range(7),
    ...     "x": [1, 9, 1, 9, 2, 9, 5], "y": [1, 9, 1, 8, 1, 9, 1],
    ... })
    >>> popular = RegionsOfInterest(cells=10, west=0, south=0, east=10, north=10, density=0.5).apply(drives)
    >>> popular.data.to_lists(), popular.counts["nowhere"]
    ([['r1', 'r2'], ['r1'], ['r2']], 1)
    """

    name: ClassVar[str] = "regions-of-interest"

    density: float = param(above=0, at_most=1, help="share of the trajectories that must cross a cell to make it dense")

    def change(self, data: Raw) -> Prepared:
        points = located(data, "RegionsOfInterest")
        lattice, cell = self._cells(points)
        boxes = self._boxes(data, lattice, cell)
        region_of_cell = np.full(len(lattice) + 1, -1)  # the last entry is for positions outside the box
        region_grid = region_of_cell[:-1].reshape(lattice.columns, lattice.rows)
        for number, (left, low, right, high) in enumerate(boxes):
            region_grid[left:right, low:high] = number
        region = region_of_cell[cell]
        inside = region >= 0
        is_arrival = inside & (starts_of_runs(region, data.offsets) | self.keep_repeats)
        names = _names(len(boxes))
        places = lattice.places(names, *_corners(lattice, boxes), derived=True)
        walks, nowhere = without_empty(
            as_trajectories(with_elements(data, is_arrival), region[is_arrival], names, places)
        )
        counts = {"regions": len(boxes), "outside": int(np.sum(~inside)), "nowhere": nowhere}
        counts["repeats"] = int(np.sum(inside & ~is_arrival))
        return Prepared(walks, counts, np.flatnonzero(is_arrival))

    def regions(self, data: Raw) -> pl.DataFrame:
        """The regions themselves: borders, number of cells and mean density as a share of the trajectories."""
        lattice, cell = self._cells(located(data, "RegionsOfInterest"))
        boxes = self._boxes(data, lattice, cell)
        low, high = _corners(lattice, boxes)
        sizes = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
        sums = _summed(_densities(data, lattice, cell))
        left, bottom, right, top = boxes.T
        total = sums[right, top] - sums[left, top] - sums[right, bottom] + sums[left, bottom]
        return pl.DataFrame(
            {
                "region": _names(len(boxes)),
                "west": low[:, 0],
                "south": low[:, 1],
                "east": high[:, 0],
                "north": high[:, 1],
                "cells": sizes,
                "density": total / sizes / len(data),
            }
        )

    def _cells(self, points: Located) -> tuple[Lattice, Ints]:
        lattice = self.lattice(points)
        if len(lattice) > _MOST_CELLS:
            raise DataError(
                f"RegionsOfInterest: wanted at most {_MOST_CELLS:,} cells, found {len(lattice):,}; choose larger cells"
            )
        return lattice, lattice.cells_of(points.where)

    def _boxes(self, data: Raw, lattice: Lattice, cell: Ints) -> Ints:
        densities = _densities(data, lattice, cell)
        smallest_density = exact(self.density) * len(data)
        dense = densities >= ceil(smallest_density)
        threshold = float(smallest_density) * (1 - 1e-12)  # for means, which are rounded
        seeds = np.argwhere(dense)
        seeds = seeds[np.argsort(-densities[dense], kind="stable")]
        if len(seeds) == 0:
            most = densities.max(initial=0) / max(1, len(data))
            raise Infeasible(
                f"RegionsOfInterest: wanted a cell that a share of {self.density:g} of the trajectories crosses, "
                f"found at most {most:.3g}; choose larger cells or a lower density"
            )
        return np.asarray(grow_regions(_summed(densities), _summed(dense), seeds, threshold))


def _densities(data: Raw, lattice: Lattice, cell: Ints) -> Ints:
    """The number of trajectories with a position in each cell."""
    inside = cell >= 0
    pairs = np.unique(data.record_of_element()[inside] * len(lattice) + cell[inside])
    return np.bincount(pairs % len(lattice), minlength=len(lattice)).reshape(lattice.columns, lattice.rows)


def _summed(values: Any) -> Ints:
    """Cumulative sums over rows and columns, so that the sum of any rectangle takes four look-ups."""
    sums = np.zeros((values.shape[0] + 1, values.shape[1] + 1), dtype=np.int64)
    sums[1:, 1:] = values.cumsum(axis=0).cumsum(axis=1)
    return sums


def _corners(lattice: Lattice, boxes: Ints) -> Any:
    low, _ = lattice.corners(boxes[:, 0] * lattice.rows + boxes[:, 1])
    _, high = lattice.corners((boxes[:, 2] - 1) * lattice.rows + boxes[:, 3] - 1)
    return low, high


def _names(number: int) -> tuple[str, ...]:
    return tuple(f"r{region:0{len(str(number))}}" for region in range(1, number + 1))
