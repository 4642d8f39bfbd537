"""Which preparations an advisor tries before the methods: coarser places and shorter trajectories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.data import Dataset, Trajectories
from sfumato.prepare.base import Preparation, prepare
from sfumato.prepare.grid import Grid
from sfumato.prepare.splitting import SplitByDay
from sfumato.privacy import PrivacyModel

__all__ = ["TriedPreparation", "preparations_for"]

_CELLS = (40, 20, 10)  # along each side of the grid
_COARSER = 0.8  # a grid must leave at most this share of the locations, or of the cells of the grid before


@dataclass(frozen=True)
class TriedPreparation:
    """Steps to try, and what they make of the data."""

    steps: tuple[Preparation, ...]
    data: Trajectories


def preparations_for(data: Dataset, promises: Sequence[PrivacyModel]) -> list[TriedPreparation]:
    """Grids over the extent of the data, and single days where times and persons are known.

    A promise about noise allows none of them, because they depend on the data.  Without persons, trajectories are not
    divided: k parts of one of them would count as k.

    >>> from sfumato.privacy import KmAnonymity
    >>> walks = Trajectories.from_lists([["a", "b"], ["b", "c"]], places={"a": (0, 0), "b": (0, 1), "c": (90, 90)})
    >>> [tried.steps[0].cells for tried in preparations_for(walks, [KmAnonymity(k=2, m=1)])]
    [40]
    """
    if not isinstance(data, Trajectories) or data.members or not all(promise.exact_counts for promise in promises):
        return []
    tried = _grids(data)
    if data.times is None or data.persons is None:
        return tried
    by_day: list[TriedPreparation] = []
    for steps in [(SplitByDay(),), *((*grid.steps, SplitByDay()) for grid in tried)]:
        days = prepare(data, *steps).data
        if len(days) > len(data):
            by_day.append(TriedPreparation(steps, days))
    return [*tried, *by_day]


def _grids(data: Trajectories) -> list[TriedPreparation]:
    """Grids, from fine to coarse, each with clearly fewer cells than the one before."""
    if data.places is None or not data.places.located or not len(data.codes):
        return []
    tried: list[TriedPreparation] = []
    locations = len(data.with_used_names().names)
    for cells in _CELLS:
        step = Grid(cells=cells)
        gridded: Trajectories = step.apply(data).data
        if 2 <= len(gridded.names) <= _COARSER * locations:
            tried.append(TriedPreparation((step,), gridded))
            locations = len(gridded.names)
    return tried
