"""City traffic: vehicles on a road network, reported once a time unit (Brinkhoff, 2002)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from sfumato.data import Places, RoadTrajectories, Trajectories
from sfumato.data.globe import middle_of, on_globe
from sfumato.data.positions import Positions
from sfumato.data.roads.network import Network
from sfumato.errors import DataError
from sfumato.generate.base import Generator
from sfumato.generate.driven_roads import as_roads
from sfumato.generate.owners import OWNERS_HELP, SPREAD_HELP, SPREADS, owned
from sfumato.generate.streets import streets
from sfumato.generate.traffic import Reports, drive
from sfumato.generate.trips import Trips
from sfumato.io.roads.network import read_network
from sfumato.params import param

__all__ = ["MAP_SIDE", "City"]

MAP_SIDE = 1000.0


@dataclass(frozen=True, kw_only=True)
class City(Generator):
    """Trajectories of vehicles in a city.

    Objects appear at nodes of a road network and drive to a destination by the route that is the fastest at that
    moment.  An object's speed on a road is the lower one of its own highest speed and the road's, which is halved where
    more objects than the road's capacity are on it.  Each object is reported when it appears, at every time unit, and
    when it arrives and disappears; objects still on the way at the last time unit have no later report.

    The reports become trajectories as in [2]_: coordinates are stretched to a map of 1000 x 1000, the map is divided
    into a grid, the centres of the visited cells are the locations, and a stay in a cell is one visit.
    Without a network file, the city itself is generated.  Fast vehicles, 25 time units and destinations a little
    farther away than in [1]_ give the published figures of [2]_ (Section 5 and Figure 10): 18,143 trajectories of 100
    locations, mean length 4.72, and about 7,000 distinct ordered pairs.

    Notes
    -----
    As in the generator of [1]_: roads of class c have ``(2/3)^c`` of the speed of class 0, and capacities 5, 5, 4, 4,
    3, 3, 2, 2; class 0 crosses width plus height of the map in `speed_divisor` time units.  Objects of class c have
    ``(1/2)^c`` of that speed, and each class has half as many objects as the one before.  The preferred length of a
    trip is ``|N(0, 1)| * length * diagonal``; of up to 51 destinations the first within 10 % of it is used, or else the
    nearest to it.  Routes of fewer than three roads are drawn again.  From 10 time units after its last plan on,
    an object plans its route again with probability 1/200 in a time unit, or 1/20 if it is on a road at most half as
    fast as planned.

    Left out: external objects (such as weather), starts by region, and reports that get lost.  Roads of a network
    without classes are ranked by how many shortest routes use them.

    References
    ----------
    .. [1] T. Brinkhoff, "A framework for generating network-based moving objects", GeoInformatica 6(2), 2002.
    .. [2] G. Poulis, S. Skiadopoulos, G. Loukides, A. Gkoulalas-Divanis, "Apriori-based algorithms for
       k^m-anonymizing trajectory data", Transactions on Data Privacy 7(2), 2014.

    Examples
    --------
    >>> town = City(nodes=300, objects=50)
    >>> town.make(seed=1)
    <Trajectories: 50 records, 230 visits, 77 distinct>
    >>> town.positions(seed=1)
    <Positions: 464 positions in 50 tracks, planar>
    >>> town.roads(seed=1)
    <RoadTrajectories: 50 records, 457 roads, 311 distinct>
    """

    name: ClassVar[str] = "city"
    writes: ClassVar[tuple[str, ...]] = ("places", "streets")

    network: str | None = param(
        None, help="road network: a directory with nodes.csv and roads.csv, or one of its files"
    )
    largest: bool = param(False, help="use only the largest connected component of the network")
    nodes: int = param(6_105, at_least=4, help="number of nodes of a generated city")
    degree: float = param(2.3, above=2, at_most=5.8, help="mean number of roads at a node of a generated city")
    objects: int = param(18_143, at_least=1, help="number of objects")
    at_start: int | None = param(
        None,
        at_least=0,
        help="number of objects at time 0, the others appear at a steady rate; if not given, all objects",
    )
    time_units: int = param(25, at_least=1, help="number of time units")
    object_classes: int = param(6, at_least=1, at_most=30, help="number of speed classes of the objects")
    speed_divisor: float = param(
        10.0, above=0, help="time units in which the fastest objects cross the map; 10 is fast, 50 medium, 250 slow"
    )
    starts: str = param(
        "network",
        choices=("network", "space"),
        help="draw starts and destinations among the nodes, or as points of the map with their nearest node",
    )
    length: float = param(
        0.26, above=0, help="preferred length of a trip as a share of the map's diagonal, times a normal number"
    )
    cells: int = param(10, at_least=1, at_most=1000, help="number of cells of the grid along each side of the map")
    owners: int | None = param(None, at_least=1, help=OWNERS_HELP)
    owner_spread: str = param("uniform", choices=SPREADS, help=SPREAD_HELP)
    output: str = param(
        "trajectories",
        choices=("trajectories", "positions", "roads"),
        help="visits to cells, the reported positions, or the roads driven",
    )

    @property
    def on_roads(self) -> bool:
        return self.output == "roads"

    def make(self, *, seed: int | None = None) -> Trajectories | Positions | RoadTrajectories:
        """Generate a dataset; a seed repeats it."""
        if self.output == "roads":
            return self.roads(seed=seed)
        return self.positions(seed=seed) if self.output == "positions" else self.trajectories(seed=seed)

    def positions(self, *, seed: int | None = None) -> Positions:
        """The reports themselves, in the coordinates of the network; times are in time units."""
        network, reports = self._drive(seed)
        coordinates = np.column_stack((reports.x, reports.y))
        return Positions(
            offsets=_offsets(reports.objects),
            times=reports.times,
            where=on_globe(coordinates, middle_of(network.points)) if network.geographic else coordinates,
            geographic=network.geographic,
            ids=_ids(reports.objects),
        )

    def roads(self, *, seed: int | None = None) -> RoadTrajectories:
        """The roads that each object drove, on the network; times are in time units."""
        network, reports = self._drive(seed)
        return as_roads(network, reports.driven, self.objects)

    def trajectories(self, *, seed: int | None = None) -> Trajectories:
        """The visits to the cells of the grid; times are in time units."""
        network, reports = self._drive(seed)
        visits = _visits(network.on_plane(), reports, self.cells)
        assert visits.places is not None
        return replace(visits, places=owned(visits.places, self.owners, self.owner_spread, seed))

    def streets(self, *, seed: int | None = None) -> Network:
        """The network that the objects drive on."""
        if self.network is None:
            return streets(self.nodes, self.degree, _stream(seed, 0))
        network = read_network(self.network)
        network = network.largest() if self.largest else network
        network.require_connected(self.network, remedy="largest-piece")
        if not np.ptp(network.points, axis=0).any():
            raise DataError(f"{self.network}: wanted nodes at different points, found all nodes at one point")
        return network

    def _drive(self, seed: int | None) -> tuple[Network, Reports]:
        """The network in its own coordinates, and the reports; in metres on a plane if the network is geographic."""
        network = self.streets(seed=seed)
        flat = network.on_plane()
        first = self.objects if self.at_start is None else min(self.at_start, self.objects)
        later = self.objects - first
        spread = 1 + np.arange(later) * self.time_units // max(1, later)
        reports = drive(
            flat,
            appear=np.concatenate((np.zeros(first, dtype=np.int64), spread)),
            trips=Trips(flat, self.starts, self.length),
            object_classes=self.object_classes,
            speed_divisor=self.speed_divisor,
            time_units=self.time_units,
            rng=_stream(seed, 1),
        )
        return network, reports


def _stream(seed: int | None, part: int) -> np.random.Generator:
    """A random stream for streets or traffic: separate, so that the streets of a seed can be generated alone."""
    return np.random.default_rng(None if seed is None else (seed, part))


def _visits(network: Network, reports: Reports, cells: int) -> Trajectories:
    """Visits to the cells of a uniform grid over a map of 1000 x 1000, as in the papers; a stay is one visit."""
    low, size = network.points.min(axis=0), np.ptp(network.points, axis=0)
    coordinates = np.column_stack((reports.x, reports.y)) - low
    scaled = coordinates / np.where(size > 0, size, 1) * MAP_SIDE
    column, row = np.clip(scaled * cells // MAP_SIDE, 0, cells - 1).astype(np.int64).T
    code = column * cells + row
    is_first = np.ones(len(code), dtype=bool)
    is_first[1:] = (np.diff(code) != 0) | (np.diff(reports.objects) != 0)
    width = len(str(cells - 1))
    names = tuple(f"x{x:0{width}}y{y:0{width}}" for x in range(cells) for y in range(cells))
    centre = (np.arange(cells) + 0.5) * MAP_SIDE / cells
    places = Places.from_frame({"location": names, "x": np.repeat(centre, cells), "y": np.tile(centre, cells)})
    return Trajectories(
        offsets=_offsets(reports.objects[is_first]),
        codes=code[is_first],
        names=names,
        ids=_ids(reports.objects),
        times=reports.times[is_first],
        places=places,
    ).with_used_names()


def _offsets(objects: np.ndarray) -> np.ndarray:
    """The offsets of the objects 0, 1, 2, ..., each of which has a report."""
    return np.concatenate(([0], np.cumsum(np.bincount(objects))))


def _ids(objects: np.ndarray) -> pl.Series:
    return pl.Series("trajectory", np.arange(1, int(objects[-1]) + 2))
