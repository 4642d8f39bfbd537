"""`sfumato.read`: a dataset from a file, a frame or a published directory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, cast, overload

from sfumato.api.inputs import Source, dataset_of, is_published
from sfumato.data import (
    Constraints,
    Dataset,
    Mixed,
    Network,
    Places,
    RoadTrajectories,
    Table,
    Taxonomy,
    Trajectories,
    Transactions,
    Workplaces,
)
from sfumato.data.base import Frame
from sfumato.errors import DataError
from sfumato.io import read_constraints, read_places, read_taxonomy, read_workplaces
from sfumato.methods.release import Release

__all__ = ["ReadOptions", "read", "with_knowledge"]


_READERS: dict[str, tuple[type, Callable[..., object]]] = {
    "places": (Places, read_places),
    "taxonomy": (Taxonomy, read_taxonomy),
    "constraints": (Constraints, read_constraints),
    "workplaces": (Workplaces, read_workplaces),
}


class ReadOptions(TypedDict, total=False):
    """How to read a file or a frame, and the side knowledge that belongs to the data."""

    columns: Mapping[str, str]
    items: str
    places: Places | Frame | str | Path
    taxonomy: Taxonomy | str | Path
    constraints: Constraints | str | Path
    workplaces: Workplaces | str | Path
    hierarchies: Mapping[str, Taxonomy] | str | Path
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    network: Network | str | Path
    split_jumps: bool
    missing: Sequence[str]
    dates: str
    sheet: str
    notes: list[str]


@overload
def read(source: Source, *, kind: Literal["trajectories"], **options: Unpack[ReadOptions]) -> Trajectories: ...
@overload
def read(source: Source, *, kind: Literal["roads"], **options: Unpack[ReadOptions]) -> RoadTrajectories: ...
@overload
def read(source: Source, *, kind: Literal["transactions"], **options: Unpack[ReadOptions]) -> Transactions: ...
@overload
def read(source: Source, *, kind: Literal["table"], **options: Unpack[ReadOptions]) -> Table: ...
@overload
def read(source: Source, *, kind: Literal["mixed"], **options: Unpack[ReadOptions]) -> Mixed: ...
@overload
def read(source: Source, *, kind: str | None = None, **options: Unpack[ReadOptions]) -> Dataset: ...


def read(source: Source, *, kind: str | None = None, **options: Unpack[ReadOptions]) -> Dataset:
    """Read a dataset: trajectories, road trajectories, transactions, a table or mixed records.

    Parameters
    ----------
    source
        A file (`.csv`, `.tsv`, `.parquet`, `.xlsx`, `.txt`, `.dat`, `.spmf`, and `.gz` of any), a frame of any make,
        or a published directory.
    kind
        "trajectories", "roads", "transactions", "table" or "mixed"; where it is not given, the columns decide.
    columns
        Other names of columns, e.g. ``{"trajectory": "tid", "location": "poi", "person": "user"}``.  Usual other names
        are found without it; a note says which column is which.
    items
        The column of items that makes a table mixed data.
    places, taxonomy, constraints, workplaces, network
        Side knowledge, or the file that holds it; places may be a frame.
    hierarchies
        Taxonomies by column, or a directory that holds one for each column as ``*<column>.*``.
    quasi_identifiers
        Columns that an attacker may know.
    sensitive
        Columns of a table, locations among the places, or items.
    split_jumps
        Begin a new trajectory where a road does not begin where the one before it ends.
    missing
        Texts that stand for a missing value, ``()`` for none; without it, NA, N/A, NaN, null and ? do so in the
        tables of files.
    dates
        How dates in tables are read: "month" or "week", their hierarchy; "day-first" or "month-first"; or "text".
    sheet
        The sheet of a workbook; the first one if none is named.
    notes
        A list that collects sentences about how the data were read; without it, they are given as warnings.

    Examples
    --------
    >>> import polars as pl
    >>> visits = pl.DataFrame({"trajectory": [1, 1, 2], "location": ["home", "gym", "home"]})
    >>> read(visits).to_lists()
    [['home', 'gym'], ['home']]
    """
    if options and (isinstance(source, Dataset | Release) or is_published(source)):
        raise DataError(f"read: these data say themselves how to read them; leave {next(iter(options))!r} out")
    data = dataset_of(source, kind=kind, **with_knowledge(options))
    if kind is not None and data.kind != kind:
        raise DataError(f"read: wanted {kind}, found {data.kind}")
    return data


def with_knowledge(options: ReadOptions) -> dict[str, Any]:
    """The options with side knowledge as objects."""
    known = {name: _read_knowledge(name, value) for name, value in options.items() if name in _READERS}
    return {**options, **known}


def _read_knowledge(name: str, value: object) -> object:
    """Side knowledge as an object, from an object, a file or, of places, a frame."""
    declared, read_file = _READERS[name]
    if value is None or isinstance(value, declared):
        return value
    if isinstance(value, str | Path):
        return read_file(value)
    if declared is Places and not isinstance(value, bool | int | float):
        return Places.from_frame(cast("Frame", value))
    raise DataError(f"read: wanted {name} as an object {declared.__name__} or a file, found {type(value).__name__}")
