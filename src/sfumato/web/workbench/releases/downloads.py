"""Downloads of a release: the published directory as a zip file, and the board reports."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path
from typing import IO, Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.text import slugify
from django.views.decorators.http import require_POST

from sfumato.errors import FileError
from sfumato.io.published import directory
from sfumato.io.published.certificate import CERTIFICATE, SIGNATURE
from sfumato.io.published.ledger import digest_of
from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.workbench.models import Project, Release
from sfumato.web.workbench.releases.signing import is_signed, public_key_of
from sfumato.web.workbench.releases.work import report_file

__all__ = ["archive", "attached", "board_report", "signer", "zip_of"]

_MEMORY = 8 << 20  # bytes of an archive before it goes to a temporary file
_EPOCH = (1980, 1, 1, 0, 0, 0)  # equal releases have equal archives
_TYPES = {"html": "text/html; charset=utf-8", "pdf": "application/pdf"}


@project_page("member")
@require_POST
def archive(request: HttpRequest, project: Project, release_id: Any) -> HttpResponse:
    """The published directory as a zip file."""
    release = get_object_or_404(project.releases, pk=release_id, withdrawn=None, published__isnull=False)
    content = zip_of(release)
    Event.record(request.user, "download", f"release {release.id}", project=project)
    return attached(content, f"{_file_name(release)}.zip", "application/zip")


@project_page("viewer")
@require_POST
def board_report(request: HttpRequest, project: Project, release_id: Any) -> HttpResponse:
    """A board report; viewers get the public edition only."""
    release = get_object_or_404(project.releases, pk=release_id)
    edition, ending = request.POST.get("edition", ""), request.POST.get("ending", "")
    if edition not in ("public", "private") or ending not in _TYPES:
        raise Http404
    path = project.folder / report_file(release.file, edition, ending)
    if (edition == "private" and request.role == "viewer") or not path.is_file():
        raise Http404
    Event.record(request.user, "download", f"{edition} report of release {release.id}", project=project)
    return attached(path.open("rb"), f"{_file_name(release)}-{edition}.{ending}", _TYPES[ending])


@project_page("viewer")
@require_POST
def signer(request: HttpRequest, project: Project, release_id: Any) -> HttpResponse:  # noqa: ARG001
    """The public key of the project, with which recipients check a signature."""
    release = get_object_or_404(project.releases, pk=release_id)
    key = public_key_of(project)
    if key is None or not is_signed(release):
        raise Http404
    return attached(key.open("rb"), "signer.pub", "text/plain; charset=utf-8")


def zip_of(release: Release) -> IO[bytes]:
    """An archive of the files that the certificate lists, the certificate and its signature, and of nothing else.

    Refuses a directory that is not as it was published.
    """
    published = directory.read(release.folder)
    if published.problems:
        raise FileError(release.name, f"the files are not as they were published: {published.problems[0]}")
    if digest_of(release.folder) != release.sha256:
        raise FileError(release.name, "the files are not those that were published")
    top = _file_name(release)
    names = [*sorted(published.certificate.files or {}), CERTIFICATE]
    names += [SIGNATURE] if (release.folder / SIGNATURE).is_file() else []
    content: IO[bytes] = tempfile.SpooledTemporaryFile(_MEMORY)  # noqa: SIM115
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as target:
        for name in names:
            info = zipfile.ZipInfo(f"{top}/{name}", _EPOCH)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            with target.open(info, "w") as file, Path(release.folder, name).open("rb") as source:
                while block := source.read(1 << 20):
                    file.write(block)
    content.seek(0)
    return content


def attached(content: IO[bytes], name: str, kind: str) -> FileResponse:
    """A file to save, which nothing between the server and the browser keeps."""
    answer = FileResponse(content, as_attachment=True, filename=name, content_type=kind)
    answer["Cache-Control"] = "no-store"
    return answer


def _file_name(release: Release) -> str:
    """The name of a release as the name of a file: letters, digits and hyphens."""
    return slugify(release.name)[:60] or "release"
