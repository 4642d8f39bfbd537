"""Interruptions (Ctrl-C, SIGTERM) that end a run, but not while the compiler is at work in any thread.

An exception raised inside of it may be lost, or leave half-loaded code that crashes the process; so the interruption
is tried again a little later.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

__all__ = ["end_when_interrupted"]

_COMPILERS = ("numba", "llvmlite")
_AGAIN_S = 0.05


def end_when_interrupted() -> threading.Event:
    """From now on, raise KeyboardInterrupt where SIGINT or SIGTERM arrives; the event tells that one did."""
    arrived = threading.Event()

    def interrupt(number: int, frame: FrameType | None) -> None:
        arrived.set()
        if not any(_is_compiling(stack) for stack in (frame, *sys._current_frames().values())):
            raise KeyboardInterrupt
        again = threading.Timer(_AGAIN_S, os.kill, (os.getpid(), number))
        again.daemon = True
        again.start()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, interrupt)
    return arrived


def _is_compiling(frame: FrameType | None) -> bool:
    """Whether one of the functions at work belongs to the compiler."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _COMPILERS:
            return True
        frame = frame.f_back
    return False
