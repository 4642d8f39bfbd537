"""Receive a small file in memory, so that nothing of it is on the disk, and carry its rows from page to page."""

from __future__ import annotations

import base64
import binascii
import io
import json
import zlib
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect

from sfumato.errors import DataError
from sfumato.web.studies.exporting.spreadsheets import LARGEST, LONGEST_CELL, MOST_COLUMNS, MOST_ROWS

__all__ = ["SmallUploads", "packed", "require_small", "small_uploads", "unpacked"]

_UNPACKED = 60 * 2**20


class SmallUploads(FileUploadHandler):
    """Keeps a file in memory; refuses one that is too large as soon as it is."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.parts: list[bytes] = []
        self.is_too_large = False

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.parts = []

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        if start + len(raw_data) > LARGEST:
            self.parts, self.is_too_large = [], True
            raise StopUpload(connection_reset=False)
        self.parts.append(raw_data)

    def file_complete(self, file_size: int) -> InMemoryUploadedFile:
        file = io.BytesIO(b"".join(self.parts))
        return InMemoryUploadedFile(file, self.field_name, self.file_name, self.content_type, file_size, self.charset)


def small_uploads(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view that receives files in memory; forged requests are refused here, after a file has a place to go."""

    @wraps(view)
    def received(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.upload_handlers = [SmallUploads(request)]
        return csrf_protect(view)(request, *args, **kwargs)

    return received


def require_small(request: HttpRequest) -> None:
    """Refuse if the file of a request was too large."""
    if "file" not in request.FILES and any(getattr(row, "is_too_large", False) for row in request.upload_handlers):
        raise DataError(_("wanted a file of at most %(limit)s MB, found a larger one") % {"limit": LARGEST // 2**20})


def packed(rows: list[list[str]]) -> str:
    """Rows as a text that a page sends back."""
    return base64.b64encode(zlib.compress(json.dumps(rows, ensure_ascii=False).encode(), 6)).decode()


def unpacked(text: str) -> list[list[str]]:
    """The rows that `packed` wrote; refuses anything else."""
    try:
        unpacker = zlib.decompressobj()
        content = unpacker.decompress(base64.b64decode(text, validate=True), _UNPACKED)
        if unpacker.unconsumed_tail:
            raise ValueError
        rows = json.loads(content)
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        raise DataError(_("upload the file again")) from None
    whole = (
        isinstance(rows, list)
        and 0 < len(rows) <= MOST_ROWS + 1
        and all(isinstance(row, list) and len(row) <= MOST_COLUMNS and len(row) == len(rows[0]) for row in rows)
        and all(isinstance(cell, str) and len(cell) <= LONGEST_CELL + 1 for row in rows for cell in row)
    )
    if not whole:
        raise DataError(_("upload the file again"))
    return rows
