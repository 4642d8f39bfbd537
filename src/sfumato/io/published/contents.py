"""What the files of a published directory contain: the rows of the records, members, roles and context."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

import numpy as np
import polars as pl

from sfumato.data import Chunks, Dataset, Mixed, RoadTrajectories, Table, Trajectories, Transactions
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.errors import Bug
from sfumato.io.published.chunks import chunk_rows
from sfumato.io.published.context import context_texts
from sfumato.io.published.row_files import Rows, part_name, require_format

__all__ = ["data_rows", "file_contents", "side_contents"]

_BATCH = 1 << 18  # visits or items that are written at a time: near memory holds most of them


def file_contents(
    data: Dataset, context: Collection[str] = (), format: str = "csv", part_records: int | None = None
) -> dict[str, Rows | str]:
    """The files of a published dataset by name, without the certificate; see `directory.write` for context and format.

    part_records : how many records each part of the data has; None for data in one file.
    """
    require_format(format)
    if any(getattr(data, private, None) is not None for private in ("ids", "persons", "times", "workplaces")):
        raise Bug("a dataset with ids, persons, times or workplaces was about to be published")
    rows: dict[str, Rows] = chunk_rows(data) if isinstance(data, Chunks) else {}
    files: dict[str, Rows | str] = {f"{stem}.{format}": part for stem, part in rows.items()}
    if part_records is not None:
        starts = range(0, max(1, len(data)), part_records)
        files |= {
            part_name(number): data_rows(data, first, min(first + part_records, len(data)))
            for number, first in enumerate(starts, start=1)
        }
    elif not rows:
        files[f"data.{format}"] = data_rows(data, 0, len(data))
    return files | side_contents(data, context, format)


def side_contents(data: Dataset, context: Collection[str] = (), format: str = "csv") -> dict[str, Rows | str]:
    """The files beside the records: members of labels, roles of columns and the context."""
    members, roles = _members_frame(data), _roles_frame(data)
    files: dict[str, Rows | str] = {f"members.{format}": Rows.of(members)} if len(members) else {}
    if roles is not None:
        files["context/roles.csv"] = roles.write_csv()
    return files | context_texts(data, context)


def data_rows(data: Dataset, first: int, last: int, *, number: int = 0) -> Rows:
    """The rows of the records from the first to the one before the last, in the order of their content.

    number : how many records come before these data: the first of them has the next number.
    """
    if isinstance(data, Trajectories | Transactions):
        names = pl.Series(data.names, dtype=pl.String)
        return Rows(_batch(data, names, 0, 0, number).schema, lambda: _batches(data, names, first, last, number))
    if isinstance(data, RoadTrajectories):
        whole = data.take(np.arange(first, last)) if (first, last) != (0, len(data)) else data
        return Rows.of(whole.to_polars().insert_column(1, _steps(whole.offsets)))
    if isinstance(data, Table | Mixed):
        return Rows.of(data.to_polars().slice(first, last - first))
    raise TypeError(type(data))


def _batches(
    data: Trajectories | Transactions, names: pl.Series, first: int, last: int, number: int
) -> Iterator[pl.DataFrame]:
    """The rows of some records at a time, so that names are never held for all of them."""
    begin, end = data.offsets[[first, last]].tolist()
    borders = np.searchsorted(data.offsets, np.arange(begin, end + _BATCH, _BATCH))
    for start, stop in pairwise(borders.clip(first, last).tolist()):
        yield _batch(data, names, start, stop, number)


def _batch(data: Trajectories | Transactions, names: pl.Series, first: int, last: int, number: int) -> pl.DataFrame:
    """The rows of the records from the first to the one before the last."""
    offsets = data.offsets[first : last + 1]
    codes = data.codes[offsets[0] : offsets[-1]]
    numbers = np.arange(number + first + 1, number + last + 1)
    record = pl.Series(data.record, np.repeat(numbers, np.diff(offsets)))
    columns = [record, names.gather(codes).alias(data.attribute)]
    return pl.DataFrame([record, _steps(offsets), columns[1]] if isinstance(data, Trajectories) else columns)


def _steps(offsets: Ints) -> pl.Series:
    """The number of each visit in its record, from 1."""
    lengths = np.diff(offsets)
    return pl.Series("step", np.arange(1, lengths.sum() + 1) - np.repeat(offsets[:-1] - offsets[0], lengths))


def _members_frame(data: Dataset) -> pl.DataFrame:
    """The file of the members: what each generalized label stands for."""
    groups: dict[str, Mapping[str, tuple[str, ...]]] = {}
    if isinstance(data, Ragged):
        groups = {data.attribute: data.members}
    elif isinstance(data, Table):
        groups = dict(data.members)
    elif isinstance(data, Mixed):
        groups = {**data.table.members, data.column: data.items.members}
    rows = [
        (attribute, label, member)
        for attribute, labels in groups.items()
        for label, members in sorted(labels.items())
        for member in sorted(members)
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(("attribute", "label", "member"), pl.String), orient="row")


def _roles_frame(data: Dataset) -> pl.DataFrame | None:
    """context/roles.csv: what each column of a table is to an attacker."""
    table = data.table if isinstance(data, Mixed) else data
    if not isinstance(table, Table):
        return None
    rows = [(column, table.role(column)) for column in table.frame.columns]
    if isinstance(data, Mixed):
        rows.append((data.column, "items"))
    return pl.DataFrame(rows, schema={"column": pl.String, "role": pl.String}, orient="row")
