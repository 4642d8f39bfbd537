"""The visits that labels are made for, grouped by person (or by record where persons are unknown)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import sequence_order
from sfumato.kernels.recoding.subsequence_supports import holders_of_labels

__all__ = ["UnitVisits"]


@dataclass(frozen=True)
class UnitVisits:
    """Records grouped by unit, without the visits that are left out.

    Units and their records are in an order that depends on their content only, so that ties may go by position.

    places : int32[visits], the location of each visit.  offsets : int64[records + 1].
    unit_offsets : int64[units + 1], over records.  origin : int64[visits], their private numbers.
    """

    places: Ints
    offsets: Ints
    unit_offsets: Ints
    origin: Ints
    n_places: int

    @classmethod
    def of(cls, data: Trajectories, left_out: npt.NDArray[np.bool_]) -> Self:
        """left_out : of each location, whether its visits are left out."""
        records, unit_offsets = _by_content(data)
        grouped = data.take(records)
        everything = cls(grouped.codes, grouped.offsets, unit_offsets, data.elements_of(records), len(data.names))
        return everything.only(~left_out[grouped.codes])

    def only(self, chosen: npt.NDArray[np.bool_]) -> Self:
        """The same records with some of their visits."""
        offsets = np.concatenate(([0], np.cumsum(chosen)))[self.offsets]
        return replace(self, places=self.places[chosen], offsets=offsets, origin=self.origin[chosen])

    @property
    def n_units(self) -> int:
        return len(self.unit_offsets) - 1

    @property
    def records(self) -> Ints:
        """The record of each visit."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @property
    def unit_of_record(self) -> npt.NDArray[np.int32]:
        return np.repeat(np.arange(self.n_units, dtype=np.int32), np.diff(self.unit_offsets))

    def visited(self) -> Ints:
        """The places with a visit, rising."""
        return np.flatnonzero(np.bincount(self.places, minlength=self.n_places))

    def popularity(self) -> Ints:
        """The number of records that visit each place."""
        each = np.arange(len(self.offsets), dtype=np.int64)
        return np.asarray(np.diff(holders_of_labels(self.places, self.offsets, each, self.n_places)[0]))

    def visitors(self) -> tuple[Ints, Ints]:
        """The units that visited each place, as starts and units."""
        starts, units = holders_of_labels(self.places, self.offsets, self.unit_offsets, self.n_places)
        return starts, units

    def support_of(self, labels: Ints, n_labels: int) -> Ints:
        """The number of units that hold each label, given a label of each visit or -1."""
        codes = np.where(labels >= 0, labels, n_labels).astype(np.int32)
        starts, _ = holders_of_labels(codes, self.offsets, self.unit_offsets, n_labels + 1)
        return np.asarray(np.diff(starts)[:n_labels])


def _by_content(data: Trajectories) -> tuple[Ints, Ints]:
    """The records unit by unit and the offsets of the units: units by a fingerprint of their records, then by record.

    Units that are still equal hold the same records, and nothing distinguishes them.
    """
    order = sequence_order(data)
    if data.persons is None:
        return order, np.arange(len(data) + 1, dtype=np.int64)
    ranks = np.empty(len(data), dtype=np.int64)
    ranks[order] = np.cumsum(data.take(order).run_starts())
    mixed = ranks.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(31)) * np.uint64(0xC2B2AE3D27D4EB4F)
    fingerprints = np.zeros(len(data.persons), dtype=np.uint64)
    np.add.at(fingerprints, data.persons.codes, mixed ^ mixed >> np.uint64(29))
    units = np.argsort(fingerprints, kind="stable")
    position = np.empty(len(units), dtype=np.int64)
    position[units] = np.arange(len(units))
    counts = np.bincount(data.persons.codes, minlength=len(units))[units]
    return np.lexsort((ranks, position[data.persons.codes])), np.concatenate(([0], np.cumsum(counts)))
