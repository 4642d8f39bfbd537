"""Warm processes: one a core, each working through batches of cases."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Any

__all__ = ["over_cores"]

# small data: threads inside a process cost more than they give
_ALONE = {"POLARS_MAX_THREADS": "1", "NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def over_cores(work: Callable[[Any], Any], batches: Iterable[list[Any]], cores: int) -> Iterator[Any]:
    """The result of every case, batch by batch; `batches` is asked for more only as results have been taken."""
    source: Iterator[list[Any] | None] = iter(batches)
    if cores <= 1:
        for batch in source:
            yield from _batch(work, batch or [])
        return
    os.environ.update(_ALONE)
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        running: set[Future[list[Any]]] = set()
        ready: deque[Any] = deque()
        over = False
        while running or not over:
            while not over and len(running) < cores + 1:
                batch = next(source, None)
                if batch is None:
                    over = True
                else:
                    running.add(pool.submit(_batch, work, batch))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for one in done:
                ready.extend(one.result())
            while ready:
                yield ready.popleft()


def _batch(work: Callable[[Any], Any], batch: list[Any]) -> list[Any]:
    return [work(case) for case in batch]
