"""Uploads go to a file as they arrive, and take no memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

from django.core.handlers.wsgi import WSGIRequest

from sfumato.web.workbench.datasets.uploads import StoredUpload, receiving

MEGABYTES = 24


class Body:
    """A form with one large file that is made while it is read."""

    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="big.csv"\r\n\r\n'
    tail = b"\r\n--x--\r\n"

    def __init__(self) -> None:
        self.left = MEGABYTES * 2**20
        self.parts = [self.head]

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        if self.parts:
            part = self.parts.pop()
            self.parts += [part[size:]] if part[size:] else []
            return part[:size]
        if self.left:
            count = min(size, self.left)
            self.left -= count
            if not self.left:
                self.parts.append(self.tail)
            return b"1\n" * (count // 2) + b"1" * (count % 2)
        return b""

    def readline(self, size: int = -1) -> bytes:
        """Never called by a form."""
        raise NotImplementedError

    @property
    def length(self) -> int:
        """The bytes of the whole form."""
        return len(self.head) + MEGABYTES * 2**20 + len(self.tail)


def test_a_large_file_takes_no_memory(tmp_path: Path) -> None:
    body = Body()
    request = WSGIRequest(
        {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": "/",
            "CONTENT_TYPE": "multipart/form-data; boundary=x",
            "CONTENT_LENGTH": str(body.length),
            "wsgi.input": body,
        }
    )
    tracemalloc.start()
    with receiving(request, tmp_path) as take:
        upload = take()
        peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert upload.path.stat().st_size == MEGABYTES * 2**20
    assert upload.path.stat().st_mode & 0o777 == 0o600
    assert peak < 4 * 2**20
    request.close()


def test_the_name_of_a_file_without_its_endings() -> None:
    assert StoredUpload("visits 7.csv.gz", Path("x")).stem == "visits 7"
    assert StoredUpload(".csv", Path("x")).stem == ".csv"
