"""The rows of a file as one frame that can be edited and that `read` takes back: every column, under its own name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.data import Dataset, Trajectories, Transactions
from sfumato.errors import counted
from sfumato.io.datasets import kind_in_file, private_frame, read
from sfumato.io.files import suffix_of
from sfumato.io.frames import column_names
from sfumato.io.inputs.column_roles import guessed_roles, required_roles, roles_of
from sfumato.io.inputs.missing_markers import with_named_missing
from sfumato.io.inputs.reading import Reading

__all__ = ["FileRows", "rows_in_file"]

_LINES = (".txt", ".dat", ".spmf")
_ROAD_TEXTS: tuple[str, ...] = ("trajectory", "road", "direction", "person", "interval")


@dataclass(frozen=True)
class FileRows:
    """The rows of a file, the kind of data, and the column of each role where it has another name."""

    frame: pl.DataFrame
    kind: str
    columns: dict[str, str]


def rows_in_file(
    path: str | Path,
    *,
    kind: str | None = None,
    columns: Mapping[str, str] | None = None,
    items: str | None = None,
    missing: Sequence[str] | None = None,
    dates: str = "month",
    sheet: str | None = None,
    notes: list[str] | None = None,
) -> FileRows:
    """The rows of a file; the options are those of `read`, which takes the frame with the kind and the columns.

    Columns without a role stay.  Ids, persons, locations and items are texts; numbers and dates of tables are
    recognised, and markers of missing values are gone.
    """
    reading = Reading.of(missing, dates, sheet, notes)
    columns = dict(columns or {})
    if suffix_of(path) in _LINES:
        data = read(path, kind=kind, columns=columns, notes=notes)
        frame = private_frame(data)
        _note_empty(path, data, notes)
        return FileRows(frame, data.kind, {})
    kind = kind_in_file(path, kind=kind, columns=columns, items=items, sheet=sheet)
    names = column_names(path, sheet)
    if kind in ("table", "mixed"):
        texts = (items or "items" if kind == "mixed" else "items", columns.get("person", "person"))
        frame, source = reading.frame(path, lists=texts[:1] if kind == "mixed" else ())
        roles: dict[str, Any] = {"quasi_identifiers": (), "sensitive": (), "hierarchies": {}}
        return FileRows(reading.typed(frame, source, texts=texts, roles=roles, is_file=True), kind, columns)
    if kind == "roads":
        roles_here, text_roles = columns, _ROAD_TEXTS
    else:
        roles_here = guessed_roles(kind, names, columns)
        text_roles = (*required_roles(kind), *(role for role in ("person",) if role in roles_of(kind)))
    frame, _ = reading.frame(path, texts=tuple(roles_here.get(role, role) for role in text_roles))
    return FileRows(with_named_missing(frame, reading.missing) if reading.missing else frame, kind, roles_here)


def _note_empty(path: str | Path, data: Dataset, notes: list[str] | None) -> None:
    """Note records of a file of lines that have no row, because they are empty."""
    empty = int((data.lengths == 0).sum()) if isinstance(data, Trajectories | Transactions) else 0
    if empty and notes is not None:
        notes.append(f"{path}: {counted(empty, 'empty line')} left out: a row holds one visit or item")
