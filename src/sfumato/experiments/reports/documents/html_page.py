"""A document as one page: no other files, no script, for screens of any size, in light and dark, and on paper."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from html import escape
from typing import Any

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
    Section,
    Subheading,
    visible,
)
from sfumato.experiments.reports.documents.page_style import PAGE_STYLE

__all__ = ["blocks_html", "page"]

MARKS = {"yes": ("✓", "holds"), "no": ("✗", "does not hold"), "open": ("?", "not fully checked")}


def page(document: Document) -> str:
    """The page; every text of the document is escaped, and the page may load nothing.

    >>> short = Document("<b>", "", True, (Section("limits", "Limits", (Paragraph("a & b"),)),))
    >>> "<h1>&lt;b&gt;</h1>" in page(short), "<p>a &amp; b</p>" in page(short), page(short).count("not for publication")
    (True, True, 4)
    """
    kind = "private" if document.private else "public"
    mark = _text(document.mark)
    contents = "".join(
        f'<li><a href="#{escape(section.key)}">{_text(section.title)}</a></li>' for section in document.sections
    )
    listed = f'<nav aria-label="Contents"><ol>{contents}</ol></nav>' if len(document.sections) > 2 else ""
    sections = "\n".join(_section(section) for section in document.sections)
    subtitle = f'<p class="subtitle">{_text(document.subtitle)}</p>' if document.subtitle else ""
    # in print, the header is repeated on every page
    running = f'<div class="running" aria-hidden="true">{mark}</div>'
    return f"""<!doctype html>
<html lang="en" class="{kind}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="referrer" content="no-referrer">
{'<meta name="robots" content="noindex">' if document.private else ""}
<title>{_text(document.title)}{f" ({mark.lower()})" if document.private else ""}</title>
{PAGE_STYLE}
</head>
<body>
{running}
<header class="mark">{mark}</header>
<main>
<h1>{_text(document.title)}</h1>
{subtitle}
{listed}
{sections}
</main>
<footer class="mark">{mark}</footer>
</body>
</html>
"""


def _section(section: Section) -> str:
    key = escape(section.key)
    return (
        f'<section id="{key}" aria-labelledby="{key}-title">\n<h2 id="{key}-title">{_text(section.title)}</h2>\n'
        f"{blocks_html(section.blocks)}\n</section>"
    )


def blocks_html(blocks: tuple[Block, ...]) -> str:
    """Blocks as markup."""
    return "\n".join(_SHOW[type(block)](block) for block in blocks)


def _text(text: str) -> str:
    return escape(visible(text))


def _paragraph(block: Paragraph) -> str:
    if block.tone == "plain":
        return f"<p>{_text(block.text)}</p>"
    role = ' role="note"' if block.tone in ("note", "alarm", "good") else ""
    return f'<p class="{block.tone}"{role}>{_text(block.text)}</p>'


def _subheading(block: Subheading) -> str:
    return f"<h3>{_text(block.text)}</h3>"


def _bullets(block: Bullets) -> str:
    return f"<ul>{''.join(f'<li>{_text(item)}</li>' for item in block.items)}</ul>"


def _code(block: Code) -> str:
    lines = "\n".join(map(_text, block.lines))
    return f'<pre tabindex="0"><code>{lines}</code></pre>'


def _checks(block: Checks) -> str:
    rows = []
    for state, what, about in block.rows:
        mark, word = MARKS[state]
        badge = f'<span class="badge {state}"><span aria-hidden="true">{mark}</span> {word}</span>'
        detail = f"<br><span>{_text(about)}</span>" if about else ""
        rows.append(f"<li>{badge} <strong>{_text(what)}</strong>{detail}</li>")
    return f'<ul class="checks">{"".join(rows)}</ul>'


def _grid(block: Grid) -> str:
    head = "".join(
        f'<th scope="col"{_class(block, column)}>{_text(cell)}</th>' for column, cell in enumerate(block.head)
    )
    body = "".join(f"<tr>{_cells(block, row)}</tr>" for row in block.rows)
    caption = f"<caption>{_text(block.caption)}</caption>"
    label = escape(visible(block.caption))
    table = f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide" tabindex="0" role="group" aria-label="{label}">{table}</div>'


def _cells(block: Grid, row: tuple[str, ...]) -> str:
    first = f'<th scope="row"{_class(block, 0)}>{_text(row[0])}</th>'
    return first + "".join(f"<td{_class(block, column)}>{_text(row[column])}</td>" for column in range(1, len(row)))


def _class(block: Grid, column: int) -> str:
    kind = "n" if column in block.numbers else "code" if column in block.code else ""
    return f' class="{kind}"' if kind else ""


def _figure(block: Figure) -> str:
    kind = ' class="wide-picture"' if block.wide else ""
    alt = escape(visible(block.alt))
    if block.styled:
        shown = block.svg.replace("<svg ", f'<svg aria-label="{alt}" ', 1)
    else:  # an image of its own: its styles and names cannot meet those of the page
        shown = f'<img alt="{alt}" src="data:image/svg+xml;base64,{b64encode(block.svg.encode()).decode()}">'
    return f"<figure{kind}><figcaption>{_text(block.title)}</figcaption>{shown}</figure>"


def _figures(block: Figures) -> str:
    return f'<div class="figures">{"".join(map(_figure, block.figures))}</div>'


_SHOW: dict[type, Callable[[Any], str]] = {
    Paragraph: _paragraph,
    Subheading: _subheading,
    Bullets: _bullets,
    Code: _code,
    Checks: _checks,
    Grid: _grid,
    Figure: _figure,
    Figures: _figures,
}
