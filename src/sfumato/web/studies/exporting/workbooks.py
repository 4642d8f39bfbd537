"""Tables as an Excel workbook, made row by row while it is sent.

Every text is a cell of the type "inline string", so that no value is taken for a formula, however it begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from itertools import islice
from xml.sax.saxutils import escape

from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.studies.exporting.reading import Typed
from sfumato.web.workbench.exporting.zipping import Content, zipped

__all__ = ["Sheet", "workbook_parts"]

Sheet = tuple[str, Sequence[str], Iterable[Sequence[Typed]]]
"""The name of a sheet, its headings, and its rows."""

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_FORBIDDEN = re.compile(r"[\[\]:*?/\\']")
_CODE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")  # Excel reads _x0041_ as A
_LONGEST, _MOST_COLUMNS = 32_767, 16_384
_LARGEST = 10**15  # beyond it Excel forgets digits
_ROWS = 100
_FIRST_DAY = date(1899, 12, 30).toordinal()
_FIRST_DATE = date(1900, 3, 1)  # Excel takes 1900 for a leap year, so earlier days are texts


def workbook_parts(sheets: Sequence[Sheet]) -> Iterator[bytes]:
    """The parts of a workbook with these sheets, made while they are sent."""
    names = _names([name for name, _titles, _rows in sheets])
    for _name, titles, _rows in sheets:
        if len(titles) > _MOST_COLUMNS:
            raise ParameterError(
                _("An Excel file takes at most %(most)s columns; choose fewer, or another kind of file.")
                % {"most": _MOST_COLUMNS}
            )
    files: list[tuple[str, Content]] = [(path, partial(_whole, text)) for path, text in _frame(names)]
    for number, (_name, titles, rows) in enumerate(sheets, 1):
        files.append((f"xl/worksheets/sheet{number}.xml", partial(_sheet, titles, rows)))
    return zipped(files)


def _whole(text: str) -> tuple[bytes]:
    return (text.encode(),)


def _sheet(titles: Sequence[str], rows: Iterable[Sequence[Typed]]) -> Iterator[bytes]:
    yield f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'.encode()
    yield _row(titles)
    source = iter(rows)
    while part := b"".join(map(_row, islice(source, _ROWS))):
        yield part
    yield b"</sheetData></worksheet>"


def _row(values: Iterable[Typed]) -> bytes:
    return f"<row>{''.join(map(_cell, values))}</row>".encode()


def _cell(value: Typed) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, int | float) and abs(value) < _LARGEST:
        return f"<c><v>{value!r}</v></c>"
    if isinstance(value, date):
        if value >= _FIRST_DATE:
            return f'<c s="1"><v>{value.toordinal() - _FIRST_DAY}</v></c>'
        value = value.isoformat()
    text = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", str(value))
    if len(text) > _LONGEST // 2 and len(text.encode("utf-16-le")) // 2 > _LONGEST:
        text = text.encode("utf-16-le")[: (_LONGEST - 1) * 2].decode("utf-16-le", "ignore") + "\N{HORIZONTAL ELLIPSIS}"
    text = escape(_CODE.sub("_x005F_", text))
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _names(names: Sequence[str]) -> list[str]:
    """The names of sheets: at most 31 letters, each once.

    >>> _names(["Drugs / doses", "drugs   doses"])
    ['Drugs   doses', 'drugs   doses 2']
    """
    taken: list[str] = []
    for name in names:
        plain = _FORBIDDEN.sub(" ", _CONTROL.sub(" ", name)).strip()[:31] or "sheet"
        free, number = plain, 1
        while free.casefold() in {other.casefold() for other in taken}:
            number += 1
            free = f"{plain[: 30 - len(str(number))]} {number}"
        taken.append(free)
    return taken


def _frame(names: Sequence[str]) -> Iterable[tuple[str, str]]:
    """The files of a workbook besides its sheets."""
    numbers = range(1, len(names) + 1)
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_TYPE}.worksheet+xml"/>' for n in numbers
    )
    yield (
        "[Content_Types].xml",
        f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>{parts}</Types>',
    )
    yield (
        "_rels/.rels",
        f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    )
    sheets = "".join(
        f'<sheet name="{escape(name, {chr(34): "&quot;"})}" sheetId="{n}" r:id="r{n}"/>'
        for n, name in zip(numbers, names, strict=True)
    )
    yield (
        "xl/workbook.xml",
        f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets></workbook>',
    )
    links = "".join(
        f'<Relationship Id="r{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n in numbers
    )
    yield (
        "xl/_rels/workbook.xml.rels",
        f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{links}'
        f'<Relationship Id="styles" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
    )
    yield (
        "xl/styles.xml",
        f'{_HEAD}<styleSheet xmlns="{_MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
        '</numFmts><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>'
        '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/>'
        '</borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/>'
        '<xf numFmtId="164" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1">'
        '<cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
    )
