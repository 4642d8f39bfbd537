"""Splitting by region: a new trajectory begins where a person enters or leaves a region."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.positions import Positions
from sfumato.errors import DataError, MissingKnowledge
from sfumato.params import param
from sfumato.prepare.base import Prepared, with_elements, without_empty
from sfumato.prepare.repeats import starts_of_runs
from sfumato.prepare.splitting import Mask, Split

__all__ = ["SplitByRegion", "regions_of"]


@dataclass(frozen=True, kw_only=True)
class SplitByRegion(Split):
    """One trajectory for each stay inside a region; positions outside every region are trajectories of their own.

    Where persons are known, the records of one person are first merged in the order of time.  Of several regions that
    hold a position, the smallest counts.

    Examples
    --------
    >>> from sfumato import Positions
    >>> from sfumato.data.areas.regions import Regions
    >>> town = Regions.from_frame({"region": ["town"], "west": [0], "south": [0], "east": [9], "north": [9]})
    >>> trip = Positions.from_frame({"person": ["ann"] * 4, "time": range(4), "x": [-5, 1, 2, 20], "y": [1] * 4})
    >>> step = SplitByRegion(outside=False)
    >>> done = step.apply(trip.with_regions(town))
    >>> done.data.where[:, 0].tolist(), done.counts
    ([1.0, 2.0], {'parts': 1, 'empty': 0, 'outside': 2})
    """

    name: ClassVar[str] = "split-by-region"

    level: str | None = param(None, help="level of the regions; if not given, the coarsest")
    outside: bool = param(True, help="keep positions outside every region, as trajectories of their own")

    def change(self, data: Any) -> Prepared:
        split = super().change(data)
        inside = regions_of(split.data, self.level, "SplitByRegion") >= 0
        counts = {"empty": split.counts["empty"], "outside": int(np.sum(~inside))}
        parts = split.data if self.outside else without_empty(with_elements(split.data, inside))[0]
        return Prepared(parts, {"parts": len(parts), **counts})

    def trajectory_starts(self, data: Any) -> Mask:
        return starts_of_runs(regions_of(data, self.level, "SplitByRegion"), data.offsets)


def regions_of(data: Any, level: str | None, owner: str) -> Ints:
    """The row of the region that holds each position, -1 for none."""
    if not isinstance(data, Positions):
        raise DataError(f"{owner}: wanted positions, found {type(data).__name__}")
    if data.regions is None:
        raise MissingKnowledge(f"{owner}: wanted regions with outlines, found none")
    return data.regions.holding(data.where, level)
