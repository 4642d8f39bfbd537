"""Uploads that go straight to a file of the server, a part at a time, so that a gigabyte takes no memory."""

from __future__ import annotations

import os
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest
from django.utils.translation import gettext as _

from sfumato.errors import DataError
from sfumato.io.files import suffix_of

__all__ = ["ENDINGS", "StoredUpload", "receiving", "sweep_uploads", "upload_limit"]

ENDINGS = (".csv", ".tsv", ".parquet", ".xlsx", ".txt", ".dat", ".spmf")
_SPARE = 256 * 2**20  # of the disk, for everything else
_OLD_S = 24 * 3600


def upload_limit() -> int:
    """The largest file in bytes; SFUMATO_UPLOAD_GB changes it."""
    return int(settings.SFUMATO_QUOTAS["upload_bytes"])


@dataclass
class StoredUpload:
    """A file that was uploaded: its name at home, and where it is here, readable by the server alone."""

    name: str
    path: Path
    size: int = 0
    field: str = "file"

    def close(self) -> None:
        """Nothing: the file is closed when it is complete; Django calls this for every file of a request."""

    @property
    def stem(self) -> str:
        """The name without its endings."""
        return self.name.removesuffix(".gz").removesuffix(".GZ").rsplit(".", 1)[0][:200] or self.name[:200]


class _ToFile(FileUploadHandler):
    """Writes each part of a file as it arrives."""

    def __init__(self, request: HttpRequest, folder: Path) -> None:
        super().__init__(request)
        self.folder = folder
        self.uploads: list[StoredUpload] = []
        self.problem = ""
        self._file: Any = None

    def new_file(self, field_name: str, file_name: str, *args: Any, **kwargs: Any) -> None:
        super().new_file(field_name, file_name, *args, **kwargs)
        ending = suffix_of(file_name)
        if ending not in ENDINGS:
            self._refuse(_("wanted a file that ends in %(endings)s") % {"endings": ", ".join((*ENDINGS, ".gz"))})
        zipped = ".gz" if file_name.lower().endswith(".gz") else ""
        path = self.folder / f"{uuid.uuid4()}{ending}{zipped}"
        self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        self.uploads.append(StoredUpload(file_name[:200], path, field=field_name))

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        if start + len(raw_data) > upload_limit():
            limit = upload_limit() // 2**20
            self._refuse(_("wanted a file of at most %(limit)s MB, found a larger one") % {"limit": f"{limit:,}"})
        if start % 2**26 < len(raw_data) and shutil.disk_usage(self.folder).free < _SPARE:
            self._refuse(_("the disk of this server is nearly full; ask who runs it"))
        self._file.write(raw_data)

    def file_complete(self, file_size: int) -> StoredUpload:
        self._file.close()
        self._file = None
        self.uploads[-1].size = file_size
        return self.uploads[-1]

    def upload_interrupted(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _refuse(self, sentence: str) -> None:
        self.problem = sentence
        raise StopUpload(connection_reset=False)


@contextmanager
def receiving(request: HttpRequest, folder: Path) -> Iterator[Callable[[], StoredUpload]]:
    """Receive the file of a request into a folder; what is not taken is removed at the end.

    Call what it yields to take the file; it refuses with a sentence.  The body must not have been read before.
    """
    handler = _ToFile(request, folder)
    request.upload_handlers = [handler]
    kept: list[StoredUpload] = []

    def take() -> StoredUpload:
        request.FILES  # noqa: B018  reads the body
        if handler.problem:
            raise DataError(handler.problem)
        upload = next((upload for upload in handler.uploads if upload.field == "file"), None)
        if upload is None or not upload.size:
            raise DataError(_("wanted a file with something in it, found none"))
        kept.append(upload)
        return upload

    try:
        yield take
    except BaseException:  # also a quota that refused the job: nothing is left of what was refused
        kept.clear()
        raise
    finally:
        handler.upload_interrupted()
        for upload in handler.uploads:
            if not any(upload is other for other in kept):
                upload.path.unlink(missing_ok=True)


def sweep_uploads(folder: Path) -> None:
    """Remove files that were uploaded a day ago and never became a dataset."""
    for path in folder.iterdir():
        if path.is_file() and time.time() - path.stat().st_mtime > _OLD_S:
            path.unlink(missing_ok=True)
