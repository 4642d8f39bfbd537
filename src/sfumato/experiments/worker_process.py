"""A worker process as its runner sees it: given a run, heard, limited, stopped."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any, Literal

from sfumato.errors import CallerError, ParameterError
from sfumato.experiments.run_spec import RunSpec
from sfumato.experiments.worker import serve
from sfumato.registry import own_code_is_allowed

__all__ = ["RunEnd", "Task", "Watch", "WorkerProcess"]

Watch = Callable[["Task", str, int, int], None]
"""Called as watch(task, phase, done, total) now and then."""

_SPAWN = multiprocessing.get_context("spawn")  # a fork would share numba's threads
_LOOK_S = 0.1  # between two looks at the memory of a worker
_GONE = "a worker process ended before its work was done (too little memory?)"


@dataclass(frozen=True)
class Task:
    """A run, under a key of the caller."""

    key: Any
    spec: RunSpec


@dataclass(frozen=True)
class RunEnd:
    """How a run ended.

    state : "ran"; "infeasible", where the method cannot keep its promise on these data; "refused", where the caller
    can put it right; "failed", with another error; "limit", where a limit stopped it; "died", where its process ended
    by itself; "cancelled".
    outcome : the figures of the run, in JSON values; empty where there are none.
    reason : why it did not run, in a sentence.
    """

    state: Literal["ran", "infeasible", "refused", "failed", "limit", "died", "cancelled"]
    seconds: float
    outcome: Mapping[str, Any]
    reason: str = ""


class WorkerProcess:
    """A process, started when it first has something to do and again after it was stopped."""

    def __init__(self, datasets: Mapping[str, bytes], watch: Watch | None) -> None:
        self._datasets, self._watch = datasets, watch
        self._process: Any = None
        self.task: Task | None = None
        self._began = 0.0

    @property
    def _seconds(self) -> float:
        return monotonic() - self._began

    @property
    def _left_s(self) -> float:
        limit_s = None if self.task is None else self.task.spec.limit_s
        return math.inf if limit_s is None else limit_s - self._seconds

    @property
    def pause(self) -> float:
        """The seconds after which a limit may be met."""
        limit_mb = None if self.task is None else self.task.spec.limit_mb
        return self._left_s if limit_mb is None else min(self._left_s, _LOOK_S)

    def take(self, task: Task) -> None:
        if task.spec.limit_mb is not None and _memory_mb(os.getpid()) is None:
            raise ParameterError("limit_mb: this system does not say how much memory a process holds; leave it out")
        if self._process is None:
            self.pipe, theirs = _SPAWN.Pipe()
            args = (theirs, self._watch is not None, own_code_is_allowed())
            self._process = _SPAWN.Process(target=serve, args=args, daemon=True)
            with _interruptions_held(), _script_hidden():
                self._process.start()
            theirs.close()
        self.task, self._began = task, monotonic()
        self._send(self.pipe.send, task.spec.to_json())

    def _send(self, send: Callable[[Any], None], content: Any) -> None:
        with suppress(OSError):  # a process that is gone is noticed where it should answer
            send(content)

    def hear(self) -> RunEnd | None:
        """What the process says; None where the run goes on."""
        try:
            what, *content = self.pipe.recv()
        except (EOFError, OSError):
            self.stop()
            return RunEnd("died", self._seconds, {}, _GONE)
        if what == "dataset":
            self._send(self.pipe.send_bytes, self._datasets.get(content[0], b""))
        elif what == "phase" and self._watch is not None and self.task is not None:
            self._watch(self.task, *content)
        return self._ended(content[0]) if what == "outcome" else None

    def _ended(self, outcome: Mapping[str, Any]) -> RunEnd:
        if "error" in outcome:
            state: Literal["refused", "failed"] = (
                "refused" if outcome["exit_code"] == CallerError.exit_code else "failed"
            )
            return RunEnd(state, self._seconds, {}, outcome["error"])
        if "infeasible" in outcome:
            return RunEnd("infeasible", self._seconds, outcome, outcome["infeasible"])
        return RunEnd("ran", self._seconds, outcome)

    def limited(self) -> RunEnd | None:
        """Stop the process where a limit is met."""
        seconds, limit_mb = self._seconds, None if self.task is None else self.task.spec.limit_mb
        if self._left_s <= 0:
            reason = f"did not finish in {seconds:.4g} s"
        elif limit_mb is not None and (_memory_mb(self._process.pid) or 0.0) > limit_mb:
            reason = f"needs more than {limit_mb:.4g} MB of memory"
        else:
            return None
        self.stop()
        return RunEnd("limit", seconds, {}, reason)

    def stop(self) -> None:
        if self._process is None:
            return
        if self._process.pid is not None:  # it has started
            self._process.kill()
            self._process.join()
        self.pipe.close()
        self._process = None


@contextmanager
def _interruptions_held() -> Iterator[None]:
    """Keep Ctrl-C from a process that starts: the one who starts it decides what an interruption means."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # when it starts, it lets signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _script_hidden() -> Iterator[None]:
    """Keep a process that starts from running the caller's script again, which it needs nothing of."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def _memory_mb(process: int) -> float | None:
    """The memory that a process holds; None where the system does not say."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
