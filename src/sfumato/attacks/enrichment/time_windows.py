"""Windows of time: what an attacker knows of when a visit was, from a time or from a published time slot."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.semantics.publishing.place_facts import WEEK_S

__all__ = ["Window", "Windows", "slot_of", "slot_windows", "time_windows"]

Floats = npt.NDArray[np.float64]

_DAY_S = 86_400.0
_SLOT = re.compile(r"@(\d\d)(?::(\d\d))?$")


class Window(NamedTuple):
    """A stretch of the week, in seconds since Monday 0:00 local time; of every day where `daily` is true."""

    begin: float
    length: float
    daily: bool = False


class Windows(NamedTuple):
    """The window of each visit as a number into `kinds`, -1 where nothing is known.

    begin, end : the same on the absolute scale, seconds since 1970 UTC; NaN where only the time of day is known.
    """

    kinds: tuple[Window, ...]
    codes: Ints
    begin: Floats
    end: Floats

    @classmethod
    def unknown(cls, count: int) -> Windows:
        nothing = np.full(count, np.nan)
        return cls((), np.full(count, -1, dtype=np.int64), nothing, nothing)

    def take(self, visits: Ints) -> Windows:
        return Windows(self.kinds, self.codes[visits], self.begin[visits], self.end[visits])


def time_windows(times: Floats, precision_s: float, offset_h: float) -> Windows:
    """The stretch of `precision_s` seconds that each time falls into, counted from time 0.

    >>> time_windows(np.array([3600.0 * 9.5]), 3600, 0).kinds  # 1 January 1970 was a Thursday
    (Window(begin=291600.0, length=3600.0, daily=False),)
    """
    begin = np.floor(times / precision_s) * precision_s
    # the week of time 0 began on Monday, three days before
    local = (begin + 3600.0 * offset_h + 3 * _DAY_S) % WEEK_S
    starts, codes = np.unique(local, return_inverse=True)
    kinds = tuple(Window(float(start), float(precision_s)) for start in starts)
    return Windows(kinds, codes.reshape(-1).astype(np.int64), begin, begin + precision_s)


def slot_windows(names: tuple[str, ...]) -> tuple[tuple[Window, ...], Ints]:
    """The daily windows that the names of time slots state, and which of them each name has, -1 for none.

    Names do not state how long a slot is.  The longest length that divides a day and every start among the names is
    taken, so that no place is excluded that is open during the true slot.

    >>> kinds, codes = slot_windows(("cafe", "cafe@14", "cafe@15"))
    >>> kinds[0], codes.tolist()
    (Window(begin=50400.0, length=3600.0, daily=True), [-1, 0, 1])
    """
    slots = [slot_of(name) for name in names]
    minutes = sorted({slot for slot in slots if slot is not None})
    step = int(np.gcd.reduce([24 * 60, *minutes]))
    kinds = tuple(Window(60.0 * slot, 60.0 * step, daily=True) for slot in minutes)
    number = {slot: index for index, slot in enumerate(minutes)}
    return kinds, np.array([-1 if slot is None else number[slot] for slot in slots], dtype=np.int64)


def slot_of(name: str) -> int | None:
    """The first minute of the day of a time slot, such as 840 for ``a@14``; None for a name without one."""
    match = _SLOT.search(name)
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2] or 0)
    return 60 * hour + minute if hour < 24 and minute < 60 else None
