"""What the script of a map's page draws of a movement, as numbers and short texts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sfumato.experiments.reports.maps.trails.trail_parts import COLOURS, SYMBOLS
from sfumato.experiments.reports.maps.trails.trails import Line, Trails

__all__ = ["trails_payload"]

Whole = Callable[[Any], list[int]]


def trails_payload(trails: Trails, whole: Whole, name: Callable[[str], str]) -> dict[str, Any]:
    """The movement for the script.  whole : points as whole numbers.  name : a text that is short enough."""
    spots, links, places = trails.spots, trails.links, trails.places
    located = places.located
    points = np.where(located[:, None], places.points, trails.spots.points[:1].sum(axis=0))
    return {
        "objects": [name(text) for text in trails.objects],
        "colours": COLOURS,
        "symbols": SYMBOLS,
        "trails": _lines(trails.trails, whole),
        "moves": _lines(trails.moves, whole),
        "spots": {
            "points": whole(spots.points),
            "object": spots.object.tolist(),
            "begin": np.round(spots.begin).astype(np.int64).tolist(),
            "end": np.round(spots.end).astype(np.int64).tolist(),
            "stop": spots.stop.astype(int).tolist(),
        },
        "links": {
            "spot": links.spot.tolist(),
            "place": links.place.tolist(),
            "property": links.property.tolist(),
            "metres": [_short(number, 1) for number in links.metres.tolist()],
            "similarity": [_short(number, 3) for number in links.similarity.tolist()],
        },
        "places": {
            "points": whole(points),
            "located": located.astype(int).tolist(),
            "names": [name(text) for text in places.names],
            "category": places.category.tolist(),
        },
        "categories": [name(text) for text in places.categories],
        "properties": [name(text) for text in trails.properties],
    }


def _lines(lines: Sequence[Line], whole: Whole) -> list[dict[str, Any]]:
    return [
        {"o": whole(line.points), "object": line.object, "begin": round(line.begin), "end": round(line.end),
         "positions": line.positions, "links": [_link(*link) for link in line.links]}
        for line in lines
    ]  # fmt: skip


def _link(kind: int, place: int, metres: float, similarity: float) -> list[float | None]:
    return [kind, place, _short(metres, 1), _short(similarity, 3)]


def _short(number: float, digits: int) -> float | None:
    return None if math.isnan(number) else round(number, digits)
