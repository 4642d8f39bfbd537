"""Trails: the positions of a moving object divided into adjacent stretches with names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.positions import Positions
from sfumato.prepare.splitting import numbers_in_records
from sfumato.semantics.segmentation.observations import escaped

__all__ = ["Mask", "Trails", "roots_of"]

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Trails:
    """Trail t holds the positions ``offsets[t]`` to ``offsets[t + 1] - 1``; its name; its region, or None."""

    offsets: Ints
    names: pl.Series
    region: Ints | None = None

    @classmethod
    def of(
        cls,
        data: Positions,
        is_start: Mask,
        *,
        labels: Callable[[Any, Ints, Ints], pl.Series] | None = None,
        region: Ints | None = None,
        tree: str = "",
    ) -> Self:
        """The trails that start at these positions, and at the first one of each object.

        labels : the name of each trail within its object, by positions, starts and objects; without it, a number.
        region : the row of the region of each position, -1 for none.
        tree : the name of the segmentation.
        """
        starts = is_start.copy()
        starts[data.offsets[:-1][data.lengths > 0]] = True
        start = np.flatnonzero(starts)
        owner = data.record_of_element()[start]
        label = numbers_in_records(owner) if labels is None else labels(data, start, owner)
        ids = pl.Series(np.arange(1, len(data) + 1)).cast(pl.String) if data.ids is None else data.ids
        names = roots_of(ids, tree).gather(owner) + "/" + label
        return cls(np.append(start, len(starts)), names, None if region is None else region[start])

    def without(self, dropped: Mask) -> Self:
        """The trails that are not dropped, with their names, over the positions that remain."""
        lengths = np.diff(self.offsets)[~dropped]
        region = None if self.region is None else self.region[~dropped]
        return type(self)(np.concatenate(([0], np.cumsum(lengths))), self.names.filter(pl.Series(~dropped)), region)


def roots_of(ids: pl.Series, tree: str) -> pl.Series:
    """What the names of the segments of each object begin with, so that no two segmentations share a name.

    >>> roots_of(pl.Series(["ann"]), "").to_list(), roots_of(pl.Series(["ann"]), "by gap").to_list()
    (['ann'], ['ann/tree:by gap'])
    """
    return ids + "/tree:" + escaped(pl.Series([tree])).item() if tree else ids
