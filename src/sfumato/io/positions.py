"""Positions as CSV, Parquet or Excel."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from sfumato.data.column_names import with_guessed_roles
from sfumato.data.places import Places
from sfumato.data.positions import Positions
from sfumato.data.roads.network import Network
from sfumato.data.rows.posts import OBJECT_DETAILS, joined_tags
from sfumato.io.files import suffix_of
from sfumato.io.frames import column_names, read_frame, write_frame
from sfumato.io.inputs.column_roles import note_degrees, note_far_south, note_guess

__all__ = ["read_positions", "write_positions"]

_TEXTS = ("trajectory", "person", *OBJECT_DETAILS, "tags", "tag", "text", "place", "wkt")
_ROLES = (*_TEXTS[:2], "time", "lat", "lon", "x", "y", "end", *_TEXTS[2:])


def read_positions(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    places: Places | None = None,
    network: Network | None = None,
    notes: list[str] | None = None,
) -> Positions:
    """Read the columns `time`, `lat, lon` or `x, y`, and `trajectory` or `person` or both.

    Posts and photos may also have `end`, `tags` (or `tag`, one a row), `text`, `place` and `wkt`, and `object`,
    `person_class`, `means` and `means_class` of the account or device.

    `columns` gives other names, e.g. ``{"person": "tracker", "time": "t", "lon": "X", "lat": "Y"}``; columns of usual
    other names are found without it.  notes : collects sentences about how the file was read.
    """
    given = columns or {}
    roles = with_guessed_roles(column_names(path), given, ("time",), [role for role in _ROLES if role != "time"])
    names = {role: roles.get(role, role) for role in _ROLES}
    texts = tuple(names[role] for role in _TEXTS)
    frame, source = read_frame(path, texts=texts, only=tuple(names.values()), lists=(names["tags"],), notes=notes)
    note_guess(source, "positions", roles, given)
    note_degrees(source, frame, roles, given)
    note_far_south(source, frame, roles)
    source = replace(source, columns=roles)
    return Positions.from_frame(frame, columns=roles, places=places, network=network, source=source)


def write_positions(positions: Positions, path: str | Path) -> None:
    """Write positions, the counterpart of `read_positions`; the file is private.

    In a CSV file, commas separate the tags of a position.
    """
    frame = positions.to_polars()
    if "tags" in frame.columns and suffix_of(path) != ".parquet":
        frame = frame.with_columns(joined_tags(frame["tags"]).alias("tags"))
    write_frame(frame, path)
