"""Drives on small random maps, and their steps as the literal twins take them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from sfumato.data import Network, Persons, RoadTrajectories
from sfumato.generate import Roads

Steps = list[tuple[Any, list[tuple[str, Any]]]]


def drives(
    seed: int, *, vehicles: int = 60, nodes: int = 8, roads: float = 3.0, people: bool = False
) -> RoadTrajectories:
    """Vehicles that wander about a random map within an hour; some of them belong to the same person."""
    made = Roads(nodes=nodes, degree=3.0, vehicles=vehicles, distance_km=5.0 * roads).make(seed=seed)
    if not people:
        return made
    who = np.random.default_rng(seed).integers(vehicles * 2 // 3, size=vehicles)
    return made.with_persons(Persons.of(who.tolist()))


def steps_of(data: RoadTrajectories, cut: Any = None) -> Steps:
    """Who, and each road with the name of its interval; nothing where it is in none."""
    if cut is None:
        return [(unit, [(road, "all") for road in row]) for unit, row in zip(data.units, data.to_lists(), strict=True)]
    assert data.times is not None
    numbers = cut.numbers(data.times)
    names = [cut.label(int(n)) if cut.length or n >= 0 else None for n in numbers]
    return [
        (data.units[at], list(zip(row, names[data.offsets[at] : data.offsets[at + 1]], strict=True)))
        for at, row in enumerate(data.to_lists())
    ]


def published_rows(data: Any) -> list[tuple[str, tuple[str, ...]]]:
    """Interval and roads of every published record, in the order of texts."""
    return sorted((data.interval_names[n], tuple(row)) for n, row in zip(data.intervals, data.to_lists(), strict=True))


def town(roads: str) -> Network:
    """A network from roads such as ``"ab bc"``, named after their two ends."""
    names = roads.split()
    nodes = sorted({node for road in names for node in road})
    return Network.from_frames(
        {"node": nodes, "x": range(len(nodes)), "y": [0] * len(nodes)},
        {"road": names, "from": [road[0] for road in names], "to": [road[1] for road in names]},
    )


def along(nodes: str, network: Network) -> list[str]:
    """The directed roads along some nodes."""
    names = set(network.roads)
    return [f"{a}{b}+" if f"{a}{b}" in names else f"{b}{a}-" for a, b in pairwise(nodes)]
