"""Work divided among threads: order, errors, nesting, interruptions, and the number of threads."""

from __future__ import annotations

import contextvars
import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

import sfumato.threads
from sfumato.errors import Cancelled, DataError, ParameterError
from sfumato.threads import VARIABLE, cores, helpers_at_work, side_by_side, spans, threads, use_threads


@pytest.fixture(autouse=True)
def _all_helpers_leave() -> Iterator[None]:
    yield
    end = time.monotonic() + 5
    while helpers_at_work() and time.monotonic() < end:
        time.sleep(0.001)
    assert not helpers_at_work()
    assert sfumato.threads._helpers == 0


def test_results_come_in_the_order_of_the_parts() -> None:
    def work(number: int) -> int:
        time.sleep(0.01 * (number % 3))
        return number * number

    with use_threads(3):
        assert list(side_by_side(work, range(10))) == [number * number for number in range(10)]
        assert list(side_by_side(work, [])) == []


def test_several_threads_work_at_a_time() -> None:
    together = threading.Barrier(3, timeout=10)
    with use_threads(3):
        assert len(list(side_by_side(lambda _: together.wait(), range(3)))) == 3


def test_one_thread_works_where_it_is_called() -> None:
    with use_threads(1):
        assert set(side_by_side(lambda _: threading.get_ident(), range(4))) == {threading.get_ident()}


def test_no_more_threads_than_allowed_however_deep() -> None:
    lock, now, most = threading.Lock(), 0, 0

    def leaf(_: int) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.003)
        with lock:
            now -= 1

    def branch(_: int) -> int:
        return len(list(side_by_side(leaf, range(4))))

    with use_threads(3):
        assert list(side_by_side(branch, range(5))) == [4] * 5
    assert 2 <= most <= 3


def test_inner_work_uses_threads_that_become_free() -> None:
    """The second of two parts is long: the thread of the first helps it."""
    together = threading.Barrier(2, timeout=10)

    def work(long: bool) -> int:
        if not long:
            return 0
        end = time.monotonic() + 10
        while sfumato.threads._helpers and time.monotonic() < end:  # until the other thread is free
            time.sleep(0.001)
        return len(list(side_by_side(lambda _: together.wait(), range(6))))

    with use_threads(2):
        assert list(side_by_side(work, [False, True])) == [0, 6]


def test_the_first_error_is_raised_and_nothing_else_begins() -> None:
    begun = []

    def work(number: int) -> int:
        begun.append(number)
        time.sleep(0.02 if number == 1 else 0.0)
        if number >= 1:
            raise DataError(f"part {number}")
        return number

    with use_threads(3), pytest.raises(DataError, match="part 1"):
        list(side_by_side(work, range(50)))
    assert len(begun) < 10


def test_parts_are_asked_for_when_a_thread_is_free() -> None:
    drawn: list[int] = []
    most: list[int] = []

    def parts() -> Iterator[int]:
        for number in range(100):
            drawn.append(number)
            yield number

    with use_threads(2):
        assert list(side_by_side(lambda part: part, parts())) == drawn == list(range(100))
        drawn.clear()
        hold = threading.Event()
        results = side_by_side(lambda _: hold.wait(10), parts())
        threading.Timer(0.1, lambda: (most.append(len(drawn)), hold.set())).start()
        next(iter(results))
        results.close()  # type: ignore[attr-defined]
    assert most == [2]


def test_parts_that_cannot_be_made_end_the_work() -> None:
    def parts() -> Iterator[int]:
        yield from (0, 1, 2)
        raise DataError("no more")

    with use_threads(2), pytest.raises(DataError, match="no more"):
        list(side_by_side(lambda part: part, parts()))


def test_whoever_stops_asking_waits_for_parts_under_way() -> None:
    ended = []

    def work(number: int) -> int:
        time.sleep(0.02)
        ended.append(number)
        return number

    with use_threads(2):
        results = side_by_side(work, range(100))
        assert next(iter(results)) == 0
        results.close()  # type: ignore[attr-defined]
        many = len(ended)
        assert many < 10
        time.sleep(0.05)
        assert len(ended) == many


def test_forgotten_results_may_be_collected_in_one_of_the_parts() -> None:
    """Garbage is collected in any thread: it must not wait for itself."""
    forgotten, collected = threading.Event(), threading.Event()

    def work(number: int) -> None:
        if number > 0:
            forgotten.wait(10)
            gc.collect()
            collected.set()

    def forget() -> None:
        kept: list[object] = []
        kept += [kept, side_by_side(work, range(3))]
        next(kept[1])  # type: ignore[call-overload]

    gc.disable()
    try:
        with use_threads(2):
            forget()
            forgotten.set()
            assert collected.wait(10)
    finally:
        gc.enable()


