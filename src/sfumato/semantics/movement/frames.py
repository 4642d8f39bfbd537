"""The columns of the frames of a movement, and frames fitted to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from sfumato.data.frames import to_polars
from sfumato.errors import DataError, did_you_mean, listed

__all__ = ["FRAMES", "IRI", "KINDS", "NULLABLE", "SCHEMAS", "TARGETS", "empty", "fitted", "given"]

_TEXT, _ROW, _REAL = pl.String(), pl.Int64(), pl.Float64()

SCHEMAS: dict[str, dict[str, pl.DataType]] = {
    "objects": {"object": _TEXT, "person": _TEXT, "person_class": _TEXT, "means": _TEXT, "means_class": _TEXT},
    "positions": {"object": pl.UInt32(), "begin": _REAL, "end": _REAL, "x": _REAL, "y": _REAL, "wkt": _TEXT},
    "segments": {
        "name": _TEXT,
        "object": pl.UInt32(),
        "tree": _TEXT,
        "type": _TEXT,
        "first": _ROW,
        "last": _ROW,
        "begin": _REAL,
        "end": _REAL,
        "father": _ROW,
        "level": pl.Int32(),
        "prev": _ROW,
        "next": _ROW,
        "ord": pl.Int32(),
        "wkt": _TEXT,
    },
    "annotations": {
        "target_kind": _TEXT,
        "target": _ROW,
        "property": _TEXT,
        "kind": _TEXT,
        "value": _TEXT,
        "number": _REAL,
        "language": _TEXT,
        "metres": _REAL,
        "similarity": _REAL,
        "source": _TEXT,
    },
    "patterns": {"name": _TEXT, "type": _TEXT, "begin": _REAL, "end": _REAL},
    "members": {"pattern": _ROW, "segment": _ROW},
    "descriptions": {"name": _TEXT, "type": _TEXT},
}
FRAMES = tuple(SCHEMAS)
NULLABLE = {
    "objects": {"person_class", "means", "means_class"},
    "positions": {"wkt"},
    "segments": {"first", "last", "father", "prev", "next", "wkt"},
    "annotations": {"number", "language", "metres", "similarity", "source"},
    "patterns": {"begin", "end"},
    "members": set[str](),
    "descriptions": set[str](),
}
TARGETS = {  # what an annotation can describe, and the frame of its target
    "object": "objects",
    "position": "positions",
    "segment": "segments",
    "pattern": "patterns",
    "description": "descriptions",
}
IRI = r"^[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20\x7f<>\"{}|^`\\]+$"
KINDS = ("text", "tag", "number", "resource")


def empty(name: str) -> pl.DataFrame:
    """A frame of a movement without rows."""
    return pl.DataFrame(schema=SCHEMAS[name])


def fitted(name: str, frame: Any) -> pl.DataFrame:
    """A frame with the columns of a movement's frame, in their order and with their types.

    Columns that may be null may be left out.  None stands for no rows.

    >>> fitted("members", {"pattern": [0], "segment": [4]}).dtypes
    [Int64, Int64]
    """
    table = given(name, frame)
    if table is None:
        return empty(name)
    schema, optional = SCHEMAS[name], NULLABLE[name]
    unknown = [column for column in table.columns if column not in schema]
    if unknown:
        raise DataError(
            f"Movement: {name} has no column {unknown[0]!r}; {did_you_mean(unknown[0], [*schema])}",
        )
    missing = [column for column in schema if column not in table.columns and column not in optional]
    if missing:
        raise DataError(f"Movement: wanted the columns {listed(list(schema))} in {name}, found no {missing[0]!r}")
    columns = [
        pl.col(column) if column in table.columns else pl.lit(None, dtype=kind).alias(column)
        for column, kind in schema.items()
    ]
    table = _cast(name, table.select(columns), schema)
    _require_values(name, table, optional)
    return table.rechunk()


def given(name: str, frame: Any) -> pl.DataFrame | None:
    """A polars frame of another frame, of columns or of rows; None for no rows at all."""
    if frame is None or (isinstance(frame, list | tuple) and not frame):
        return None
    if isinstance(frame, pl.DataFrame):
        return frame
    try:
        if isinstance(frame, dict | list):
            return pl.DataFrame(frame, infer_schema_length=None, strict=False)
        return to_polars(frame)
    except (pl.exceptions.PolarsError, TypeError, ValueError):
        raise DataError(f"Movement: wanted {name} as a frame, found {type(frame).__name__}") from None


def _cast(name: str, table: pl.DataFrame, schema: Mapping[str, pl.DataType]) -> pl.DataFrame:
    for column, kind in schema.items():
        if table.schema[column] != kind:
            try:
                table = table.with_columns(pl.col(column).cast(kind))
            except pl.exceptions.PolarsError:
                wanted = "texts" if kind == pl.String else "numbers" if kind == pl.Float64 else "whole numbers"
                raise DataError(f"Movement: wanted {wanted} in {column!r} of {name}, found other values") from None
    return table


def _require_values(name: str, table: pl.DataFrame, optional: set[str]) -> None:
    """Refuse missing values where a value is needed, and numbers that are not finite."""
    for column, kind in table.schema.items():
        values = table[column]
        if column not in optional and values.null_count():
            row = values.is_null().arg_max()
            raise DataError(f"Movement: wanted a value of {column!r} in every row of {name}, found none in row {row}")
        if kind == pl.Float64 and not (finite := values.drop_nulls().is_finite()).all():
            raise DataError(
                f"Movement: wanted finite numbers in {column!r} of {name}, found {int((~finite).sum())} others"
            )
