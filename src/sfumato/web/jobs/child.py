"""The process of a job: `python -m sfumato.web.jobs.child`.

Each line of its input is an order in JSON: modules to import before the work is known, or the name of a function, its
arguments, folder and limits.  It writes JSON lines: progress, then one result or one sentence; then it ends, unless the
order says that more follow.  When its input is closed, the worker is gone, and the process ends with all of its
children.  It knows nothing of Django or the database.
"""

from __future__ import annotations

import json
import math
import os
import queue
import signal
import sys
import threading
import time
from importlib import import_module
from typing import Any, TextIO

from sfumato.threads import use_threads

__all__ = ["main", "plain"]

_EVERY_S = 0.2  # between two lines of progress


def main() -> None:
    """Do the work that the lines of the input name."""
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is not a line of ours
    os.umask(0o077)
    orders: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_read_orders, args=(orders,), daemon=True).start()
    more = True
    while more:
        more = _done(orders.get(), lines)
    lines.flush()
    os._exit(0)  # threads of libraries need not end first


def _done(order: dict[str, Any], lines: TextIO) -> bool:
    """Follow an order, and say whether more may come."""
    if "modules" in order:
        for module in order["modules"]:
            import_module(module)
        return True
    _limit(order.get("limits", {}))
    use_threads(order.get("threads"))
    if order.get("nice") and hasattr(os, "nice"):
        os.nice(order["nice"])
    os.chdir(order.get("folder", "."))
    try:
        _write(lines, result=plain(_work(order, lines)))
    except MemoryError:
        _write(lines, sentence="not enough memory for these data on this server")
        return False
    except Exception as error:
        _write(lines, **_sentence_of(error))
        return False
    return bool(order.get("more"))


def _work(order: dict[str, Any], lines: TextIO) -> Any:
    from sfumato.web.jobs.kinds import loaded

    last: dict[str, Any] = {"at": 0.0, "phase": ""}

    def progress(phase: str, done: int, total: int) -> None:
        now = time.monotonic()
        if phase != last["phase"] or now - last["at"] >= _EVERY_S or done == total:
            last.update(at=now, phase=phase)
            _write(lines, phase=phase, done=int(done), total=int(total))

    return loaded(order["work"])(**order["arguments"], progress=progress)


def plain(value: Any) -> Any:
    """A JSON value that every database accepts: numbers that are not finite are null, and no text holds a NUL.

    >>> plain({"a": [1.5, float("nan"), (2, "x\\x00")]})
    {'a': [1.5, None, [2, 'x']]}
    """
    if isinstance(value, dict):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, str):
        return value.replace("\x00", "")
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _sentence_of(error: Exception) -> dict[str, str]:
    from sfumato.errors import SfumatoError

    if isinstance(error, SfumatoError):
        return {"sentence": str(error), "remedy": error.remedy}
    if os.environ.get("SFUMATO_TRACEBACK"):
        import traceback

        traceback.print_exc()
    return {"sentence": f"{type(error).__name__} inside sfumato; this is a bug, please report it"}


def _write(lines: TextIO, **content: Any) -> None:
    lines.write(json.dumps(content) + "\n")
    lines.flush()


def _limit(limits: dict[str, int]) -> None:
    """Limit the memory of the process, where the system can."""
    if sys.platform == "win32" or "memory" not in limits:
        return
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (limits["memory"], limits["memory"]))


def _read_orders(orders: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Read orders until the worker is gone, then leave."""
    while line := sys.stdin.readline():
        orders.put(json.loads(line))
    if hasattr(os, "killpg"):
        os.killpg(os.getpgid(0), signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    main()
