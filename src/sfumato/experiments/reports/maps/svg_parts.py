"""Parts of SVG pictures of maps: colours, sizes by number, texts and round lengths."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from html import escape

__all__ = [
    "BLUE",
    "GREEN",
    "ORANGE",
    "Most",
    "area_opacity",
    "legend_numbers",
    "plain_text",
    "round_length",
    "svg_text",
]

BLUE, ORANGE, GREEN = "#2166ac", "#d95f02", "#1b7837"  # places, labels for several places, flows
_TRAFFIC = ("#9ecae1", "#3182bd", "#08306b")
_LARGEST, _SMALLEST = 16.0, 1.4  # radius of a circle
_WIDEST = 6.0  # of a flow
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def plain_text(text: str) -> str:
    """A text for SVG or HTML: escaped, without characters that XML does not allow.

    >>> plain_text('<a "b">' + chr(0))
    '&lt;a &quot;b&quot;&gt;\\ufffd'
    """
    return escape(_CONTROL.sub("\ufffd", text))


@dataclass(frozen=True)
class Most:
    """The largest numbers of all panels, which every panel is scaled by."""

    visits: int
    moves: int
    vehicles: int

    def radius(self, visits: float) -> float:
        return max(_SMALLEST, _LARGEST * math.sqrt(visits / self.visits))

    def width(self, moves: float) -> float:
        return 0.5 + _WIDEST * moves / self.moves

    def traffic(self, vehicles: float) -> tuple[float, str]:
        """The width and the colour of a road."""
        share = math.log(vehicles) / math.log(self.vehicles) if self.vehicles > 1 else 1.0
        return 0.4 + 3.6 * math.sqrt(vehicles / self.vehicles), _mixed_blue(share)


def _mixed_blue(share: float) -> str:
    """A colour between light and dark blue."""
    low, high = (_TRAFFIC[:2], share * 2) if share < 0.5 else (_TRAFFIC[1:], share * 2 - 1)
    ends = [[int(colour[start : start + 2], 16) for start in (1, 3, 5)] for colour in low]
    return "#" + "".join(f"{round(a + (b - a) * high):02x}" for a, b in zip(*ends, strict=True))


def area_opacity(overlap: float) -> tuple[float, float]:
    """How dense areas are filled and their outlines drawn: the more lie on each other, the fainter.

    overlap : how many areas cover a point of the map on average.

    >>> area_opacity(0.5), area_opacity(3.0), area_opacity(1000.0)
    ((0.22, 0.6), (0.1, 0.3), (0.01, 0.1))
    """
    fill = min(0.22, max(0.01, 0.3 / max(overlap, 1e-9)))
    return round(fill, 3), round(min(0.6, max(0.1, 3 * fill)), 3)


def round_length(most: float) -> float:
    """The largest number 1, 2 or 5 times a power of ten that is at most this.

    >>> [round_length(number) for number in (7.3, 49.0, 0.03)]
    [5.0, 20.0, 0.02]
    """
    power = 10.0 ** math.floor(math.log10(most))
    return max(float(f"{digit * power:.6g}") for digit in (1, 2, 5) if digit * power <= most * (1 + 1e-9))


def legend_numbers(most: int) -> list[int]:
    """Up to three numbers for the legend, from a round one to the largest.

    >>> legend_numbers(1234), legend_numbers(1)
    ([50, 1234], [1])
    """
    low = int(round_length(max(1.0, most / 20)))
    return [low, most] if low < most else [most]


def svg_text(x: float, y: float, text: str, size: float, colour: str, *, bold: bool = False, halo: bool = False) -> str:
    """A text; halo : whether it stays readable on lines."""
    look = ' font-weight="600"' if bold else ""
    look += ' paint-order="stroke" stroke="#fff" stroke-width="2.5"' if halo else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}"{look} fill="{colour}">{plain_text(text)}</text>'
