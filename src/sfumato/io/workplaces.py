"""Workplaces as CSV or Parquet."""

from pathlib import Path

from sfumato.data.workplaces import Workplaces
from sfumato.io.frames import read_frame

__all__ = ["read_workplaces"]


def read_workplaces(path: str | Path) -> Workplaces:
    """Read workplaces from the columns `person, location`, or `trajectory, location` where persons are unknown."""
    frame, source = read_frame(path)
    return Workplaces.from_frame(frame, source)
