"""CSV and Parquet files read some rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import polars as pl

from sfumato.io.files import is_zipped, line_blocks, suffix_of
from sfumato.io.frames import csv_columns
from sfumato.io.parquet import reading_parquet
from sfumato.threads import side_by_side, threads

__all__ = ["Irregular", "batches_of"]

_CSV_BYTES = 1 << 21
_TOGETHER = 8  # blocks that a thread reads before all are waited for
_PARQUET_ROWS = 1 << 22
_INFERRED = 10_000  # rows that show the types of columns, as for files that are read whole

KeptT = TypeVar("KeptT")


class Irregular(Exception):
    """The file has to be read as a whole: it has quotation marks, lines of different length or values of two types."""


def batches_of(
    path: str | Path, columns: Sequence[str], types: Mapping[str, Any], keep: Callable[[pl.DataFrame], KeptT]
) -> Iterator[KeptT]:
    """What is kept of the rows of a file with these columns, some rows at a time, in their order.

    types : of columns of a CSV file; the first rows of the file show those of the others.
    keep : what is kept of some rows; threads call it together.
    Raises `Irregular`, also after some batches.
    """
    if suffix_of(path) in (".csv", ".tsv"):
        return _csv_batches(path, columns, types, keep)
    if suffix_of(path) == ".parquet" and not is_zipped(path):
        return map(keep, _parquet_batches(path, columns))
    raise Irregular


def _csv_batches(
    path: str | Path, columns: Sequence[str], types: Mapping[str, Any], keep: Callable[[pl.DataFrame], KeptT]
) -> Iterator[KeptT]:
    names, separator = csv_columns(path)
    blocks = iter(line_blocks(path, _CSV_BYTES))
    head = [next(blocks, b"").partition(b"\n")[2]]
    while sum(_count(rows, "\n") for rows in head) < _INFERRED and (more := next(blocks, None)) is not None:
        head.append(more)
    schema = _schema(b"".join(head), names, separator, types)

    def parsed(rows: bytes) -> KeptT:
        lines = _count(rows, "\n") + (not rows.endswith(b"\n"))
        if not rows or b'"' in rows or _count(rows, separator) != lines * (len(names) - 1):
            raise Irregular
        try:
            scan = pl.scan_csv(rows, has_header=False, schema=schema, separator=separator)
            batch = scan.select(columns).collect()
        except (pl.exceptions.PolarsError, ValueError):
            raise Irregular from None
        if len(batch) != lines:
            raise Irregular
        return keep(batch)

    rest = chain(head, blocks)
    for first in rest:
        some = chain([first], islice(rest, _TOGETHER * threads() - 1))  # not all, for the sake of memory
        yield from side_by_side(parsed, some)


def _count(rows: bytes, character: str) -> int:
    """How often an ASCII character occurs; other threads run meanwhile."""
    return int(np.count_nonzero(np.frombuffer(rows, dtype=np.uint8) == ord(character)))


def _schema(rows: bytes, names: Sequence[str], separator: str, types: Mapping[str, Any]) -> dict[str, Any]:
    """The types of all columns, by those that are known and by the first rows."""
    plain = [f"c{number}" for number in range(len(names))]
    known = {column: types[name] for column, name in zip(plain, names, strict=True) if name in types}
    head = separator.join(plain).encode() + b"\n"
    options: dict[str, Any] = {"separator": separator, "infer_schema_length": _INFERRED, "n_rows": _INFERRED}
    try:
        first = pl.read_csv(head + _first_lines(rows), schema_overrides=known, **options)
    except (pl.exceptions.PolarsError, ValueError):
        raise Irregular from None
    return dict(zip(names, first.dtypes, strict=True))


def _first_lines(rows: bytes) -> bytes:
    """As many lines as types are inferred from."""
    end = 0
    for _ in range(_INFERRED):
        end = rows.find(b"\n", end) + 1
        if end == 0:
            return rows
    return rows[:end]


def _parquet_batches(path: str | Path, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
    start = 0
    while True:
        with reading_parquet(path):
            batch = pl.scan_parquet(Path(path), glob=False).select(columns).slice(start, _PARQUET_ROWS).collect()
        if len(batch) == 0:
            return
        yield batch
        start += len(batch)
