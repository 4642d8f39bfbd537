"""Threads: how many there are, and work that is divided among them.

Compiled loops and array functions run side by side; what is divided does not depend on who works on it, and results
come in the order of the parts, so that the number of threads changes no output.  At most so many threads work at a
time, however deep divided work is nested: a thread that divides work waits, and one of its helpers works in its place.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from itertools import chain, islice
from types import TracebackType
from typing import Any, Generic, TypeVar, cast

from sfumato.errors import Cancelled, ParameterError

__all__ = [
    "VARIABLE",
    "Buffers",
    "cores",
    "falling_spans",
    "helpers_at_work",
    "one_at_a_time",
    "side_by_side",
    "spans",
    "tell_polars",
    "threads",
    "use_threads",
]

VARIABLE = "SFUMATO_THREADS"
"""The environment variable that says how many threads to use."""

_POLARS = "POLARS_MAX_THREADS"
_LOOK_UP_S = 0.1
_PARTS = 4  # parts for each thread, so that none waits long for another one
_chosen: int | None = None
_helpers = 0  # at work now, without those that work in place of whoever waits for them
_lock = threading.Lock()

PartT = TypeVar("PartT")
ResultT = TypeVar("ResultT")
BufferT = TypeVar("BufferT")
TellT = TypeVar("TellT", bound=Callable[..., Any] | None)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads() -> int:
    """How many threads work at a time: as `use_threads` or SFUMATO_THREADS says, otherwise one for each core."""
    if _chosen is not None:
        return _chosen
    text = os.environ.get(VARIABLE, "")
    return cores() if text == "" else _checked(VARIABLE, int(text) if text.isascii() and text.isdigit() else text)


class use_threads:  # noqa: N801, a function to its callers
    """Use this many threads from now on; as a context manager, only inside of it.

    number : 1 or more; None for SFUMATO_THREADS or, without it, one for each core.

    The output is the same with any number of threads.  Polars, which reads files, looks at the number only once, when
    it is first imported.

    >>> with use_threads(1):
    ...     threads()
    1
    """

    def __init__(self, number: int | None) -> None:
        global _chosen
        self._before = _chosen
        _chosen = None if number is None else _checked("use_threads", number)
        tell_polars()

    def __enter__(self) -> use_threads:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        global _chosen
        _chosen = self._before


def tell_polars() -> None:
    """Have Polars use as many threads, where a number was chosen and Polars is not loaded yet."""
    number = os.environ.get(VARIABLE, "") if _chosen is None else str(_chosen)
    if number.isascii() and number.isdigit() and int(number) >= 1 and "polars" not in sys.modules:
        os.environ[_POLARS] = number


def _checked(who: str, number: Any) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ParameterError(f"{who}: wanted a whole number of threads of 1 or more, got {number!r}")
    return number


def spans(total: int, smallest: int) -> list[tuple[int, int]]:
    """The range from 0 to `total` cut into (start, end), a few for each thread, each of at least `smallest`.

    One span where there is one thread: small work is not divided.

    >>> with use_threads(2):
    ...     spans(9, 4), spans(7, 4), spans(0, 4)
    ([(0, 4), (4, 9)], [(0, 7)], [])
    """
    many = 1 if threads() == 1 else max(1, min(_PARTS * threads(), total // smallest))
    return [(at * total // many, (at + 1) * total // many) for at in range(many)] if total else []


def falling_spans(total: int, smallest: int) -> list[tuple[int, int]]:
    """As `spans`, each shorter than the one before, for work that is uneven: threads then end at about the same time.

    >>> with use_threads(2):
    ...     falling_spans(64, 16)
    [(0, 28), (28, 48), (48, 60), (60, 64)]
    """
    many = len(spans(total, smallest))
    left = [total * (many - at) ** 2 // many**2 for at in range(many)]
    return [(total - now, total - then) for now, then in zip(left, [*left[1:], 0], strict=True)] if total else []


def side_by_side(work: Callable[[PartT], ResultT], parts: Iterable[PartT]) -> Iterator[ResultT]:
    """The results of `work` for each part, in the order of the parts, which are begun in this order as well.

    Parts are asked for one at a time, each when a thread is free to work on it.
    The first part that fails ends all others: its error is raised, and no other part is begun.  An interruption is
    raised at once; parts under way are left to end by themselves.

    >>> list(side_by_side(lambda number: number * number, range(4)))
    [0, 1, 4, 9]
    """
    if threads() == 1:
        return map(work, parts)
    all_parts = iter(parts)
    two = list(islice(all_parts, 2))
    if len(two) < 2:
        return map(work, two)
    return _Group(work, chain(two, all_parts)).results()


class Buffers(Generic[BufferT]):
    """Buffers that parts of some work take in turn: no more than threads that work at a time.

    >>> rows = Buffers(list)
    >>> for number in (1, 2):
    ...     with rows.taken() as row:
    ...         row.append(number)
    >>> rows.all
    [[1, 2]]
    """

    def __init__(self, make: Callable[[], BufferT]) -> None:
        self._make = make
        self._free: list[BufferT] = []
        self.all: list[BufferT] = []

    @contextmanager
    def taken(self) -> Iterator[BufferT]:
        """A buffer that no other part has until it is given back."""
        try:
            buffer = self._free.pop()
        except IndexError:
            buffer = self._make()
            self.all.append(buffer)
        yield buffer
        self._free.append(buffer)


def one_at_a_time(tell: TellT) -> TellT:
    """A function that threads may call together, such as one that shows progress; None stays None."""
    if tell is None:
        return tell
    calling = threading.Lock()

    def tell_alone(*said: Any) -> Any:
        with calling:
            return tell(*said)

    return cast(TellT, tell_alone)


def helpers_at_work() -> bool:
    """Whether a thread that was started here works on something."""
    return any(isinstance(thread, _Helper) for thread in threading.enumerate())


class _Group(Generic[PartT, ResultT]):
    """Parts of some work, and the helpers that work on them."""

    def __init__(self, work: Callable[[PartT], ResultT], parts: Iterator[PartT]) -> None:
        self._work, self._parts = work, parts
        self._around = _group.get()
        self._context = copy_context()
        self._taking = threading.Lock()
        self._changed = threading.Condition()
        self._begun = 0
        self._all_begun = False
        self._helpers = 0
        self._stopped = False
        self._done: dict[int, ResultT] = {}
        self._failed: dict[int, BaseException] = {}

    def results(self) -> Iterator[ResultT]:
        """The results in order."""
        self._helpers = 1
        self._start_helper()
        at = 0
        _unfinished.append(self)
        try:
            while self._has(at):
                yield self._done.pop(at)
                at += 1
        except GeneratorExit:  # nobody asks for the other results
            self._stopped = True
            if not self._is_around_here():
                self._wait()
            raise
        finally:
            self._stopped = True
            with suppress(ValueError):  # in a forked process
                _unfinished.remove(self)

    def _is_around_here(self) -> bool:
        """Whether this runs in a part of this group, such as the collector of garbage that found its results."""
        group = _group.get()
        while group is not None and group is not self:
            group = group._around
        return group is self

    def _has(self, at: int) -> bool:
        """Whether there is such a part; waits for its result."""
        with self._changed:
            self._wait_for(lambda: at in self._done or bool(self._failed) or self._helpers == 0)
            if at in self._done and not self._failed:
                return True
        self._wait()
        if self._failed:
            raise self._failed[min(self._failed)]
        if not self._all_begun:
            raise Cancelled("the work that this was a part of has ended")
        return False

    def _wait(self) -> None:
        """Wait for the parts under way."""
        with self._changed:
            self._wait_for(lambda: self._helpers == 0)

    def _wait_for(self, condition: Callable[[], bool]) -> None:
        """Wait until the condition holds; wake up at times, because Polars lets a wait go on after an interruption."""
        while not self._changed.wait_for(condition, _LOOK_UP_S):
            pass

    def help(self) -> None:
        """Work on parts until none is left: the thread of a helper."""
        _group.set(self)
        while not self._is_stopped() and not self._all_begun:
            at = -1
            try:
                with self._taking:
                    at = self._begun
                    if (part := next(self._parts, _NO_PART)) is _NO_PART:
                        self._all_begun = True
                        break
                    self._begun += 1
                self._invite()
                done = self._work(part)  # type: ignore[arg-type]
            except BaseException as error:  # raised by whoever waits
                with self._changed:
                    if not (self._is_stopped() and isinstance(error, Cancelled)):  # which says that another one failed
                        self._failed[at] = error
                    self._changed.notify_all()
            else:
                with self._changed:
                    self._done[at] = done
                    self._changed.notify_all()
        self._leave()

    def _is_stopped(self) -> bool:
        return self._stopped or bool(self._failed) or (self._around is not None and self._around._is_stopped())

    def _invite(self) -> None:
        """Another helper, where a part may be left and a thread is free."""
        global _helpers
        with self._changed, _lock:
            if self._all_begun or self._is_stopped() or self._helpers == 0 or _helpers >= threads() - 1:
                return
            _helpers += 1
            self._helpers += 1
        with suppress(RuntimeError):  # a limit on threads: fewer do the same
            self._start_helper()

    def _start_helper(self) -> None:
        try:
            _Helper(target=self._context.copy().run, args=(self.help,), daemon=True).start()
        except BaseException:  # nobody may wait for a thread that does not run
            self._leave()
            raise

    def _leave(self) -> None:
        """End a helper; the last one gives its place back to the thread that waits, others give it to other work."""
        global _helpers
        with self._changed:
            self._helpers -= 1
            is_last = self._helpers == 0
            if not is_last:
                with _lock:
                    _helpers -= 1
            self._changed.notify_all()
        for group in () if is_last else tuple(_unfinished):
            group._invite()


class _Helper(threading.Thread):
    """A thread that works on parts of a group."""


_NO_PART = object()
_unfinished: list[_Group[Any, Any]] = []
_group: ContextVar[_Group[Any, Any] | None] = ContextVar("group", default=None)


def _forget_helpers() -> None:
    """A forked process has none of the threads of its parent."""
    global _helpers, _lock
    _helpers, _lock = 0, threading.Lock()
    _unfinished.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_helpers)
