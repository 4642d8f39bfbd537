"""Reading and writing datasets by what the file's ending and its columns say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.data import (
    Constraints,
    Mixed,
    Network,
    Places,
    Table,
    Taxonomy,
    Trajectories,
    Transactions,
    Workplaces,
)
from sfumato.data.frames import Source
from sfumato.data.tables.encoding import refuse_strangers
from sfumato.errors import DataError, FileError, did_you_mean
from sfumato.io.files import suffix_of
from sfumato.io.frames import column_names, read_frame, with_numbers, write_frame
from sfumato.io.lines import read_baskets, read_trajectories, write_lines
from sfumato.io.roads.road_trajectories import read_roads
from sfumato.io.spmf import read_spmf, write_spmf
from sfumato.io.taxonomies import read_hierarchies

__all__ = ["kind_in_file", "read", "write"]

_KINDS = ("trajectories", "roads", "transactions", "table", "mixed")
_FRAMES = (".csv", ".tsv", ".parquet")
_ROLES = ("trajectory", "record", "person", "location", "item", "time", "lat", "lon", "x", "y")  # five of them names


def read(
    path: str | Path,
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
) -> Any:
    """Read a dataset: trajectories, road trajectories, transactions, a table or mixed records.

    The ending says the format (`.csv`, `.parquet`, `.txt`, `.dat`, `.spmf`, and `.gz` of any).  Where `kind` is not
    given, the columns decide: `trajectory, location`; `trajectory, road, direction`, which need their `network` (or
    where to read it from); `record, item`; `items` names the item column of mixed data; anything else is a table.
    Lines of names are trajectories in a `.txt` and transactions in a `.dat`.
    `split_jumps` begins a new trajectory where a road does not begin where the one before it ends.
    `hierarchies` are taxonomies by column, or a directory that holds one for each column as ``*<column>.*``.
    `sensitive` names columns of a table, locations among the places, or items (in mixed data what is no column).
    `columns` gives other names, e.g. ``{"trajectory": "tid", "location": "poi", "person": "user"}``.
    """
    if kind is not None and kind not in _KINDS:
        raise DataError(f"no kind of data is called {kind!r}; {did_you_mean(kind, _KINDS)}")
    roles = {"quasi_identifiers": quasi_identifiers, "sensitive": sensitive, "hierarchies": hierarchies or {}}
    if _holds_roads(path, kind, columns or {}, items):
        return read_roads(path, columns=columns or {}, network=network, split_jumps=split_jumps)
    if network is not None:
        raise FileError(
            path, "a network was given, but the file has no roads; wanted the columns trajectory, road, direction"
        )
    data = _read(path, kind, columns or {}, items, places, taxonomy, roles)
    if isinstance(data, Trajectories):
        data = replace(data, constraints=constraints, workplaces=workplaces)
        data = replace(data, places=_flagged(path, data.places, sensitive))
    if isinstance(data, Transactions) and sensitive:
        data = _naming_file(path, data, sensitive)
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
        data = _read_lines(path, ending, kind)
        if isinstance(data, Trajectories):
            return replace(data, places=places, taxonomy=taxonomy)
        return replace(data, taxonomy=taxonomy or _item_tree(roles["hierarchies"], "item"))
    if ending not in _FRAMES:
        raise FileError(
            path,
            f"wanted a file that ends in .csv, .parquet, .txt, .dat or .spmf, found {ending or 'none'!r}",
        )
    kind = kind or _kind_of(column_names(path), columns, items)
    if kind in ("trajectories", "transactions"):
        wanted = tuple(columns.get(role, role) for role in _ROLES)
        frame, source = read_frame(path, texts=wanted[:5], only=wanted)
        if kind == "trajectories":
            return Trajectories.from_frame(frame, columns=columns, places=places, taxonomy=taxonomy, source=source)
        taxonomy = taxonomy or _item_tree(roles["hierarchies"], "item")
        return Transactions.from_frame(frame, columns=columns, taxonomy=taxonomy, source=source)
    frame, source = read_frame(path, lists=(items or "items",) if kind == "mixed" else ())
    frame = with_numbers(frame, texts=(items or "items", columns.get("person", "person")))
    if not isinstance(roles["hierarchies"], Mapping):
        roles["hierarchies"] = read_hierarchies(roles["hierarchies"], tuple(frame.columns))
    if kind == "mixed":
        items = items or "items"
        trees = dict(roles["hierarchies"])
        own = trees.pop(items, None)
        taxonomy = own if taxonomy is None else taxonomy
        named = roles["sensitive"]
        roles |= {"hierarchies": trees, "sensitive": tuple(name for name in named if name in frame.columns)}
        mixed = Mixed.from_frame(frame, items=items, taxonomy=taxonomy, columns=columns, source=source, **roles)
        refuse_strangers(mixed.table, source)
        return _naming_file(path, mixed, tuple(name for name in named if name not in frame.columns))
    table = Table.from_frame(frame, columns=columns, source=source, **roles)
    refuse_strangers(table, source)
    return table


def kind_in_file(
    path: str | Path, *, kind: str | None = None, columns: Mapping[str, str] | None = None, items: str | None = None
) -> str:
    """What `read` takes a file with columns for."""
    if _holds_roads(path, kind, columns or {}, items):
        return "roads"
    return kind or _kind_of(column_names(path), columns or {}, items)


def _holds_roads(path: str | Path, kind: str | None, columns: Mapping[str, str], items: str | None) -> bool:
    if kind == "roads" and suffix_of(path) not in _FRAMES:
        raise FileError(path, f"road trajectories are read from .csv or .parquet, not from {suffix_of(path)!r}")
    if kind not in (None, "trajectories") or items is not None or suffix_of(path) not in _FRAMES:
        return kind == "roads"
    found = column_names(path)
    named = all(columns.get(role, role) in found for role in ("trajectory", "road", "direction"))
    roads = (named and columns.get("location", "location") not in found) or "road" in columns
    if roads and kind == "trajectories":
        raise FileError(path, "wanted visits (trajectory, location), found roads (trajectory, road, direction)")
    return roads


def _flagged(path: str | Path, places: Places | None, sensitive: tuple[str, ...]) -> Places | None:
    """The places with the named ones as the sensitive ones, where names were given."""
    if not sensitive:
        return places
    if places is None:
        raise FileError(path, "sensitive locations were named, but there are no places; give places (--places FILE)")
    return places.with_sensitive(sensitive)


def _naming_file(path: str | Path, data: Any, sensitive: tuple[str, ...]) -> Any:
    """The data with these items named sensitive."""
    try:
        return data.with_sensitive(sensitive)
    except DataError as error:
        raise FileError(path, str(error)) from None


def _item_tree(hierarchies: Mapping[str, Taxonomy] | str | Path, attribute: str) -> Taxonomy | None:
    found = hierarchies if isinstance(hierarchies, Mapping) else read_hierarchies(hierarchies, (attribute,))
    return found.get(attribute)


def _require_knowledge(data: Any) -> None:
    """Refuse side knowledge that does not know everything in the data."""
    if isinstance(data, Trajectories) and data.places is not None:
        data.places.require(data.names)
    if isinstance(data, Trajectories) and data.constraints is not None:
        data.constraints.require(data.names)
    if isinstance(data, Trajectories | Transactions) and data.taxonomy is not None:
        data.taxonomy.require(data.names, data.attribute)
    if isinstance(data, Mixed) and data.items.taxonomy is not None:
        data.items.taxonomy.require(data.items.names, "item")


def _kind_of(found: list[str], columns: Mapping[str, str], items: str | None) -> str:
    def has(*roles: str) -> bool:
        return all(columns.get(role, role) in found for role in roles)

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


def write(data: Any, path: str | Path) -> None:
    """Write a private dataset in the format of the file's ending; the counterpart of `read`.

    This is not publishing: ids and persons are written too.  A release writes itself.
    """
    ending = suffix_of(path)
    if ending in (".csv", ".parquet"):
        write_frame(_private_frame(data), path)
    elif ending in (".txt", ".dat") and isinstance(data, Trajectories | Transactions):
        write_lines(data, path)
    elif ending == ".spmf" and isinstance(data, Trajectories):
        write_spmf(data, path)
    else:
        raise FileError(path, f"{data.kind} cannot be written to a file that ends in {ending or 'nothing'!r}")


def _private_frame(data: Any) -> pl.DataFrame:
    """One file that says it all: trajectories with the coordinates of their places, tables with their persons."""
    frame: pl.DataFrame = data.to_polars()
    if isinstance(data, Table | Mixed) and data.persons is not None:
        return frame.with_columns(data.persons.names.gather(data.persons.codes).alias("person"))
    if isinstance(data, Trajectories) and data.places is not None and data.places.located:
        pair = ("lon", "lat") if data.places.geographic else ("x", "y")
        where = data.places.coordinates(data.names)[data.codes]
        frame = frame.with_columns(pl.Series(pair[0], where[:, 0]), pl.Series(pair[1], where[:, 1]))
    return frame
