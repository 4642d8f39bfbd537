"""Download a version as CSV, Parquet, Excel or lines; the file is private."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.errors import DataError, SfumatoError
from sfumato.io import write
from sfumato.io.frames import csv_text
from sfumato.io.workbooks import write_workbook
from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.home import private_folder
from sfumato.web.workbench.loading import load
from sfumato.web.workbench.models import Project, Version
from sfumato.web.workbench.withdrawals import require_nobody_withdrew

__all__ = ["FORMATS", "csv_parts", "export", "formats_of"]

FORMATS = ("csv", "parquet", "xlsx", "txt", "dat", "spmf")
_BLOCK = 50_000
_MOST = 200_000  # rows that are converted while the browser waits


def formats_of(kind: str) -> tuple[str, ...]:
    """The formats that can hold this kind of data."""
    lines = {"trajectories": ("txt", "spmf"), "transactions": ("dat",)}
    return ("csv", "parquet", "xlsx", *lines.get(kind, ()))


@project_page("member")
@require_POST
def export(request: HttpRequest, project: Project, dataset_id: Any, version_id: Any) -> HttpResponse:
    """A version as a file."""
    chosen = get_object_or_404(project.datasets, pk=dataset_id)
    version = get_object_or_404(chosen.versions, pk=version_id)
    ending = request.POST.get("format", "csv")
    if ending not in formats_of(chosen.kind):
        raise Http404
    try:
        require_nobody_withdrew(version)
        response = _response(version, ending, f"{chosen.name}.{ending}")
    except SfumatoError as error:
        messages.error(request, str(error))
        return redirect("data-versions", project.id, chosen.id)
    Event.record(request.user, "download", f"version {version.id}", project=project)
    response["Cache-Control"] = "no-store"
    return response


def _response(version: Version, ending: str, name: str) -> HttpResponse:
    if ending == "parquet":
        return FileResponse(version.path.open("rb"), as_attachment=True, filename=name)
    if ending == "csv":
        answer = StreamingHttpResponse(csv_parts(version.path, version.rows), content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = content_disposition_header(True, name)
        return answer
    if version.rows > _MOST:
        raise DataError(
            _("wanted at most %(most)s rows for this format, found %(rows)s; take CSV or Parquet")
            % {"most": f"{_MOST:,}", "rows": f"{version.rows:,}"}
        )
    folder = private_folder(version.dataset.project.folder / "drafts")
    number, path = tempfile.mkstemp(suffix=f".{ending}", dir=folder)
    os.close(number)
    try:
        if ending == "xlsx":
            write_workbook(pl.read_parquet(version.path, glob=False), path)
        else:
            _write_lines(version, path)
        file = open(path, "rb")  # noqa: SIM115  the response closes it
    finally:
        os.unlink(path)  # what is open stays readable until it is sent
    return FileResponse(file, as_attachment=True, filename=name)


def _write_lines(version: Version, path: str) -> None:
    write(load({**version.source(), "assets": {}}, version.dataset.project.folder), path)


def csv_parts(path: Path, rows: int) -> Iterator[bytes]:
    """The rows of a Parquet file as CSV, a block at a time."""
    scan = pl.scan_parquet(path, glob=False)
    for start in range(0, max(1, rows), _BLOCK):
        block = scan.slice(start, _BLOCK).collect()
        lists = [name for name, kind in block.schema.items() if isinstance(kind, pl.List)]
        block = block.with_columns(pl.col(lists).list.join(" ")) if lists else block
        text = csv_text(block)
        yield (text if start == 0 else text.partition("\n")[2]).encode("utf-8")
