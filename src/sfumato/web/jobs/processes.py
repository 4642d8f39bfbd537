"""The process of a job, seen from the worker: start it, read its lines, weigh it, end it with all of its children."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings

import sfumato
from sfumato.kernels.compiling import folder_of_user
from sfumato.threads import threads
from sfumato.web.home import private_folder
from sfumato.web.jobs.kinds import KINDS

__all__ = ["JobProcess", "own_python"]

_GRACE_S = 0.4  # between TERM and KILL
_KEPT = ("SFUMATO_TRACEBACK", "SFUMATO_THREADS")
_MODULES = ["sfumato.web.workbench.loading", "sfumato.api.reading", "sfumato.api.anonymizing"]


class JobProcess:
    """A running `sfumato.web.jobs.child` in a session of its own, which waits for an order."""

    def __init__(self) -> None:
        quiet = None if os.environ.get("SFUMATO_TRACEBACK") else subprocess.DEVNULL  # a traceback may quote records
        command, environment = own_python("sfumato.web.jobs.child")
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=quiet,
            text=True,
            encoding="utf-8",
            cwd=tempfile.gettempdir(),
            start_new_session=True,
            env={**_compiled_code(), **environment},
        )
        self.began = time.monotonic()
        self.pid = self._process.pid
        self._lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def waits(self) -> bool:
        """Whether it can take an order."""
        return not self._has_ended() if hasattr(os, "waitid") else self._process.poll() is None

    def prepare(self) -> None:
        """Import what most jobs need, before there is one."""
        self._send(modules=_MODULES)

    def order(
        self,
        kind: str,
        arguments: dict[str, Any],
        folder: Path,
        *,
        limits: dict[str, int],
        nice: int = 0,
        workers: int = 1,
    ) -> None:
        """Begin the work of a kind of job.  workers : how many share the cores."""
        self.began = time.monotonic()
        chosen = KINDS[kind]
        self._send(
            work=chosen.work,
            arguments=arguments,
            folder=str(folder.absolute()),
            limits=limits,
            nice=nice,
            threads=max(1, threads() // workers),
            more=chosen.shares_process,
        )

    def _send(self, **order: Any) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it died at once, which its missing outcome tells
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()

    def collected(self, seconds: float) -> tuple[dict[str, Any], dict[str, Any] | None, bool]:
        """What it wrote within this time: the latest progress, the outcome, and whether that was its last line."""
        progress: dict[str, Any] = {}
        outcome = None
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                break
            if line is None:
                return progress, outcome, True
            if "phase" in line:
                progress = line
            else:
                outcome = line
        return progress, outcome, False

    @property
    def seconds(self) -> float:
        """How long it has been running."""
        return time.monotonic() - self.began

    def resident(self) -> int:
        """The bytes of memory of the process and all of its children; 0 where the system does not say."""
        if not Path("/proc/self/stat").exists():
            return 0
        pages = 0
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with suppress(OSError, ValueError, IndexError):
                    fields = (entry / "stat").read_text().rpartition(")")[2].split()
                    if int(fields[3]) == self.pid:  # its session
                        pages += int(fields[21])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def end(self) -> int:
        """End the process and its children, by TERM and then by KILL, and return its exit status."""
        if self._process.returncode is not None:
            pass
        elif hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGTERM)
                self._wait_unreaped()  # its number stays taken, so that KILL reaches this group and no other
                os.killpg(self.pid, signal.SIGKILL)
        else:
            self._process.kill()
        status = self._process.wait()
        self._reader.join(1.0)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError, ValueError):
                    pipe.close()
        return status

    def _wait_unreaped(self) -> None:
        end = time.monotonic() + _GRACE_S
        while time.monotonic() < end and not self._has_ended():
            time.sleep(0.01)

    def _has_ended(self) -> bool:
        if not hasattr(os, "waitid"):
            return False
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                self._lines.put(json.loads(line))
        except ValueError:  # the pipe was closed, or a line was cut off when the process was killed
            pass
        finally:
            self._lines.put(None)


def own_python(module: str) -> tuple[list[str], dict[str, str]]:
    """The command that runs a module of this package, and its environment.

    No file of the current folder is imported, wherever the process runs.  Keys and passwords of the server are not
    handed on.
    """
    source = str(Path(sfumato.__file__).parents[1])
    others = [str(Path(path).absolute()) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("SFUMATO_") or name in _KEPT
    }
    environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([source, *others]))
    environment["PYTHONSAFEPATH"] = "1"
    return [sys.executable, "-m", module], environment


def _compiled_code() -> dict[str, str]:
    """Where compiled kernels are kept: in the account's folder for caches or, without one, in the private folder."""
    if folder_of_user() is not None:
        return {}
    return {"NUMBA_CACHE_DIR": str(private_folder(Path(settings.SFUMATO_HOME) / "compiled"))}
