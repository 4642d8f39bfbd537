"""Reading and writing datasets by what the file's ending and its columns say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.data import Dataset, Mixed, Places, Table, Taxonomy, Trajectories, Transactions
from sfumato.data.frames import Source
from sfumato.errors import DataError, FileError, did_you_mean
from sfumato.io.files import read_frame, suffix_of, write_frame
from sfumato.io.lines import read_baskets, read_trajectories, write_lines
from sfumato.io.spmf import read_spmf, write_spmf
from sfumato.io.taxonomies import read_hierarchies

__all__ = ["read", "write"]

_KINDS = ("trajectories", "transactions", "table", "mixed")


def read(
    path: str | Path,
    *,
    kind: str | None = None,
    columns: Mapping[str, str] | None = None,
    items: str | None = None,
    places: Places | None = None,
    taxonomy: Taxonomy | None = None,
    hierarchies: Mapping[str, Taxonomy] | str | Path | None = None,
    quasi_identifiers: tuple[str, ...] = (),
    sensitive: tuple[str, ...] = (),
) -> Any:
    """Read a dataset: trajectories, transactions, a table or mixed records.

    The ending says the format (`.csv`, `.parquet`, `.txt`, `.dat`, `.spmf`, and `.gz` of any).  Where `kind` is not
    given, the columns decide: `trajectory, location`; `record, item`; `items` names the item column of mixed data;
    anything else is a table.  Lines of names are trajectories in a `.txt` and transactions in a `.dat`.
    `hierarchies` are taxonomies by column, or a directory that holds one for each column as ``*<column>.*``.
    `columns` gives other names, e.g. ``{"trajectory": "tid", "location": "poi", "person": "user"}``.
    """
    if kind is not None and kind not in _KINDS:
        raise DataError(f"no kind of data is called {kind!r}; {did_you_mean(kind, _KINDS)}")
    roles = {"quasi_identifiers": quasi_identifiers, "sensitive": sensitive, "hierarchies": hierarchies or {}}
    data = _read(path, kind, columns or {}, items, places, taxonomy, roles)
    _require_knowledge(data)
    return data


def _read(
    path: str | Path,
    kind: str | None,
    columns: Mapping[str, str],
    items: str | None,
    places: Places | None,
    taxonomy: Taxonomy | None,
    roles: dict[str, Any],
) -> Any:
    ending = suffix_of(path)
    if ending in (".txt", ".dat", ".spmf"):
        _refuse_columns(path, columns)
        return _with(_read_lines(path, ending, kind), places, taxonomy or _item_tree(roles["hierarchies"], "item"))
    if ending not in (".csv", ".tsv", ".parquet"):
        raise FileError(
            path,
            f"wanted a file that ends in .csv, .parquet, .txt, .dat or .spmf, found {ending or 'none'!r}",
        )
    frame, source = read_frame(path, texts=tuple(columns.get(name, name) for name in ("location", "item")))
    kind = kind or _kind_of(frame, columns, items)
    if kind == "trajectories":
        return Trajectories.from_frame(frame, columns=columns, places=places, taxonomy=taxonomy, source=source)
    if kind == "transactions":
        taxonomy = taxonomy or _item_tree(roles["hierarchies"], "item")
        return Transactions.from_frame(frame, columns=columns, taxonomy=taxonomy, source=source)
    if not isinstance(roles["hierarchies"], Mapping):
        roles["hierarchies"] = read_hierarchies(roles["hierarchies"], tuple(frame.columns))
    if kind == "mixed":
        items = items or "items"
        trees = dict(roles["hierarchies"])
        taxonomy = taxonomy or trees.pop(items, None)
        return Mixed.from_frame(
            frame, items=items, taxonomy=taxonomy, columns=columns, source=source, **roles | {"hierarchies": trees}
        )
    return Table.from_frame(frame, columns=columns, source=source, **roles)


def _item_tree(hierarchies: Mapping[str, Taxonomy] | str | Path, attribute: str) -> Taxonomy | None:
    found = hierarchies if isinstance(hierarchies, Mapping) else read_hierarchies(hierarchies, (attribute,))
    return found.get(attribute)


def _require_knowledge(data: Any) -> None:
    """Refuse side knowledge that does not know everything in the data."""
    if isinstance(data, Trajectories) and data.places is not None:
        data.places.require(data.names)
    if isinstance(data, Trajectories | Transactions) and data.taxonomy is not None:
        data.taxonomy.require(data.names, data.attribute)
    if isinstance(data, Mixed) and data.items.taxonomy is not None:
        data.items.taxonomy.require(data.items.names, "item")
    if isinstance(data, Table | Mixed):
        table = data.table if isinstance(data, Mixed) else data
        for column, tree in table.hierarchies.items():
            tree.require(table[column].drop_nulls().unique().cast(pl.String).sort().to_list(), column)


def _kind_of(frame: pl.DataFrame, columns: Mapping[str, str], items: str | None) -> str:
    def has(*roles: str) -> bool:
        return all(columns.get(role, role) in frame.columns for role in roles)

    if items is not None:
        return "mixed"
    if has("trajectory", "location") or "location" in columns or "trajectory" in columns:
        return "trajectories"
    return "transactions" if has("record", "item") or "item" in columns else "table"


def _read_lines(path: str | Path, ending: str, kind: str | None) -> Trajectories | Transactions:
    kind = kind or ("transactions" if ending == ".dat" else "trajectories")
    if kind not in ("trajectories", "transactions"):
        raise FileError(path, f"a {ending} file holds trajectories or transactions, not {kind}")
    if ending == ".spmf":
        if kind != "trajectories":
            raise FileError(path, f"a .spmf file holds trajectories, not {kind}")
        return read_spmf(path)
    return read_trajectories(path) if kind == "trajectories" else read_baskets(path)


def _refuse_columns(path: str | Path, columns: Mapping[str, str]) -> None:
    if columns:
        raise Source(str(path), file=True, first_line=1).error(
            f"lines of names have no columns, so {next(iter(columns))!r} cannot be named; use a .csv"
        )


def _with(data: Trajectories | Transactions, places: Places | None, taxonomy: Taxonomy | None) -> Dataset:
    from dataclasses import replace

    if isinstance(data, Trajectories):
        return replace(data, places=places, taxonomy=taxonomy)
    return replace(data, taxonomy=taxonomy)


def write(data: Any, path: str | Path) -> None:
    """Write a private dataset in the format of the file's ending; the counterpart of `read`.

    This is not publishing: ids and persons are written too.  A release writes itself.
    """
    ending = suffix_of(path)
    if ending in (".csv", ".parquet"):
        write_frame(_with_coordinates(data), path)
    elif ending in (".txt", ".dat") and isinstance(data, Trajectories | Transactions):
        write_lines(data, path)
    elif ending == ".spmf" and isinstance(data, Trajectories):
        write_spmf(data, path)
    else:
        raise FileError(path, f"{data.kind} cannot be written to a file that ends in {ending or 'nothing'!r}")


def _with_coordinates(data: Any) -> pl.DataFrame:
    """A tidy frame; trajectories carry the coordinates of their places, so that one file says it all."""
    frame: pl.DataFrame = data.to_polars()
    if isinstance(data, Trajectories) and data.places is not None and data.places.located:
        pair = ("lon", "lat") if data.places.geographic else ("x", "y")
        where = data.places.coordinates(data.names)[data.codes]
        frame = frame.with_columns(pl.Series(pair[0], where[:, 0]), pl.Series(pair[1], where[:, 1]))
    return frame
