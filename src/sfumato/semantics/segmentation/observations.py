"""Positions of moving objects before they are segmented: one object a track, no two positions at one instant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.positions import Positions
from sfumato.data.rows.posts import OBJECT_DETAILS
from sfumato.errors import DataError
from sfumato.kernels.space.trails import first_of_instant
from sfumato.prepare.base import rearranged, with_elements
from sfumato.semantics.segmentation.moving_objects import moving_objects

__all__ = ["Observations"]


@dataclass(frozen=True)
class Observations:
    """Positions that remain, and where the annotations of all of them belong.

    positions : one track for each moving object, without details but their ends; the times of an object rise.
    objects : the name, person, class and means of each moving object.
    details : of every position that was read, in the order of objects.
    row_of : for each of these, the row of the position that it is now; -1 where it was left out.
    ties : the number of positions that were merged into an earlier one at the same instant.
    """

    positions: Positions
    objects: pl.DataFrame
    details: pl.DataFrame
    row_of: Ints
    ties: int

    @classmethod
    def of(cls, positions: Positions, objects: str) -> Self:
        """The positions by moving object; those that share an instant are one, the first in the file."""
        if not len(positions.times):
            raise DataError("segment: wanted at least one position, found none")
        code, owners = moving_objects(positions, objects)
        order = np.lexsort((positions.times, code))
        offsets = np.concatenate(([0], np.cumsum(np.bincount(code, minlength=len(owners)))))
        facts = {"ids": escaped(owners["object"]), "persons": None}
        pooled = rearranged(positions, order, offsets, **facts)
        plain = replace(pooled, details=_ends_alone(pooled))
        first = first_of_instant(plain.times, plain.ends, plain.offsets)
        kept = first == np.arange(len(first))
        row = np.cumsum(kept) - 1
        details = pl.DataFrame() if pooled.details is None else pooled.details.drop(OBJECT_DETAILS, strict=False)
        return cls(with_elements(plain, kept), owners, details, row[first], int(np.sum(~kept)))

    def selected(self, rows: npt.NDArray[np.bool_]) -> Self:
        """The selected positions; a moving object may be left with none."""
        row = np.append(np.where(rows, np.cumsum(rows) - 1, -1), -1)
        return replace(self, positions=with_elements(self.positions, rows), row_of=row[self.row_of])

    def annotated_rows(self) -> npt.NDArray[np.bool_]:
        """Which positions last, or carry a text, tags, a place name or a geometry."""
        marked = np.zeros(len(self.positions.times), dtype=bool)
        marked |= self.positions.ends > self.positions.times
        for name in self.details.columns:
            column = self.details[name]
            if name != "end":
                has = column.list.len() > 0 if name == "tags" else column.is_not_null()
                rows = self.row_of[has.to_numpy()]
                marked[rows[rows >= 0]] = True
        return marked


def escaped(names: pl.Series) -> pl.Series:
    """Names without a slash, so that the names of segments, which add parts behind a slash, never coincide.

    >>> escaped(pl.Series(["ann/1", "100%"])).to_list()
    ['ann%2F1', '100%25']
    """
    return names.str.replace_all("%", "%25", literal=True).str.replace_all("/", "%2F", literal=True)


def _ends_alone(positions: Positions) -> pl.DataFrame | None:
    if positions.details is None or "end" not in positions.details.columns:
        return None
    return positions.details.select("end")
