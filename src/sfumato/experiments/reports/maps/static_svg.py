"""A map as one SVG picture: its panels side by side, on one scale, with a legend and a scale bar."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sfumato.experiments.reports.maps.clusters import Flows, Marks, clustered
from sfumato.experiments.reports.maps.panels import Panel, Scene
from sfumato.experiments.reports.maps.svg_legend import svg_legend
from sfumato.experiments.reports.maps.svg_parts import (
    BLUE,
    GREEN,
    ORANGE,
    Most,
    area_opacity,
    plain_text,
    round_length,
    svg_text,
)
from sfumato.experiments.reports.maps.trails.trail_svg import svg_trails

__all__ = ["static_svg"]

Floats = npt.NDArray[np.float64]
_SIDE, _ALONE, _GAP, _EDGE, _HEAD = 460.0, 640.0, 20.0, 16.0, 48.0  # points
_COLUMNS = 3
_SQUARE = 11.0  # side of the squares in which circles are drawn as one


@dataclass(frozen=True)
class _Frame:
    """The window of a panel: points of the map as points of the picture."""

    width: float
    height: float
    scale: float
    low: Floats

    @classmethod
    def around(cls, scene: Scene) -> _Frame:
        wide, high = (scene.high - scene.low).tolist()
        margin = 1.09
        width = _ALONE if len(scene.panels) == 1 else _SIDE
        height = width * min(1.0, max(0.5, high / wide))
        scale = min(width / wide, height / high) / margin
        middle = (scene.low + scene.high) / 2
        return cls(width, height, scale, middle - np.array([width, height]) / 2 / scale)

    def place(self, points: Floats) -> Floats:
        spots = (np.asarray(points).reshape(-1, 2) - self.low) * self.scale
        spots[:, 1] = self.height - spots[:, 1]
        return spots


def static_svg(scene: Scene, *, caption: str = "", only: int | None = None) -> str:
    """The picture; the same scene always gives the same text.

    caption : a sentence above the panels, such as that the map is private.
    only : the number of the panel that is drawn, on the scale of all; None for all.
    """
    frame = _Frame.around(scene)
    drawn = list(enumerate(scene.panels)) if only is None else [(only, scene.panels[only])]
    columns = min(_COLUMNS, len(drawn))
    shown = [_joined(panel, _SQUARE / frame.scale, scene.style.top_flows) for panel in scene.panels]
    most = _most(scene, shown)
    width = 2 * _EDGE + columns * frame.width + (columns - 1) * _GAP
    top = _EDGE + (22 if caption else 0)
    parts = [] if not caption else [svg_text(_EDGE, _EDGE + 10, caption, 12, "#8c1d18", bold=True)]
    for place, (number, panel) in enumerate(drawn):
        x = _EDGE + (place % columns) * (frame.width + _GAP)
        y = top + (place // columns) * (frame.height + _HEAD + _GAP)
        parts += _panel(panel, shown[number], scene, frame, most, x, y)
    rows = math.ceil(len(drawn) / columns)
    y = top + rows * (frame.height + _HEAD + _GAP)
    legend, y = svg_legend(scene, most, _EDGE, y, width - 2 * _EDGE)
    parts += legend
    for note in _notes(scene, shown):
        for line in textwrap.wrap(note, int(width / 5.6)):
            parts.append(svg_text(_EDGE, y + 12, line, 11, "#555"))
            y += 15
    height = y + _EDGE
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" role="img">'
    )
    title = " and ".join(panel.title for _, panel in drawn)
    back = f'<title>Map of {plain_text(title)}</title><rect width="100%" height="100%" fill="#fff"/>'
    return "\n".join([head, back, *parts, "</svg>"]) + "\n"


@dataclass(frozen=True, eq=False)
class _Shown:
    """What is drawn of a panel: circles, and the strongest flows between marks; all_flows : how many there are."""

    marks: Marks
    ends: Marks
    flows: Flows
    all_flows: int


def _joined(panel: Panel, side: float, top: int) -> _Shown:
    """The circles and flows of a panel in squares of this side."""
    ends, flows = clustered(panel.ends, panel.flows, side)
    marks = ends if panel.ends is panel.marks else clustered(panel.marks, Flows.none(), side)[0]
    return _Shown(marks, ends, flows.strongest(top), len(flows))


def _most(scene: Scene, shown: Sequence[_Shown]) -> Most:
    return Most(
        max(1, *(int(part.marks.visits.max(initial=0)) for part in shown)),
        max(1, *(int(part.flows.moves.max(initial=0)) for part in shown)),
        max(1, *(int(panel.roads.vehicles.max(initial=0)) for panel in scene.panels if panel.roads is not None), 1),
    )


def _panel(panel: Panel, shown: _Shown, scene: Scene, frame: _Frame, most: Most, x: float, y: float) -> Iterator[str]:
    yield svg_text(x, y + 14, _shortened(panel.title, 52), 15, "#222", bold=True)
    yield svg_text(x, y + 33, panel.summary, 11.5, "#444")
    yield (
        f'<svg x="{x:.1f}" y="{y + _HEAD - 6:.1f}" width="{frame.width:.1f}" height="{frame.height:.1f}">'
        '<rect width="100%" height="100%" fill="#fafaf8" stroke="#ccc"/>'
    )
    if scene.lines:
        lines = "".join(_path(frame.place(line)) for line in scene.lines)
        yield f'<path d="{lines}" fill="none" stroke="#c4c4c0" stroke-width="0.7"/>'
    if panel.roads is not None:
        yield from _roads(panel, frame, most)
    layers = scene.style.shown
    if "areas" in layers:
        yield from _areas(panel, frame, scene.overlap(panel))
    if "flows" in layers:
        yield from _flows(shown.ends, shown.flows, frame, most)
    if "visits" in layers:
        yield from _circles(shown.marks, frame, most)
    if panel.trails is not None:
        yield from svg_trails(panel.trails, frame.place, layers, scene.longest_stop)
    yield from _scale_bar(scene, frame)
    yield "</svg>"


def _areas(panel: Panel, frame: _Frame, overlap: float) -> Iterator[str]:
    fill, edge = area_opacity(overlap)
    for general, colour in ((False, BLUE), (True, ORANGE)):  # cells of a grid, then areas of several places
        chosen = [area for area in panel.areas if (area.members > 1) is general]
        if chosen:
            yield (
                f'<g fill="{colour}" fill-opacity="{fill}" stroke="{colour}" stroke-width="0.6" '
                f'stroke-opacity="{edge}" stroke-linejoin="round">'
            )
            yield from (f'<path d="{_path(frame.place(area.outline))}Z"/>' for area in chosen)
            yield "</g>"


def _flows(marks: Marks, flows: Flows, frame: _Frame, most: Most) -> Iterator[str]:
    spots = frame.place(marks.points)
    yield f'<g fill="none" stroke="{GREEN}" stroke-opacity="0.55" stroke-linecap="round">'
    for start, end, moves in zip(flows.start[::-1], flows.end[::-1], flows.moves[::-1], strict=True):
        (ax, ay), (bx, by) = spots[start], spots[end]
        # bent to the left of the direction, so that there and back lie beside each other
        cx, cy = (ax + bx) / 2 + (by - ay) * 0.14, (ay + by) / 2 - (bx - ax) * 0.14
        yield (
            f'<path d="M{ax:.1f} {ay:.1f}Q{cx:.1f} {cy:.1f} {bx:.1f} {by:.1f}" stroke-width="{most.width(moves):.2f}"/>'
        )
    yield "</g>"


def _circles(marks: Marks, frame: _Frame, most: Most) -> Iterator[str]:
    spots = frame.place(marks.points)
    order = np.argsort(-marks.visits, kind="stable")  # small circles above large ones
    for general, colour in ((False, BLUE), (True, ORANGE)):
        rows = [row for row in order.tolist() if bool(marks.general[row]) is general]
        if rows:
            yield f'<g fill="{colour}" fill-opacity="0.6" stroke="#fff" stroke-width="0.5">'
            for row in rows:
                x, y = spots[row]
                yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{most.radius(int(marks.visits[row])):.1f}"/>'
            yield "</g>"


def _roads(panel: Panel, frame: _Frame, most: Most) -> Iterator[str]:
    assert panel.roads is not None
    spots = frame.place(panel.roads.ends).reshape(-1, 2, 2)
    busy = panel.roads.vehicles > 0
    quiet = "".join(_path(line) for line in spots[~busy])
    yield f'<path d="{quiet}" fill="none" stroke="#d9d9d9" stroke-width="0.5"/>'
    yield '<g fill="none" stroke-linecap="round">'
    for line, vehicles in zip(spots[busy], panel.roads.vehicles[busy], strict=True):
        width, colour = most.traffic(int(vehicles))
        yield f'<path d="{_path(line)}" stroke="{colour}" stroke-width="{width:.2f}"/>'
    yield "</g>"


def _path(points: Floats) -> str:
    """The points as a path, without those that fall on the one before."""
    texts = [f"{x:.1f} {y:.1f}" for x, y in points.tolist()]
    texts = [texts[0], *(after for before, after in pairwise(texts) if after != before)]
    return f"M{'L'.join(texts)}" if len(texts) > 1 else f"M{texts[0]}h.1"


def _scale_bar(scene: Scene, frame: _Frame) -> Iterator[str]:
    length = round_length(frame.width / 4 / frame.scale)
    unit = f"{length:,.6g}"
    if scene.projection.geographic:
        unit = f"{length / 1000:,.6g} km" if length >= 1000 else f"{length:,.6g} m"
    x, y, wide = 10.0, frame.height - 10, length * frame.scale
    yield (
        f'<path d="M{x} {y - 4}V{y}H{x + wide:.1f}V{y - 4}" fill="none" stroke="#333"/>'
        f'<text x="{x + 3}" y="{y - 4}" font-size="10" fill="#333">{unit}</text>'
    )


def _notes(scene: Scene, shown: Sequence[_Shown]) -> Iterator[str]:
    layers, top = scene.style.shown, scene.style.top_flows
    for panel, part in zip(scene.panels, shown, strict=True):
        if "visits" in layers and len(part.marks) < len(panel.marks):
            before, after = f"{len(panel.marks):,}", f"{len(part.marks):,}"
            yield f"{panel.title}: {before} circles that lie close together are drawn as {after}."
        if "flows" in layers and part.all_flows > top:
            yield f"{panel.title}: of {part.all_flows:,} flows between circles, the {top:,} strongest are drawn."
    if "flows" in layers and any(len(part.flows) for part in shown):
        yield "A flow bends to the left of its direction. Moves within a circle are not drawn."
    yield from scene.notes


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
