"""Road trajectories from simulated vehicles: one row for each road that a vehicle enters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import RoadTrajectories
from sfumato.data.roads.network import Network

__all__ = ["Driven", "as_roads"]


class Driven(NamedTuple):
    """One row for each road entered: object, road, next node and time; rows of an object are in the order of travel."""

    objects: npt.NDArray[np.int64]
    roads: npt.NDArray[np.int64]
    to: npt.NDArray[np.int64]
    times: npt.NDArray[np.float64]


def as_roads(network: Network, driven: Driven, objects: int) -> RoadTrajectories:
    """The road trajectory of each object; objects are numbered from 0, and each has entered a road."""
    order = np.argsort(driven.objects, kind="stable")
    label = 2 * driven.roads[order] + (driven.to[order] != network.ends[driven.roads[order], 1])
    used, codes = np.unique(label, return_inverse=True)
    texts = [f"{network.roads[int(directed) // 2]}{'+-'[int(directed) % 2]}" for directed in used]
    by_name = np.argsort(np.array(texts))
    rank = np.empty(len(texts), dtype=np.int32)
    rank[by_name] = np.arange(len(texts))
    return RoadTrajectories(
        offsets=np.concatenate(([0], np.cumsum(np.bincount(driven.objects, minlength=objects)))),
        codes=rank[codes],
        names=tuple(texts[index] for index in by_name),
        network=network,
        ids=pl.Series("trajectory", np.arange(1, objects + 1)).cast(pl.String),
        times=driven.times[order],
    )
