"""Check-ins: synthetic trajectories between places on a plane, by popularity and distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import Persons, Places, Trajectories
from sfumato.generate.base import Generator
from sfumato.generate.owners import OWNERS_HELP, SPREAD_HELP, SPREADS, owned
from sfumato.params import param

__all__ = ["Checkins"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]

_WALKS = 1 << 18  # that move on at a time


@dataclass(frozen=True, kw_only=True)
class Checkins(Generator):
    """Trajectories of check-ins.

    Places are at random points of a square; their popularity follows Zipf's law.  A trajectory begins at a popular
    place (or at its person's home) and has a geometric number of visits; the next place is drawn by popularity, with
    probability `nearby` among the places around the current one, otherwise anywhere.

    The defaults have the published figures of the Gowalla check-ins in [1]_ (Section 5 and Figure 10): 86,061
    trajectories, 662 locations, mean length 3.92 and about 108,000 distinct ordered pairs.

    References
    ----------
    .. [1] G. Poulis, S. Skiadopoulos, G. Loukides, A. Gkoulalas-Divanis, "Apriori-based algorithms for
       k^m-anonymizing trajectory data", Transactions on Data Privacy 7(2), 2014.

    Examples
    --------
    >>> town = Checkins(trajectories=500, locations=40).make(seed=1)
    >>> len(town), len(town.places)
    (500, 40)
    """

    name: ClassVar[str] = "checkins"
    writes: ClassVar[tuple[str, ...]] = ("places",)

    trajectories: int = param(86_061, at_least=1, help="number of trajectories")
    locations: int = param(662, at_least=1, help="number of places")
    mean_length: float = param(3.92, at_least=1, help="mean number of visits in a trajectory")
    zipf: float = param(1.05, at_least=0, help="exponent of the popularity of places; 0 makes all equally popular")
    nearby: float = param(0.74, at_least=0, at_most=1, help="probability that the next place is nearby")
    side_m: float = param(20_000.0, above=0, help="length of a side of the square, in metres")
    persons: int | None = param(
        None,
        at_least=1,
        help="number of persons with these trajectories; all trajectories of a person begin at one place",
    )
    owners: int | None = param(None, at_least=1, help=OWNERS_HELP)
    owner_spread: str = param("uniform", choices=SPREADS, help=SPREAD_HELP)

    def make(self, *, seed: int | None = None) -> Trajectories:
        """Generate a dataset; a seed repeats it."""
        rng = np.random.default_rng(seed)
        coordinates = rng.random((self.locations, 2)) * self.side_m
        popularity = rng.permutation(np.arange(1, self.locations + 1) ** -self.zipf)
        neighbourhoods = _Neighbourhoods(coordinates, popularity, self.side_m)
        everywhere = np.cumsum(popularity) / popularity.sum()
        person = None if self.persons is None else rng.integers(self.persons, size=self.trajectories)
        if person is None:
            start = np.searchsorted(everywhere, rng.random(self.trajectories))
        else:
            start = np.searchsorted(everywhere, rng.random(self.persons or 0))[person]
        lengths = rng.geometric(1 / self.mean_length, size=self.trajectories)
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        codes = np.empty(offsets[-1], dtype=np.int32)
        active, place = np.arange(self.trajectories), np.minimum(start, self.locations - 1).astype(np.int32)
        del start
        step = 0
        while len(active):
            codes[offsets[active] + step] = place
            step += 1
            continues = lengths[active] > step
            active, place = active[continues], place[continues]
            far, near = rng.random(len(place)), rng.random(len(place))
            stays = rng.random(len(place)) < self.nearby
            for first in range(0, len(place), _WALKS):  # arrays as long as this, not one of each for all walks
                some = slice(first, first + _WALKS)
                anywhere = np.minimum(np.searchsorted(everywhere, far[some]), self.locations - 1)
                place[some] = np.where(stays[some], neighbourhoods.draw(place[some], near[some]), anywhere)
        width = len(str(self.locations))
        names = tuple(f"p{number:0{width}}" for number in range(1, self.locations + 1))
        places = Places.from_frame(
            {"location": names, "x": coordinates[:, 0].round(1), "y": coordinates[:, 1].round(1)}
        )
        return Trajectories(
            offsets=offsets,
            codes=codes,
            names=names,
            ids=pl.Series("trajectory", np.arange(1, self.trajectories + 1)),
            persons=None if person is None else Persons.of(pl.Series(person + 1)),
            places=owned(places, self.owners, self.owner_spread, seed),
        )


class _Neighbourhoods:
    """Draws a place from the grid cell of a place or its eight neighbours, by popularity."""

    def __init__(self, coordinates: Floats, popularity: Floats, side: float) -> None:
        n = max(1, int(np.sqrt(len(coordinates) / 4)))
        cell = np.minimum((coordinates / side * n).astype(np.int64), n - 1)
        self._cell = cell[:, 0] * n + cell[:, 1]
        by_cell = np.argsort(self._cell, kind="stable")
        starts = np.searchsorted(self._cell[by_cell], np.arange(n * n + 1))
        lists = []
        for x in range(n):
            for y in range(n):
                cells = [
                    i * n + j for i in range(max(0, x - 1), min(n, x + 2)) for j in range(max(0, y - 1), min(n, y + 2))
                ]
                lists.append(np.concatenate([by_cell[starts[c] : starts[c + 1]] for c in cells]))
        self._places = np.concatenate(lists)
        self._starts = np.concatenate(([0], np.cumsum([len(places) for places in lists])))
        self._sums = np.concatenate(([0.0], np.cumsum(popularity[self._places])))

    def draw(self, place: Codes, uniform: Floats) -> Ints:
        first, end = self._starts[self._cell[place]], self._starts[self._cell[place] + 1]
        low, high = self._sums[first], self._sums[end]
        position = np.searchsorted(self._sums, low + uniform * (high - low), side="right") - 1
        return np.asarray(self._places[np.clip(position, first, end - 1)])
