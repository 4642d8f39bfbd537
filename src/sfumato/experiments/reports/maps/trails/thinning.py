"""Movements that are small enough for a page: the largest trails and stops, and lines with fewer points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sfumato.experiments.reports.maps.trails.trails import Line, Trails

__all__ = ["thinned"]

_MOST_LINES = 4_000  # trails of one panel, and as many moves
_MOST_STOPS = 10_000
_MOST_LINKS = 20_000
_MOST_POINTS = 200_000  # of all lines
_STEPS = 20_000  # the finest detail that is kept, as a share of the map


def thinned(trails: Trails, width: float) -> tuple[Trails, list[str], float]:
    """The movement within the limits of a page, sentences about what was left out, and the detail of the lines.

    width : of the map.  The detail is 0 where every position is on its line.
    """
    notes: list[str] = []
    paths, remarks = _largest(trails.trails, "trails")
    moves, others = _largest(trails.moves, "moves")
    trails = replace(trails, trails=paths, moves=moves)
    notes += [*remarks, *others]
    trails, remarks = _longest_stops(trails)
    notes += remarks
    if sum(len(line.points) for line in (*trails.trails, *trails.moves)) <= _MOST_POINTS:
        return trails, notes, 0.0
    step = width / _STEPS
    while True:
        coarse = replace(trails, trails=_coarse(trails.trails, step), moves=_coarse(trails.moves, step))
        if sum(len(line.points) for line in (*coarse.trails, *coarse.moves)) <= _MOST_POINTS:
            return coarse, notes, step
        step *= 2


def _largest(lines: Sequence[Line], what: str) -> tuple[tuple[Line, ...], list[str]]:
    if len(lines) <= _MOST_LINES:
        return tuple(lines), []
    order = np.argsort([-line.positions for line in lines], kind="stable")[:_MOST_LINES]
    sentence = f"Of {len(lines):,} {what}, the {_MOST_LINES:,} with the most positions are drawn."
    return tuple(lines[row] for row in np.sort(order).tolist()), [sentence]


def _longest_stops(trails: Trails) -> tuple[Trails, list[str]]:
    """The longest stops with their links, and links of positions as far as there is room."""
    spots, links, notes = trails.spots, trails.links, []
    kept = np.ones(len(spots), dtype=bool)
    stops = np.flatnonzero(spots.stop)
    if len(stops) > _MOST_STOPS:
        order = np.argsort(-(spots.end - spots.begin)[stops], kind="stable")
        kept[stops[order[_MOST_STOPS:]]] = False
        notes.append(f"Of {len(stops):,} stops, the {_MOST_STOPS:,} longest are drawn.")
    chosen = kept[links.spot] if len(links) else np.zeros(0, dtype=bool)
    if int(chosen.sum()) > _MOST_LINKS:
        rows = np.flatnonzero(chosen)
        order = np.lexsort((rows, ~spots.stop[links.spot[rows]]))  # those of stops first
        chosen = np.zeros(len(links), dtype=bool)
        chosen[rows[order[:_MOST_LINKS]]] = True
        notes.append(f"Of {len(links):,} links, {_MOST_LINKS:,} are drawn, those of stops first.")
    if kept.all() and chosen.all():
        return trails, notes
    linked = np.zeros(len(spots), dtype=bool)
    linked[links.spot[chosen]] = True
    kept &= spots.stop | linked
    links = links.taken(chosen)
    links = replace(links, spot=(np.cumsum(kept) - 1)[links.spot])
    return _used_places(replace(trails, spots=spots.taken(np.flatnonzero(kept)), links=links)), notes


def _used_places(trails: Trails) -> Trails:
    """The movement without places that no link leads to."""
    of_lines = [link[1] for line in (*trails.trails, *trails.moves) for link in line.links]
    used = np.unique(np.concatenate((trails.links.place, np.array(of_lines, dtype=np.int64))))
    number = np.full(len(trails.places), -1)
    number[used] = np.arange(len(used))

    def renumbered(line: Line) -> Line:
        return replace(line, links=tuple((link[0], int(number[link[1]]), *link[2:]) for link in line.links))

    return replace(
        trails,
        trails=tuple(map(renumbered, trails.trails)),
        moves=tuple(map(renumbered, trails.moves)),
        links=replace(trails.links, place=number[trails.links.place]),
        places=trails.places.taken(used),
    )


def _coarse(lines: Sequence[Line], step: float) -> tuple[Line, ...]:
    return tuple(replace(line, points=line.points[_apart(line.points, step)]) for line in lines)


def _apart(points: npt.NDArray[np.float64], step: float) -> npt.NDArray[np.bool_]:
    """The points that do not fall on the one before, on a raster of this step; both ends stay."""
    raster = np.round(points / step)
    kept = np.ones(len(points), dtype=bool)
    kept[1:-1] = (np.diff(raster, axis=0) != 0).any(axis=1)[:-1]
    return kept
