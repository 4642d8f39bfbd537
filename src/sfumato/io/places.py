"""Places as CSV, Parquet or Excel."""

from pathlib import Path

from sfumato.data import Places
from sfumato.data.column_names import with_guessed_roles
from sfumato.io.frames import read_frame, write_frame
from sfumato.io.inputs.column_roles import note_far_south, note_guess

__all__ = ["read_places", "write_places"]


def read_places(path: str | Path, *, notes: list[str] | None = None) -> Places:
    """Read places from the columns `location` and any of `x, y` / `lat, lon`, `category`, `owner`, `sensitive`.

    Columns of usual other names are found, too.  notes : collects sentences about how the file was read.
    """
    frame, source = read_frame(path, notes=notes)
    roles = with_guessed_roles(frame.columns, {}, ("location",), ("lat", "lon", "x", "y", "category"))
    note_guess(source, "places", roles, {})
    frame = frame.rename({column: role for role, column in roles.items() if role not in frame.columns})
    note_far_south(source, frame, {}, places=True)
    return Places.from_frame(frame, source)


def write_places(places: Places, path: str | Path) -> None:
    write_frame(places.frame, path)
