"""The panels of movements: what they hold, and what fits on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from sfumato.errors import counted
from sfumato.experiments.reports.maps.limits import distance_text
from sfumato.experiments.reports.maps.panels import Panel
from sfumato.experiments.reports.maps.projection import Projection
from sfumato.experiments.reports.maps.trails.movement_trails import movement_trails
from sfumato.experiments.reports.maps.trails.segment_points import trail_rows
from sfumato.experiments.reports.maps.trails.thinning import thinned
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.movement.movement import Movement

__all__ = ["thin_panels", "trail_panel"]


def trail_panel(
    title: str, movement: Movement, projection: Projection, kb: KnowledgeBase | None
) -> tuple[Panel, list[str]]:
    """The panel of a movement, and sentences about what is not drawn."""
    trails, remarks = movement_trails(movement, projection, kb)
    counts = (
        (len(movement.objects), "moving object"),
        (len(trail_rows(movement)), "trail"),
        (len(movement.stops()), "stop"),
        (len(movement.of_type("MOVE")), "move"),
        (len(movement.annotations.filter(pl.col("kind") == "resource")), "link"),
    )
    summary = ", ".join(counted(number, noun) for number, noun in counts)
    return Panel(title, summary, trails=trails), [f"{title}: {remark}" for remark in remarks]


def thin_panels(panels: Sequence[Panel], width: float, projection: Projection) -> tuple[list[Panel], list[str]]:
    """The panels with movements that fit on a page."""
    within, notes = [], []
    for panel in panels:
        if panel.trails is not None:
            trails, remarks, step = thinned(panel.trails, width)
            panel = replace(panel, trails=trails)
            notes += [f"{panel.title}: {remark}" for remark in remarks]
            if step:
                near = distance_text(step, projection)
                notes.append(f"{panel.title}: lines are drawn without positions less than about {near} from the last.")
        within.append(panel)
    return within, notes
