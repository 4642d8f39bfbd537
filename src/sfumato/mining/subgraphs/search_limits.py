"""Limits of a search: time that runs out, memory that fills up."""

from __future__ import annotations

import time

__all__ = ["Clock", "Stopped"]


class Stopped(Exception):
    """A limit ended the search; never leaves the miner."""


class Clock:
    """Ends a search after so many seconds, if any were said.

    >>> Clock(None).check()
    """

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def check(self) -> None:
        if self._end is not None and time.monotonic() >= self._end:
            raise Stopped("time")
