"""Runs in processes of their own, one core each, that can be limited, watched and cancelled.

A worker process writes nothing, so a killed one leaves nothing behind.  It ends with the process that started it.
"""

from __future__ import annotations

import math
import multiprocessing
import pickle
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextvars import copy_context
from multiprocessing.connection import wait
from time import monotonic
from typing import Any

from sfumato.errors import Cancelled
from sfumato.experiments.run_spec import RunSpec
from sfumato.experiments.worker_process import RunEnd, Task, Watch, WorkerProcess
from sfumato.threads import threads

__all__ = ["RunEnd", "Runner", "StartedRun", "Task", "Watch", "packed"]


def packed(data: Any) -> bytes:
    """A dataset as a runner hands it to its workers."""
    return pickle.dumps(data, protocol=pickle.HIGHEST_PROTOCOL)


class Runner:
    """Runs tasks, some at a time.

    jobs : how many at a time, each on one core; as many as there are cores if None.
    watch : called with the phases of the runs, in the thread that runs them.
    """

    def __init__(self, *, jobs: int | None = None, watch: Watch | None = None) -> None:
        self.jobs, self._watch = jobs or threads(), watch
        self._cancelled = threading.Event()
        self._bell, self._ringer = multiprocessing.Pipe(duplex=False)

    def cancel(self) -> None:
        """Kill every run under way and start no other one; any thread may call this, at any time."""
        if not self._cancelled.is_set():
            self._cancelled.set()
            self._ringer.send_bytes(b"!")

    def run(
        self,
        next_task: Callable[[], Task | None],
        done: Callable[[Task, RunEnd], None],
        *,
        datasets: Mapping[str, bytes] | None = None,
    ) -> None:
        """Run tasks as `next_task` hands them out, until it hands out None and all are done.

        datasets : `packed` datasets, by the `source` of the runs that ask for them.
        Raises `Cancelled` after `cancel`.  The workers read `module:Class` only where the caller may.
        """
        workers = [WorkerProcess(datasets or {}, self._watch) for _ in range(self.jobs)]
        try:
            while True:
                if self._cancelled.is_set():
                    raise Cancelled("the runs were cancelled")
                for worker in workers:
                    if worker.task is None and (task := next_task()) is not None:
                        worker.take(task)
                        if self._watch is not None:
                            self._watch(task, "starting", 0, 0)
                busy = [worker for worker in workers if worker.task is not None]
                if not busy:
                    return
                pause = max(0.0, min(worker.pause for worker in busy))
                ready = wait([self._bell, *(worker.pipe for worker in busy)], None if math.isinf(pause) else pause)
                for worker in busy:
                    task, end = worker.task, worker.hear() if worker.pipe in ready else worker.limited()
                    if task is not None and end is not None:
                        worker.task = None
                        done(task, end)
        finally:
            for worker in workers:
                worker.stop()


class StartedRun:
    """One run in a process of its own, which any thread may wait for or cancel."""

    def __init__(
        self, spec: RunSpec, *, datasets: Mapping[str, bytes] | None = None, watch: Watch | None = None
    ) -> None:
        self.spec = spec
        self._runner = Runner(jobs=1, watch=watch)
        self._end: Future[RunEnd] = Future()
        self._began = monotonic()
        allowed = copy_context()  # whether `module:Class` is read
        threading.Thread(target=allowed.run, args=(self._run, datasets), daemon=True).start()

    def _run(self, datasets: Mapping[str, bytes] | None) -> None:
        tasks = [Task(None, self.spec)]
        ends: list[RunEnd] = []
        try:
            self._runner.run(lambda: tasks.pop() if tasks else None, lambda _, end: ends.append(end), datasets=datasets)
            self._end.set_result(ends[0])
        except Cancelled as error:
            self._end.set_result(RunEnd("cancelled", monotonic() - self._began, {}, str(error)))
        except BaseException as error:  # of the one who watches
            self._end.set_exception(error)

    def wait(self, timeout_s: float | None = None) -> RunEnd | None:
        """How the run ended; None where it goes on after so many seconds."""
        try:
            return self._end.result(timeout_s)
        except TimeoutError:
            return None

    def cancel(self) -> RunEnd:
        """Kill the process, and wait until it is gone; a run that has ended stays as it ended."""
        self._runner.cancel()
        return self._end.result()
