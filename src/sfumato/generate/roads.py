"""Road trajectories on a random map: vehicles that turn at random at every junction (Gurung et al., 2014)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data import RoadTrajectories
from sfumato.data.roads.network import Network
from sfumato.errors import DataError
from sfumato.generate.base import Generator
from sfumato.generate.driven_roads import Driven, as_roads
from sfumato.generate.random_map import random_map
from sfumato.io.roads.network import read_network
from sfumato.params import param

__all__ = ["Roads"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

HOUR_S = 3600.0
SPREAD = 0.5  # a vehicle drives between half and one and a half of the mean distance


@dataclass(frozen=True, kw_only=True)
class Roads(Generator):
    """Road trajectories of vehicles that drive at random on a map.

    Each vehicle is put on a random road in a random direction and drives on for `hours`; at the end of a road it
    takes another one of those that meet there, and turns round only in a dead end.  Its distance is drawn uniformly
    between half and one and a half times `distance_km`, which determines its speed.

    Notes
    -----
    The synthetic setting of [1]_: random points, near points joined, 4 roads at an intersection on average, about 700
    roads, 50,000 vehicles, 30 km.  The paper does not say how large its map is; here a square of 5 km has one
    intersection on average, so that 30 km are about seven roads.  Where `straight` is above 0, that share of the turns
    goes straight on, which gives more common routes than chance alone.

    References
    ----------
    .. [1] S. Gurung, D. Lin, W. Jiang, A. Hurson, R. Zhang, "Traffic information publication with privacy
       preservation", ACM Transactions on Embedded Computing Systems 13(3s), 2014, Section 5.

    Examples
    --------
    >>> drives = Roads(nodes=40, vehicles=100).make(seed=1)
    >>> drives.network
    <Network: 40 nodes, 80 roads, mean degree 4.00>
    >>> len(drives), drives.times is not None
    (100, True)
    """

    name: ClassVar[str] = "roads"
    writes: ClassVar[tuple[str, ...]] = ("streets",)

    network: str | None = param(
        None, help="road network: a directory with nodes.csv and roads.csv, or another file of roads"
    )
    nodes: int = param(350, at_least=4, at_most=20_000, help="number of intersections of a generated map")
    degree: float = param(4.0, at_least=2, at_most=5.5, help="mean number of roads at an intersection of that map")
    vehicles: int = param(50_000, at_least=1, help="number of vehicles")
    distance_km: float = param(30.0, above=0, help="mean distance of a vehicle, in kilometres")
    hours: float = param(1.0, above=0, help="duration of the drives in hours, from time 0 on")
    straight: float = param(0.0, at_least=0, at_most=1, help="share of the turns that go straight on")

    @property
    def on_roads(self) -> bool:
        return True

    def make(self, *, seed: int | None = None) -> RoadTrajectories:
        """Generate a dataset; a seed repeats it."""
        network = self.streets(seed=seed)
        if not network.lengths.any():
            raise DataError(f"{self.network}: wanted nodes at different points, found all nodes at one point")
        rng = np.random.default_rng(None if seed is None else (seed, 1))
        distance = rng.uniform(1 - SPREAD, 1 + SPREAD, self.vehicles) * self.distance_km * 1000.0
        return as_roads(network, _simulate(network, distance, self.hours * HOUR_S, self.straight, rng), self.vehicles)

    def streets(self, *, seed: int | None = None) -> Network:
        """The map of a seed, or the given network."""
        if self.network is not None:
            return read_network(self.network)
        return random_map(self.nodes, self.degree, np.random.default_rng(None if seed is None else (seed, 0)))


def _simulate(network: Network, distance: Floats, seconds: float, straight: float, rng: np.random.Generator) -> Driven:
    """Simulate every vehicle, road by road, until it has driven its distance."""
    steps = _Steps.of(network)
    length = np.maximum(network.lengths, network.lengths.mean() / 100)  # a road between two nodes at one place
    step = rng.integers(len(steps.road), size=len(distance))
    driven_m = np.zeros(len(distance))
    vehicle = np.arange(len(distance))
    batches: list[Driven] = []
    while len(vehicle):
        batches.append(
            Driven(vehicle, steps.road[step], steps.to[step], driven_m[vehicle] / distance[vehicle] * seconds)
        )
        driven_m[vehicle] += length[steps.road[step]]
        continues = driven_m[vehicle] < distance[vehicle]
        vehicle, step = vehicle[continues], step[continues]
        step = steps.next_steps(step, straight, rng)
    return Driven(*(np.concatenate(parts) for parts in zip(*batches, strict=True)))


@dataclass(frozen=True)
class _Steps:
    """Every road in both directions, as a step: the node it leads to, the reverse step, and the step straight ahead."""

    offsets: Ints
    road: Ints
    to: Ints
    back: Ints
    ahead: Ints

    @classmethod
    def of(cls, network: Network) -> _Steps:
        offsets, to, road = (np.asarray(values, dtype=np.int64) for values in network.adjacency)
        start = np.repeat(np.arange(len(network)), np.diff(offsets))
        order = np.lexsort((start, road))  # the two steps of a road next to each other
        back = np.empty(len(road), dtype=np.int64)
        back[order] = order.reshape(-1, 2)[:, ::-1].ravel()
        vector = network.points[to] - network.points[start]
        vector /= np.maximum(np.hypot(*vector.T), 1e-12)[:, None]
        ahead = back.copy()
        for step, node in enumerate(to):
            candidates = np.arange(offsets[node], offsets[node + 1])
            candidates = candidates[candidates != back[step]]
            if len(candidates):
                ahead[step] = candidates[np.argmax(vector[candidates] @ vector[step])]
        return cls(offsets, road, to, back, ahead)

    def next_steps(self, step: Ints, straight: float, rng: np.random.Generator) -> Ints:
        """The next step after each step: straight ahead, or any but the reverse; the reverse in a dead end."""
        node = self.to[step]
        first, n_steps = self.offsets[node], self.offsets[node + 1] - self.offsets[node]
        drawn = first + (rng.random(len(step)) * np.maximum(1, n_steps - 1)).astype(np.int64)
        drawn += (n_steps > 1) & (drawn >= self.back[step])
        is_straight = rng.random(len(step)) < straight
        return np.where(is_straight, self.ahead[step], drawn)
