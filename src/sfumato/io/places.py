"""Places as CSV or Parquet."""

from pathlib import Path

from sfumato.data import Places
from sfumato.io.frames import read_frame, write_frame

__all__ = ["read_places", "write_places"]


def read_places(path: str | Path) -> Places:
    """Read places from the columns `location` and any of `x, y` / `lat, lon`, `category`, `owner`, `sensitive`."""
    frame, source = read_frame(path)
    return Places.from_frame(frame, source)


def write_places(places: Places, path: str | Path) -> None:
    write_frame(places.frame, path)
