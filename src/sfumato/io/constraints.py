"""Utility constraints as CSV or Parquet."""

from pathlib import Path

from sfumato.data import Constraints
from sfumato.io.frames import read_frame, write_frame

__all__ = ["read_constraints", "write_constraints"]


def read_constraints(path: str | Path) -> Constraints:
    """Read constraints from the columns `location` and `constraint`; every location belongs to one constraint."""
    frame, source = read_frame(path)
    return Constraints.from_frame(frame, source)


def write_constraints(constraints: Constraints, path: str | Path) -> None:
    """Write the columns `location` and `constraint`, the counterpart of `read_constraints`."""
    write_frame(constraints.to_polars(), path)
