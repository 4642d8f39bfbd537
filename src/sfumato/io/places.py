"""Places as CSV, Parquet or Excel."""

from dataclasses import replace
from pathlib import Path

import polars as pl

from sfumato.data import Places
from sfumato.data.column_names import with_guessed_roles
from sfumato.io.frames import read_frame, write_frame
from sfumato.io.inputs.column_roles import note_far_south, note_guess

__all__ = ["marked_places", "read_places", "write_places"]

_DERIVED = "derived"


def read_places(path: str | Path, *, notes: list[str] | None = None) -> Places:
    """Read places from the columns `location` and any of `x, y` / `lat, lon`, `category`, `owner`, `sensitive`.

    Columns of usual other names are found, too.  A column `derived` with a value true says that the list was computed
    from visits, so that it is not published.  notes : collects sentences about how the file was read.
    """
    frame, source = read_frame(path, notes=notes)
    roles = with_guessed_roles(frame.columns, {}, ("location",), ("lat", "lon", "x", "y", "category"))
    note_guess(source, "places", roles, {})
    frame = frame.rename({column: role for role, column in roles.items() if role not in frame.columns})
    note_far_south(source, frame, {}, places=True)
    places = Places.from_frame(frame, source)
    return replace(places, derived=True) if _is_derived(frame) else places


def write_places(places: Places, path: str | Path) -> None:
    """Write places, the counterpart of `read_places`."""
    write_frame(marked_places(places), path)


def marked_places(places: Places) -> pl.DataFrame:
    """The frame of places as it is written: those that were computed from private data have the column `derived`."""
    marker = [pl.lit(True).alias(_DERIVED)] if places.derived else []
    return places.frame.with_columns(marker)


def _is_derived(frame: pl.DataFrame) -> bool:
    if _DERIVED not in frame.columns:
        return False
    return bool((~frame[_DERIVED].cast(pl.String).str.to_lowercase().is_in(["false", "0", "no", ""])).any())
