"""Work in other processes that can be stopped in the middle of it: every task has a limit in seconds."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

from sfumato.experiments.worker import begin, work

__all__ = ["Task", "run_limited"]

_SPAWN = multiprocessing.get_context("spawn")  # a fork would share numba's threads
_GONE = "a worker process ended before its work was done (too little memory?)"


@dataclass(frozen=True)
class Task:
    """One run (as `sfumato.experiments.worker.work` takes it) and how many seconds it may take."""

    key: Any
    cell: dict[str, Any]
    limit_s: float


Next = Callable[[], Task | None]
Done = Callable[[Task, dict[str, Any] | None, float], None]


def run_limited(following: Next, done: Done, *, handed: dict[str, str], jobs: int) -> None:
    """Run tasks as `following` hands them out, until it hands out nothing and all are done.

    done : called as done(task, outcome, seconds); the outcome is nothing where the limit was met.
    handed : files with pickled data, by the name under which tasks ask for them.
    """
    workers = [_Worker(handed) for _ in range(jobs)]
    try:
        while True:
            for worker in workers:
                if worker.task is None:
                    worker.take(following())
            busy = {worker.pipe: worker for worker in workers if worker.task is not None}
            if not busy:
                return
            ready = wait(list(busy), timeout=max(0.0, min(worker.left for worker in busy.values())))
            for worker in busy.values():
                task, seconds = worker.task, worker.seconds
                if worker.pipe in ready:
                    outcome = worker.give()
                elif worker.left <= 0:
                    outcome = None
                    worker.stop()
                else:
                    continue
                worker.task = None
                if task is not None:
                    done(task, outcome, seconds)
    finally:
        for worker in workers:
            worker.stop()


class _Worker:
    """A process, started when it first has something to do and again after it was stopped."""

    def __init__(self, handed: dict[str, str]) -> None:
        self._handed = handed
        self._process: Any = None
        self.task: Task | None = None
        self._begun = 0.0

    @property
    def seconds(self) -> float:
        return monotonic() - self._begun

    @property
    def left(self) -> float:
        return 0.0 if self.task is None else self.task.limit_s - self.seconds

    def take(self, task: Task | None) -> None:
        if task is None:
            return
        if self._process is None:
            self.pipe, theirs = _SPAWN.Pipe()
            self._process = _SPAWN.Process(target=_serve, args=(theirs, self._handed), daemon=True)
            self._process.start()
            theirs.close()
        self.task, self._begun = task, monotonic()
        self.pipe.send(task.cell)

    def give(self) -> dict[str, Any]:
        try:
            outcome: dict[str, Any] = self.pipe.recv()
        except EOFError:
            self.stop()
            return {"error": _GONE, "exit_code": 1}
        return outcome

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self.pipe.close()
            self._process = None


def _serve(pipe: Connection, handed: dict[str, str]) -> None:
    begin(handed)
    while True:
        try:
            cell = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(work(cell, {}))
        except Exception as error:  # the parent says it in a sentence, without what the error may quote
            pipe.send(
                {"error": f"{type(error).__name__} inside sfumato; this is a bug, please report it", "exit_code": 1}
            )
