"""Reading and writing datasets; the ending of the file and its columns determine the format and the kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sfumato.data import (
    Constraints,
    Dataset,
    Mixed,
    Network,
    Places,
    Table,
    Taxonomy,
    Trajectories,
    Transactions,
    Workplaces,
)
from sfumato.data.base import Frame
from sfumato.data.frames import Source, to_polars
from sfumato.data.tables.encoding import require_leaves
from sfumato.errors import DataError, FileError, did_you_mean
from sfumato.io.files import suffix_of
from sfumato.io.frames import column_names, write_batches, write_frame
from sfumato.io.inputs.column_roles import guessed_kind, guessed_roles, note_likely_visits, roles_of
from sfumato.io.inputs.reading import Reading
from sfumato.io.inputs.visit_batches import read_in_batches
from sfumato.io.lines import read_baskets, read_trajectories, write_lines
from sfumato.io.roads.road_trajectories import read_roads
from sfumato.io.spmf import read_spmf, write_spmf
from sfumato.io.taxonomies import read_hierarchies
from sfumato.io.workbooks import write_workbook

__all__ = ["columns_in_file", "kind_in_file", "private_frame", "read", "write"]

_KINDS = ("trajectories", "roads", "transactions", "table", "mixed")
_FRAMES = (".csv", ".tsv", ".parquet", ".xlsx")
_BATCH = 1 << 20  # visits or items that are written at a time


def read(
    path: str | Path | Frame,
    *,
    kind: str | None = None,
    columns: Mapping[str, str] | None = None,
    items: str | None = None,
    places: Places | None = None,
    taxonomy: Taxonomy | None = None,
    constraints: Constraints | None = None,
    workplaces: Workplaces | None = None,
    hierarchies: Mapping[str, Taxonomy] | str | Path | None = None,
    quasi_identifiers: tuple[str, ...] = (),
    sensitive: tuple[str, ...] = (),
    network: Network | str | Path | None = None,
    split_jumps: bool = False,
    missing: Sequence[str] | None = None,
    dates: str = "month",
    sheet: str | None = None,
    notes: list[str] | None = None,
    complete: bool = True,
) -> Dataset:
    """Read a dataset: trajectories, road trajectories, transactions, a table or mixed records.

    `path` is a file, or a frame of any make (polars, pandas, geopandas, Arrow) with the columns of such a file.
    The ending determines the format (`.csv`, `.tsv`, `.parquet`, `.xlsx`, `.txt`, `.dat`, `.spmf`, and `.gz` of any).
    Without `kind`, the columns decide: `trajectory, location`; `trajectory, road, direction`, which need their
    `network` (or its path); `record, item`; `items` names the item column of mixed data; anything else is a table.
    Lines of names are trajectories in a `.txt` and transactions in a `.dat`. `split_jumps` begins a new trajectory
    where a road does not begin where the one before it ends. `hierarchies` are taxonomies by column, or a directory
    that holds one for each column as ``*<column>.*``. `sensitive` names columns of a table, locations among the places,
    or items (in mixed data, names that are not columns). `columns` gives other names, e.g. ``{"trajectory": "tid",
    "location": "poi", "person": "user"}``; columns of usual other names are found without it.

    `missing` lists texts that stand for a missing value; without it, those of
    `sfumato.io.inputs.missing_markers.MARKERS` do so in tables. `dates` is how dates in tables are read: "month" or
    "week" (their hierarchy), "day-first" or "month-first", or "text"; commas separate several words. `sheet` is that
    of a workbook. `notes` collects sentences about how the data were read. `complete` is whether a value of a table
    that its hierarchy lacks is refused.
    """
    reading = replace(Reading.of(missing, dates, sheet, notes), complete=complete)
    if kind is not None and kind not in _KINDS:
        raise DataError(f"wanted a known kind of data, found {kind!r}; {did_you_mean(kind, _KINDS)}")
    roles = {"quasi_identifiers": quasi_identifiers, "sensitive": sensitive, "hierarchies": hierarchies or {}}
    frame = None if isinstance(path, str | Path) else to_polars(path, lists=(items or "items",))
    path = path if isinstance(path, str | Path) else "the frame"
    names = _column_names(path, frame, sheet)
    if _holds_roads(path, kind, columns or {}, items, names):
        return read_roads(
            path, columns=columns or {}, network=network, split_jumps=split_jumps, frame=frame, sheet=sheet
        )
    if network is not None:
        raise FileError(
            path, "wanted the columns trajectory, road, direction for the network that was given, found no roads"
        )
    data = _read(path, names, kind, columns or {}, items, places, taxonomy, roles, frame, reading)
    if isinstance(data, Trajectories):
        data = replace(data, constraints=constraints, workplaces=workplaces)
        data = replace(data, places=_with_sensitive_places(path, data.places, sensitive))
    if isinstance(data, Transactions) and sensitive:
        data = _with_sensitive_items(path, data, sensitive)
    _require_complete_context(data)
    return data


def _column_names(path: str | Path, frame: pl.DataFrame | None, sheet: str | None) -> list[str] | None:
    """The columns of a file or frame, None for a file of lines."""
    if frame is not None:
        return frame.columns
    return column_names(path, sheet) if suffix_of(path) in _FRAMES else None


def _read(
    path: str | Path,
    names: list[str] | None,
    kind: str | None,
    columns: Mapping[str, str],
    items: str | None,
    places: Places | None,
    taxonomy: Taxonomy | None,
    roles: dict[str, Any],
    given: pl.DataFrame | None,
    reading: Reading,
) -> Dataset:
    ending = suffix_of(path) if given is None else ""
    if ending in (".txt", ".dat", ".spmf"):
        _refuse_columns(path, columns)
        data = _read_lines(path, ending, kind)
        if isinstance(data, Trajectories):
            return replace(data, places=places, taxonomy=taxonomy)
        return replace(data, taxonomy=taxonomy or _item_tree(roles["hierarchies"], "item"))
    if names is None:
        found = "a directory without a certificate" if Path(path).is_dir() else repr(ending) if ending else "no ending"
        raise FileError(
            path, f"wanted a file that ends in .csv, .tsv, .parquet, .xlsx, .txt, .dat or .spmf, found {found}"
        )
    is_guessed = not (kind or items or roles["quasi_identifiers"])
    kind = kind or _kind_of(names, columns, items, is_table=bool(roles["quasi_identifiers"]))
    if kind == "trajectories" and given is None:
        regular = read_in_batches(path, names, columns, places, taxonomy, reading)
        if regular is not None:
            return regular
    if kind in ("trajectories", "transactions"):
        visits = reading.visits(path, names, kind, columns, given)
        if kind == "trajectories":
            visits.note_swapped_coordinates(places)
            return Trajectories.from_frame(
                visits.frame, columns=visits.columns, places=places, taxonomy=taxonomy, source=visits.source
            )
        taxonomy = taxonomy or _item_tree(roles["hierarchies"], "item")
        return Transactions.from_frame(visits.frame, columns=visits.columns, taxonomy=taxonomy, source=visits.source)
    _refuse_unknown_roles(path, columns)
    items = items or "items" if kind == "mixed" else None
    table = _read_table(path, columns, items, taxonomy, roles, given, reading)
    if is_guessed and isinstance(table, Table):
        note_likely_visits(Source(str(path), notes=reading.notes), table.frame)
    return table


def _refuse_unknown_roles(path: str | Path, columns: Mapping[str, str]) -> None:
    """Refuse a role that no kind of data has: with a misspelt role, a file of visits looks like a table."""
    known = sorted({role for kind in ("trajectories", "transactions") for role in roles_of(kind)})
    unknown = next((role for role in columns if role not in known), None)
    if unknown is not None:
        raise Source(str(path), file=True).error(
            f"wanted a known column role, found {unknown!r}; {did_you_mean(unknown, known)}"
        )


def _read_table(
    path: str | Path,
    columns: Mapping[str, str],
    items: str | None,
    taxonomy: Taxonomy | None,
    roles: dict[str, Any],
    given: pl.DataFrame | None,
    reading: Reading,
) -> Table | Mixed:
    """A table, or with a column of items mixed data."""
    frame, source = reading.frame(path, lists=() if items is None else (items,)) if given is None else (given, Source())
    if not isinstance(roles["hierarchies"], Mapping):
        roles["hierarchies"] = read_hierarchies(roles["hierarchies"], tuple(frame.columns), data=path, source=source)
    texts = (items or "items", columns.get("person", "person"))
    frame = reading.typed(frame, source, texts=texts, roles=roles, is_file=given is None)
    if items is None:
        table = Table.from_frame(frame, columns=columns, source=source, dates=reading.hierarchy, **roles)
        if reading.complete:
            require_leaves(table, source)
        return table
    trees = dict(roles["hierarchies"])
    own = trees.pop(items, None)
    taxonomy = own if taxonomy is None else taxonomy
    sensitive = roles["sensitive"]
    roles |= {"hierarchies": trees, "sensitive": tuple(name for name in sensitive if name in frame.columns)}
    mixed = Mixed.from_frame(
        frame, items=items, taxonomy=taxonomy, columns=columns, source=source, dates=reading.hierarchy, **roles
    )
    if reading.complete:
        require_leaves(mixed.table, source)
    with_sensitive = _with_sensitive_items(path, mixed, tuple(name for name in sensitive if name not in frame.columns))
    assert isinstance(with_sensitive, Mixed)
    return with_sensitive


def kind_in_file(
    path: str | Path,
    *,
    kind: str | None = None,
    columns: Mapping[str, str] | None = None,
    items: str | None = None,
    sheet: str | None = None,
) -> str:
    """The kind of data that `read` finds in a file with columns."""
    names = column_names(path, sheet)
    if _holds_roads(path, kind, columns or {}, items, names):
        return "roads"
    return kind or _kind_of(names, columns or {}, items)


def columns_in_file(path: str | Path, kind: str, columns: Mapping[str, str]) -> dict[str, str]:
    """The columns that `read` takes for the roles of trajectories or transactions in a file."""
    return guessed_roles(kind, column_names(path), columns)


def _holds_roads(
    path: str | Path,
    kind: str | None,
    columns: Mapping[str, str],
    items: str | None,
    names: list[str] | None,
) -> bool:
    if kind == "roads" and names is None:
        raise FileError(path, f"wanted road trajectories in a .csv or .parquet file, found {suffix_of(path)!r}")
    if kind not in (None, "trajectories") or items is not None or names is None:
        return kind == "roads"
    has_roles = all(columns.get(role, role) in names for role in ("trajectory", "road", "direction"))
    has_roads = (has_roles and columns.get("location", "location") not in names) or "road" in columns
    if has_roads and kind == "trajectories":
        raise FileError(path, "wanted visits (trajectory, location), found roads (trajectory, road, direction)")
    return has_roads


def _with_sensitive_places(path: str | Path, places: Places | None, sensitive: tuple[str, ...]) -> Places | None:
    """The places with these locations as the sensitive ones; unchanged without any."""
    if not sensitive:
        return places
    if places is None:
        raise FileError(path, "sensitive locations were named, but there are no places", remedy="give-places-file")
    return places.with_sensitive(sensitive)


def _with_sensitive_items(
    path: str | Path, data: Transactions | Mixed, sensitive: tuple[str, ...]
) -> Transactions | Mixed:
    """The data with these items as the sensitive ones; an error names the file."""
    try:
        return data.with_sensitive(sensitive)
    except DataError as error:
        raise FileError(path, str(error)) from None


def _item_tree(hierarchies: Mapping[str, Taxonomy] | str | Path, attribute: str) -> Taxonomy | None:
    trees = hierarchies if isinstance(hierarchies, Mapping) else read_hierarchies(hierarchies, (attribute,))
    return trees.get(attribute)


def _require_complete_context(data: Dataset) -> None:
    """Refuse places, constraints or a taxonomy that lack values of the data."""
    if isinstance(data, Trajectories) and data.places is not None:
        data.places.require(data.names)
    if isinstance(data, Trajectories) and data.constraints is not None:
        data.constraints.require(data.names)
    if isinstance(data, Trajectories | Transactions) and data.taxonomy is not None:
        data.taxonomy.require(data.names, data.attribute)
    if isinstance(data, Mixed) and data.items.taxonomy is not None:
        data.items.taxonomy.require(data.items.names, "item")


def _kind_of(names: list[str], columns: Mapping[str, str], items: str | None, *, is_table: bool = False) -> str:
    """The kind of data with these columns; is_table : whether quasi-identifiers are named, which only tables have."""

    def has(*roles: str) -> bool:
        return all(columns.get(role, role) in names for role in roles)

    if items is not None:
        return "mixed"
    if has("trajectory", "location") or "location" in columns or "trajectory" in columns:
        return "trajectories"
    if has("record", "item") or "item" in columns:
        return "transactions"
    return "table" if is_table else guessed_kind(names, columns) or "table"


def _read_lines(path: str | Path, ending: str, kind: str | None) -> Trajectories | Transactions:
    kind = kind or ("transactions" if ending == ".dat" else "trajectories")
    if kind not in ("trajectories", "transactions"):
        raise FileError(path, f"wanted trajectories or transactions in a {ending} file, found kind {kind!r}")
    if ending == ".spmf":
        if kind != "trajectories":
            raise FileError(path, f"wanted trajectories in a .spmf file, found kind {kind!r}")
        return read_spmf(path)
    return read_trajectories(path) if kind == "trajectories" else read_baskets(path)


def _refuse_columns(path: str | Path, columns: Mapping[str, str]) -> None:
    if columns:
        raise Source(str(path), file=True, first_line=1).error(
            f"wanted a file with columns for {next(iter(columns))!r}, found lines of names; use a .csv"
        )


def write(data: Dataset, path: str | Path) -> None:
    """Write a private dataset in the format of the file's ending; the counterpart of `read`.

    The file is private: it holds ids and persons.  To publish, use `Release.write`.
    """
    ending = suffix_of(path)
    if ending in (".csv", ".parquet") and isinstance(data, Trajectories | Transactions):
        write_batches(_private_rows(data, 0, 0).schema, lambda: _private_batches(data), path)
    elif ending in (".csv", ".parquet"):
        write_frame(private_frame(data), path)
    elif ending == ".xlsx":
        write_workbook(private_frame(data), path)
    elif ending in (".txt", ".dat") and isinstance(data, Trajectories | Transactions):
        write_lines(data, path)
    elif ending == ".spmf" and isinstance(data, Trajectories):
        write_spmf(data, path)
    else:
        raise FileError(path, f"{data.kind} cannot be written to a file that ends in {ending or 'nothing'!r}")


def private_frame(data: Dataset) -> pl.DataFrame:
    """The data in one frame: trajectories with the coordinates of their places, tables with their persons."""
    frame = data.to_polars()
    if isinstance(data, Table | Mixed) and data.persons is not None:
        return frame.with_columns(data.persons.names.gather(data.persons.codes).alias("person"))
    if isinstance(data, Trajectories) and data.places is not None and data.places.located:
        pair = ("lon", "lat") if data.places.geographic else ("x", "y")
        coordinates = data.places.coordinates(data.names)[data.codes]
        frame = frame.with_columns(pl.Series(pair[0], coordinates[:, 0]), pl.Series(pair[1], coordinates[:, 1]))
    return frame


def _private_batches(data: Trajectories | Transactions) -> Iterator[pl.DataFrame]:
    """The frame of `private_frame`, some records at a time."""
    borders = np.searchsorted(data.offsets, np.arange(0, data.offsets[-1] + _BATCH, _BATCH)).clip(0, len(data))
    for first, last in pairwise([0, *borders[1:].tolist()]):
        yield _private_rows(data, first, last)


def _private_rows(data: Trajectories | Transactions, first: int, last: int) -> pl.DataFrame:
    records = np.arange(first, last)
    some = data.take(records)
    return private_frame(replace(some, ids=pl.Series(records + 1)) if data.ids is None else some)
