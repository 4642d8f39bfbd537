"""A document as a PDF, set by Typst: tagged, with alternative texts, and without a date.

The texts reach the template as data and are never part of its program, so no text can be read as markup.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sfumato.errors import Bug, MissingExtra, OutputError
from sfumato.experiments.reports.documents.document import (
    Block,
    Bullets,
    Checks,
    Code,
    Document,
    Figure,
    Figures,
    Grid,
    Paragraph,
    Subheading,
    visible,
)
from sfumato.experiments.reports.documents.html_page import MARKS
from sfumato.experiments.reports.documents.pdf_template import TEMPLATE
from sfumato.experiments.reports.documents.pictures import STYLE
from sfumato.params import JsonObject

__all__ = ["pdf", "require_pdf"]

_UNSHOWN = "could not be displayed"
_NARROW = 22  # letters in a column that takes the room it needs
_FONT = "text { font-family: 'Libertinus Serif' } "


def require_pdf() -> None:
    """Refuse if the package that sets PDF files is not installed."""
    try:
        import typst  # noqa: F401
    except ImportError as absent:
        raise MissingExtra("typst", "report") from absent


def pdf(document: Document) -> bytes:
    """The PDF; equal documents have equal bytes.

    The fonts are those of the package, so that every machine makes the same file.  Only where they lack a letter, such
    as of Chinese, those of the machine are used; a letter that no font has is refused, and not left out.
    """
    require_pdf()
    import typst

    try:
        return _compiled(document, own_fonts=True)
    except typst.TypstError as error:
        if _UNSHOWN not in str(error):
            raise Bug("the report cannot be set as a PDF") from error
    try:
        return _compiled(document, own_fonts=False)
    except typst.TypstError as error:
        if _UNSHOWN not in str(error):
            raise Bug("the report cannot be set as a PDF") from error
        raise OutputError(
            "the PDF needs letters that no font on this machine has; install a font for them, or write a .html file"
        ) from None


def _compiled(document: Document, *, own_fonts: bool) -> bytes:
    import typst

    return bytes(
        typst.compile(
            TEMPLATE.encode(),
            format="pdf",
            sys_inputs={"document": json.dumps(_document(document))},
            ignore_system_fonts=own_fonts,
            pdf_standards=["ua-1"],
        )
    )


def _document(document: Document) -> JsonObject:
    return {
        "title": visible(document.title),
        "subtitle": visible(document.subtitle),
        "mark": visible(document.mark),
        "private": document.private,
        "sections": [
            {"title": visible(section.title), "blocks": [_block(block) for block in section.blocks]}
            for section in document.sections
        ],
    }


def _block(block: Block) -> JsonObject:
    return {"kind": type(block).__name__.lower(), **_FIELDS[type(block)](block)}


def _figure(block: Figure) -> JsonObject:
    svg = block.svg
    if block.styled:
        start = svg.index(">") + 1
        svg = f"{svg[:start]}<style>{_FONT}{STYLE}</style>{svg[start:]}"
    return {"title": visible(block.title), "alt": visible(block.alt), "svg": svg, "wide": block.wide}


def _grid(block: Grid) -> JsonObject:
    return {
        "caption": visible(block.caption),
        "head": [visible(cell) for cell in block.head],
        "rows": [[visible(cell) for cell in row] for row in block.rows],
        "numbers": list(block.numbers),
        "code": list(block.code),
        "widths": [_width(block, column) for column in range(len(block.head))],
    }


def _width(block: Grid, column: int) -> int:
    """The share of the room that a column takes; 0 for what it needs."""
    longest = max(len(row[column]) for row in (block.head, *block.rows))
    return 0 if longest <= _NARROW or column in block.numbers or column in block.code else min(longest, 4 * _NARROW)


def _checks(block: Checks) -> JsonObject:
    rows = [(state, *MARKS[state], visible(what), visible(about)) for state, what, about in block.rows]
    return {"rows": [dict(zip(("state", "mark", "word", "what", "about"), row, strict=True)) for row in rows]}


_FIELDS: dict[type, Callable[[Any], JsonObject]] = {
    Paragraph: lambda block: {"text": visible(block.text), "tone": block.tone},
    Subheading: lambda block: {"text": visible(block.text)},
    Bullets: lambda block: {"items": [visible(item) for item in block.items]},
    Code: lambda block: {"text": "\n".join(visible(line) for line in block.lines)},
    Checks: _checks,
    Grid: _grid,
    Figure: _figure,
    Figures: lambda block: {"figures": [_figure(figure) for figure in block.figures]},
}
