"""Pictures as SVG: bars before and after, bars of one dataset, and stacked shares.

They are drawn here and not by a chart library, so that a document depends on its release alone and not on the versions
of what is installed, and so that the page can show them in dark mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sfumato.experiments.reports.documents.document import Figure, visible

__all__ = ["STYLE", "Bar", "bars", "shares"]

_WIDTH, _ROW, _BAR, _TEXT = 360, 34, 9, 12
_LABEL, _NUMBER = 128, 52  # room for names on the left and figures on the right
_LETTER = 6.9  # of a name, on average
_SHADES = 5
_SPOKEN = 100  # letters of a name in the text that replaces a picture

# the colours of a light page; a dark page and the PDF replace them
STYLE = """text { font-size: 12px; fill: #333 } .small { font-size: 11px; fill: #666 } .before { fill: #a8a8a0 }
.after { fill: #0072b2 } .axis { stroke: #bbb; stroke-width: 1 } .edge { stroke: #fff; stroke-width: .7 }
.s0 { fill: #0072b2 } .s1 { fill: #56b4e9 } .s2 { fill: #e69f00 } .s3 { fill: #d55e00 } .s4 { fill: #7a2d00 }"""

Bar = tuple[str, float | None, float]
"""A name, the figure before (None where it is not known or must not be shown), and the figure after."""


def bars(
    title: str,
    rows: Sequence[Bar],
    *,
    before: str = "original",
    after: str = "published",
    unit: str = "records",
    label: int = _LABEL,
) -> Figure:
    """Horizontal bars, two for each name, or one where the figures before are None.

    label : room for the names.

    >>> figure = bars("age", [("30", 4, 3.5), ("<b>", 0, 1)])
    >>> figure.alt
    'age, records in the original and published: 30: 4 and 3.5; <b>: 0 and 1.'
    >>> "<b>" in figure.svg
    False
    """
    paired = any(first is not None for _, first, _ in rows)
    most = max([1e-12, *(value for _, *values in rows for value in values if value is not None)])
    room = _WIDTH - _LABEL - _NUMBER
    row = _ROW if paired else _ROW - _BAR - 2
    parts = _legend(label, before, after) if paired else []
    top = 26 if paired else 6
    for number, (name, *values) in enumerate(rows):
        y = top + number * row
        middle = y + (_BAR + 5 if paired else _BAR - 1) + 1
        parts.append(f'<text x="{label - 8}" y="{middle}" text-anchor="end">{_short(name, label)}</text>')
        for position, (value, kind) in enumerate(zip(values, ("before", "after"), strict=True)):
            if value is None:
                continue
            line = y + 1 + (position * (_BAR + 2) if paired else 0)
            length = room * value / most
            parts.append(f'<rect class="{kind}" x="{label}" y="{line}" width="{length:.1f}" height="{_BAR}" rx="1"/>')
            figure = escape(_number(value))
            parts.append(f'<text class="small" x="{label + length + 5:.1f}" y="{line + _BAR - 0.5}">{figure}</text>')
    height = top + row * len(rows) + 4
    parts.append(f'<line class="axis" x1="{label}" x2="{label}" y1="{top - 2}" y2="{height - 4}"/>')
    return Figure(title, _alt(title, rows, paired, before, after, unit), _svg(_WIDTH - _LABEL + label, height, parts))


def shares(title: str, rows: Sequence[tuple[str, Sequence[float]]], names: Sequence[str]) -> Figure:
    """Stacked bars of shares that add up to 1, one for each name, with a legend.

    >>> shares("labels", [("age", (0.25, 0.75))], ("one value", "several")).alt
    'labels: age: one value 25 %, several 75 %.'
    """
    parts: list[str] = []
    x, y = 0, 10
    for number, name in enumerate(names):
        wide = 18 + 6.4 * len(name) + 14
        if x and x + wide > _WIDTH:
            x, y = 0, y + 17
        parts.append(f'<rect class="s{min(number, _SHADES - 1)}" x="{x}" y="{y - 9}" width="10" height="10" rx="1"/>')
        parts.append(f'<text class="small" x="{x + 14}" y="{y}">{escape(visible(name))}</text>')
        x += round(wide)
    top, room, row = y + 12, _WIDTH - _LABEL - 4, 22
    for number, (name, values) in enumerate(rows):
        line = top + number * row
        parts.append(f'<text x="{_LABEL - 8}" y="{line + 12}" text-anchor="end">{_short(name, _LABEL)}</text>')
        start = float(_LABEL)
        for shade, value in enumerate(values):
            wide = room * value
            if wide > 0:
                kind = f"s{min(shade, _SHADES - 1)} edge"
                parts.append(f'<rect class="{kind}" x="{start:.1f}" y="{line}" width="{wide:.1f}" height="16"/>')
            start += wide
    spoken = []
    for name, values in rows:
        used = [f"{part} {100 * value:.0f} %" for part, value in zip(names, values, strict=True) if value > 0]
        spoken.append(f"{_limited(name)}: {', '.join(used)}")
    return Figure(title, f"{title}: {'; '.join(spoken)}.", _svg(_WIDTH, top + row * len(rows) + 2, parts))


def _legend(start: int, before: str, after: str) -> list[str]:
    second = start + 32 + 6.4 * len(before)
    return [
        f'<rect class="before" x="{start}" y="2" width="10" height="10" rx="1"/>',
        f'<text class="small" x="{start + 14}" y="11">{escape(before)}</text>',
        f'<rect class="after" x="{second:.0f}" y="2" width="10" height="10" rx="1"/>',
        f'<text class="small" x="{second + 14:.0f}" y="11">{escape(after)}</text>',
    ]


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg class="picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'width="{width:.0f}" height="{height:.0f}">{"".join(parts)}</svg>'
    )


def _short(name: str, room: int) -> str:
    text, letters = visible(name), int((room - 8) / _LETTER)
    return escape(text if len(text) <= letters else text[: letters - 1] + "…")


def _number(value: float) -> str:
    """A figure in few digits.

    >>> [_number(value) for value in (0, 0.25, 12.34, 1234.5, 2_500_000)]
    ['0', '0.25', '12.3', '1,234', '2,500,000']
    >>> _number(0.002)
    '<0.01'
    """
    if 0 < value < 0.01:
        return "<0.01"
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _alt(title: str, rows: Sequence[Bar], paired: bool, before: str, after: str, unit: str) -> str:
    named = [(_limited(name), first, last) for name, first, last in rows]
    if paired:
        pairs = "; ".join(f"{name}: {_number(first or 0)} and {_number(last)}" for name, first, last in named)
        where = f"in the {before} and {after}" if before == "original" else f"{before} and {after}"
        return f"{_limited(title)}, {unit} {where}: {pairs}."
    return f"{_limited(title)}, {unit}: " + "; ".join(f"{name}: {_number(last)}" for name, _, last in named) + "."


def _limited(name: str) -> str:
    return name if len(name) <= _SPOKEN else name[: _SPOKEN - 1] + "…"
