"""Pieces of records: their visits, in order, under labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.methods.trajectories.sparse.unit_visits import UnitVisits

__all__ = ["Pieces"]


@dataclass(frozen=True)
class Pieces:
    """Pieces grouped by unit and record.

    visits : int64[...], positions in the `UnitVisits`, piece by piece.  labels : int32[...], of each of them.
    offsets : int64[pieces + 1].  record : int64[pieces].  unit_offsets : int64[units + 1], over pieces.
    """

    visits: Ints
    labels: npt.NDArray[np.int32]
    offsets: Ints
    record: Ints
    unit_offsets: Ints

    @classmethod
    def of(cls, visits: UnitVisits, labels: Ints, piece: Ints) -> Self:
        """piece : the number of each visit's piece inside its record, or -1."""
        placed = np.flatnonzero(piece >= 0)
        records = visits.records[placed]
        order = np.lexsort((piece[placed], records))  # stable, so that visits keep their order
        chosen, records = placed[order], records[order]
        starts = np.ones(len(chosen), dtype=bool)
        starts[1:] = (np.diff(records) != 0) | (np.diff(piece[chosen]) != 0)
        first = np.flatnonzero(starts)
        per_unit = np.bincount(visits.unit_of_record[records[first]], minlength=visits.n_units)
        return cls(
            chosen,
            labels[chosen].astype(np.int32),
            np.append(first, len(chosen)),
            records[first],
            np.concatenate(([0], np.cumsum(per_unit))),
        )

    def __len__(self) -> int:
        return len(self.record)

    @property
    def units(self) -> npt.NDArray[np.int32]:
        """The unit of each piece."""
        return np.repeat(np.arange(len(self.unit_offsets) - 1, dtype=np.int32), np.diff(self.unit_offsets))

    @property
    def piece_of_visit(self) -> Ints:
        """The piece of each of the visits."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))
