"""Which preparations an advisor tries before the methods: coarser places, fewer visits and shorter trajectories."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from sfumato.data import Dataset, Trajectories
from sfumato.errors import Infeasible
from sfumato.prepare.base import Preparation, prepared_visits
from sfumato.prepare.grid import Grid
from sfumato.prepare.regions import RegionsOfInterest
from sfumato.prepare.splitting import SplitByDay
from sfumato.prepare.stops import StaysAtPlaces
from sfumato.privacy import PrivacyModel

__all__ = ["TriedPreparation", "preparations_for"]

_CELLS = (40, 20, 10)  # along each side of the grid
_COARSER = 0.8  # a step must leave at most this share of the locations, or of those of the step before
_REGION_CELLS = 100  # along each side: regions are made of fine cells
_DENSITIES = (0.005, 0.02)  # shares of the trajectories that cross a cell of a region
_FEWEST_REGIONS = 10  # fewer say little about movements
_MOST = 0.5  # of the visits must be in regions or stops


@dataclass(frozen=True)
class TriedPreparation:
    """Steps to try, and what they make of the data."""

    steps: tuple[Preparation, ...]
    data: Trajectories


def preparations_for(data: Dataset, promises: Sequence[PrivacyModel]) -> list[TriedPreparation]:
    """Grids over the extent of the data, the regions that many trajectories cross, stops, and single days.

    A promise about noise allows none of them, because they depend on the data.  Regions and stops are tried where most
    visits are in them; stops and days where times are known.  Without persons, trajectories are not divided: k parts
    of one of them would count as k.  Time slots are not tried: they make locations rarer, never coarser.

    >>> from sfumato.privacy import KmAnonymity
    >>> walks = Trajectories.from_lists([["a", "b"], ["b", "c"]], places={"a": (0, 0), "b": (0, 1), "c": (90, 90)})
    >>> [tried.steps[0].cells for tried in preparations_for(walks, [KmAnonymity(k=2, m=1)])]
    [40]
    """
    if not isinstance(data, Trajectories) or data.members or not all(promise.exact_counts for promise in promises):
        return []
    if not len(data.codes):
        return []
    grids: list[TriedPreparation] = []
    tried: list[TriedPreparation] = []
    if data.places is not None and data.places.located:
        grids = _grids(data)
        tried = [*_regions(data), *(_stops(data) if data.times is not None else [])]
    if data.times is None or data.persons is None:
        return [*grids, *tried]
    by_day: list[TriedPreparation] = []
    for steps in [(SplitByDay(),), *((*grid.steps, SplitByDay()) for grid in grids)]:
        days = prepared_visits(data, *steps).data
        if len(days) > len(data):
            by_day.append(TriedPreparation(steps, days))
    return [*grids, *tried, *by_day]


def _grids(data: Trajectories) -> list[TriedPreparation]:
    """Grids, from fine to coarse, each with clearly fewer cells than the one before."""
    tried: list[TriedPreparation] = []
    locations = len(data.with_used_names().names)
    for cells in _CELLS:
        step = Grid(cells=cells)
        gridded: Trajectories = step.apply(data).data
        if 2 <= len(gridded.names) <= _COARSER * locations:
            tried.append(TriedPreparation((step,), gridded))
            locations = len(gridded.names)
    return tried


def _regions(data: Trajectories) -> list[TriedPreparation]:
    """Several regions that hold most visits, from rarely to often crossed."""
    tried: list[TriedPreparation] = []
    locations = len(data.with_used_names().names)
    for density in (share for share in _DENSITIES if share * len(data) > 1):
        step = RegionsOfInterest(cells=_REGION_CELLS, density=density)
        with suppress(Infeasible):
            regions = step.apply(data)
            mostly_inside = regions.counts["outside"] <= (1 - _MOST) * len(data.codes)
            if mostly_inside and _FEWEST_REGIONS <= len(regions.data.names) <= _COARSER * locations:
                tried.append(TriedPreparation((step,), regions.data))
                locations = len(regions.data.names)
    return tried


def _stops(data: Trajectories) -> list[TriedPreparation]:
    """Stops at places, where most visits are part of one and stops are clearly fewer than visits."""
    step = StaysAtPlaces()
    stops = prepared_visits(data, step)
    moving = stops.counts["moving"]
    if moving > (1 - _MOST) * len(data.codes) or len(stops.data.codes) > _COARSER * len(data.codes):
        return []
    return [TriedPreparation((step,), stops.data)]
