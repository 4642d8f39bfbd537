"""Small pictures of charts: one line a configuration, as SVG of a few kilobytes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from sfumato.experiments.definition.experiment import pretty

__all__ = ["picture"]

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 400, 34, 210
Line = Sequence[tuple[Any, float]]


def picture(title: str, x: str, y: str, lines: Mapping[str, Line], *, log_x: bool = False, log_y: bool = False) -> str:
    """The lines as an SVG; settings that are no numbers, and one setting alone, stand side by side.

    lines : for each configuration, its settings with their figures.
    """
    settings = list(dict.fromkeys(setting for line in lines.values() for setting, _ in line))
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in settings)
    places = _scale(settings if numbers else range(len(settings)), log_x and numbers, _LEFT + 8, _RIGHT - 8)
    where = dict(zip(settings, places, strict=True))
    values = [value for line in lines.values() for _, value in line]
    log_y = log_y and min(values, default=0) > 0
    heights = dict(zip(values, _scale(values, log_y, _BOTTOM - 6, _TOP + 6), strict=True))
    bottom = _BOTTOM + 34 + 14 * len(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 {bottom}" font-family="sans-serif" font-size="10">',
        f'<rect width="420" height="{bottom}" fill="#fff"/>',
        f'<text x="8" y="14" font-size="12" font-weight="bold">{escape(title)}</text>',
        f'<text x="8" y="27" fill="#555">{escape(y)}{", logarithmic" if log_y else ""}</text>',
        f'<path d="M{_LEFT} {_TOP}V{_BOTTOM}H{_RIGHT}" fill="none" stroke="#888"/>',
        *(
            f'<text x="{place:.0f}" y="{_BOTTOM + 13}" text-anchor="middle">{escape(_shown(value))}</text>'
            for value, place in where.items()
        ),
        f'<text x="{_RIGHT}" y="{_BOTTOM + 26}" text-anchor="end" fill="#555">{escape(x)}</text>',
    ]
    parts += [
        f'<text x="{_LEFT - 4}" y="{heights[value] + 3:.0f}" text-anchor="end">{_shown(value)}</text>'
        for value in sorted({min(values), max(values)} if values else ())
    ]
    for number, (name, line) in enumerate(lines.items()):
        colour, y_legend = _COLOURS[number % len(_COLOURS)], _BOTTOM + 34 + 14 * number
        dash = f' stroke-dasharray="{2 + 2 * (number // len(_COLOURS))}"' if number >= len(_COLOURS) else ""
        points = [(where[setting], heights[value]) for setting, value in line]
        if len(points) > 1:
            drawn = " ".join(f"{left:.0f},{top:.0f}" for left, top in points)
            parts.append(f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')
        parts += [f'<circle cx="{left:.0f}" cy="{top:.0f}" r="2.6" fill="{colour}"/>' for left, top in points]
        parts.append(f'<circle cx="{_LEFT}" cy="{y_legend - 3}" r="3" fill="{colour}"/>')
        parts.append(f'<text x="{_LEFT + 8}" y="{y_legend}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _scale(values: Sequence[float] | range, log: bool, low: float, high: float) -> list[float]:
    """Where each value is drawn between low and high."""
    log = log and min(values, default=0) > 0
    scaled = [math.log(value) if log else float(value) for value in values]
    least, most = min(scaled, default=0.0), max(scaled, default=0.0)
    if most == least:
        return [(low + high) / 2] * len(scaled)
    return [low + (value - least) / (most - least) * (high - low) for value in scaled]


def _shown(value: Any) -> str:
    return pretty(value) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
