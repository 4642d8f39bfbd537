"""Maps that are small enough for a page: places and flows joined by squares where there are too many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sfumato.experiments.reports.maps.clusters import Flows, clustered
from sfumato.experiments.reports.maps.panels import Panel
from sfumato.experiments.reports.maps.projection import Projection

__all__ = ["distance_text", "within_limits"]

_MOST_MARKS = 25_000  # circles of one panel
_MOST_FLOWS = 100_000  # of one panel
_FINEST = 65_536  # squares along a side of the first grid that is tried


def _joined_marks(panel: Panel, side: float) -> Panel:
    return replace(panel, marks=clustered(panel.marks, Flows.none(), side)[0])


def _joined_flows(panel: Panel, side: float) -> Panel:
    ends, flows = clustered(panel.ends, panel.flows, side)
    return replace(panel, ends=ends, flows=flows)


_LIMITS: tuple[tuple[str, Callable[[Panel], bool], Callable[[Panel, float], Panel]], ...] = (
    (
        "There are too many places for one page: those in a square of {} are drawn as one.",
        lambda panel: len(panel.marks) <= _MOST_MARKS,
        _joined_marks,
    ),
    (
        "There are too many flows for one page: they are added up between squares of {}.",
        lambda panel: len(panel.flows) <= _MOST_FLOWS,
        _joined_flows,
    ),
)
"""Each limit of a page: what is said about it, whether a panel keeps it, and how to join what is too much."""


def within_limits(panels: Sequence[Panel], width: float, projection: Projection) -> tuple[list[Panel], list[str]]:
    """The panels, with places and flows joined where there are too many for a page; what is said about it.

    width : of the map.
    """
    within, notes = list(panels), []
    for sentence, fits, joined in _LIMITS:
        side = _side_for(within, width, fits, joined)
        if side:
            within = [joined(panel, side) for panel in within]
            notes.append(sentence.format(distance_text(side, projection)))
    return within, notes


def _side_for(
    panels: Sequence[Panel], width: float, fits: Callable[[Panel], bool], joined: Callable[[Panel, float], Panel]
) -> float:
    """The side of the finest squares with which all panels keep a limit; 0 where they do anyway."""
    if all(map(fits, panels)):
        return 0.0
    squares = _FINEST
    while squares > 1:  # squares of a coarser grid are made of those of a finer one
        panels = [joined(panel, width / squares) for panel in panels]
        if all(map(fits, panels)):
            break
        squares //= 2
    return width / squares


def distance_text(length: float, projection: Projection) -> str:
    """A length on the map in words."""
    if not projection.geographic:
        return f"{length:,.3g}"
    return f"{length / 1000:,.3g} km" if length >= 1000 else f"{length:,.3g} m"
