"""The start of the JVM behind a session: what it prints on the way, and in one sentence why it failed."""

from __future__ import annotations

import os
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from sfumato.errors import CallerError

__all__ = ["LaunchNotes", "launching", "reason_of", "require_reachable"]

_SECONDS = 5.0  # to wait for an answer of each address
_PORTS = {"spark": 7077, "https": 443, "http": 80}
_MARK = b"\0sfumato\0"  # the end of what is printed during the start
_NOISE = re.compile(
    r"WARNING: |Using Spark's|Setting |To adjust|\s|\[JAVA_GATEWAY|.*\bWARN\b|JVM stacktrace|An error occurred"
)
_CLASS = re.compile(r"^(: |Exception in thread \"[^\"]*\" |Caused by: )?([A-Za-z_$][\w$]*\.)+[A-Za-z_$][\w$]*: ")


def require_reachable(master: str) -> None:
    """Refuse the address of a cluster at which nothing answers, within a few seconds."""
    if not master.startswith(("spark://", "k8s://")):
        return
    places = [_place(address) for address in master.removeprefix("k8s://").split(",")]
    if not any(_answers(host, port) for host, port in places):
        raise CallerError(f"spark: wanted a cluster at {master}, nothing answers there")


def _place(address: str) -> tuple[str, int]:
    parts = urlsplit(address if "://" in address else f"{'spark' if address.count(':') == 1 else 'https'}://{address}")
    try:
        port = parts.port
    except ValueError:
        port = None
    return parts.hostname or "", port or _PORTS.get(parts.scheme, 443)


def _answers(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=_SECONDS).close()
    except OSError:
        return False
    return True


class LaunchNotes:
    """What a process and those that it starts print to stderr, until the start is over."""

    def __init__(self) -> None:
        self._shown = os.dup(2)
        read, write = os.pipe()
        os.dup2(write, 2)
        os.close(write)
        self._said, self._over = bytearray(), threading.Event()
        threading.Thread(target=self._listen, args=(read,), daemon=True).start()

    def _listen(self, read: int) -> None:
        """Keep what is printed during the start, and pass on what a JVM that runs prints later."""
        while chunk := os.read(read, 1 << 16):
            if self._over.is_set():
                os.write(self._shown, chunk)
                continue
            self._said += chunk
            before, mark, after = bytes(self._said).partition(_MARK)
            if mark:
                self._said = bytearray(before)
                self._over.set()
                os.write(self._shown, after)

    def end(self) -> None:
        """Print to stderr again."""
        os.write(2, _MARK)
        os.dup2(self._shown, 2)
        self._over.wait(_SECONDS)

    def text(self) -> str:
        return self._said.decode("utf-8", "replace")


@contextmanager
def launching() -> Iterator[LaunchNotes | None]:
    """Collect what is printed to stderr; None where there is no stderr."""
    try:
        notes = LaunchNotes()
    except OSError:
        yield None
        return
    try:
        yield notes
    finally:
        notes.end()


def reason_of(error: Exception, printed: str) -> str:
    """Why a start failed, in the words of Java: the last cause of the error, or else what the JVM printed first.

    >>> reason_of(ValueError("x.Y: state\\n\\tat z\\nCaused by: java.lang.A: wanted a number\\n\\tat z"), "")
    'wanted a number'
    >>> reason_of(ValueError("[JAVA_GATEWAY_EXITED] exited"), "WARNING: modules\\nInvalid maximum heap size: -Xmxa\\n")
    'Invalid maximum heap size: -Xmxa'
    """
    said = str(error).splitlines()
    causes = [line for line in said if line.startswith("Caused by: ")]
    lines = [*_deepest_cause(error).splitlines()[:1], *causes[-1:], *said, *printed.splitlines()]
    line = next((line for line in lines if line and not _NOISE.match(line)), type(error).__name__)
    reason = _CLASS.sub("", line).strip().rstrip(".")
    return "no cluster of Spark answered" if "stopped SparkContext" in reason else reason


def _deepest_cause(error: Exception) -> str:
    """What the first of the exceptions in Java says, each of which caused the next; otherwise an empty text."""
    java: Any = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    try:
        while java is not None and java.getCause() is not None:
            java = java.getCause()
        return "" if java is None else str(java.getMessage() or "")
    except Exception:  # the JVM is gone
        return ""
