"""Options of a list from lines or a CSV file: the option first, then its groups up to the root.

    Attiko;Athens;Greece
    Laiko;Athens;Greece

The separator is ; if the first line has one, otherwise a comma.  Rows may differ in length, and a group that is
repeated on consecutive levels is one group.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.studies.forms.values import is_plain

__all__ = ["LONGEST", "MOST_LEVELS", "MOST_LINES", "Line", "LinesRefused", "read_groups", "read_lines", "require_tree"]

LONGEST = 200
MOST_LINES = 20_000
MOST_LEVELS = 10


class LinesRefused(ParameterError):
    """Lines that are no options; the sentence is shown beside the field."""


class Line(NamedTuple):
    """An option and its ancestors, the nearest first."""

    text: str
    ancestors: tuple[str, ...]


def read_lines(content: str) -> list[Line]:
    """The options of lines, each once; refused with the number of the line that is wrong."""
    rows = content.removeprefix("\N{BYTE ORDER MARK}").splitlines()
    first = next((row for row in rows if row.strip()), "")
    lines: dict[str, Line] = {}
    try:
        for number, cells in enumerate(csv.reader(rows, delimiter=";" if ";" in first else ","), 1):
            texts = [text for cell in cells if (text := " ".join(cell.split()))]
            if not texts:
                continue
            line = _line(texts, number)
            if lines.setdefault(line.text.casefold(), line).ancestors != line.ancestors:
                raise LinesRefused(
                    _("line %(number)s: wanted each option once, found one with two different groups")
                    % {"number": number}
                )
    except csv.Error:
        raise LinesRefused(_("wanted lines of text or a CSV file")) from None
    if len(lines) > MOST_LINES:
        raise LinesRefused(
            _("wanted at most %(most)s options, found %(count)s") % {"most": MOST_LINES, "count": len(lines)}
        )
    return list(lines.values())


def read_groups(text: str) -> tuple[str, ...]:
    """The groups of an option from a text with ; between them, the nearest first."""
    groups = [group for part in text.split(";") if (group := " ".join(part.split()))]
    return _line(["", *groups], 1).ancestors


def _line(texts: list[str], number: int) -> Line:
    if any(len(text) > LONGEST for text in texts):
        raise LinesRefused(
            _("line %(number)s: wanted texts of at most %(longest)s characters")
            % {"number": number, "longest": LONGEST}
        )
    if not all(map(is_plain, texts)):
        raise LinesRefused(_("line %(number)s: wanted texts without control characters") % {"number": number})
    levels = [text for text, below in zip(texts[1:], texts, strict=False) if text != below]
    if len(levels) > MOST_LEVELS:
        raise LinesRefused(
            _("line %(number)s: wanted at most %(most)s groups above an option, found %(count)s")
            % {"number": number, "most": MOST_LEVELS, "count": len(levels)}
        )
    if len({texts[0], *levels}) <= len(levels):
        raise LinesRefused(_("line %(number)s: wanted each group once in a line") % {"number": number})
    return Line(texts[0], tuple(levels))


def require_tree(lines: Iterable[Line]) -> None:
    """Refuse options whose groups are no tree: a group lies in one other group, everywhere in the list."""
    parents: dict[str, str] = {}
    every = list(lines)
    for line in every:
        for group, parent in zip(line.ancestors, (*line.ancestors[1:], ""), strict=False):
            if parents.setdefault(group, parent) != parent:
                first, other = (f"“{name}”" if name else _("no other group") for name in (parents[group], parent))
                raise LinesRefused(
                    _("wanted the group “%(group)s” in one place, found it in %(first)s and in %(other)s")
                    % {"group": group, "first": first, "other": other}
                )
    if both := next((line.text for line in every if line.text in parents), ""):
        raise LinesRefused(_("wanted “%(both)s” as an option or as a group, found it as both") % {"both": both})
