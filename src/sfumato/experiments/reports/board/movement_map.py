"""The map of movements in the report: the release, and with the original both beside each other."""

from __future__ import annotations

from sfumato.errors import CallerError
from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.documents.document import Block, Figure, Subheading
from sfumato.experiments.reports.maps import map_svg

__all__ = ["movement_map"]


def movement_map(facts: Facts) -> list[Block]:
    """A map where coordinates are known: of the published places, or in the private edition of the original's."""
    if facts.certificate.original_kind not in ("trajectories", "roads"):
        return []
    datasets = {} if facts.original is None else {"original": facts.original}
    datasets["published"] = facts.data
    try:
        svg = map_svg(datasets, places=getattr(facts.original, "places", None))
    except CallerError:  # no coordinates
        return []
    alt = f"A map of the visits and moves of {len(facts.data):,} published records"
    beside = "" if facts.original is None else f", beside the same of {len(facts.original):,} original records"
    return [Subheading("Where people move"), Figure("Visits and moves", f"{alt}{beside}.", svg, wide=True)]
