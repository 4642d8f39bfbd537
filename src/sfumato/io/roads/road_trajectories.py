"""Road trajectories: the private file beside its network; the published data.csv, the whole network in context/."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from sfumato.data import RoadTrajectories
from sfumato.data.roads.network import Network
from sfumato.errors import FileError, listed
from sfumato.io.frames import read_csv, read_frame
from sfumato.io.roads.network import read_network

__all__ = ["read_published_roads", "read_roads"]

_ROLES = ("trajectory", "road", "direction", "person", "interval", "time")  # five of them names
_COLUMNS = ["trajectory", "step", "interval", "road", "direction"]


def read_roads(
    path: str | Path, *, columns: Mapping[str, str], network: Network | str | Path | None, split_jumps: bool
) -> RoadTrajectories:
    """Columns `trajectory, road, direction` and optionally `time`, `person`, `interval`, in the order of travel."""
    if network is None:
        raise FileError(
            path, "road trajectories need the network of their roads; give it (--network DIR with nodes.csv, roads.csv)"
        )
    known = network if isinstance(network, Network) else read_network(network)
    wanted = tuple(columns.get(role, role) for role in _ROLES)
    frame, source = read_frame(path, texts=wanted[:5], only=wanted)
    return RoadTrajectories.from_frame(frame, network=known, columns=columns, split_jumps=split_jumps, source=source)


def read_published_roads(folder: Path) -> RoadTrajectories:
    """Records exactly as published; a record that is no path on the network is refused with its line."""
    network = read_network(folder / "context")
    frame, source = read_csv(folder / "data.csv")
    if frame.columns != _COLUMNS:
        raise source.error(f"wanted the columns {', '.join(_COLUMNS)}, found {listed(frame.columns)}")
    if len(frame) == 0:
        return _nothing(network)
    first = frame["trajectory"] != frame["trajectory"].shift(1, fill_value="")
    starts = np.flatnonzero(first.to_numpy())
    number = np.arange(len(frame)) - np.repeat(starts, np.diff(np.append(starts, len(frame)))) + 1
    strange = frame["step"].cast(pl.Int64, strict=False).fill_null(0) != pl.Series(number)
    if strange.any():
        raise source.error("wanted the steps of a trajectory from 1 upwards, found otherwise", row=strange.arg_max())
    data = RoadTrajectories.from_frame(frame.drop("step"), network=network, source=source)
    return replace(data, ids=None)


def _nothing(network: Network) -> RoadTrajectories:
    return RoadTrajectories(
        offsets=np.zeros(1, dtype=np.int64),
        codes=np.empty(0, dtype=np.int32),
        names=(),
        network=network,
        intervals=np.empty(0, dtype=np.int32),
    )
