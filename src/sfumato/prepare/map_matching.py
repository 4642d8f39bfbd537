"""Map matching: noisy positions become the roads that were most likely driven (Newson and Krumm, 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import Dataset
from sfumato.data.base import Ints, Persons
from sfumato.data.globe import middle_of, on_plane
from sfumato.data.positions import Positions
from sfumato.data.ragged import encode
from sfumato.data.roads.network import Network
from sfumato.data.roads.road_trajectories import RoadTrajectories
from sfumato.errors import DataError, MissingKnowledge
from sfumato.kernels.roads.map_matching import Net, States, matched_routes, merge_standing, most_probable
from sfumato.kernels.roads.nearby_roads import near_roads, road_grid
from sfumato.kernels.roads.routes import search_buffers
from sfumato.params import param
from sfumato.prepare.base import Preparation, Prepared

__all__ = ["MapMatching"]

Floats = npt.NDArray[np.float64]

CLOSE = 4.0  # consecutive positions within this many times the error are merged
STANDING = 3.0  # moving back along a road by up to this many times the error is noise
TURNING = 10.0  # turning round on a road costs this many times the error
TOUCHED = 2.0  # a first or last road driven for less than this many times the error, and half its length, is noise


@dataclass(frozen=True, kw_only=True)
class MapMatching(Preparation):
    """Positions on a road network as the roads that their vehicles most likely drove.

    A hidden Markov model: a road is more likely the nearer it is to the position; a step is more likely the less the
    path along the roads differs from the straight line between the two positions.  The most likely sequence is found
    exactly (Viterbi).  A position without a road nearby is left out; where no path leads on from any road near the
    previous position, a new trajectory begins.  Both are counted, and so are single positions between two such breaks,
    which have no direction and are left out.

    Notes
    -----
    As in [1]_, with a normal error of positions and an exponential difference of lengths.  Departures: consecutive
    positions within four errors are replaced by their mean, where the paper leaves out positions within two errors;
    states are directed roads, so that a vehicle does not turn round at every jitter; turning round on a road adds ten
    errors to a path; only the nearest `roads` of a position are candidates; a first or last road that was driven for
    less than twice the error and less than half its length is left out.  The time at which a road is entered is in
    proportion to the path between two positions.  One-way roads are driven in their direction only.  Planar coordinates
    are taken as metres.

    References
    ----------
    .. [1] P. Newson, J. Krumm, "Hidden Markov map matching through noise and sparseness", ACM SIGSPATIAL GIS 2009.

    Examples
    --------
    >>> from sfumato import Network, Positions
    >>> corner = Network.from_frames(
    ...     {"node": ["a", "b", "c"], "x": [0, 100, 100], "y": [0, 0, 100]},
    ...     {"road": ["r1", "r2"], "from": ["a", "c"], "to": ["b", "b"]},
    ... )
    >>> drive = Positions.from_frame(
    ...     {"trajectory": [1, 1, 1], "time": [0, 10, 20], "x": [4, 91, 103], "y": [-6, 4, 90]}, network=corner
    ... )
    >>> MapMatching().apply(drive).data.to_lists()
    [['r1+', 'r2-']]
    """

    name: ClassVar[str] = "map-matching"

    error_m: float = param(10.0, above=0, help="typical error of a position, in metres")
    radius_m: float = param(50.0, above=0, help="largest distance of a position from its road, in metres")
    detour_m: float = param(
        10.0, above=0, help="typical difference between the path along roads and the straight line, in metres"
    )
    farthest_m: float = param(1000.0, above=0, help="largest excess of a path over twice the straight line, in metres")
    roads: int = param(8, at_least=1, at_most=64, help="number of nearest roads that are candidates for a position")

    def change(self, data: Any) -> Prepared:
        where, network = _on_one_plane(data)
        x, y = (np.ascontiguousarray(where[:, axis]) for axis in (0, 1))
        x, y, when, tracks = merge_standing(x, y, data.times, data.offsets, CLOSE * self.error_m)
        net = _net(network)
        states = self._states(network, x, y)
        placed = np.diff(states.offsets) > 0
        buffers = search_buffers(len(network), len(net.directed))
        chosen, begins = most_probable(
            net, x, y, tracks, states, self.farthest_m, self.detour_m, STANDING * self.error_m,
            TURNING * self.error_m, buffers,
        )  # fmt: skip
        points = np.flatnonzero(placed)
        begin = np.flatnonzero(begins[points])
        count = np.diff(np.append(begin, len(points)))  # positions of each path
        straight = np.hypot(np.diff(x[points], prepend=0.0), np.diff(y[points], prepend=0.0))
        offsets, directed, times = matched_routes(
            net, points, states, chosen, begins, when, self.farthest_m, straight, STANDING * self.error_m,
            buffers, int(buffers.closed.max(initial=0)) + len(states.directed) + len(placed) + 1,
        )  # fmt: skip
        paths = _Paths(offsets, directed, times)
        first, last = (chosen[points[index]] for index in (begin, begin + count - 1))
        paths = paths.without_touched_ends(net, states.along[first], states.along[last], TOUCHED * self.error_m).select(
            count > 1
        )
        track = np.searchsorted(tracks, points[begin], side="right") - 1
        counts = {
            "together": len(data.times) - len(x),
            "off_road": int(np.sum(~placed)),
            "broken": len(begin) - len(np.unique(track)),
            "single": int(np.sum(count == 1)),
        }
        return Prepared(_as_roads(data, paths, track[count > 1]), counts)

    def _states(self, network: Network, x: Floats, y: Floats) -> States:
        """Both directions of the roads near each position, one direction of a one-way road."""
        node_x, node_y = (np.ascontiguousarray(network.points[:, axis]) for axis in (0, 1))
        size = max(self.radius_m, float(np.ptp(network.points, axis=0).max()) / 2048)
        grid = road_grid(node_x, node_y, network.ends, size)
        near, road, share, gap = near_roads(x, y, node_x, node_y, network.ends, grid, self.radius_m, self.roads)
        listed = np.arange(self.roads) < near[:, None]
        road, share, gap = (np.repeat(values[listed], 2) for values in (road, share, gap))
        point = np.repeat(np.repeat(np.arange(len(x)), near), 2)
        back = np.tile([False, True], len(road) // 2)
        legal = np.ones(len(road), dtype=bool) if network.oneway is None else ~(back & network.oneway[road])
        along = np.where(back, 1 - share, share) * network.lengths[road]
        offsets = np.concatenate(([0], np.cumsum(np.bincount(point[legal], minlength=len(x)))))
        cost = 0.5 * (gap / self.error_m) ** 2
        directed = (2 * road.astype(np.int64) + back)[legal]
        return States(offsets, directed, along[legal], cost[legal])


def _on_one_plane(data: Dataset) -> tuple[Floats, Network]:
    """Positions and network in metres on one plane."""
    if not isinstance(data, Positions):
        raise DataError(f"MapMatching: wanted positions, found {type(data).__name__}")
    if data.network is None:
        raise MissingKnowledge("MapMatching: needs a road network, these positions have none", remedy="give-network")
    if data.geographic != data.network.geographic:
        systems = {True: "lat and lon", False: "x and y"}
        raise DataError(
            f"MapMatching: wanted positions and network in the same coordinates, found positions in "
            f"{systems[data.geographic]} and a network in {systems[data.network.geographic]}"
        )
    if not data.geographic:
        return data.where, data.network
    return on_plane(data.where, middle_of(data.network.points)), data.network.on_plane()


def _net(network: Network) -> Net:
    """The directed roads that may be driven, by the node where they begin."""
    tails, heads = network.ends.reshape(-1), network.ends[:, ::-1].reshape(-1)
    legal = np.ones(len(tails), dtype=bool)
    if network.oneway is not None:
        legal[1::2] = ~network.oneway
    open_ = np.flatnonzero(legal)
    order = open_[np.argsort(tails[open_], kind="stable")]
    offsets = np.concatenate(([0], np.cumsum(np.bincount(tails[order], minlength=len(network)))))
    return Net(
        offsets=offsets.astype(np.int64),
        directed=order.astype(np.int64),
        to=heads[order].astype(np.int64),
        tails=tails.astype(np.int64),
        heads=heads.astype(np.int64),
        lengths=network.lengths,
    )


@dataclass(frozen=True)
class _Paths:
    """Sequences of directed roads, and the time at which each road was entered."""

    offsets: Ints
    directed: Ints
    times: Floats

    def select(self, selected: npt.NDArray[np.bool_]) -> _Paths:
        lengths = np.diff(self.offsets)
        inside = np.repeat(selected, lengths)
        return _Paths(np.concatenate(([0], np.cumsum(lengths[selected]))), self.directed[inside], self.times[inside])

    def without_touched_ends(self, net: Net, first: Floats, last: Floats, touched_m: float) -> _Paths:
        """The paths without a first or last road that was driven for a short distance only.

        first, last : how far into its first and its last road each path begins and ends.
        """
        begin, end = self.offsets[:-1].copy(), self.offsets[1:].copy()
        length = net.lengths[self.directed[begin] // 2]
        begin += (length - first < np.minimum(touched_m, length / 2)) & (end - begin > 1)
        length = net.lengths[self.directed[end - 1] // 2]
        end -= (last < np.minimum(touched_m, length / 2)) & (end - begin > 1)
        position = np.arange(len(self.directed))
        path = np.repeat(np.arange(len(begin)), np.diff(self.offsets))
        inside = (position >= begin[path]) & (position < end[path])
        return _Paths(np.concatenate(([0], np.cumsum(end - begin))), self.directed[inside], self.times[inside])


def _as_roads(data: Positions, paths: _Paths, track: Ints) -> RoadTrajectories:
    """One trajectory a path; the paths of a broken track are numbered."""
    assert data.network is not None
    used, used_index = np.unique(paths.directed, return_inverse=True)
    texts = [f"{data.network.roads[int(road) // 2]}{'+-'[int(road) % 2]}" for road in used]
    codes, names = encode(pl.Series(texts, dtype=pl.String))
    ids = pl.Series(np.arange(1, len(data) + 1)) if data.ids is None else data.ids
    number = np.arange(len(track)) - np.searchsorted(track, track) + 1
    several = np.bincount(track, minlength=len(data))[track] > 1
    suffixes = [f"/{part}" if is_split else "" for part, is_split in zip(number, several, strict=True)]
    path_ids = ids.gather(track).cast(pl.String) + pl.Series(suffixes, dtype=pl.String)
    if path_ids.n_unique() < len(path_ids):  # the id of a part is the id of another track
        path_ids = pl.Series(np.arange(1, len(path_ids) + 1)).cast(pl.String)
    persons = None
    if data.persons is not None:
        persons = Persons.of(data.persons.names.gather(data.persons.codes[track]))
    elif several.any():  # all paths of a track belong to one person
        persons = Persons.of(ids.gather(track).cast(pl.String))
    return RoadTrajectories(
        offsets=paths.offsets,
        codes=codes[used_index],
        names=names,
        network=data.network,
        ids=path_ids.rename("trajectory"),
        persons=persons,
        times=paths.times,
    )
