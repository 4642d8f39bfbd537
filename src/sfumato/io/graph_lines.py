"""The lines of an ``.lg`` file: a mark, names and labels, apart by blanks or in quotation marks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import polars as pl

from sfumato.data.frames import Source
from sfumato.errors import DataError, FileError
from sfumato.io.files import read_lined_text

__all__ = ["Lines", "graph_lines", "quoted"]

_TOKEN = r'"(?:[^"]|"")*"|\S+'
_FIELDS = {"t": "t # NUMBER", "v": "v NODE LABEL", "e": "e FROM TO LABEL"}
_FEWEST, _MOST = {"v": 2, "e": 3}, {"v": 3, "e": 4}


@dataclass(frozen=True, eq=False)
class Lines:
    """What the lines say: `line` (its number), `mark`, and the fields `first`, `second`, `third` (or nothing)."""

    path: str
    frame: pl.DataFrame

    def of(self, mark: str) -> pl.DataFrame:
        """The lines with one mark."""
        return self.frame.filter(pl.col("mark") == mark)

    def source(self, rows: pl.DataFrame) -> Source:
        """Where rows came from, for what must be said about them."""
        return Source(self.path, file=True, lines=rows["line"].to_numpy())

    def parts(self) -> Iterator[Self]:
        """The lines of each graph; what stands before the first ``t`` is a graph of its own."""
        number = (self.frame["mark"] == "t").cum_sum()
        for part in self.frame.with_columns(graph=number).partition_by("graph", maintain_order=True):
            if (part["mark"] != "t").any():
                yield type(self)(self.path, part.drop("graph"))


def graph_lines(path: str | Path, *, marked: bool = True) -> Lines:
    """Read and check the lines; empty ones and those that begin with ``#`` or ``%`` say nothing.

    marked : whether each begins with its mark; otherwise all are edges.
    """
    text = read_lined_text(path)
    lines = pl.Series("text", [text]).str.split("\n").explode()
    said = ~lines.str.contains(r"^\s*([#%]|$)")
    numbers = np.flatnonzero(said.to_numpy()) + 1
    tokens = lines.filter(said).str.extract_all(_TOKEN)
    if not marked:
        tokens = tokens.to_frame().select(pl.concat_list(pl.lit("e"), pl.col("text"))).to_series()
    frame = pl.DataFrame({"line": numbers, "mark": tokens.list.get(0, null_on_oob=True), "fields": tokens.list.len()})
    _refuse(path, frame, marked)
    edge = frame["mark"] == "e"
    unknown = (frame["mark"] != "t") & lines_with_odd_marks(tokens)
    if unknown.any():
        row = unknown.arg_max()
        problem = "wanted quotation marks in pairs around a name, found one without its partner"
        raise FileError(path, problem, line=int(numbers[row or 0]))
    fields = {
        name: unquoted(tokens.list.get(at, null_on_oob=True)) for at, name in enumerate(("first", "second", "third"), 1)
    }
    kept = pl.DataFrame({"line": numbers, "mark": frame["mark"], **fields})
    return Lines(str(path), kept.with_columns(third=pl.when(edge).then(pl.col("third"))))


def _refuse(path: str | Path, frame: pl.DataFrame, marked: bool) -> None:
    """Name the first line with an unknown mark, or with too few or too many fields."""
    fewest = frame["mark"].replace_strict(_FEWEST, default=1)
    most = frame["mark"].replace_strict(_MOST, default=1 << 30)
    problems = {
        "mark": ~frame["mark"].is_in(list(_FIELDS)),
        "few": frame["fields"] < fewest,
        "many": frame["fields"] > most,
    }
    wrong = problems["mark"] | problems["few"] | problems["many"]
    if not wrong.any():
        return
    row = int(wrong.arg_max() or 0)
    line, mark = int(frame["line"][row]), frame["mark"][row]
    if problems["mark"][row]:
        raise FileError(path, f"wanted {', '.join(_FIELDS.values())}, found another kind of line", line=line)
    wanted = _FIELDS[mark] if marked else _FIELDS[mark].removeprefix("e ")
    if problems["few"][row]:
        raise FileError(path, f"wanted {wanted}, found fewer fields (is the file cut off?)", line=line)
    remedy = 'put a label with blanks into quotation marks ("ice cream"), and a second label on a line of its own'
    raise FileError(path, f"wanted {wanted}, found more fields; {remedy}", line=line)


def lines_with_odd_marks(tokens: pl.Series) -> pl.Series:
    """Which lines have a field that begins with a quotation mark and does not end with its partner."""
    parts = [_odd(tokens.list.get(at, null_on_oob=True)) for at in (1, 2, 3)]
    return parts[0] | parts[1] | parts[2]


def _odd(field: pl.Series) -> pl.Series:
    return (field.str.starts_with('"') & ~field.str.contains(r'^"(?:[^"]|"")*"$')).fill_null(value=False)


def unquoted(field: pl.Series) -> pl.Series:
    """The name behind a field; nothing for no field and for an empty name.

    >>> unquoted(pl.Series(["bar", '"ice cream"', None])).to_list()
    ['bar', 'ice cream', None]
    """
    marked = field.str.starts_with('"')
    if not marked.any():
        return field
    plain = field.str.slice(1, field.str.len_chars() - 2).str.replace_all('""', '"', literal=True)
    return field.zip_with(~marked.fill_null(value=False), plain).replace("", None)


def quoted(names: pl.Series, path: str | Path) -> pl.Series:
    """The fields that stand for names: in quotation marks where a blank or such a mark would mislead.

    >>> quoted(pl.Series(["bar", "ice cream", "", None]), "x.lg").to_list()
    ['bar', '"ice cream"', None, None]
    """
    if names.str.contains(r"[\r\n]").any():
        raise DataError(f"{path}: names in this format fill one line, found a line break in one; write a .csv")
    strange = names.str.contains(r'\s|^[#%"]')
    marked = '"' + names.str.replace_all('"', '""', literal=True) + '"'
    return names.zip_with(~strange.fill_null(value=False), marked).replace("", None)
