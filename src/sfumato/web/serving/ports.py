"""A free port of this machine."""

from __future__ import annotations

import errno
import socket
import sys

from sfumato.errors import CallerError

__all__ = ["FIRST_PORT", "listening"]

FIRST_PORT = 8787
_TRIED = 20


def listening(port: int | None) -> socket.socket:
    """A socket that listens on this machine only: at the port, or at the first free one if none was asked for."""
    if port is not None:
        return _bound(port)
    for number in range(FIRST_PORT, FIRST_PORT + _TRIED):
        try:
            return _bound(number)
        except CallerError:
            continue
    return _bound(0)


def _bound(port: int) -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind(("127.0.0.1", port))
        sock.listen(128)
    except OSError as error:
        sock.close()
        if error.errno == errno.EACCES:
            raise CallerError(f"port {port} may not be used on this system; choose one above 1023") from error
        raise CallerError(f"port {port} is in use; choose another one, or leave the port out") from error
    return sock
