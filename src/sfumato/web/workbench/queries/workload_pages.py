"""The page of a workload: a row a query with its true count; queries are added, changed and removed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.errors import SfumatoError
from sfumato.utility.workload import Workload
from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.jobs.models import Job
from sfumato.web.workbench.configuration import pending
from sfumato.web.workbench.configuration.assets import line_of, make_current
from sfumato.web.workbench.configuration.values import columns_of
from sfumato.web.workbench.models import Asset, Project
from sfumato.web.workbench.queries.counting import digest_of
from sfumato.web.workbench.queries.query_forms import form_of, query_of
from sfumato.web.workbench.queries.views import workload_of
from sfumato.web.workbench.queries.workloads import counts_of, start_counting

__all__ = ["count", "discard_changes", "edit", "save_changes", "undo_change", "use", "workload"]

_PAGE = 50


@project_page("member")
def workload(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """The queries of a workload; a POST shows a page of them, or those that hold a text, and changes nothing."""
    chosen = workload_of(project, asset_id)
    return _page(request, chosen, request.POST)


def _page(
    request: HttpRequest, asset: Asset, post: Mapping[str, Any], *, status: int = 200, **more: Any
) -> HttpResponse:
    version = asset.dataset.latest
    if version is None:
        raise Http404
    job = _job(asset)
    queries: Workload = pending.state_of(asset)
    counts = counts_of(asset, version)
    lacks_some = any(digest_of(query) not in counts for query in queries)
    if lacks_some and (job is None or job.ended) and request.method == "GET":
        try:
            job = start_counting(asset, version, request.user) or job
            counts = counts_of(asset, version)
        except SfumatoError as error:
            more.setdefault("sentence", str(error))
    text = str(post.get("text", "")).strip().casefold()
    numbered = [
        (number, query)
        for number, query in enumerate(queries, start=1)
        if not text or text in query.in_words().casefold()
    ]
    pages = max(1, -(-len(numbered) // _PAGE))
    page = str(post.get("page", "1"))
    page_number = min(max(int(page), 1), pages) if page.isdecimal() else 1
    columns = columns_of(version) if asset.dataset.kind in ("table", "mixed") else []
    rows = [
        {
            "number": number,
            "words": query.in_words(),
            "count": counts.get(digest_of(query)),
            "form": form_of(query, columns),
        }
        for number, query in numbered[(page_number - 1) * _PAGE : page_number * _PAGE]
    ]
    history = line_of(asset).order_by("-created")[:20]
    context = {
        "asset": asset,
        "dataset": asset.dataset,
        "version": version,
        "rows": rows,
        "empty_form": form_of(None, columns),
        "columns": columns,
        "matches": len(numbered),
        "total": len(queries),
        "unanswered": sum(count == 0 for count in counts.values()),
        "text": post.get("text", ""),
        "page": page_number,
        "pages": pages,
        "pending": len(pending.edits_of(asset)),
        "job": None if job is None or job.state == Job.DONE else job,
        "history": [state for state in history if state.pk != asset.pk],
        "command": f"sfumato workload show {asset.name}.csv",
        "pager_url": reverse("queries-workload", args=[asset.dataset.project_id, asset.id]),
        **more,
    }
    response = render(request, "queries/workload.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _job(asset: Asset) -> Job | None:
    jobs = Job.objects.filter(project=asset.dataset.project, kind="count-queries", arguments__asset=str(asset.id))
    newest: Job | None = jobs.order_by("-created").first()
    return newest


@project_page("member")
@require_POST
def edit(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """Add, change or remove a query."""
    chosen = workload_of(project, asset_id)
    operation, number = request.POST.get("operation", ""), request.POST.get("number", "")
    try:
        if operation == "remove":
            pending.change(chosen, ("remove", number))
        elif operation in ("add", "change"):
            text = json.dumps(query_of(request.POST).to_json())
            pending.change(chosen, ("add", text) if operation == "add" else ("change", number, text))
        else:
            raise Http404
    except SfumatoError as error:
        return _page(request, chosen, {}, status=422, sentence=str(error), failed=operation, failed_number=number)
    return redirect("queries-workload", project.id, chosen.id)


@project_page("member")
@require_POST
def save_changes(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """Save the changes as a new state of the workload."""
    chosen = workload_of(project, asset_id)
    saved = pending.save(chosen, request.user)
    Event.record(request.user, "edit", f"workload {saved.id}", project=project)
    messages.success(request, _("Saved."))
    return redirect("queries-workload", project.id, saved.id)


@project_page("member")
@require_POST
def use(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """Use an earlier state, or a workload that was taken from the list."""
    chosen = workload_of(project, asset_id)
    make_current(chosen)
    Event.record(request.user, "restore", f"workload {chosen.id}", project=project)
    messages.success(request, _("It is used from now on."))
    return redirect("queries-workload", project.id, chosen.id)


@project_page("member")
@require_POST
def undo_change(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:  # noqa: ARG001
    """Take back the last change."""
    pending.undo(workload_of(project, asset_id))
    return redirect("queries-workload", project.id, asset_id)


@project_page("member")
@require_POST
def discard_changes(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:  # noqa: ARG001
    """Take back all changes."""
    pending.discard(workload_of(project, asset_id))
    return redirect("queries-workload", project.id, asset_id)


@project_page("member")
@require_POST
def count(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """Count the queries on the newest version."""
    chosen = workload_of(project, asset_id)
    version = chosen.dataset.latest
    if version is None:
        raise Http404
    start_counting(chosen, version, request.user)
    return redirect("queries-workload", project.id, asset_id)
