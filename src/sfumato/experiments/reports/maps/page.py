"""A map as a self-contained page: panels that zoom together, layers, tooltips, a legend and a scale bar."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt

from sfumato.experiments.reports.maps.clusters import Marks
from sfumato.experiments.reports.maps.page_events import EVENTS
from sfumato.experiments.reports.maps.page_script import SCRIPT
from sfumato.experiments.reports.maps.page_style import STYLE
from sfumato.experiments.reports.maps.panels import Panel, Scene
from sfumato.experiments.reports.maps.svg_parts import BLUE, GREEN, ORANGE, area_opacity, plain_text
from sfumato.experiments.reports.maps.trails.payload import trails_payload
from sfumato.experiments.reports.maps.trails.trail_script import TRAIL_SCRIPT

__all__ = ["map_page"]

_STEPS = 10_000_000  # positions along the longer side of the map
_NAME = 80  # characters of a name
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
_PRIVATE = """<p class="private"><b>Private.</b> This map is drawn from data that no promise covers. Keep it where the
original is kept.</p>"""
_PUBLIC = '<p class="about">Drawn from published data and published or given places.</p>'
_HELP = """Drag to move, and turn the wheel or pinch to zoom. With the keyboard: arrow keys, <kbd>+</kbd>,
<kbd>-</kbd>, and <kbd>0</kbd> for the whole map. All panels move together. Point at a circle, a line or an area to see
its figures."""


_OBJECTS = '<label>moving object <select id="objects"></select></label>'


def map_page(scene: Scene, *, private: bool, still: str) -> str:
    """The page.  still : the map as an SVG picture, for readers who do not run scripts."""
    title = plain_text(" and ".join(panel.title for panel in scene.panels))
    panels = "".join(
        f"<figure><figcaption><b>{plain_text(panel.title)}</b><br><span>{plain_text(panel.summary)}</span></figcaption>"
        f'<canvas tabindex="0" role="img" aria-label="Map of {plain_text(panel.title)}: {plain_text(panel.summary)}">'
        "</canvas></figure>"
        for panel in scene.panels
    )
    layers = ("roads",) if scene.on_roads else tuple(layer for layer in scene.style.shown if _has(scene, layer))
    boxes = "".join(_box(layer) for layer in (*layers, *(("basemap",) if scene.lines else ())))
    notes = "".join(f"<li>{plain_text(note)}</li>" for note in scene.notes)
    data = json.dumps(_payload(scene), ensure_ascii=True, separators=(",", ":")).translate(_UNSAFE)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="referrer" content="no-referrer">
<title>Map of {title}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>Map of {title}</h1>
{_PRIVATE if private else _PUBLIC}
<div id="tools" hidden><span class="buttons"><button type="button" data-do="in" aria-label="Zoom in">+</button>
<button type="button" data-do="out" aria-label="Zoom out">&minus;</button>
<button type="button" data-do="all">Whole map</button></span>{boxes}{_OBJECTS if scene.on_trails else ""}</div>
<div id="panels" hidden>{panels}</div>
<div id="legend" role="note" hidden></div>
<noscript><div class="still">{still}</div></noscript>
<ul id="notes"><li id="flows-note" hidden></li>{notes}</ul>
<p class="about">{_HELP}</p>
<div id="tip" role="status" hidden></div>
</main>
<script>const DATA = {data};</script>
<script>
"use strict";
(() => {{{SCRIPT}{TRAIL_SCRIPT}{EVENTS}}})();
</script>
</body>
</html>
"""


_UNSAFE = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}


def _has(scene: Scene, layer: str) -> bool:
    """Whether there is anything of a layer to draw."""
    drawn = [panel.trails for panel in scene.panels if panel.trails is not None]
    if layer == "visits":
        return len(drawn) < len(scene.panels)
    if layer in ("areas", "flows"):
        return any(len(panel.areas if layer == "areas" else panel.flows) for panel in scene.panels)
    return any(trails.has(layer) for trails in drawn)


def _box(layer: str) -> str:
    return f'<label><input type="checkbox" checked data-layer="{layer}"> {layer}</label>'


def _payload(scene: Scene) -> dict[str, Any]:
    """What the script draws, with positions as whole numbers."""
    step = float((scene.high - scene.low).max()) / _STEPS

    def whole(points: npt.NDArray[np.float64]) -> list[int]:
        shape = np.asarray(points).reshape(-1, 2)
        return [int(number) for number in np.round((shape - scene.low) / step).ravel().tolist()]

    projection = scene.projection
    return {
        "width": (scene.high - scene.low).tolist()[0] / step,
        "height": (scene.high - scene.low).tolist()[1] / step,
        "step": step,
        "metres": projection.geographic,
        "south": projection.latitude(float(scene.low[1])) if projection.geographic else 0,
        "squeeze": projection.squeeze,
        "topFlows": scene.style.top_flows,
        "colours": {"place": BLUE, "label": ORANGE, "flow": GREEN},
        "lines": [whole(line) for line in scene.lines],
        "panels": [_panel(panel, scene, whole) for panel in scene.panels],
    }


def _panel(panel: Panel, scene: Scene, whole: Any) -> dict[str, Any]:
    flows = panel.flows
    fill, edge = area_opacity(scene.overlap(panel))
    content: dict[str, Any] = {
        "title": panel.title[:_NAME],
        "marks": _marks(panel.marks, whole),
        "ends": None if panel.ends is panel.marks else _marks(panel.ends, whole),
        "flows": np.column_stack((flows.start, flows.end, flows.moves)).ravel().tolist(),
        "fill": fill,
        "edge": edge,
        "areas": [
            {"o": whole(area.outline), "name": _shortened(area.name), "members": area.members, "visits": area.visits}
            for area in panel.areas
        ],
    }
    if panel.roads is not None:
        roads = panel.roads
        content["roads"] = {
            "ends": whole(roads.ends.reshape(-1, 2)),
            "vehicles": roads.vehicles.tolist(),
            "names": [_shortened(name) for name in roads.names],
        }
    if panel.trails is not None:
        content["trails"] = trails_payload(panel.trails, whole, _shortened)
    return content


def _marks(marks: Marks, whole: Any) -> dict[str, Any]:
    return {
        "points": whole(marks.points),
        "visits": marks.visits.tolist(),
        "members": marks.members.tolist(),
        "labels": marks.labels.tolist() if len(marks) and int(marks.labels.max()) > 1 else None,
        "names": [_shortened(str(name)) for name in marks.names.tolist()],
    }


def _shortened(name: str) -> str:
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
