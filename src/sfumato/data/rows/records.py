"""Rows grouped into records, and the person of each record."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from sfumato.data.base import Ints, Persons, numbered
from sfumato.data.frames import Source

__all__ = ["Grouped", "grouped", "persons_of"]


class Grouped(NamedTuple):
    """Rows grouped into records.

    record : the record of each row.  order : the rows, record by record.  offsets : of the records in that order.
    """

    record: Ints
    order: Ints
    offsets: Ints


def grouped(key: pl.Series, *, sort_by: Ints | None = None) -> Grouped:
    """Group rows into records by a key; records are numbered by first appearance.

    Within a record, rows are sorted by `sort_by` (a stable sort).
    """
    runs = key.rle_id().to_numpy()
    run_heads = _heads(runs)
    record, distinct = numbered(key.gather(run_heads))
    record = record[runs]
    order: Ints = np.arange(len(key), dtype=np.uint32)
    record_order: Any = slice(None)  # a view where the rows of each key are adjacent already, as in most files
    if len(distinct) < len(run_heads):
        order = record_order = _stable_order(record)
    if sort_by is not None:
        records, values = record[record_order], sort_by[record_order]
        if np.any((values[1:] < values[:-1]) & (records[1:] == records[:-1])):
            order = order[_stable_order(records, values)]
    return Grouped(record, order, np.concatenate(([0], np.cumsum(np.bincount(record)))))


def _heads(*keys: Ints) -> Ints:
    """The rows at which a key differs from the row before."""
    changes = np.any([key[1:] != key[:-1] for key in keys], axis=0)
    return np.concatenate(([0], np.flatnonzero(changes) + 1))


def _stable_order(*keys: Ints) -> Ints:
    columns = pl.DataFrame({str(number): key for number, key in enumerate(keys)})
    return columns.select(pl.arg_sort_by(columns.columns, maintain_order=True)).to_series().to_numpy()


def persons_of(person: pl.Series, record: Ints, key: str, source: Source) -> Persons:
    """The person of each record, given the person and the record of each row; refuses a record with two persons."""
    first_row = np.empty(int(record.max()) + 1, dtype=np.uint32)
    first_row[record[::-1]] = np.arange(len(record), dtype=np.uint32)[::-1]  # the earliest row is written last
    first_person = person.gather(first_row)
    heads = _heads(person.rle_id().to_numpy(), record)
    is_other_person = person.gather(heads) != first_person.gather(record[heads])
    if is_other_person.any():
        row = int(heads[is_other_person.arg_max()])
        raise source.error(f"wanted one person for each {key}, found a second person", row=row)
    return Persons.of(first_person)
