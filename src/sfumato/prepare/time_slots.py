"""Time slots: locations combined with the hour of the visit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from sfumato.data.ragged import encode
from sfumato.data.taxonomy import Taxonomy
from sfumato.data.trajectories import Trajectories
from sfumato.errors import DataError, ParameterError
from sfumato.params import param
from sfumato.prepare.base import Preparation, Prepared, times_of

__all__ = ["TimeSlots"]

_DAY_MIN = 24 * 60


@dataclass(frozen=True, kw_only=True)
class TimeSlots(Preparation):
    """Location ``a`` visited at hour 14 becomes ``a@14``, so that a privacy model about locations covers the hour too.

    Places are unchanged: ``a@14`` has the coordinates, category and owner of ``a``.  In a taxonomy it is a child of
    ``a``.  Slots that are not whole hours are named after their first minute, ``a@14:30``.

    Examples
    --------
    >>> days = Trajectories.from_frame(
    ...     {"trajectory": [1, 1], "location": ["a", "b"], "time": ["2026-05-01T14:20", "2026-05-01T14:50"]}
    ... )
    >>> TimeSlots().apply(days).data.to_lists()
    [['a@14', 'b@14']]
    >>> TimeSlots(minutes=30, offset_h=2).apply(days).data.to_lists()
    [['a@16:00', 'b@16:30']]
    """

    name: ClassVar[str] = "time-slots"

    minutes: int = param(60, at_least=1, at_most=_DAY_MIN, help="length of a slot, in minutes; must divide a day")
    offset_h: float = param(
        0.0, at_least=-14, at_most=14, help="hours that local time is ahead of the times in the data"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if _DAY_MIN % self.minutes:
            raise ParameterError(f"TimeSlots: minutes must divide a day of {_DAY_MIN}, got {self.minutes}")

    def change(self, data: Trajectories) -> Prepared:
        if not isinstance(data, Trajectories):
            raise DataError("TimeSlots: wanted trajectories, found positions; make trajectories first (Grid)")
        local = times_of(data, "TimeSlots") + 3600 * self.offset_h
        slot = (local % 86_400 // (60 * self.minutes)).astype(np.int64)
        slots = _DAY_MIN // self.minutes
        pairs, pair_of_visit = np.unique(data.codes.astype(np.int64) * slots + slot, return_inverse=True)
        places = [data.names[code] for code in (pairs // slots).tolist()]
        texts = [f"{place}@{self._label(index)}" for place, index in zip(places, (pairs % slots).tolist(), strict=True)]
        codes, names = encode(pl.Series(texts, dtype=pl.String))
        tree = None if data.taxonomy is None else _with_slots(data.taxonomy, dict(zip(texts, places, strict=True)))
        slotted = replace(data, codes=codes[pair_of_visit] if len(codes) else codes, names=names, taxonomy=tree)
        return Prepared(slotted, {"locations": len(names)})

    def _label(self, slot: int) -> str:
        hour, minute = divmod(slot * self.minutes, 60)
        return f"{hour:02}" if self.minutes % 60 == 0 else f"{hour:02}:{minute:02}"


def _with_slots(tree: Taxonomy, slots: dict[str, str]) -> Taxonomy:
    """The taxonomy with every slot below its location."""
    tree.require(sorted(set(slots.values())), "location")
    rows = tree.to_parents()
    parents = {node: parent for node, parent, _ in rows}
    marked_nodes = [node for node, _, marked in rows if marked]
    # the tree lists visited slots only, so it discloses when places were visited
    return Taxonomy({**parents, **slots}, sensitive=marked_nodes, rule="time-slots")
