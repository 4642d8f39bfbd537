"""Small parts of HTML, escaped: for notebooks and for pages."""

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["card_html", "list_html", "table_html"]


def table_html(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table that scrolls where it is too wide.

    >>> "<td>&lt;5</td>" in table_html(["size"], [["<5"]])
    True
    """
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<div class='wide'><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"


def list_html(sentences: Iterable[str]) -> str:
    """A list.

    >>> list_html(["a < b"])
    '<ul><li>a &lt; b</li></ul>'
    """
    return f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in sentences)}</ul>"


def card_html(
    title: str, head: Sequence[str], rows: Iterable[Sequence[object]], total: int, sentences: Iterable[str] = ()
) -> str:
    """An object in a notebook: its title, the first rows of its table, and what is to be said about it.

    total : how many rows there are.

    >>> card_html("a & b", ("k", "share"), [(5, 1 / 3)], 2)
    "<p><b>a &amp; b</b></p><div class='wide'>...<td>5</td><td>0.3333</td>...</div><p>1 of 2 rows</p>"
    """
    shown = [tuple(map(_cell, row)) for row in rows]
    more = f"<p>{len(shown):,} of {total:,} rows</p>" if total > len(shown) else ""
    remarks = list(sentences)
    table = table_html(head, shown) if shown else ""
    heading = escape(title.removeprefix("<").removesuffix(">"))  # of a repr
    return f"<p><b>{heading}</b></p>{table}{more}{list_html(remarks) if remarks else ''}"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.4g}"
    return "" if value is None else str(value)
