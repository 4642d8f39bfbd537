"""Workplaces as CSV or Parquet."""

from pathlib import Path

from sfumato.data.workplaces import Workplaces
from sfumato.io.frames import read_frame, write_frame

__all__ = ["read_workplaces", "write_workplaces"]


def read_workplaces(path: str | Path) -> Workplaces:
    """Read workplaces from the columns `person, location`, or `trajectory, location` where persons are unknown."""
    frame, source = read_frame(path)
    return Workplaces.from_frame(frame, source)


def write_workplaces(workplaces: Workplaces, path: str | Path) -> None:
    """Write the two columns, for their owner alone: the counterpart of `read_workplaces`."""
    write_frame(workplaces.to_polars(), path)
