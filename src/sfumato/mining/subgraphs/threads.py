"""A function called side by side in several threads, with its results in the order of the items."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Self, TypeVar

from sfumato.threads import threads

__all__ = ["Threads", "available_threads"]

Item = TypeVar("Item")
Result = TypeVar("Result")

_WAITING = 8  # items a thread that wait for it, or whose results wait to be taken


def available_threads() -> int:
    """How many threads to use: as many as `sfumato.threads` says."""
    return threads()


class Threads:
    """Some threads; one alone is the caller's own.

    >>> with Threads(2) as threads:
    ...     list(threads.each(len, iter(["ab", "c"])))
    [('ab', 2), ('c', 1)]
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._pool = ThreadPoolExecutor(number) if number > 1 else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def each(self, function: Callable[[Item], Result], items: Iterator[Item]) -> Iterator[tuple[Item, Result]]:
        """Each item with its result, in order; the first exception ends it."""
        if self._pool is None:
            for item in items:
                yield item, function(item)
            return
        waiting: deque[tuple[Item, Future[Result]]] = deque()
        for item in items:
            waiting.append((item, self._pool.submit(function, item)))
            if len(waiting) > _WAITING * self._number:
                first, result = waiting.popleft()
                yield first, result.result()
        for first, result in waiting:
            yield first, result.result()
