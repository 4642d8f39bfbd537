"""Positions as CSV or Parquet."""

from collections.abc import Mapping
from pathlib import Path

from sfumato.data.places import Places
from sfumato.data.positions import Positions
from sfumato.data.roads.network import Network
from sfumato.io.frames import read_frame, write_frame

__all__ = ["read_positions", "write_positions"]

_ROLES = ("trajectory", "person", "time", "lat", "lon", "x", "y")  # the first two are texts


def read_positions(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    places: Places | None = None,
    network: Network | None = None,
) -> Positions:
    """Read the columns `time`, `lat, lon` or `x, y`, and `trajectory` or `person` or both.

    `columns` gives other names, e.g. ``{"person": "tracker", "time": "t", "lon": "X", "lat": "Y"}``.
    """
    names = tuple((columns or {}).get(role, role) for role in _ROLES)
    frame, source = read_frame(path, texts=names[:2], only=names)
    return Positions.from_frame(frame, columns=columns, places=places, network=network, source=source)


def write_positions(positions: Positions, path: str | Path) -> None:
    """Write positions, the counterpart of `read_positions`; the file is private."""
    write_frame(positions.to_polars(), path)
