"""Queries as rows of a CSV file: one row for each location, item, value or range."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from datetime import date

import polars as pl

from sfumato.data.frames import Source
from sfumato.data.queries import Between, OneOf, Query
from sfumato.errors import DataError, listed

__all__ = ["QUERY_COLUMNS", "bound_of", "queries_of_rows", "rows_of_queries"]

QUERY_COLUMNS = ("query", "part", "column", "value", "from", "to")
"""The number of the query; location, item, value or range; the column of a value or range; the value; its ends."""

_PARTS = ("location", "item", "value", "range", "")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def rows_of_queries(queries: Sequence[Query]) -> pl.DataFrame:
    """The rows of the queries, numbered from 1.  A query for every record is a row without a part.

    >>> rows_of_queries([Query(locations=("park", "bar")), Query(where={"age": Between(30, 39)})]).rows()[2]
    (2, 'range', 'age', '', '30', '39')
    """
    rows: list[tuple[int, str, str, str, str, str]] = []
    for number, query in enumerate(queries, start=1):
        before = len(rows)
        rows += [(number, "location", "", name, "", "") for name in query.locations]
        rows += [(number, "item", "", name, "", "") for name in query.items]
        for column, condition in query.where.items():
            if isinstance(condition, Between):
                rows.append((number, "range", column, "", _text(condition.low), _text(condition.high)))
            elif condition.values:
                rows += [(number, "value", column, value, "", "") for value in condition.values]
            else:
                raise DataError(f"the workload: wanted at least one value for a column, found none in query {number}")
        if len(rows) == before:
            rows.append((number, "", "", "", "", ""))
    types = {name: pl.Int64 if name == "query" else pl.String for name in QUERY_COLUMNS}
    return pl.DataFrame(rows, schema=types, orient="row")


def queries_of_rows(frame: pl.DataFrame, source: Source) -> tuple[Query, ...]:
    """The counterpart of `rows_of_queries`; the rows of a query need not be next to each other."""
    if not set(QUERY_COLUMNS) <= set(frame.columns):
        raise source.error(f"wanted the columns {', '.join(QUERY_COLUMNS)}, found {listed(frame.columns)}")
    rows_of: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
    texts = frame.select(pl.col(QUERY_COLUMNS).cast(pl.String).fill_null(""))
    for row, (number, *cells) in enumerate(texts.iter_rows()):
        if not number:
            raise source.error("wanted the number of a query, found nothing", row=row)
        if cells[0] not in _PARTS:
            raise source.error("wanted the part location, item, value or range, found another one", row=row)
        if (cells[0] in ("value", "range")) != bool(cells[1]):
            raise source.error("wanted a column with a value or a range, and with these alone", row=row)
        rows_of.setdefault(number, []).append((row, tuple(cells)))
    return tuple(_query(rows, source) for rows in rows_of.values())


def _query(rows: Iterable[tuple[int, tuple[str, ...]]], source: Source) -> Query:
    names: dict[str, list[str]] = {"location": [], "item": []}
    values: dict[str, list[str]] = {}
    where: dict[str, Between | OneOf] = {}
    for row, (part, column, value, low, high) in rows:
        if part in names:
            names[part].append(value)
        elif part == "range":
            if column in where:
                raise source.error("wanted one condition for each column of a query, found a second one", row=row)
            try:
                where[column] = Between(bound_of(low), bound_of(high))
            except ValueError:
                raise source.error("wanted numbers or days such as 2024-03-05 as ends, found others", row=row) from None
        elif part == "value":
            if isinstance(where.get(column), Between):
                raise source.error("wanted one condition for each column of a query, found a second one", row=row)
            values.setdefault(column, []).append(value)
            where[column] = OneOf(tuple(values[column]))
    return Query(tuple(names["location"]), tuple(sorted(set(names["item"]))), where)


def bound_of(text: str) -> float | date:
    """The end of a range: a day such as 2024-03-05, or a finite number; a ValueError for other texts.

    >>> bound_of("39"), bound_of("2024-03-05")
    (39.0, datetime.date(2024, 3, 5))
    """
    if _DAY.fullmatch(text):
        return date.fromisoformat(text)
    if not math.isfinite(number := float(text)):
        raise ValueError(text)
    return number


def _text(end: float | date) -> str:
    if isinstance(end, date):
        return end.isoformat()
    return str(int(end)) if float(end).is_integer() and abs(end) < 2**53 and str(end) != "-0.0" else repr(float(end))
