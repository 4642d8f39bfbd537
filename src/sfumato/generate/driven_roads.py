"""Roads driven: one row a road that somebody entered, and the road trajectories they make."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import RoadTrajectories
from sfumato.data.roads.network import Network

__all__ = ["Driven", "as_roads"]


class Driven(NamedTuple):
    """Who entered which road towards which node, and when; the rows of one object are in the order of travel."""

    objects: npt.NDArray[np.int64]
    roads: npt.NDArray[np.int64]
    to: npt.NDArray[np.int64]
    times: npt.NDArray[np.float64]


def as_roads(network: Network, driven: Driven, objects: int) -> RoadTrajectories:
    """One trajectory for each of the objects, which are numbered from 0; every one of them has entered a road."""
    order = np.argsort(driven.objects, kind="stable")
    label = 2 * driven.roads[order] + (driven.to[order] != network.ends[driven.roads[order], 1])
    used, codes = np.unique(label, return_inverse=True)
    texts = [f"{network.roads[int(at) // 2]}{'+-'[int(at) % 2]}" for at in used]
    by_name = np.argsort(np.array(texts))
    rank = np.empty(len(texts), dtype=np.int32)
    rank[by_name] = np.arange(len(texts))
    return RoadTrajectories(
        offsets=np.concatenate(([0], np.cumsum(np.bincount(driven.objects, minlength=objects)))),
        codes=rank[codes],
        names=tuple(texts[at] for at in by_name),
        network=network,
        ids=pl.Series("trajectory", np.arange(1, objects + 1)).cast(pl.String),
        times=driven.times[order],
    )
