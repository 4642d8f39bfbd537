"""The command line inside the process of a test: the same commands, without the start of a process for each."""

from __future__ import annotations

import contextlib
import io
import signal
from collections.abc import Sequence

from sfumato.cli import main


def run_here(words: Sequence[object], errors: io.StringIO | None = None) -> tuple[int, str]:
    """The exit code of `sfumato` with these words, and what it prints.

    errors : takes what goes to standard error; it is with the rest if None.
    """
    printed = io.StringIO()
    handlers = {sent: signal.getsignal(sent) for sent in (signal.SIGTERM, signal.SIGINT)}
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed if errors is None else errors):
            main([str(word) for word in words])
    except SystemExit as left:
        return int(left.code or 0), printed.getvalue()
    finally:
        for sent, handler in handlers.items():
            signal.signal(sent, handler)
    raise AssertionError("main() always exits")
