"""Changes of a list of rows, such as places, constraints or workplaces: cells changed, rows added and removed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import polars as pl

from sfumato.errors import DataError, did_you_mean, shortened

__all__ = ["ROW_EDITS", "edited_rows"]

ROW_EDITS = {"set": "set,ROW,COLUMN,VALUE", "add": "add,VALUE,...", "remove": "remove,ROW", "column": "column,NAME"}
"""The operations and their arguments.  Rows are numbered from 1, as they are when the edit is applied."""


def edited_rows(frame: pl.DataFrame, edits: Iterable[Sequence[str]]) -> pl.DataFrame:
    """The rows after these operations; every cell is a text, and an empty text is a missing value.

    >>> edited_rows(pl.DataFrame({"location": ["a"], "owner": ["x"]}), [("add", "b", "y"), ("set", "1", "owner", "z")])
    ... # doctest: +NORMALIZE_WHITESPACE
    shape: (2, 2)
    ┌──────────┬───────┐
    │ location ┆ owner │
    │ ---      ┆ ---   │
    │ str      ┆ str   │
    ╞══════════╪═══════╡
    │ a        ┆ z     │
    │ b        ┆ y     │
    └──────────┴───────┘
    """
    columns = frame.columns
    rows = [list(row) for row in frame.cast(pl.String).iter_rows()]
    for number, edit in enumerate(edits, start=1):
        try:
            _apply(columns, rows, *edit)
        except DataError as error:
            raise DataError(f"edit {number}: {error}") from None
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")


def _apply(columns: list[str], rows: list[list[str | None]], operation: str = "", *arguments: str) -> None:
    if operation not in ROW_EDITS:
        raise DataError(f"wanted an operation, found {shortened(operation)!r}; {did_you_mean(operation, ROW_EDITS)}")
    wanted = len(columns) if operation == "add" else ROW_EDITS[operation].count(",")
    if len(arguments) != wanted:
        raise DataError(f"wanted {ROW_EDITS[operation]} with {wanted} texts, found {len(arguments)}")
    if operation == "add":
        rows.append([text or None for text in arguments])
    elif operation == "column":
        if not arguments[0] or arguments[0] in columns:
            raise DataError("wanted a new name for the column, found an empty one or that of another column")
        columns.append(arguments[0])
        for row in rows:
            row.append(None)
    else:
        row_number = _row(arguments[0], len(rows))
        if operation == "remove":
            del rows[row_number]
            return
        if arguments[1] not in columns:
            raise DataError(f"wanted a column of the list, found another; {did_you_mean(arguments[1], columns)}")
        rows[row_number][columns.index(arguments[1])] = arguments[2] or None


def _row(text: str, count: int) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= count:
        raise DataError(f"wanted the number of a row from 1 to {count:,}, found another")
    return int(text) - 1
