"""Reading road trajectories: private files with their network, and published directories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from sfumato.data import RoadTrajectories
from sfumato.data.frames import Source
from sfumato.data.roads.network import Network
from sfumato.errors import FileError, listed
from sfumato.io.frames import read_frame
from sfumato.io.roads.network import read_network

__all__ = ["read_published_roads", "read_roads"]

_ROLES = ("trajectory", "road", "direction", "person", "interval", "time")  # the first five are texts
_COLUMNS = ["trajectory", "step", "interval", "road", "direction"]


def read_roads(
    path: str | Path,
    *,
    columns: Mapping[str, str],
    network: Network | str | Path | None,
    split_jumps: bool,
    frame: pl.DataFrame | None = None,
    sheet: str | None = None,
) -> RoadTrajectories:
    """Read `trajectory, road, direction` and optionally `time`, `person`, `interval`, in the order of travel."""
    if network is None:
        raise FileError(path, "road trajectories need the network of their roads", remedy="give-network")
    road_network = network if isinstance(network, Network) else read_network(network)
    names = tuple(columns.get(role, role) for role in _ROLES)
    source = None
    if frame is None:
        frame, source = read_frame(path, texts=names[:5], only=names, sheet=sheet)
    return RoadTrajectories.from_frame(
        frame, network=road_network, columns=columns, split_jumps=split_jumps, source=source
    )


def read_published_roads(folder: Path, frame: pl.DataFrame, source: Source) -> RoadTrajectories:
    """Published records with the network in their directory; refuses a record that is not a path on the network.

    frame : the rows of the file, all of them texts.  source : the file.
    """
    network = read_network(folder / "context")
    if frame.columns != _COLUMNS:
        raise source.error(f"wanted the columns {', '.join(_COLUMNS)}, found {listed(frame.columns)}")
    if len(frame) == 0:
        return _no_records(network)
    is_first = frame["trajectory"] != frame["trajectory"].shift(1, fill_value="")
    starts = np.flatnonzero(is_first.to_numpy())
    number = np.arange(len(frame)) - np.repeat(starts, np.diff(np.append(starts, len(frame)))) + 1
    is_wrong_step = frame["step"].cast(pl.Int64, strict=False).fill_null(0) != pl.Series(number)
    if is_wrong_step.any():
        raise source.error(
            "wanted the steps of a trajectory from 1 upwards, found another number", row=is_wrong_step.arg_max()
        )
    data = RoadTrajectories.from_frame(frame.drop("step"), network=network, source=source)
    return replace(data, ids=None)


def _no_records(network: Network) -> RoadTrajectories:
    return RoadTrajectories(
        offsets=np.zeros(1, dtype=np.int64),
        codes=np.empty(0, dtype=np.int32),
        names=(),
        network=network,
        intervals=np.empty(0, dtype=np.int32),
    )
