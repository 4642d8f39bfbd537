"""Positions as CSV, Parquet or Excel."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from sfumato.data.column_names import with_guessed_roles
from sfumato.data.places import Places
from sfumato.data.positions import Positions
from sfumato.data.roads.network import Network
from sfumato.io.frames import column_names, read_frame, write_frame
from sfumato.io.inputs.column_roles import note_degrees, note_far_south, note_guess

__all__ = ["read_positions", "write_positions"]

_ROLES = ("trajectory", "person", "time", "lat", "lon", "x", "y")  # the first two are texts


def read_positions(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    places: Places | None = None,
    network: Network | None = None,
    notes: list[str] | None = None,
) -> Positions:
    """Read the columns `time`, `lat, lon` or `x, y`, and `trajectory` or `person` or both.

    `columns` gives other names, e.g. ``{"person": "tracker", "time": "t", "lon": "X", "lat": "Y"}``; columns of usual
    other names are found without it.  notes : collects sentences about how the file was read.
    """
    given = columns or {}
    roles = with_guessed_roles(column_names(path), given, ("time",), [role for role in _ROLES if role != "time"])
    names = tuple(roles.get(role, role) for role in _ROLES)
    frame, source = read_frame(path, texts=names[:2], only=names, notes=notes)
    note_guess(source, "positions", roles, given)
    note_degrees(source, frame, roles, given)
    note_far_south(source, frame, roles)
    source = replace(source, columns=roles)
    return Positions.from_frame(frame, columns=roles, places=places, network=network, source=source)


def write_positions(positions: Positions, path: str | Path) -> None:
    """Write positions, the counterpart of `read_positions`; the file is private."""
    write_frame(positions.to_polars(), path)
