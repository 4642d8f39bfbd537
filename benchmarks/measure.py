"""How seconds and megabytes are taken.  Nothing heavy is imported here."""

import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple


class Judged(NamedTuple):
    """A sentence about the figures, and whether the claim is met."""

    sentence: str
    holds: bool


class Taken(NamedTuple):
    """Seconds by the clock, and of processor time, child processes included.

    Claims are judged by processor time: other work on the machine hardly counts, and what runs on an idle machine
    without waiting for disks takes no more than that by the clock.
    """

    clock: float
    cpu: float

    @property
    def columns(self) -> dict[str, float]:
        return {"seconds": self.clock, "CPU seconds": self.cpu}


def taken_by(work: Callable[[], Any]) -> tuple[Taken, Any]:
    """How long it took, and what came out."""
    clock, cpu = time.perf_counter(), _processor_seconds()
    found = work()
    return Taken(time.perf_counter() - clock, _processor_seconds() - cpu), found


def _processor_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def median_taken(work: Callable[[], Any], runs: int) -> tuple[Taken, Any]:
    """The medians of several runs, and what the last one gave."""
    every = []
    found = None
    for _ in range(runs):
        found = None  # two results at once would count twice as memory
        taken, found = taken_by(work)
        every.append(taken)
    return Taken(*(statistics.median(column) for column in zip(*every, strict=True))), found


def seconds_of(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds by the clock, and what came out."""
    taken, found = taken_by(work)
    return taken.clock, found


def median_seconds(work: Callable[[], Any], runs: int) -> tuple[float, Any]:
    """The median of several runs, in seconds by the clock, and what the last one gave."""
    taken, found = median_taken(work, runs)
    return taken.clock, found


def peak_mb() -> int:
    """The most memory this process has held so far, interpreter, libraries and input included."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1e6 if sys.platform == "darwin" else 1e6 / 1024))
