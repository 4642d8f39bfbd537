"""What is left of trajectories on busy roads, interval by interval (Gurung et al., 2014, Section 4, step 1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from sfumato.data import RoadTrajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import row_order
from sfumato.data.roads.intervals import ALL_DAY, in_natural_order
from sfumato.methods.trajectories.roads.time_intervals import Intervals

__all__ = ["Different", "Partial", "each_once"]


@dataclass(frozen=True, eq=False)
class Partial:
    """Partial trajectories: the longest stretches of a record in one interval on roads that at least k travel there.

    fragments : the stretches, each with its interval.  record : the private record of each, `first` its first element.
    units : the person behind each, or the record.  n_units : how many there may be.
    infrequent, outside : how many elements lie on roads that fewer than k travel, and in no interval.
    """

    fragments: RoadTrajectories
    record: Ints
    first: Ints
    units: Ints
    n_units: int
    infrequent: int
    outside: int

    @classmethod
    def of(cls, data: RoadTrajectories, k: int, cut: Intervals | None) -> Self:
        inside, names = _intervals(data, cut)
        record = data.record_of_element()
        n_units = max(1, len(data) if data.persons is None else len(data.persons))
        number = inside * max(1, len(data.names)) + data.codes
        _, number = np.unique(number, return_inverse=True)
        travelled = each_once(number * n_units + data.units[record])  # Definition 1 counts objects, not passages
        frequent = (np.bincount(travelled // n_units) >= k)[number] if len(number) else np.empty(0, dtype=bool)
        stays = frequent & (inside >= 0)
        begins = stays.copy()
        begins[1:] &= ~(stays[:-1] & (record[1:] == record[:-1]) & (inside[1:] == inside[:-1]))
        first = np.flatnonzero(begins)
        of_fragment = record[first]
        fragments = replace(
            data,
            offsets=np.append(np.flatnonzero(begins[stays]), np.count_nonzero(stays)),
            codes=data.codes[stays],
            times=None,
            ids=None,
            persons=None,
            intervals=inside[first],
            interval_names=names,
        )
        outside = int(np.count_nonzero(inside < 0))
        infrequent = len(stays) - int(np.count_nonzero(stays)) - outside
        return cls(fragments, of_fragment, first, data.units[of_fragment], n_units, infrequent, outside)

    def crowds(self, group: Ints, n_groups: int) -> Ints:
        """How many distinct units each group of fragments has."""
        members = each_once(group * self.n_units + self.units)
        return np.bincount(members // self.n_units, minlength=n_groups)


@dataclass(frozen=True, eq=False)
class Different:
    """Each different partial trajectory once: by interval, then the most frequent first, then by content.

    paths : the trajectories.  of_fragment : which of them each fragment is.  supports : how many units have each.
    ranks : their places in the order of content.
    """

    paths: RoadTrajectories
    of_fragment: Ints
    supports: Ints
    ranks: Ints

    @classmethod
    def of(cls, partial: Partial) -> Self:
        fragments = partial.fragments
        assert fragments.intervals is not None
        order = row_order(fragments.offsets, fragments.codes)
        order = order[np.argsort(fragments.intervals[order], kind="stable")]
        ordered = fragments.take(order)
        fresh = ordered.run_starts()
        rank = np.empty(len(fragments), dtype=np.int64)
        rank[order] = np.cumsum(fresh) - 1
        distinct = ordered.take(np.flatnonzero(fresh))
        assert distinct.intervals is not None
        supports = partial.crowds(rank, len(distinct))
        ranks = np.lexsort((-supports, distinct.intervals))  # stable, so that ties stay in the order of content
        place = np.empty(len(ranks), dtype=np.int64)
        place[ranks] = np.arange(len(ranks))
        return cls(distinct.take(ranks), place[rank], supports[ranks], ranks)


def each_once(values: Ints) -> Ints:
    """The different ones of numbers from 0 upwards, in order; `np.unique` hashes, which takes several times as long.

    >>> each_once(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(values)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def _intervals(data: RoadTrajectories, cut: Intervals | None) -> tuple[Ints, tuple[str, ...]]:
    """The interval of each element, -1 for none, and the names of the intervals."""
    if cut is None or data.times is None:
        if data.intervals is None:
            return np.zeros(len(data.codes), dtype=np.int64), (ALL_DAY,)
        return data.intervals.astype(np.int64)[data.record_of_element()], data.interval_names
    numbers = cut.numbers(data.times)
    used, which = np.unique(numbers, return_inverse=True)
    place, names = in_natural_order([cut.label(number) for number in used.tolist() if number >= 0 or cut.length])
    if cut.length is None and len(used) and used[0] < 0:
        place = np.append(-1, place)
    return place.astype(np.int64)[which], names
