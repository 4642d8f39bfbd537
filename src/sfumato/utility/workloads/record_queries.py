"""Queries drawn from single records, so that at least one record answers each."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sfumato.data import Mixed, Table, Trajectories, Transactions
from sfumato.data.base import Ints
from sfumato.data.queries import Between, OneOf, Query
from sfumato.data.ragged import Ragged
from sfumato.data.tables.dates import is_temporal
from sfumato.errors import DataError

if TYPE_CHECKING:
    from sfumato.utility.workloads.drawn_queries import DrawnQueries

__all__ = ["condition", "drawn_in_order", "record_query"]

Draw = Callable[[np.random.Generator], Query]


def record_query(data: Any, rule: DrawnQueries) -> Draw:
    """A function that draws one query from a record of the data."""
    rows = _large_enough(data, rule)
    make = _MAKE[data.kind]
    return lambda rng: make(data, rule, rows, rng)


def _large_enough(data: Any, rule: DrawnQueries) -> Ints:
    """The records with at least the numbers of visits, items and values that are exact."""
    enough = np.ones(len(data), dtype=np.bool_)
    if isinstance(data, Table | Mixed) and rule.values is not None:
        table = data if isinstance(data, Table) else data.table
        present = sum(table[column].is_not_null().to_numpy().astype(int) for column in table.quasi_identifiers)
        enough &= np.asarray(present) >= rule.values
    if isinstance(data, Transactions | Mixed) and rule.items is not None:
        enough &= (data if isinstance(data, Transactions) else data.items).lengths >= rule.items
    if isinstance(data, Trajectories) and rule.visits is not None:
        enough &= data.lengths >= rule.visits
    if not enough.any():
        raise DataError("a query: wanted a record with as many visits, items and values as it asks for, found none")
    return np.flatnonzero(enough)


def _sequence_query(data: Trajectories, rule: DrawnQueries, rows: Ints, rng: np.random.Generator) -> Query:
    return Query(locations=_names(data, rule.visits, rule.largest, rows, rng))


def _itemset_query(data: Transactions, rule: DrawnQueries, rows: Ints, rng: np.random.Generator) -> Query:
    return Query(items=_names(data, rule.items, rule.largest, rows, rng))


def _names(data: Ragged, exact: int | None, largest: int, rows: Ints, rng: np.random.Generator) -> tuple[str, ...]:
    if exact is None:
        exact = min(int(rng.integers(1, largest + 1)), int(data.lengths.max(initial=0)))
        rows = np.flatnonzero(data.lengths >= exact)
    return drawn_in_order(data.labels(int(rng.choice(rows))), exact, rng)


def drawn_in_order(labels: tuple[str, ...], size: int, rng: np.random.Generator) -> tuple[str, ...]:
    """Some of the labels, drawn uniformly, in their order."""
    return (
        tuple(labels[position] for position in np.sort(rng.choice(len(labels), size, replace=False))) if labels else ()
    )


def _table_query(data: Table, rule: DrawnQueries, rows: Ints, rng: np.random.Generator) -> Query:
    return Query(where=_where(data, rule, int(rows[rng.integers(len(rows))]), rng))


def _where(data: Table, rule: DrawnQueries, row: int, rng: np.random.Generator) -> dict[str, Between | OneOf]:
    present = tuple(column for column in data.quasi_identifiers if data[column][row] is not None)
    size = rule.values or min(len(present), int(rng.integers(1, rule.largest + 1)))
    columns = drawn_in_order(present, size, rng)
    return {column: condition(data[column], data[column][row], rule.width, rng) for column in columns}


def condition(column: pl.Series, value: Any, width: float, rng: np.random.Generator) -> Between | OneOf:
    """The condition that asks for a value: itself, or around a number or a day a range of a share of the column's."""
    if is_temporal(column.dtype):
        return _days_around(column, value, width, rng)
    if not column.dtype.is_numeric():
        return OneOf((str(value),))
    extent = float(column.max()) - float(column.min())  # type: ignore[arg-type]
    parts = 1 / width if width else float("inf")  # for a tenth exactly 10, where a product would be rounded
    low = float(value) - float(rng.random()) * extent / parts
    return Between(low, low + extent / parts)


def _days_around(column: pl.Series, value: date, width: float, rng: np.random.Generator) -> Between:
    days = column.dt.date()
    first, last, day = days.min(), days.max(), date(value.year, value.month, value.day)
    assert isinstance(first, date)
    assert isinstance(last, date)
    length = round((last - first).days * width)
    low = day - timedelta(days=int(rng.integers(0, length + 1)))
    return Between(low, low + timedelta(days=length))


def _mixed_query(data: Mixed, rule: DrawnQueries, rows: Ints, rng: np.random.Generator) -> Query:
    row = int(rows[rng.integers(len(rows))])
    items = data.items.labels(row)
    size = rule.items or min(len(items), int(rng.integers(1, rule.largest + 1)))
    return Query(items=drawn_in_order(items, size, rng), where=_where(data.table, rule, row, rng))


_MAKE: dict[str, Callable[[Any, DrawnQueries, Ints, np.random.Generator], Query]] = {
    "trajectories": _sequence_query,
    "transactions": _itemset_query,
    "table": _table_query,
    "mixed": _mixed_query,
}
