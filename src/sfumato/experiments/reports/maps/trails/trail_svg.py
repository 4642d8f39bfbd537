"""A movement in a map's picture: trails as bands, moves dashed, stops as circles, links, places as symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sfumato.experiments.reports.maps.svg_parts import svg_text
from sfumato.experiments.reports.maps.trails.trail_parts import COLOURS, SYMBOLS, symbol_of
from sfumato.experiments.reports.maps.trails.trails import Line, Trails

__all__ = ["duration_text", "stop_radius", "svg_symbol", "svg_trails", "trail_keys"]

Floats = npt.NDArray[np.float64]
Place = Callable[[Floats], Floats]
_LARGEST, _SMALLEST, _SIZE = 14.0, 2.5, 4.0
_NAMES, _LETTERS = 150, 28
_WIDE = 5.2  # of a letter of a name
_SHAPES = {
    "square": "M-1-1H1V1H-1Z",
    "diamond": "M0-1.3L1.3 0 0 1.3-1.3 0Z",
    "up": "M0-1.3L1.2.9H-1.2Z",
    "down": "M0 1.3L1.2-.9H-1.2Z",
    "star": "M0-1.5L.4-.5H1.4L.6.2.9 1.3 0 .7-.9 1.3-.6.2-1.4-.5H-.4Z",
    "plus": "M-.4-1.3H.4V-.4H1.3V.4H.4V1.3H-.4V.4H-1.3V-.4H-.4Z",
    "cross": "M-1.2-.7L-.7-1.2 0-.5.7-1.2 1.2-.7.5 0 1.2.7.7 1.2 0 .5-.7 1.2-1.2.7-.5 0Z",
}


def svg_trails(trails: Trails, place: Place, layers: Sequence[str], longest: float) -> Iterator[str]:
    """The movement as parts of a picture.  place : points of the map on the picture.  longest : stop, in seconds."""
    if "trails" in layers:
        wide, faint = 2 if len(trails.trails) > 100 else 5, _faint(len(trails.trails))
        yield from _lines(trails.trails, place, f'stroke-width="{wide}" stroke-opacity="{0.4 * faint:.3g}"')
    if "moves" in layers:
        dashes = f'stroke-dasharray="6 5" stroke-linecap="butt" stroke-opacity="{_faint(len(trails.moves)):.3g}"'
        yield from _lines(trails.moves, place, f'stroke-width="1.4" {dashes}')
    spots, places = place(trails.spots.points), place(np.nan_to_num(trails.places.points))
    if "links" in layers:
        yield from _links(trails, spots, places)
    shown = _order(trails)
    if "stops" in layers:
        yield from _stops(trails, spots, longest)
    if "places" in layers:
        yield from (svg_symbol(int(trails.places.category[row]), *places[row]) for row in shown)
    if "places" in layers:
        yield from _names([(trails.places.names[row][:_LETTERS], *places[row]) for row in shown])


def _names(places: Sequence[tuple[str, float, float]]) -> Iterator[str]:
    """The names of places beside their symbols, those that lie on no symbol and no other name."""
    boxes = [(x - 5, y - 5, x + 5, y + 5) for _, x, y in places]
    for number, (name, x, y) in enumerate(places[:_NAMES]):
        box = (x + 6, y - 5, x + 7 + _WIDE * len(name), y + 6)
        others = (other for row, other in enumerate(boxes) if row != number)
        if not any(b[0] < box[2] and b[2] > box[0] and b[1] < box[3] and b[3] > box[1] for b in others):
            boxes.append(box)
            yield svg_text(x + 7, y + 4, name, 10, "#222", halo=True)


def stop_radius(seconds: float, longest: float) -> float:
    """The radius of a stop: its area is proportional to its duration."""
    return max(_SMALLEST, _LARGEST * float(np.sqrt(max(0.0, seconds) / max(longest, 1.0))))


def svg_symbol(category: int, x: float, y: float) -> str:
    """The symbol of a category."""
    shape = _SHAPES[symbol_of(category)]
    return (
        f'<path transform="translate({x:.1f} {y:.1f}) scale({_SIZE})" d="{shape}" fill="#222" stroke="#fff" '
        'stroke-width="0.3"/>'
    )


def trail_keys(trails: Trails, layers: Sequence[str], longest: float) -> Iterator[tuple[str, float, str]]:
    """The legend: each key as its symbol, the width of the symbol, and words."""
    if "trails" in layers:
        for number, name in enumerate(trails.objects[: len(COLOURS)]):
            yield _key_line(number, 'stroke-width="5" stroke-opacity="0.4"'), 26.0, f"{number + 1}: {name[:_LETTERS]}"
        if len(trails.objects) > len(COLOURS):
            rest = f"and {len(trails.objects) - len(COLOURS):,} more moving objects; colours repeat, numbers do not"
            yield "", 0.0, rest
    if "moves" in layers and trails.moves:
        yield _key_line(6, 'stroke-width="1.4" stroke-dasharray="6 5"'), 26.0, "move"
    if "stops" in layers and trails.spots.stop.any():
        radius = stop_radius(longest, longest)
        yield f'<circle cx="{radius}" r="{radius}" fill="#999" stroke="#222"/>', 2 * radius, duration_text(longest)
    if "links" in layers and trails.drawn_links.any():
        yield '<path d="M0 0h26" stroke="#333" stroke-width="0.8"/>', 26.0, "link to a place"
    if "places" in layers:
        used = np.unique(trails.places.category[trails.places.located]).tolist()
        for row in [row for row in used if row < len(SYMBOLS)]:
            yield svg_symbol(row, 6, 0), 12.0, trails.places.categories[row][:_LETTERS]
        if any(row >= len(SYMBOLS) for row in used):
            yield svg_symbol(len(SYMBOLS), 6, 0), 12.0, "other categories"


def duration_text(seconds: float) -> str:
    """The words of the legend for the largest circle.

    >>> duration_text(5400), duration_text(36000)
    ('stop of 90 minutes', 'stop of 10.0 hours')
    """
    minutes = seconds / 60
    return f"stop of {minutes:.0f} minutes" if minutes < 180 else f"stop of {minutes / 60:.1f} hours"


def _key_line(number: int, look: str) -> str:
    return f'<path d="M0 0h26" stroke="{COLOURS[number % len(COLOURS)]}" {look}/>'


def _faint(lines: int) -> float:
    """The opacity of many lines over each other, so that stops and places stay readable."""
    return max(0.15, min(1.0, 150 / max(lines, 1)))


def _lines(lines: Sequence[Line], place: Place, look: str) -> Iterator[str]:
    yield f'<g fill="none" stroke-linejoin="round" {look}>'
    for line in lines:
        texts = [f"{x:.1f} {y:.1f}" for x, y in place(line.points).tolist()]
        texts = [texts[0], *(after for before, after in pairwise(texts) if after != before)]
        yield f'<path d="M{"L".join(texts)}" stroke="{COLOURS[line.object % len(COLOURS)]}"/>'
    yield "</g>"


def _links(trails: Trails, spots: Floats, places: Floats) -> Iterator[str]:
    parts = [
        f"M{spots[spot][0]:.1f} {spots[spot][1]:.1f}L{places[row][0]:.1f} {places[row][1]:.1f}"
        for spot, row in zip(
            trails.links.spot[trails.drawn_links].tolist(), trails.links.place[trails.drawn_links].tolist(), strict=True
        )
    ]
    opacity = 0.7 * _faint(len(parts)) ** 0.5
    yield f'<path d="{"".join(parts)}" fill="none" stroke="#333" stroke-width="0.8" stroke-opacity="{opacity:.3g}"/>'


def _order(trails: Trails) -> list[int]:
    """The places with coordinates, those with the most links first."""
    links = np.bincount(trails.links.place, minlength=len(trails.places)) if len(trails.places) else np.zeros(0)
    rows = np.flatnonzero(trails.places.located & (links > 0)) if len(links) else np.zeros(0, dtype=np.int64)
    return [int(row) for row in rows[np.argsort(-links[rows], kind="stable")]]


def _stops(trails: Trails, spots: Floats, longest: float) -> Iterator[str]:
    seconds = trails.spots.end - trails.spots.begin
    for row in np.argsort(-seconds, kind="stable").tolist():
        if trails.spots.stop[row]:
            (x, y), number = spots[row], int(trails.spots.object[row])
            radius, colour = stop_radius(float(seconds[row]), longest), COLOURS[number % len(COLOURS)]
            look = f'fill="{colour}" fill-opacity="0.6" stroke="#222" stroke-width="0.8"'
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {look}/>'
            if radius >= 7:
                yield svg_text(x - 3 * len(str(number + 1)), y + 3.5, str(number + 1), 10, "#fff", bold=True)
