"""Limits of a search: time and memory."""

from __future__ import annotations

import time

__all__ = ["Clock", "Stopped"]


class Stopped(Exception):
    """A limit stopped the search; the miner catches it."""


class Clock:
    """Stops a search after a number of seconds; None for no limit.

    >>> Clock(None).check()
    """

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def stop(self) -> None:
        """End every search that still runs."""
        self._end = time.monotonic()

    def check(self) -> None:
        if self._end is not None and time.monotonic() >= self._end:
            raise Stopped("time")
