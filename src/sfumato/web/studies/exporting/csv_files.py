"""Tables as CSV in UTF-8, with the mark by which spreadsheets recognise it, made while they are sent."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from sfumato.web.studies.exporting.reading import Typed
from sfumato.web.studies.exporting.tables import Export
from sfumato.web.workbench.exporting.contents import file_name

__all__ = ["csv_files", "csv_parts", "guarded", "unguarded"]

_ROWS = 500
_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def guarded(value: Typed) -> Typed:
    """A text that a spreadsheet would take for a formula, with an apostrophe before it; anything else as it is.

    >>> guarded("=1+1"), guarded(-2)
    ("'=1+1", -2)
    """
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def unguarded(text: str) -> str:
    """The text that `guarded` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text, 1) else text


def csv_parts(titles: Sequence[str], rows: Iterable[Sequence[Typed]], *, guard: bool = True) -> Iterator[bytes]:
    """The parts of a CSV file.

    guard : whether no text is taken for a formula; a file with codes, which programs read, has values as they are.
    """
    as_written = guarded if guard else _unchanged
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(map(as_written, titles))
    yield b"\xef\xbb\xbf"
    for number, row in enumerate(rows, 1):
        writer.writerow(["" if value is None else as_written(value) for value in row])
        if number % _ROWS == 0:
            yield file.getvalue().encode()
            file.seek(0)
            file.truncate()
    yield file.getvalue().encode()


def csv_files(export: Export) -> list[tuple[str, Callable[[], Iterator[bytes]]]]:
    """Each table of an export as a file: its name and what makes it."""
    files: list[tuple[str, Callable[[], Iterator[bytes]]]] = []
    for number, table in enumerate(export.tables):
        name = file_name(table.name) if number == 0 else f"{number}-{file_name(table.name)}"
        files.append((f"{name}.csv", partial(_table, export, number)))
    return files


def _table(export: Export, number: int) -> Iterator[bytes]:
    table = export.tables[number]
    return csv_parts(table.titles, export.rows(table), guard=export.chosen.labels)


def _unchanged(value: Typed) -> Typed:
    return value
