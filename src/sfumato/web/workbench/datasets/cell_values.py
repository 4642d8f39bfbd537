"""Texts that people type into cells as values of a column's type, and values as texts.  Without Django."""

from __future__ import annotations

import datetime
import math
from typing import Any

import polars as pl

from sfumato.errors import DataError, shortened

__all__ = ["cell_text", "column_of", "literal", "parsed", "typed_cell"]

_WORDS = {pl.Date: "a date such as 2031-05-17", pl.Boolean: "true or false"}


def parsed(text: str, kind: Any, column: str) -> Any:
    """The JSON value that a text stands for in a column of this type; an empty text is a missing value.

    >>> parsed("7", pl.Int64, "age"), parsed("", pl.Int64, "age"), parsed("yes", pl.String, "ill")
    (7, None, 'yes')
    """
    if text == "":
        return None
    try:
        if isinstance(kind, pl.Datetime) or kind == pl.Datetime:
            moment = datetime.datetime.fromisoformat(text)
            if (moment.tzinfo is None) != (getattr(kind, "time_zone", None) is None):
                raise ValueError
            return moment.isoformat()
        if kind == pl.Date:
            return datetime.date.fromisoformat(text).isoformat()
        if kind.is_integer():
            number = int(text)
            pl.Series([number], dtype=kind)  # refuses what the type cannot hold
            return number
        if kind.is_float():
            decimal = float(text)
            if not math.isfinite(decimal):
                raise ValueError
            return decimal
        if kind == pl.Boolean:
            return {"true": True, "false": False}[text.lower()]
    except (ValueError, KeyError, OverflowError, TypeError, pl.exceptions.PolarsError):
        raise DataError(
            f"{shortened(column)}: wanted {_wanted(kind)}, found another text; to keep it, turn the column into text"
        ) from None
    return text


def _wanted(kind: Any) -> str:
    if kind.is_integer():
        return "a whole number"
    if kind.is_float():
        return "a number"
    return _WORDS.get(kind.base_type(), "a date and time such as 2031-05-17T08:30:00")


def literal(value: Any, kind: Any) -> Any:
    """The value of a JSON value in a column of this type."""
    if value is None:
        return None
    if isinstance(kind, pl.Datetime) or kind == pl.Datetime:
        return datetime.datetime.fromisoformat(value)
    if kind == pl.Date:
        return datetime.date.fromisoformat(value)
    if kind.is_float():
        return float(value)
    if kind.is_integer():
        return int(value)
    if isinstance(kind, pl.List):
        return str(value).split()
    return bool(value) if kind == pl.Boolean else str(value)


def column_of(values: list[Any], kind: Any, column: str) -> pl.Series:
    """JSON values as a column of this type; refuses what the type cannot hold."""
    try:
        return pl.Series(column, [literal(value, kind) for value in values], dtype=kind)
    except (ValueError, TypeError, OverflowError, pl.exceptions.PolarsError):
        raise DataError(f"{shortened(column)}: wanted values of the type of the column, found another") from None


def typed_cell(cell: pl.Expr, old: Any, new: Any) -> pl.Expr:
    """A cell of the old type in the new one; where that is not possible, the cell is missing."""
    if isinstance(old, pl.List):
        cell = cell.list.join(" ")
    if new == pl.Date and old == pl.String:
        return cell.str.to_date("%Y-%m-%d", strict=False)
    return cell.cast(new, strict=False)


def cell_text(value: Any) -> str:
    """A value as a person reads and types it.

    >>> cell_text(None), cell_text(2.0), cell_text(datetime.date(2031, 5, 17))
    ('', '2.0', '2031-05-17')
    """
    if value is None:
        return ""
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value)
