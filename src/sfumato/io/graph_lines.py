"""Parsing the lines of an ``.lg`` file: a mark, names and labels, separated by blanks or in quotation marks."""

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
    """The parsed lines: `line` (its number), `mark`, and the fields `first`, `second`, `third` (or None)."""

    path: str
    frame: pl.DataFrame

    def of(self, mark: str) -> pl.DataFrame:
        """The lines with one mark."""
        return self.frame.filter(pl.col("mark") == mark)

    def source(self, rows: pl.DataFrame) -> Source:
        """The source of rows, for errors that name their lines."""
        return Source(self.path, file=True, lines=rows["line"].to_numpy())

    def parts(self) -> Iterator[Self]:
        """The lines of each graph; lines before the first ``t`` are a graph of their own."""
        number = (self.frame["mark"] == "t").cum_sum()
        for part in self.frame.with_columns(graph=number).partition_by("graph", maintain_order=True):
            if (part["mark"] != "t").any():
                yield type(self)(self.path, part.drop("graph"))


def graph_lines(path: str | Path, *, marked: bool = True) -> Lines:
    """Read and check the lines; empty lines and lines that begin with ``#`` or ``%`` are ignored.

    marked : whether each line begins with its mark; otherwise all lines are edges.
    """
    text = read_lined_text(path)
    lines = pl.Series("text", [text]).str.split("\n").explode()
    has_content = ~lines.str.contains(r"^\s*([#%]|$)")
    numbers = np.flatnonzero(has_content.to_numpy()) + 1
    tokens = lines.filter(has_content).str.extract_all(_TOKEN)
    if not marked:
        tokens = tokens.to_frame().select(pl.concat_list(pl.lit("e"), pl.col("text"))).to_series()
    frame = pl.DataFrame({"line": numbers, "mark": tokens.list.get(0, null_on_oob=True), "fields": tokens.list.len()})
    _require_form(path, frame, marked)
    edge = frame["mark"] == "e"
    unpaired = (frame["mark"] != "t") & lines_with_unpaired_quotes(tokens)
    if unpaired.any():
        row = unpaired.arg_max()
        problem = "wanted quotation marks in pairs around a name, found one without its partner"
        raise FileError(path, problem, line=int(numbers[row or 0]))
    fields = {
        name: unquoted(tokens.list.get(position, null_on_oob=True))
        for position, name in enumerate(("first", "second", "third"), 1)
    }
    parsed = pl.DataFrame({"line": numbers, "mark": frame["mark"], **fields})
    return Lines(str(path), parsed.with_columns(third=pl.when(edge).then(pl.col("third"))))


def _require_form(path: str | Path, frame: pl.DataFrame, marked: bool) -> None:
    """Refuse the first line with an unknown mark, or with too few or too many fields."""
    smallest_count = frame["mark"].replace_strict(_FEWEST, default=1)
    largest_count = frame["mark"].replace_strict(_MOST, default=1 << 30)
    problems = {
        "mark": ~frame["mark"].is_in(list(_FIELDS)),
        "few": frame["fields"] < smallest_count,
        "many": frame["fields"] > largest_count,
    }
    malformed = problems["mark"] | problems["few"] | problems["many"]
    if not malformed.any():
        return
    row = int(malformed.arg_max() or 0)
    line, mark = int(frame["line"][row]), frame["mark"][row]
    if problems["mark"][row]:
        raise FileError(path, f"wanted {', '.join(_FIELDS.values())}, found another kind of line", line=line)
    form = _FIELDS[mark] if marked else _FIELDS[mark].removeprefix("e ")
    if problems["few"][row]:
        raise FileError(path, f"wanted {form}, found fewer fields (is the file cut off?)", line=line)
    remedy = 'put a label with blanks into quotation marks ("ice cream"), and a second label on a line of its own'
    raise FileError(path, f"wanted {form}, found more fields; {remedy}", line=line)


def lines_with_unpaired_quotes(tokens: pl.Series) -> pl.Series:
    """Which lines have a field that begins with a quotation mark and does not end with its partner."""
    parts = [_is_unpaired(tokens.list.get(position, null_on_oob=True)) for position in (1, 2, 3)]
    return parts[0] | parts[1] | parts[2]


def _is_unpaired(field: pl.Series) -> pl.Series:
    return (field.str.starts_with('"') & ~field.str.contains(r'^"(?:[^"]|"")*"$')).fill_null(value=False)


def unquoted(field: pl.Series) -> pl.Series:
    """The name in a field; None for a missing field and for an empty name.

    >>> unquoted(pl.Series(["bar", '"ice cream"', None])).to_list()
    ['bar', 'ice cream', None]
    """
    marked = field.str.starts_with('"')
    if not marked.any():
        return field
    plain = field.str.slice(1, field.str.len_chars() - 2).str.replace_all('""', '"', literal=True)
    return field.zip_with(~marked.fill_null(value=False), plain).replace("", None)


def quoted(names: pl.Series, path: str | Path) -> pl.Series:
    """The names as fields: in quotation marks where they hold a blank or begin with a special character.

    >>> quoted(pl.Series(["bar", "ice cream", "", None]), "x.lg").to_list()
    ['bar', '"ice cream"', None, None]
    """
    if names.str.contains(r"[\r\n]").any():
        raise DataError(f"{path}: wanted names without line breaks, found a line break; write a .csv")
    needs_quotes = names.str.contains(r'\s|^[#%"]')
    marked = '"' + names.str.replace_all('"', '""', literal=True) + '"'
    return names.zip_with(~needs_quotes.fill_null(value=False), marked).replace("", None)
