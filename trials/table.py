"""What a run found, as a page in Markdown."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Any

import sfumato
from trials.parts import Result

__all__ = ["page"]

_SHOWN = 40


def page(arguments: Sequence[str], results: Sequence[Result], seconds: float) -> str:
    """The command line, a table for each part with its counts, and what was found."""
    command = " ".join(["python -m trials", *map(shlex.quote, arguments)])
    number = sum(len(result.found) for result in results)
    lines = [
        "# Trials",
        "",
        f"`{command}`, sfumato {sfumato.__version__}, {seconds / 60:.0f} minutes. **Found: {number:,}.**",
        "",
        "Every release is read back from its files and judged by checkers that share no code with the product. A case",
        "can be repeated by its name: `python -m trials --case NAME`.",
        "",
    ]
    for result in results:
        lines += [f"## {result.title}", "", *_table(result), ""]
        if result.note:
            lines += [result.note, ""]
        if result.found:
            lines += [f"Found: {len(result.found):,}.", "", *_findings(result.found), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(result: Result) -> list[str]:
    marks = [":--", *["--:"] * (len(result.header) - 1)]
    rows = [[_cell(cell) for cell in row] for row in result.rows]
    total = ["all", *(_cell(sum(row[at] for row in result.rows)) for at in range(1, len(result.header)))]
    return [_row(result.header), _row(marks), *map(_row, rows), _row(total)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _findings(found: Sequence[tuple[str, str]]) -> list[str]:
    """Findings that differ in names and numbers alone are one line, with the first case of them."""
    alike: dict[str, list[tuple[str, str]]] = {}
    for case, sentence in found:
        line = " ".join(sentence.strip().splitlines()[-1].split())
        key = re.sub(r"'[^']*'|\"[^\"]*\"|/\S+|\d+", "", f"{case.partition(' / ')[2]} {line[:80]}")
        alike.setdefault(key, []).append((case, line))
    often = sorted(alike.values(), key=lambda one: -len(one))
    lines = [f"- {len(one):,} times, such as `{one[0][0]}`: {one[0][1][:300]}" for one in often[:_SHOWN]]
    return [*lines, *([f"- and {len(often) - _SHOWN} others"] if len(often) > _SHOWN else [])]
