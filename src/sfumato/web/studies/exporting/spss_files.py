"""Tables as SPSS files (.sav): variable labels, value labels, dates, measure levels, in any script."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat

from sfumato.web.studies.exporting.reading import Record, Typed, read_entries
from sfumato.web.studies.exporting.tables import Export, ExportTable
from sfumato.web.studies.forms.formula_kinds import kind_of
from sfumato.web.studies.forms.tree import Question

__all__ = ["sav_files", "variable_names"]

_RESERVED = frozenset(["ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"])
_LONGEST_NAME, _LONGEST_LABEL, _LONGEST_VALUE = 60, 250, 118  # bytes


def variable_names(wanted: Iterable[str]) -> list[str]:
    """Names that SPSS takes, each once; upper and lower case count as the same.

    >>> variable_names(["age", "Age", "2nd dose", "with", "ηλικία"])
    ['age', 'Age_2', 'v2nd_dose', 'with_2', 'v']
    """
    names: list[str] = []
    taken = {word.casefold() for word in _RESERVED}
    for text in wanted:
        plain = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")[:_LONGEST_NAME]
        if not plain[:1].isalpha():
            plain = f"v{plain}"
        name, number = plain, 1
        while name.casefold() in taken:
            number += 1
            name = f"{plain[: _LONGEST_NAME - len(str(number)) - 1]}_{number}"
        taken.add(name.casefold())
        names.append(name)
    return names


@dataclass
class _Variable:
    """A variable: the place of its column, and for one option of several answers the key of it."""

    place: int
    title: str
    wanted: str
    kind: str  # text, number, whole, date, code, tick
    codes: dict[str, int] = field(default_factory=dict)
    labels: dict[float, str] = field(default_factory=dict)
    option: str = ""

    def value(self, stored: Any, typed: Typed) -> Any:
        if self.kind == "tick":
            return None if stored is None else float(self.option in ([stored] if isinstance(stored, str) else stored))
        if self.kind == "code":
            key = stored if isinstance(stored, str) or stored is None else stored[0]
            return None if key is None else float(self.codes[key]) if key in self.codes else None
        if typed is None:
            return None
        if self.kind == "date":
            return typed if isinstance(typed, date) else None
        if self.kind in ("number", "whole"):
            return float(typed) if isinstance(typed, int | float) else None
        return str(typed)


def sav_files(export: Export) -> list[tuple[str, bytes]]:
    """Each table of an export as a file: its name and content."""
    variables = [_variables(export, table) for table in export.tables]
    columns: list[list[list[Any]]] = [[[] for _row in rows] for rows in variables]
    for record in read_entries(export.entries, export.form):
        for number, table in enumerate(export.tables):
            for typed, stored in _rows(export, table, record):
                for variable, values in zip(variables[number], columns[number], strict=True):
                    values.append(variable.value(stored[variable.place], typed[variable.place]))
    files = []
    for number, table in enumerate(export.tables):
        name = "entries" if table.group is None else variable_names([table.group.key])[0]
        files.append((f"{name}.sav", _written(variables[number], columns[number], table.name)))
    return files


def _rows(export: Export, table: ExportTable, record: Record) -> Iterable[tuple[list[Typed], list[Any]]]:
    """The rows of an entry, as typed values and as they are stored."""
    if table.group is None:
        typed = export.written.row(table.columns, record)
        yield typed, [_stored(column, record) for column in table.columns]
        return
    for number, episode in enumerate(record.episodes.get(table.group.key, ()), 1):
        values = export.written.row(table.columns[2:], record, episode)
        stored = [episode.get(column.key) for column in table.columns[2:]]
        yield [str(record.entry.pk), number, *values], [None, None, *stored]


def _stored(column: Any, record: Record) -> Any:
    if column.question is None:
        return None
    if not column.number:
        return record.values.get(column.key)
    rows = record.episodes.get(column.group, [])
    return rows[column.number - 1].get(column.key) if column.number <= len(rows) else None


def _variables(export: Export, table: ExportTable) -> list[_Variable]:
    rows: list[_Variable] = []
    for place, (column, title) in enumerate(zip(table.columns, table.titles, strict=True)):
        question = column.question
        wanted = column.key.removeprefix("@") + (f"_{column.number}" if column.number else "")
        if question is None:
            kind = {"@created": "date", "@number": "whole", "@episode": "whole"}.get(column.key, "text")
            rows.append(_Variable(place, title, wanted, kind))
        elif question.type == "many":
            for choice in export.choices.get(question.key, ()):
                text = f"{title}: {choice.text(export.chosen.language)}"
                labels = {0.0: export.written.yes_no["no"], 1.0: export.written.yes_no["yes"]}
                rows.append(_Variable(place, text, f"{wanted}_{choice.key}", "tick", labels=labels, option=choice.key))
        elif question.type in ("one", "list", "yes_no"):
            rows.append(_coded(export, question, place, title, wanted))
        else:
            rows.append(_Variable(place, title, wanted, _kind(export, question)))
    return rows


def _coded(export: Export, question: Question, place: int, title: str, wanted: str) -> _Variable:
    if question.type == "yes_no":
        texts = {"no": export.written.yes_no["no"], "yes": export.written.yes_no["yes"]}
        codes = {"no": 0, "yes": 1}
    else:
        choices = export.choices.get(question.key, ())
        texts = {choice.key: choice.text(export.chosen.language) for choice in choices}
        codes = _codes([choice.key for choice in choices])
    labels = {float(codes[key]): _cut(text, _LONGEST_VALUE) for key, text in texts.items()}
    return _Variable(place, title, wanted, "code", codes, labels)


def _codes(keys: Sequence[str]) -> dict[str, int]:
    """The number of each option: that in its key, which stays when options come and go, otherwise its place.

    >>> _codes(["c2", "c7"]), _codes(["f", "m"])
    ({'c2': 2, 'c7': 7}, {'f': 1, 'm': 2})
    """
    parts = [re.fullmatch(r"([A-Za-z_]*)(0|[1-9]\d{0,6})", key) for key in keys]
    if all(parts) and len({part[1] for part in parts if part}) == 1:
        return {key: int(part[2]) for key, part in zip(keys, parts, strict=True) if part}
    return {key: number for number, key in enumerate(keys, 1)}


def _kind(export: Export, question: Question) -> str:
    if question.type == "calculated":
        known = kind_of(export.form, question.key) if question.key in export.form.by_key else "text"
        return {"number": "number", "date": "date"}.get(known, "text")
    return {"integer": "whole", "decimal": "number", "date": "date"}.get(question.type, "text")


def _written(variables: list[_Variable], columns: list[list[Any]], title: str) -> bytes:
    names = variable_names(variable.wanted for variable in variables)
    types = {"text": pl.String, "date": pl.Date}
    frame = pl.DataFrame(
        {
            name: pl.Series(name, values, types.get(variable.kind, pl.Float64), strict=False)
            for name, variable, values in zip(names, variables, columns, strict=True)
        }
    )
    pairs = list(zip(names, variables, strict=True))
    measures = {"text": "nominal", "code": "nominal", "tick": "nominal"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.sav")
        pyreadstat.write_sav(
            frame,
            path,
            file_label=_cut(title, 60),
            column_labels={name: _cut(variable.title, _LONGEST_LABEL) for name, variable in pairs},
            variable_value_labels={name: variable.labels for name, variable in pairs if variable.labels},
            variable_measure={name: measures.get(variable.kind, "scale") for name, variable in pairs},
            variable_format={name: "F8.0" for name, variable in pairs if variable.kind in ("whole", "code", "tick")},
            compress=False,
            row_compress=True,
        )
        return path.read_bytes()


def _cut(text: str, most: int) -> str:
    """The text in at most so many bytes, never within a letter."""
    return text.encode()[:most].decode(errors="ignore")
