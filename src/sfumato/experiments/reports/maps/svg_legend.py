"""The legend of a map's picture: what circles, lines and areas stand for, and how much."""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.experiments.reports.maps.panels import Scene
from sfumato.experiments.reports.maps.svg_parts import BLUE, GREEN, ORANGE, Most, legend_numbers, svg_text
from sfumato.experiments.reports.maps.trails.trail_svg import trail_keys

__all__ = ["svg_legend"]

_ROW, _GAP = 34.0, 18.0
_LETTER = 5.4  # the mean width of a letter of 11 points


def svg_legend(scene: Scene, most: Most, x: float, y: float, width: float) -> tuple[list[str], float]:
    """The keys of the legend from a corner, in rows of this width, and the y below them."""
    parts, left = [], x
    for symbol, wide, words in _road_keys(most) if scene.on_roads else _place_keys(scene, most):
        needed = wide + 6 + _LETTER * len(words)
        if left > x and left + needed > x + width:
            left, y = x, y + _ROW
        text = svg_text(wide + 6, 4, words, 11, "#333")
        parts.append(f'<g transform="translate({left:.1f} {y + 14:.1f})">{symbol}{text}</g>')
        left += needed + _GAP
    return parts, y + _ROW


def _road_keys(most: Most) -> Iterator[tuple[str, float, str]]:
    for vehicles in legend_numbers(most.vehicles):
        width, colour = most.traffic(vehicles)
        yield _line(colour, width), 26.0, f"{vehicles:,} vehicles on a road"


def _place_keys(scene: Scene, most: Most) -> Iterator[tuple[str, float, str]]:
    """Each key as its symbol, the width of the symbol, and words."""
    layers = scene.style.shown
    for panel in scene.panels:
        if panel.trails is not None:
            yield from trail_keys(panel.trails, layers, scene.longest_stop)
    if "visits" in layers and any(panel.trails is None for panel in scene.panels):
        for visits in legend_numbers(most.visits):
            yield _disc(BLUE, most.radius(visits)), 2 * most.radius(visits), f"{visits:,} visits"
        if any(panel.marks.general.any() for panel in scene.panels):
            yield _disc(ORANGE, 7), 14.0, "visits to labels for several places"
    if "flows" in layers and any(len(panel.flows) for panel in scene.panels):
        yield _line(GREEN, most.width(most.moves)), 26.0, f"{most.moves:,} moves"
    areas = [area for panel in scene.panels for area in panel.areas]
    if any(area.members > 1 for area in areas):
        yield _rectangle(ORANGE), 20.0, "area of a label"
    if any(area.members == 1 for area in areas):
        yield _rectangle(BLUE), 20.0, "cell of a grid"


def _disc(colour: str, radius: float) -> str:
    return f'<circle cx="{radius:.1f}" r="{radius:.1f}" fill="{colour}" fill-opacity="0.6"/>'


def _line(colour: str, width: float) -> str:
    return f'<path d="M0 0h26" stroke="{colour}" stroke-opacity="0.8" stroke-width="{width:.2f}"/>'


def _rectangle(colour: str) -> str:
    edge = f'stroke="{colour}" stroke-opacity="0.6"'
    return f'<rect y="-7" width="20" height="14" fill="{colour}" fill-opacity="0.2" {edge}/>'
