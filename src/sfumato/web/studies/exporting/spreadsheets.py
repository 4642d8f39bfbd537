"""Read a spreadsheet that a person uploads: CSV or XLSX, limited in size, and kept in memory only."""

from __future__ import annotations

import csv
import io
import re
import warnings
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _

from sfumato.errors import DataError

__all__ = ["LARGEST", "LONGEST_CELL", "MOST_COLUMNS", "MOST_ROWS", "MOST_TITLES", "heading_row", "read_spreadsheet"]

LARGEST = 5 * 2**20  # bytes of the file
MOST_ROWS, MOST_COLUMNS = 5000, 500
LONGEST_CELL = 10_000
_UNPACKED = 100 * 2**20
MOST_TITLES = 20
_MOST_EMPTY = 2**18
_RUN = re.compile(rb"[\xb6-\xff]{2}")
_AMONG_PLAIN = re.compile(rb"[A-Za-z][\xc0-\xff]|[\xc0-\xff][A-Za-z]")
_NOT_CALCULATED = re.compile(
    rb"<(?:\w+:)?c\b(?![^>]*\bt=.str)[^>]*>\s*<(?:\w+:)?f\b(?:[^>]*/>|[^>]*>[^<]*</(?:\w+:)?f>)\s*"
    rb"(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
Sheets = dict[str, list[list[str]]]


def read_spreadsheet(file: Any) -> Sheets:
    """The sheets of an uploaded file as rows of texts; a CSV file is one sheet without a name.

    file : as Django hands it over.  Refuses with a sentence; nothing of the file stays on the disk.
    """
    if file is None or not file.size:
        raise DataError(_("wanted a file with something in it, found none"))
    if file.size > LARGEST:
        raise DataError(_("wanted a file of at most %(limit)s MB, found a larger one") % {"limit": LARGEST // 2**20})
    content = file.read()
    if content[:4] == b"PK\x03\x04":
        return _workbook(content)
    if b"\x00" in content[:1000] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError(_("wanted a file that ends in .csv or .xlsx"))
    return {"": _csv(_decoded(content))}


def heading_row(rows: Sequence[Sequence[str]], known: Callable[[str], bool] = bool) -> int:
    """The place of the row with the headings, below titles that stand over the table.

    known : whether a cell is a heading; the row with the most of them is chosen, otherwise the first that is half full.
    """
    first = rows[:MOST_TITLES]
    counts = [sum(map(known, filter(None, row))) for row in first]
    if known is not bool and max(counts, default=0):
        return counts.index(max(counts))
    filled = [sum(map(bool, row)) for row in first]
    return next((place for place, count in enumerate(filled) if count * 2 >= max(filled) > 0), 0)


def _decoded(content: bytes) -> str:
    """The text of a CSV file: UTF-8, or what spreadsheets write in Greece and Western Europe."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    # Greek words are runs of bytes beyond ASCII; Western ones have single ones among plain letters
    is_western = len(_AMONG_PLAIN.findall(content)) > len(_RUN.findall(content))
    for encoding in ("utf-8-sig", "cp1252") if is_western else ("utf-8-sig", "cp1253", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        # the byte that is a capital alpha with an accent in ISO 8859-7 is a sign of a paragraph in Windows
        is_latin_7 = encoding == "cp1253" and re.search("\N{PILCROW SIGN}[α-ώ]", text)  # noqa: RUF001
        return content.decode("iso8859_7", errors="replace") if is_latin_7 else text
    return content.decode("utf-8", errors="replace")


def _csv(text: str) -> list[list[str]]:
    named = re.match(r"sep=(.)\r?\n", text)
    text = text[named.end() :] if named else text
    sign = named[1] if named else _separator(text)
    rows = _Rows()
    try:
        csv.field_size_limit(LONGEST_CELL * 10)
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=sign):
            rows.add([_clean(cell) for cell in row])
    except csv.Error:
        raise DataError(_("this file cannot be read as CSV; save it again from your spreadsheet")) from None
    return rows.whole


def _separator(text: str) -> str:
    """The sign that stands most often between the cells of the first lines."""
    first = re.sub(r'"[^"]*"', "", "\n".join(text[:100_000].splitlines()[:20]))
    return max(",;\t", key=first.count)


def _workbook(content: bytes) -> Sheets:
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(part.file_size for part in archive.infolist()) > _UNPACKED:
                raise DataError(_("wanted a smaller workbook: unpacked it is larger than 100 MB"))
            _require_results(archive)
        with warnings.catch_warnings(action="ignore"):  # about styles, which are not read here
            book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheets: Sheets = {}
        for sheet in book.worksheets[:50]:
            sheet.reset_dimensions()  # those that a file declares may be wrong
            rows = _Rows()
            for row in sheet.iter_rows(values_only=True):
                rows.add([_clean(_text(cell)) for cell in row])
            sheets[sheet.title] = rows.whole
        return sheets
    except DataError:
        raise
    except Exception:  # the library raises errors of many kinds for a broken file
        raise DataError(_("this file cannot be read as a workbook; save it again as .xlsx")) from None


def _require_results(archive: zipfile.ZipFile) -> None:
    """Refuse formulas that were never calculated: their cells would be taken for empty ones."""
    for part in archive.infolist():
        if part.filename.startswith("xl/worksheets/") and _NOT_CALCULATED.search(archive.read(part)):
            raise DataError(
                _("this workbook has formulas without results; open it in your spreadsheet program and save it again")
            )


class _Rows:
    """Rows of a sheet as they are read: empty ones keep their place, so that numbers are those of the file."""

    def __init__(self) -> None:
        self._rows: list[list[str]] = []
        self._empty = self._width = 0

    def add(self, row: list[str]) -> None:
        width = len(row)
        while width and not row[width - 1]:
            width -= 1
        if not width:
            self._empty += 1
            if self._empty > _MOST_EMPTY:
                raise DataError(_("wanted a table without so many empty rows; delete the rows below it"))
            return
        if len(self._rows) + self._empty > MOST_ROWS:
            raise DataError(_("wanted at most %(most)s rows, found more; divide the file") % {"most": MOST_ROWS})
        if width > MOST_COLUMNS:
            raise DataError(_("wanted at most %(most)s columns, found more") % {"most": MOST_COLUMNS})
        self._rows += [[] for _number in range(self._empty)]
        self._rows.append(row[:width])
        self._empty, self._width = 0, max(self._width, width)

    @property
    def whole(self) -> list[list[str]]:
        """The rows up to the last with something in it, all of one width."""
        return [[*row, *[""] * (self._width - len(row))] for row in self._rows]


def _text(cell: Any) -> str:
    from openpyxl.utils.escape import unescape

    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    # Excel writes some characters as the halves of their UTF-16 code
    return unescape(str(cell)).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _clean(text: str) -> str:
    """A cell without blanks around it; one that is too long stays so, and is refused as an answer."""
    return text.replace("\x00", "").strip()[: LONGEST_CELL + 1]
