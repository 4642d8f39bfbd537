"""Units (persons, or records where persons are unknown) that have something to hide, put in order.

The trajectories of one person stay together: all of them go into the same cluster, so that clusters count
disjoint people.  Ties are settled by what the trajectories hold, never by where they stand in the file.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.methods.record_orders import word_order
from sfumato.methods.trajectories.klm.lm_anon import Visits

__all__ = ["Flags", "Organized", "visits_of"]

Flags = npt.NDArray[np.bool_]


class Organized:
    """The records of the units that have a nonsensitive visit, unit by unit.

    data : the private records.  sensitive : of each location, by code.
    records : the private numbers of these records, and unit, their unit, from 0 on.
    others : the private numbers of all other records; these hold no or only sensitive visits.
    """

    def __init__(self, data: Trajectories, sensitive: Flags) -> None:
        self.data, self.sensitive = data, sensitive
        hiding = np.zeros(int(data.units.max(initial=-1)) + 1, dtype=bool)
        hiding[data.units[data.record_of_element()[~sensitive[data.codes]]]] = True
        self.n_units = int(np.count_nonzero(hiding))
        mine = np.flatnonzero(hiding[data.units])
        units = (np.cumsum(hiding) - 1)[data.units[mine]]
        by_unit = np.argsort(units, kind="stable")
        self.records, self.unit = mine[by_unit], units[by_unit]
        self.others = np.flatnonzero(~hiding[data.units])

    def locations_of_units(self, wanted: Flags) -> tuple[Ints, Ints]:
        """Offsets and codes: the distinct wanted locations of each unit, rising."""
        n = max(1, len(wanted))
        element = self.data.elements_of(self.records)
        codes = self.data.codes[element]
        keep = wanted[codes]
        unit = np.repeat(self.unit, self.data.lengths[self.records])
        keys = _distinct(unit[keep] * n + codes[keep])
        return _starts(np.bincount(keys // n, minlength=self.n_units)), keys % n

    @cached_property
    def _ranks(self) -> Ints:
        return _content_ranks(self.data.take(self.records))

    def by_content(self) -> Ints:
        """The units by what they visited, as a set in name order, then by their trajectories.

        Units that are still equal hold the same trajectories, and nothing distinguishes them.
        """
        ranks = self._ranks
        offsets = np.searchsorted(self.unit, np.arange(self.n_units + 1))
        by_records = word_order(offsets, ranks[np.lexsort((ranks, self.unit))], np.arange(self.n_units))
        return word_order(*self.locations_of_units(np.ones(len(self.sensitive), dtype=bool)), by_records)

    def in_order(self, order: Ints) -> tuple[Visits, Ints]:
        """The nonsensitive visits and the sensitive places, units in this order, and the private number of each record.

        The records of a unit come in the order of their content.
        """
        place = np.empty(self.n_units, dtype=np.int64)
        place[order] = np.arange(self.n_units)
        by_place = np.lexsort((self._ranks, place[self.unit]))
        records = self.records[by_place]
        codes = self.data.codes[self.data.elements_of(records)]
        counts = np.bincount(place[self.unit], minlength=self.n_units)
        return visits_of(codes, self.data.lengths[records], counts, self.sensitive), records


def visits_of(codes: Ints, lengths: Ints, counts: Ints, sensitive: Flags) -> Visits:
    """The nonsensitive visits and the sensitive places of records that lie in order.

    lengths : of the records.  counts : how many records each unit has.  sensitive : of each location, by code.
    """
    record = np.repeat(np.arange(len(lengths)), lengths)
    hidden = sensitive[codes]
    n = max(1, len(sensitive))
    secrets = _distinct(record[hidden] * n + codes[hidden])
    return Visits(
        codes[~hidden],
        _starts(np.bincount(record[~hidden], minlength=len(lengths))),
        _starts(counts),
        (secrets % n).astype(np.int32),
        _starts(np.bincount(secrets // n, minlength=len(lengths))),
    )


def _content_ranks(records: Ragged) -> Ints:
    """The place of each record by its content; equal records share it."""
    order = word_order(records.offsets, records.codes, np.arange(len(records)))
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.cumsum(records.take(order).run_starts())
    return ranks


def _distinct(keys: Ints) -> Ints:
    """Rising, each once; sorting is faster here than NumPy's hashing."""
    ordered = np.sort(keys)
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))[: len(ordered)]]


def _starts(counts: Ints) -> Ints:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
