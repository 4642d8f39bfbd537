"""Text files with one record a line, names separated by blanks: trajectories (.txt) and baskets (.txt, .dat)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from sfumato.data import Trajectories, Transactions
from sfumato.data.ragged import Ragged, encode
from sfumato.errors import DataError
from sfumato.io.atomic_writes import write_text
from sfumato.io.files import read_lined_text

__all__ = ["read_baskets", "read_trajectories", "write_lines"]


def read_trajectories(path: str | Path) -> Trajectories:
    """Read trajectories, locations in the order of visits; an empty line is a trajectory without visits."""
    names = _rows(path)
    codes, vocabulary = encode(_flat(names))
    return Trajectories(offsets=_offsets(names), codes=codes, names=vocabulary, ids=_line_numbers(names))


def read_baskets(path: str | Path) -> Transactions:
    """Read sets of items; repeated items count once."""
    names = _rows(path).list.unique().list.sort()
    codes, vocabulary = encode(_flat(names))
    return Transactions(offsets=_offsets(names), codes=codes, names=vocabulary, ids=_line_numbers(names))


def write_lines(data: Ragged, path: str | Path) -> None:
    """Write the records as lines; names must not contain blanks."""
    blank = next((name for name in data.names if not name or name.split() != [name]), None)
    if blank is not None:
        raise DataError(f"{path}: wanted names without blanks, found a name with a blank; write a .csv instead")
    texts = pl.Series(data.names, dtype=pl.String).gather(data.codes)
    flat = pl.DataFrame({"row": data.record_of_element(), "name": texts})
    lines = flat.group_by("row", maintain_order=True).agg(pl.col("name").str.join(" "))
    rows = pl.DataFrame({"row": np.arange(len(data), dtype=np.int64)})
    joined = rows.join(lines, on="row", how="left", maintain_order="left")["name"].fill_null("")
    write_text("\n".join(joined.to_list()) + "\n", path)


def _rows(path: str | Path) -> pl.Series:
    text = read_lined_text(path)
    lines = pl.Series([text]).str.split("\n").explode()
    return lines.str.extract_all(r"\S+")


def _flat(rows: pl.Series) -> pl.Series:
    return rows.explode(empty_as_null=False)


def _offsets(rows: pl.Series) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(rows.list.len().to_numpy().astype(np.int64))))


def _line_numbers(rows: pl.Series) -> pl.Series:
    return pl.Series(np.arange(1, len(rows) + 1))
