"""The pages of workloads: their list, new ones generated or loaded, and the queries of one with their true counts."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.errors import SfumatoError
from sfumato.utility.workloads.drawn_queries import DrawnQueries
from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.interface.parameter_forms import FormErrors, fields_of, values_of
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.configuration.loading_files import load_files, load_text
from sfumato.web.workbench.models import Asset, Dataset, Project
from sfumato.web.workbench.queries import counting
from sfumato.web.workbench.queries.workloads import (
    KINDS,
    free_name,
    make_default,
    new_workload,
    removed_of,
    workloads_of,
)

__all__ = ["download", "leave_out", "new", "overview", "use_by_default", "workload_of"]

_AT_ONCE = 100_000
_WITHOUT = {
    "table": ("items", "visits", "about"),
    "mixed": ("visits",),
    "transactions": ("values", "visits", "about", "width"),
    "trajectories": ("values", "items", "about", "width"),
}


def workload_of(project: Project, asset_id: Any) -> Asset:
    """A workload of the project."""
    chosen: Asset = get_object_or_404(Asset, pk=asset_id, dataset__project=project, kind="workload")
    return chosen


@project_page("member")
def overview(request: HttpRequest, project: Project) -> HttpResponse:
    """The workloads of every dataset."""
    datasets = [
        {"dataset": dataset, "workloads": workloads_of(dataset), "removed": removed_of(dataset)}
        for dataset in project.datasets.all()
        if dataset.kind in KINDS and dataset.latest is not None
    ]
    jobs = Job.objects.filter(project=project, kind="draw-queries").order_by("-created")[:3]
    context = {
        "datasets": datasets,
        "jobs": [job for job in jobs if not job.ended or job.state == Job.FAILED],
        "command": "sfumato workload generate DATA.csv --queries 100 --out queries.csv",
    }
    return render(request, "queries/overview.html", context)


@project_page("member")
def new(request: HttpRequest, project: Project, dataset_id: Any) -> HttpResponse:
    """Generate a workload, load one, or begin with an empty one."""
    dataset = get_object_or_404(project.datasets, pk=dataset_id, kind__in=KINDS)
    if dataset.latest is None:
        raise Http404
    context: dict[str, Any] = {"errors": {}}
    if request.method == "POST":
        action = request.POST.get("action", "")
        try:
            return _generate(request, dataset) if action == "generate" else _load(request, dataset)
        except FormErrors as error:
            context["errors"] = error.errors
        except SfumatoError as error:
            context["sentence"], context["failed"] = str(error), action
    posted = request.POST if request.POST.get("action") == "generate" else None
    context |= {
        "dataset": dataset,
        "fields": fields_of(DrawnQueries, posted, errors=context["errors"], without=_WITHOUT[dataset.kind]),
        "number": request.POST.get("queries", "100"),
        "typed": request.POST.get("text", ""),
        "name": request.POST.get("name", ""),
        "command": f"sfumato workload generate {dataset.name}.csv --queries 100 --out queries.csv",
    }
    return render(
        request, "queries/new.html", context, status=422 if context["errors"] or "sentence" in context else 200
    )


def _generate(request: HttpRequest, dataset: Dataset) -> HttpResponse:
    errors = {}
    number = request.POST.get("queries", "").strip()
    if not number.isdecimal() or not 1 <= int(number) <= 100_000:
        errors["queries"] = _("Wanted a whole number from 1 to 100,000.")
    try:
        rule = values_of(DrawnQueries, request.POST, without=_WITHOUT[dataset.kind])
    except FormErrors as error:
        raise FormErrors(error.errors | errors) from None
    if errors:
        raise FormErrors(errors)
    version, project = dataset.latest, dataset.project
    assert version is not None
    name = request.POST.get("name", "").strip() or _("queries")
    file = f"assets/{uuid.uuid4()}.csv"
    arguments: dict[str, Any] = {"source": version.source(), "number": int(number), "rule": rule, "file": file}
    if version.rows > _AT_ONCE:
        facts = {**arguments, "dataset": str(dataset.id), "name": free_name(dataset, name)}
        enqueue("draw-queries", facts, user=request.user, project=project, title=_("queries"))
        messages.info(request, _("A job draws the queries; this page shows them when it is done."))
        return redirect("queries", project.id)
    result = counting.draw(**arguments, folder=str(project.folder))
    asset = new_workload(dataset, name, file, result["derived"], result["facts"], request.user)
    Event.record(request.user, "generate", f"workload {asset.id}", project=project)
    return redirect("queries-workload", project.id, asset.id)


def _load(request: HttpRequest, dataset: Dataset) -> HttpResponse:
    files, text = request.FILES.getlist("file"), request.POST.get("text", "")
    fields: dict[str, Any] = {"by": request.user, "name": free_name(dataset, request.POST.get("name", "").strip())}
    is_first = not workloads_of(dataset)
    asset = (
        load_text(dataset, "workload", text, **fields)
        if text.strip() and not files
        else load_files(dataset, "workload", files, **fields)
    )
    if is_first:
        make_default(asset)
    Event.record(request.user, "load", f"workload {asset.id}", project=dataset.project)
    return redirect("queries-workload", dataset.project_id, asset.id)


@project_page("member")
@require_POST
def use_by_default(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """Use a workload for ARE where no other is chosen."""
    chosen = workload_of(project, asset_id)
    make_default(chosen)
    Event.record(request.user, "choose", f"workload {chosen.id}", project=project)
    messages.success(request, _("ARE uses these queries from now on."))
    return redirect("queries", project.id)


@project_page("member")
@require_POST
def leave_out(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """Take a workload from the list; its file stays."""
    chosen = workload_of(project, asset_id)
    chosen.current = False
    chosen.facts = {**chosen.facts, "default": False}
    chosen.save(update_fields=["current", "facts"])
    Event.record(request.user, "leave out", f"workload {chosen.id}", project=project)
    messages.info(request, _("The workload is taken from the list."))
    return redirect("queries", project.id)


@project_page("member")
def download(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """The saved queries as CSV."""
    chosen = workload_of(project, asset_id)
    Event.record(request.user, "download", f"workload {chosen.id}", project=project)
    response = HttpResponse(chosen.path.read_bytes(), content_type="application/octet-stream")
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename="queries.csv")
    response["Cache-Control"] = "no-store"
    return response