def test_inner_work_ends_with_the_work_around_it() -> None:
    inner_began, failures = threading.Event(), []

    def inner(_: int) -> None:
        inner_began.set()
        time.sleep(0.01)

    def work(long: bool) -> None:
        if not long:
            inner_began.wait(10)
            raise DataError("short")
        try:
            list(side_by_side(inner, range(1000)))
        except Cancelled as error:
            failures.append(error)
            raise

    begun = time.monotonic()
    with use_threads(2), pytest.raises(DataError, match="short"):
        list(side_by_side(work, [False, True]))
    assert time.monotonic() - begun < 5
    assert len(failures) == 1


def test_context_variables_are_those_of_the_caller() -> None:
    variable = contextvars.ContextVar("variable", default=0)
    variable.set(7)
    with use_threads(2):
        assert list(side_by_side(lambda _: variable.get(), range(4))) == [7] * 4


def test_an_interruption_is_raised_at_once() -> None:
    """The caller waits; helpers inside compiled code would not notice."""
    code = (
        "import os, signal, threading, time\n"
        "from sfumato.threads import side_by_side, use_threads\n"
        "use_threads(2)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a background job of a shell ignores it
        "threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "begun = time.monotonic()\n"
        "try:\n"
        "    list(side_by_side(lambda _: time.sleep(30), range(4)))\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', time.monotonic() - begun < 10, flush=True)\n"
        "    os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("interrupted True\n", "")


def test_spans_cover_everything_once() -> None:
    for number in (1, 2, 3):
        with use_threads(number):
            for total in (0, 1, 5, 17, 1000):
                covered = [at for start, end in spans(total, 3) for at in range(start, end)]
                assert covered == list(range(total))
                assert all(end - start >= min(3, total) for start, end in spans(total, 3))
    with use_threads(1):
        assert spans(1000, 3) == [(0, 1000)]


def test_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    use_threads(None)
    assert threads() == cores()
    monkeypatch.setenv(VARIABLE, "3")
    assert threads() == 3
    with use_threads(2):
        assert threads() == 2
        with use_threads(None):
            assert threads() == 3
        assert threads() == 2
    assert threads() == 3


@pytest.mark.parametrize("wrong", [0, -1, True, 1.5, "2"])
def test_a_wrong_number_is_refused(wrong: object) -> None:
    with pytest.raises(ParameterError, match="use_threads: wanted a whole number of threads of 1 or more, got"):
        use_threads(wrong)  # type: ignore[arg-type]


def test_a_wrong_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "many")
    with pytest.raises(ParameterError, match=r"SFUMATO_THREADS: wanted a whole number of threads .* got 'many'"):
        threads()


def test_a_wrong_variable_is_not_passed_on_to_polars() -> None:
    """Polars would end the process, or say that files are damaged."""
    code = "import sfumato, polars; print(polars.DataFrame({'a': [1, 2]}).lazy().sum().collect().item())"
    for wrong in ("0", "many"):
        environment = {**os.environ, VARIABLE: wrong}
        environment.pop("POLARS_MAX_THREADS", None)
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "3"


@pytest.mark.parametrize("most", [0, 1, 2])
def test_threads_that_cannot_be_started_are_not_waited_for(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[threading.Thread] = []
    start = sfumato.threads._Helper.start

    def limited(helper: threading.Thread) -> None:
        if len(started) == most:
            raise RuntimeError("can't start new thread")
        started.append(helper)
        start(helper)

    monkeypatch.setattr(sfumato.threads._Helper, "start", limited)
    with use_threads(3):
        if most:
            assert list(side_by_side(lambda part: part, range(9))) == list(range(9))
        else:
            with pytest.raises(RuntimeError, match="can't start new thread"):
                list(side_by_side(lambda part: part, range(9)))


def test_polars_obeys() -> None:
    code = "import sfumato, polars; print(polars.thread_pool_size())"
    for number in ("1", "3"):
        environment = {**os.environ, VARIABLE: number}
        environment.pop("POLARS_MAX_THREADS", None)
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == number


def test_a_forked_process_begins_without_helpers() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("this system cannot fork")
    sfumato.threads._helpers = 1
    try:
        child = os.fork()
        if child == 0:
            os._exit(sfumato.threads._helpers)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        sfumato.threads._helpers = 0
