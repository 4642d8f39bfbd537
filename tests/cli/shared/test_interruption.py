"""Interruptions: at once, or after the compiler has finished what it does."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator

import pytest

from sfumato.cli.shared.interruption import end_when_interrupted


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_our_own_code_is_interrupted_at_once(number: signal.Signals) -> None:
    arrived = end_when_interrupted()
    assert not arrived.is_set()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)
    assert arrived.is_set()


def test_the_compiler_is_interrupted_when_it_has_finished() -> None:
    arrived, done = end_when_interrupted(), threading.Event()
    compiler = {"__name__": "numba.core.dispatcher", "signal": signal, "time": time, "done": done}
    exec("def work():\n signal.raise_signal(signal.SIGINT)\n time.sleep(0.12)\n done.set()", compiler)

    def run() -> None:
        compiler["work"]()  # type: ignore[operator]
        time.sleep(5)

    with pytest.raises(KeyboardInterrupt):
        run()
    assert done.is_set()
    assert arrived.is_set()
