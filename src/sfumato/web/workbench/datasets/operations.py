"""Edits of a dataset as a list of operations, applied to all rows or to the few that are on the screen.

An operation is a JSON object; `do` says which one.  Rows have permanent numbers: those of the version count from 0,
rows that are added go on from there.  An operation refuses by name if its column is not there.  Without Django.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from sfumato.data.frames import Source, refuse_names
from sfumato.errors import DataError, counted, shortened
from sfumato.web.workbench.datasets.cell_values import column_of, typed_cell

__all__ = ["ROW", "TYPES", "State", "added_rows", "applied", "deleted_rows", "moved", "step_words"]

ROW = "\x00row"
"""The column of row numbers; no column of data can have this name."""

Operation = Mapping[str, Any]
TYPES = {"text": pl.String, "number": pl.Float64, "whole number": pl.Int64, "date": pl.Date}


class State:
    """Rows with their numbers, not computed yet, and the types of their columns."""

    def __init__(self, rows: pl.LazyFrame, types: Mapping[str, Any]) -> None:
        self.rows, self.types = rows, dict(types)

    def require(self, column: str) -> Any:
        """The type of a column; refuses if there is no such column."""
        if column not in self.types:
            raise DataError(f"wanted the column {shortened(column)!r}, found no column of this name")
        return self.types[column]


def applied(state: State, operations: Sequence[Operation], wanted: Collection[int] | None = None) -> State:
    """The rows after the operations; `wanted` are the numbers of the added rows to add, all of them if None."""
    for operation in _joined(operations):
        _OPERATIONS[operation["do"]](state, operation, wanted)
    return state


def _joined(operations: Sequence[Operation]) -> Iterable[Operation]:
    """The operations, with neighbours that set cells of one column, or delete rows, as one."""
    pending: dict[str, Any] | None = None
    for operation in operations:
        key = (operation["do"], operation.get("column"))
        if pending is not None and key == (pending["do"], pending.get("column")):
            if key[0] == "set":
                pending["cells"][operation["row"]] = operation["value"]
            else:
                pending["rows"] += operation["rows"]
            continue
        if pending is not None:
            yield pending
            pending = None
        if operation["do"] == "set":
            pending = {"do": "set", "column": operation["column"], "cells": {operation["row"]: operation["value"]}}
        elif operation["do"] == "delete-rows":
            pending = {"do": "delete-rows", "rows": list(operation["rows"])}
        else:
            yield operation
    if pending is not None:
        yield pending


def _set(state: State, operation: Operation, wanted: Collection[int] | None) -> None:  # noqa: ARG001
    column = operation["column"]
    kind = state.require(column)
    rows = pl.Series(list(operation["cells"]), dtype=pl.Int64)
    values = column_of(list(operation["cells"].values()), kind, column)
    changed = pl.col(ROW).replace_strict(rows, values, default=pl.col(column), return_dtype=kind)
    state.rows = state.rows.with_columns(changed.alias(column))


def _replace(state: State, operation: Operation, wanted: Collection[int] | None) -> None:  # noqa: ARG001
    column = operation["column"]
    kind = state.require(column)
    old, new = (pl.lit(column_of([operation[name]], kind, column)).first() for name in ("old", "new"))
    state.rows = state.rows.with_columns(
        pl.when(pl.col(column).eq_missing(old)).then(new).otherwise(pl.col(column)).alias(column)
    )


def _rename(state: State, operation: Operation, wanted: Collection[int] | None) -> None:  # noqa: ARG001
    column, name = operation["column"], operation["to"]
    state.require(column)
    _refuse_name(name, [other for other in state.types if other != column])
    state.rows = state.rows.rename({column: name})
    state.types = {name if other == column else other: kind for other, kind in state.types.items()}


def _add_column(state: State, operation: Operation, wanted: Collection[int] | None) -> None:  # noqa: ARG001
    name, kind = operation["column"], TYPES[operation["type"]]
    _refuse_name(name, list(state.types))
    value = pl.lit(column_of([operation["value"]], kind(), name)).first()
    state.rows = state.rows.with_columns(value.alias(name))
    state.types[name] = kind()


def _delete_column(state: State, operation: Operation, wanted: Collection[int] | None) -> None:  # noqa: ARG001
    state.require(operation["column"])
    if len(state.types) == 1:
        raise DataError("wanted at least one column to stay, found none; delete the dataset instead")
    state.rows = state.rows.drop(operation["column"])
    del state.types[operation["column"]]


def _type(state: State, operation: Operation, wanted: Collection[int] | None) -> None:  # noqa: ARG001
    column, kind = operation["column"], TYPES[operation["type"]]
    state.require(column)
    state.rows = state.rows.with_columns(typed_cell(pl.col(column), state.types[column], kind()).alias(column))
    state.types[column] = kind()


def _add_row(state: State, operation: Operation, wanted: Collection[int] | None) -> None:
    for column in operation["values"]:
        state.require(column)
    if wanted is not None and operation["row"] not in wanted:
        return
    values = [column_of([operation["values"].get(name)], kind, name) for name, kind in state.types.items()]
    row = pl.DataFrame([*values, pl.Series(ROW, [operation["row"]], dtype=pl.Int64)])
    state.rows = pl.concat([state.rows.select(*state.types, ROW), row.lazy()])


def _delete_rows(state: State, operation: Operation, wanted: Collection[int] | None) -> None:  # noqa: ARG001
    state.rows = state.rows.filter(~pl.col(ROW).is_in(operation["rows"]))


def _role(state: State, operation: Operation, wanted: Collection[int] | None) -> None:  # noqa: ARG001
    state.require(operation["column"])


_OPERATIONS: dict[str, Callable[[State, Operation, Collection[int] | None], None]] = {
    "set": _set,
    "replace": _replace,
    "rename": _rename,
    "add-column": _add_column,
    "delete-column": _delete_column,
    "type": _type,
    "add-row": _add_row,
    "delete-rows": _delete_rows,
    "role": _role,
}


def _refuse_name(name: str, others: list[str]) -> None:
    refuse_names([name], Source("the new column"))
    if name in others:
        raise DataError(f"wanted a name that no other column has, found {shortened(name)!r} twice")


def deleted_rows(operations: Iterable[Operation]) -> list[int]:
    """The numbers of the rows that the operations delete."""
    return [row for operation in operations if operation["do"] == "delete-rows" for row in operation["rows"]]


def added_rows(operations: Iterable[Operation]) -> list[int]:
    """The numbers of the rows that the operations add."""
    return [operation["row"] for operation in operations if operation["do"] == "add-row"]


def moved(operations: Sequence[Operation], deleted: Collection[int], before: int, later: int) -> list[dict[str, Any]]:
    """The operations for a later version, in which rows of the version before have moved up.

    deleted : the numbers of the rows that the later version lacks.  before, later : how many rows the versions have;
    rows that the operations add are numbered behind those of the later one.  Refuses a cell of a row that is gone.

    >>> moved([{"do": "set", "column": "age", "row": 5, "value": 30}], [2], 10, 9)
    [{'do': 'set', 'column': 'age', 'row': 4, 'value': 30}]
    """
    gone = sorted(set(deleted))
    lost = set(gone)

    def number(row: int) -> int:
        return row - bisect_left(gone, row) if row < before else row - before + later

    changed: list[dict[str, Any]] = []
    for operation in operations:
        if operation["do"] == "set" and operation["row"] in lost:
            raise DataError("a row that you changed was deleted in the meantime; save your edits as a copy")
        if "rows" in operation:
            changed.append({**operation, "rows": [number(row) for row in operation["rows"] if row not in lost]})
        elif "row" in operation:
            changed.append({**operation, "row": number(operation["row"])})
        else:
            changed.append(dict(operation))
    return changed


def step_words(operations: Sequence[Operation]) -> list[str]:
    """What the operations do, in words without values."""
    return [_words(operation) for operation in _joined(operations)]


def _words(operation: Operation) -> str:
    verb, column = operation["do"], shortened(str(operation.get("column", "")))
    if verb == "set":
        return f"{counted(len(operation['cells']), 'cell')} of {column} changed"
    if verb == "delete-rows":
        return f"{counted(len(operation['rows']), 'row')} deleted"
    if verb == "rename":
        return f"{column} renamed to {shortened(operation['to'])}"
    if verb == "type":
        return f"{column} turned into {operation['type']}s"
    if verb == "role":
        return f"{column} marked as {operation['role']}"
    return {
        "replace": f"a value of {column} replaced everywhere",
        "add-column": f"column {column} added",
        "delete-column": f"column {column} deleted",
        "add-row": "a row added",
    }[verb]
