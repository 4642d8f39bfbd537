"""The map of movements in the report: the release, and with the original both, beside or below each other."""

from __future__ import annotations

from sfumato.errors import CallerError
from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.documents.document import Block, Figure, Figures, Subheading
from sfumato.experiments.reports.maps import map_svgs

__all__ = ["movement_map"]


def movement_map(facts: Facts) -> list[Block]:
    """A map where coordinates are known: of the published places, or in the private edition of the original's."""
    if facts.certificate.original_kind not in ("trajectories", "roads"):
        return []
    datasets = {} if facts.original is None else {"original": facts.original}
    datasets["published"] = facts.data
    try:
        pictures = map_svgs(datasets, places=getattr(facts.original, "places", None))
    except CallerError:  # no coordinates
        return []
    figures = tuple(
        Figure(
            f"Visits and moves, {title}",
            f"A map of the visits and moves of {len(data):,} {title} records.",
            svg,
            wide=len(datasets) == 1,
        )
        for (title, data), svg in zip(datasets.items(), pictures, strict=True)
    )
    return [Subheading("Where people move"), Figures(figures) if len(figures) > 1 else figures[0]]
