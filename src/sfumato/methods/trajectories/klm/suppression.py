"""The last resort of (k,l)^m-anonymity: one cluster and one label are left, and it is still unsafe."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.methods.trajectories.klm.lm_anon import Visits

__all__ = ["largest_share", "lost_visits", "visits_to_lose"]


class _Units:
    """Which units have a record of so many nonsensitive visits, and with which sensitive places."""

    def __init__(self, visits: Visits) -> None:
        self.n = len(visits)
        self.unit = np.repeat(np.arange(self.n), np.diff(visits.unit_offsets))
        self.length = np.diff(visits.offsets)
        self.record_of_secret = np.repeat(np.arange(len(self.length)), np.diff(visits.sensitive_starts))
        self.secret = visits.sensitive

    def supporters(self, size: int) -> int:
        """How many units have a record of at least this many visits."""
        return len(np.unique(self.unit[self.length >= size]))


def largest_share(visits: Visits) -> tuple[int, int]:
    """The largest number of units with the same sensitive place and a nonsensitive visit, and the number of units.

    >>> one = Visits(*map(np.array, ([0, 0, 1], [0, 1, 2, 3], [0, 1, 2, 3], [7, 7], [0, 1, 2, 2])))
    >>> largest_share(one)
    (2, 3)
    """
    units = _Units(visits)
    reached = units.length[units.record_of_secret] >= 1
    pairs = np.unique(np.column_stack((units.secret[reached], units.unit[units.record_of_secret[reached]])), axis=0)
    return int(np.bincount(pairs[:, 0]).max(initial=0)), units.supporters(1)


def visits_to_lose(
    visits: Visits,
    repeats: Ints,
    k: int,
    l: int,  # noqa: E741
    m: int,
) -> tuple[int, npt.NDArray[np.bool_]]:
    """How many nonsensitive visits a record may keep, and which (record, sensitive place) pairs are to be suppressed.

    repeats : how many visits each entry of ``visits.sensitive`` stands for.

    Where fewer than k units have i visits, the visits beyond the first i - 1 of every record go.  Then, from the
    longest patterns to the shortest, where more than one in l of those who have i visits share a sensitive place, it is
    suppressed for as many of them as it must be, those first who lose the fewest visits by it, ties in Gray order.
    Where more than one in l of the records still hold it, it is suppressed in as many records as it must be, likewise.
    """
    units = _Units(visits)
    allowed = int(units.length.max(initial=0))
    for size in range(1, min(m, allowed) + 1):
        if units.supporters(size) < k:
            allowed = size - 1
            break
    units.length = np.minimum(units.length, allowed)
    lost = np.zeros(len(units.secret), dtype=bool)
    for size in range(min(m, allowed), 0, -1):
        most = units.supporters(size) // l
        most_records = int(np.count_nonzero(units.length >= size)) // l
        for sensitive in np.unique(units.secret):
            held = np.flatnonzero((units.secret == sensitive) & ~lost & (units.length[units.record_of_secret] >= size))
            holder = units.unit[units.record_of_secret[held]]
            cost = np.bincount(holder, weights=repeats[held], minlength=units.n)
            holders = np.unique(holder)
            cheapest = holders[np.argsort(cost[holders], kind="stable")][: max(0, len(holders) - most)]
            lost[held[np.isin(holder, cheapest)]] = True
            held = held[~lost[held]]
            lost[held[np.argsort(repeats[held], kind="stable")][: max(0, len(held) - most_records)]] = True
    return allowed, lost


def lost_visits(
    visits: Visits,
    codes: Ints,
    lengths: Ints,
    sensitive: npt.NDArray[np.bool_],
    k: int,
    l: int,  # noqa: E741
    m: int,
) -> npt.NDArray[np.bool_]:
    """Which visits of the records are to be suppressed.

    codes, lengths : all visits of the records behind `visits`, and how many each record has.  sensitive : by code.
    """
    record, hidden, n = np.repeat(np.arange(len(lengths)), lengths), sensitive[codes], max(1, len(sensitive))
    pairs, repeats = np.unique(record[hidden] * n + codes[hidden], return_counts=True)
    allowed, gone = visits_to_lose(visits, repeats, k, l, m)
    inside = np.arange(len(visits.codes)) - np.repeat(visits.offsets[:-1], np.diff(visits.offsets))
    lost = np.zeros(len(codes), dtype=bool)
    lost[~hidden] = inside >= allowed
    lost[hidden] = np.isin(record[hidden] * n + codes[hidden], pairs[gone])
    return lost
