"""A worker as a process of its own, which is started again when it dies and ends with the server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

__all__ = ["KeptWorker", "run_worker"]

_PAUSE_S = 1.0  # before a worker that died is started again
_LONGEST_PAUSE_S = 60.0
_STEADY_S = 30.0  # a worker that ran so long did not die of its start
_GRACE_S = 10.0


class KeptWorker:
    """Keeps one worker process alive until `stop`."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, daemon=True)

    def start(self) -> None:
        """Start the worker and the thread that watches it."""
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """The number of the process that works now."""
        return None if self._process is None else self._process.pid

    def stop(self) -> None:
        """End the worker; the job that it runs waits again."""
        self._stopped.set()
        process = self._process
        if process is not None:
            with suppress(OSError):
                process.terminate()
            try:
                process.wait(_GRACE_S)
            except subprocess.TimeoutExpired:
                process.kill()
        if self._thread.is_alive():
            self._thread.join(_GRACE_S)

    def _keep(self) -> None:
        from sfumato.web.jobs.processes import own_python

        command, environment = own_python("sfumato.web.serving.supervising")
        environment |= {name: value for name, value in os.environ.items() if name.startswith("SFUMATO_")}
        pause = _PAUSE_S
        while not self._stopped.is_set():
            began = time.monotonic()
            self._process = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.PIPE,  # closed when this process ends, however it ends
                start_new_session=True,  # Ctrl-C is for the server, which then stops the worker
            )
            if self._stopped.is_set():
                self._process.terminate()
            self._process.wait()
            if self._process.stdin is not None:
                self._process.stdin.close()
            pause = _PAUSE_S if time.monotonic() - began > _STEADY_S else min(2 * pause, _LONGEST_PAUSE_S)
            self._stopped.wait(pause)


def run_worker(*, until_input_ends: bool = False) -> None:
    """Take jobs until SIGTERM or SIGINT arrives or, if asked for, until the standard input ends."""
    from sfumato.web.jobs.worker import Worker

    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    if until_input_ends:

        def wait_for_the_end() -> None:
            while sys.stdin.buffer.read(1):
                pass
            stopped.set()

        threading.Thread(target=wait_for_the_end, daemon=True).start()
    Worker(warms=os.environ.get("SFUMATO_WARM") != "0").run(stopped.is_set)


def main() -> None:
    """The process of a worker that belongs to a server; its settings are in the environment."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sfumato.web.settings")
    django.setup()
    run_worker(until_input_ends=True)
    os._exit(0)  # the thread that reads the input holds it


if __name__ == "__main__":
    main()
