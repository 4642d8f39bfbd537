"""The SPMF sequence format: ``1 -1 3 -1 -2`` is the sequence 1, 3; ``@ITEM=1=home`` names an item."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from sfumato.data import Trajectories
from sfumato.data.ragged import encode, id_texts
from sfumato.errors import DataError, FileError
from sfumato.io.atomic_writes import write_text
from sfumato.io.files import read_lined_text

__all__ = ["read_spmf", "write_spmf"]


def read_spmf(path: str | Path) -> Trajectories:
    """Read sequences of single items as trajectories."""
    lines = pl.Series("line", read_lined_text(path).split("\n")).str.strip_chars()
    numbered = lines.to_frame().with_row_index("number", offset=1)
    sequences = numbered.filter(~pl.col("line").str.contains(r"^([#%@]|$)"))
    if len(sequences) == 0:
        raise FileError(path, "wanted at least one sequence, found none")
    malformed = sequences.filter(~pl.col("line").str.contains(r"^([^-\s]\S*\s+-1\s+)*-2$"))
    if len(malformed):
        number, line = malformed.row(0)
        raise FileError(path, f"wanted a sequence as 1 -1 3 -1 -2, found {_problem_of(line)}", line=number)
    tokens = sequences["line"].str.extract_all(r"\S+")
    items = tokens.explode()
    items = items.filter(~items.str.starts_with("-"))
    lengths = tokens.list.len().cast(pl.Int64).to_numpy() // 2
    codes, names = encode(items.replace(_names(lines)))
    return Trajectories(
        offsets=np.concatenate(([0], np.cumsum(lengths))),
        codes=codes,
        names=names,
        ids=id_texts(Trajectories.record, None, len(sequences)),
    )


def _names(lines: pl.Series) -> dict[str, str]:
    """The names of the items, from the lines ``@ITEM=1=home``."""
    definitions = lines.filter(lines.str.starts_with("@ITEM=")).str.strip_prefix("@ITEM=").to_list()
    return {item: name for item, _, name in (text.partition("=") for text in definitions)}


def _problem_of(line: str) -> str:
    if line.split()[-1] != "-2":
        return "the line cut off before its -2"
    return "not one item before each -1"


def write_spmf(data: Trajectories, path: str | Path) -> None:
    """Write trajectories; items are numbered from 1 in name order, with their names in the head of the file."""
    if any(not name or name.strip() != name or set(name) & {"\n", "\r"} for name in data.names):
        raise DataError(f"{path}: wanted names that fit on one line each, found another; write a .csv instead")
    head = [
        "@CONVERTED_FROM_TEXT",
        *(f"@ITEM={code}={name}" for code, name in enumerate(data.names, start=1)),
    ]
    bounds = zip(data.offsets[:-1], data.offsets[1:], strict=True)
    codes = (data.codes + 1).tolist()
    body = ["".join(f"{code} -1 " for code in codes[start:end]) + "-2" for start, end in bounds]
    write_text("\n".join([*head, *body]) + "\n", path)
