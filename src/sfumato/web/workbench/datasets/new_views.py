"""A new dataset: upload a file (also by dropping it), look whether it was read rightly, keep it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import polars as pl
from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST

from sfumato.errors import SfumatoError
from sfumato.io.files import suffix_of
from sfumato.io.frames import column_names
from sfumato.io.inputs.role_guesses import ROLES
from sfumato.io.inputs.text_encodings import ENCODINGS
from sfumato.web.accounts.access import project_page, signed_in
from sfumato.web.accounts.housekeeping import delete_project
from sfumato.web.accounts.models import Event
from sfumato.web.home import private_folder
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.datasets.cell_values import cell_text
from sfumato.web.workbench.datasets.figures import figure_pairs
from sfumato.web.workbench.datasets.generating import generators
from sfumato.web.workbench.datasets.keeping import keep_rows
from sfumato.web.workbench.datasets.reading_forms import KINDS, ReadingForm, date_orders, sent_form
from sfumato.web.workbench.datasets.uploads import ENDINGS, StoredUpload, receiving, sweep_uploads, upload_limit
from sfumato.web.workbench.models import Project

__all__ = ["drop", "new", "uploaded"]

_PREVIEW = 10
_TABULAR = (".csv", ".tsv", ".parquet")
_BINARY = (".parquet", ".xlsx")
_UNPACKED = 8 * 2**30


@project_page("member")
@csrf_exempt  # checked inside, after the body has a place to go
def new(request: HttpRequest, project: Project) -> HttpResponse:
    """The page of a new dataset; a POST brings a file."""
    if request.method != "POST":
        return _new_page(request, project)
    sweep_uploads(project.folder / "uploads")
    with receiving(request, project.folder / "uploads") as take:

        @csrf_protect
        def received(request: HttpRequest) -> HttpResponse:
            try:
                upload = take()
            except SfumatoError as error:
                if _wants_json(request):
                    return JsonResponse({"sentence": str(error)}, status=422)
                return _new_page(request, project, str(error))
            return _started(request, project, upload)

        return received(request)


@signed_in
@csrf_exempt  # checked inside, after the body has a place to go
@require_POST
def drop(request: HttpRequest) -> HttpResponse:
    """A file that was dropped on the home page becomes a project of its name."""
    folder = private_folder(Path(settings.SFUMATO_HOME) / "incoming")
    sweep_uploads(folder)
    with receiving(request, folder) as take:

        @csrf_protect
        def received(request: HttpRequest) -> HttpResponse:
            upload = take()
            project = Project.objects.create(name=upload.stem, owner=request.user)
            Event.record(request.user, "create", f"project {project.id}", project=project)
            place = project.folder / "uploads" / upload.path.name
            os.replace(upload.path, place)
            upload.path = place
            try:
                return _started(request, project, upload)
            except SfumatoError:  # a quota
                delete_project(project, request.user, reason="no room")
                raise

        try:
            return received(request)
        except SfumatoError as error:
            if not _wants_json(request):
                raise
            return JsonResponse({"sentence": str(error)}, status=422)


def _wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def _started(request: HttpRequest, project: Project, upload: StoredUpload) -> HttpResponse:
    """Start the job that reads the file, and go to its page."""
    job = _read(request, project, f"uploads/{upload.path.name}", upload.name, ReadingForm(upload.stem, {}, {}))
    Event.record(request.user, "upload", f"job {job.id}", project=project)
    address = reverse("data-uploaded", args=[project.id, job.id])
    return JsonResponse({"address": address}) if _wants_json(request) else redirect(address)


def _read(
    request: HttpRequest, project: Project, file: str, name: str, form: ReadingForm, *, accepted: bool = False
) -> Job:
    arguments = {
        "file": file,
        "name": name,
        "title": form.name,
        "options": form.options,
        "roles": form.roles,
        "unpacked": int(getattr(settings, "SFUMATO_UNPACKED_BYTES", _UNPACKED)),
        "accepted": accepted,
    }
    return enqueue("read", arguments, user=request.user, project=project, title=_("Read a file"))


def _new_page(request: HttpRequest, project: Project, sentence: str = "") -> HttpResponse:
    context = {
        "sentence": sentence,
        "endings": ", ".join((*ENDINGS, ".gz")),
        "accepts": ",".join((*ENDINGS, ".gz")),
        "limit_gb": upload_limit() / 2**30,
        "generators": generators(),
        "jobs": Job.objects.filter(
            project=project, kind__in=("read", "generate"), state__in=(Job.WAITING, Job.RUNNING)
        ),
        "command": "sfumato describe FILE",
    }
    return render(request, "datasets/new.html", context, status=422 if sentence else 200)


@project_page("member")
def uploaded(request: HttpRequest, project: Project, job_id: Any) -> HttpResponse:
    """How the file was read, to be corrected; "looks right" keeps it as a dataset."""
    job = get_object_or_404(Job, pk=job_id, project=project, kind="read")
    result = job.result or {}
    if "dataset" in result:
        return redirect("data-edit", project.id, result["dataset"])
    if job.state == Job.DONE and not (project.folder / result["output"]).exists():
        messages.error(request, _("The file is no longer on this server; bring it again."))
        return redirect("data-new", project.id)
    form = ReadingForm.of_job(job)
    if request.method == "POST" and job.ended:
        return _answered(request, project, job, form)
    context: dict[str, Any] = {
        "job": job,
        "form": form,
        "kinds": KINDS,
        "file_name": job.arguments["name"],
        "date_orders": date_orders(),
        "order": form.order,
        "is_workbook": ".xlsx" in job.arguments["file"],
        "encodings": {} if suffix_of(job.arguments["file"]) in _BINARY else ENCODINGS,
        "command": f"sfumato describe {job.arguments['name']}",
    }
    if job.state == Job.DONE:
        context |= _preview(project, job, form)
    elif job.ended:
        names = _names(project, job)
        context |= {"names": names, "kind_roles": form.columns_of_kind() if names else []}
    return render(request, "datasets/uploaded.html", context)


def _names(project: Project, job: Job) -> list[str]:
    """The columns of the file, as far as they are known."""
    if job.result:
        return list(job.result["names"])
    path = project.folder / job.arguments["file"]
    if suffix_of(path) not in _TABULAR or path.suffix == ".gz":
        return []
    try:
        return column_names(path)
    except SfumatoError:
        return []


def _preview(project: Project, job: Job, form: ReadingForm) -> dict[str, Any]:
    """The first rows, and the columns with their guesses and reasons."""
    result = job.result or {}
    path = project.folder / result["output"]
    rows = pl.scan_parquet(path, glob=False).head(_PREVIEW).collect()
    details = {entry["column"]: entry for entry in result["profile"]["columns"]}
    is_table = form.options.get("kind") in ("table", "mixed")
    columns = [
        {
            "number": number,
            "name": name,
            "type": details[name]["type"],
            "missing": details[name]["missing"],
            "role": form.roles.get(name, "other"),
            "reason": result["guesses"].get(name, ["", ""])[1],
        }
        for number, name in enumerate(result["names"])
    ]
    return {
        "columns": columns,
        "roles": ROLES,
        "is_table": is_table,
        "kind_roles": form.columns_of_kind() if not result["lines"] else [],
        "names": result["names"],
        "figures": figure_pairs(result["profile"]),
        "notes": result["notes"],
        "preview": [[cell_text(value) for value in row] for row in rows.iter_rows()],
    }


def _answered(request: HttpRequest, project: Project, job: Job, before: ReadingForm) -> HttpResponse:
    """Keep the data, or read the file again with what was corrected."""
    if "discard" in request.POST:
        for name in (job.arguments["file"], (job.result or {}).get("output", "")):
            if name:
                (project.folder / name).unlink(missing_ok=True)
        return redirect("data-new", project.id)
    form = sent_form(request.POST, before, _names(project, job))
    if job.state == Job.DONE and "again" not in request.POST and form.reads_like(before):
        with transaction.atomic():
            current = Job.objects.select_for_update().get(pk=job.pk)
            kept = (current.result or {}).get("dataset") or keep_rows(current, form).id
        return redirect("data-edit", project.id, kept)
    file, name = job.arguments["file"], job.arguments["name"]
    same_kind = form.options.get("kind") == before.options.get("kind")
    accepted = "again" not in request.POST and job.state == Job.DONE and same_kind
    following = _read(request, project, file, name, form, accepted=accepted)
    return redirect("data-uploaded", project.id, following.id)
