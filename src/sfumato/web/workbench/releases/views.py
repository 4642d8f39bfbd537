"""The list of releases, the page of each, and what can be done to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.ledger.entries import entry_of, named
from sfumato.web.workbench.models import Project, Release, Run
from sfumato.web.workbench.releases.certificate_words import (
    files_of,
    limits_of,
    preview_of,
    promises_of,
    title_of_method,
)
from sfumato.web.workbench.releases.making import (
    arguments_of,
    discard_release,
    job_of,
    make_release,
    publish_release,
    release_of,
    withdraw_release,
)
from sfumato.web.workbench.releases.signing import can_sign, sign_release, signature_state
from sfumato.web.workbench.releases.work import check_file, report_file

__all__ = ["discard", "make", "publish", "release", "releases", "report", "sign", "verify", "withdraw"]

_EDITIONS = ("public", "private")


@project_page("viewer")
def releases(request: HttpRequest, project: Project) -> HttpResponse:
    """All releases, also withdrawn ones, and the evaluations of which one can be made."""
    rows = [(item, promises_of(item.certificate)) for item in project.releases.select_related("version__dataset", "by")]
    ready = [] if request.role == "viewer" else _ready(project)
    context = {"releases": rows, "ready": ready, "command": "sfumato anonymize METHOD INPUT --out DIR --ledger FILE"}
    return render(request, "releases/releases.html", context)


@project_page("viewer")
def release(request: HttpRequest, project: Project, release_id: Any) -> HttpResponse:
    """A release: certificate, what it does not cover, verdicts, files, and what was done to it."""
    shown = get_object_or_404(project.releases.select_related("version__dataset", "run", "by"), pk=release_id)
    publishing, verifying = job_of(shown, "publish"), job_of(shown, "verify")
    files = files_of(shown.folder, shown.certificate)
    previews = [] if request.role == "viewer" else [(file, preview_of(shown.folder, file.name)) for file in files]
    context = {
        "release": shown,
        "promises": promises_of(shown.certificate),
        "limits": limits_of(shown.certificate),
        "method": title_of_method(shown.certificate.get("method", "")),
        "overridden": bool(shown.certificate.get("override")),
        "files": files,
        "previews": previews,
        "publishing": publishing,
        "refusal": _refusal(project, shown, publishing),
        "verifying": verifying,
        "check": _check_of(project, shown),
        "reports": [_report_of(shown, edition) for edition in _EDITIONS if edition == "public" or not _views(request)],
        "earlier": _earlier(project, shown),
        "signature": signature_state(shown),
        "can_sign": can_sign(shown) and request.role == "owner",
        "events": Event.objects.filter(project_id=project.id).filter(_about(shown)).order_by("id"),
        "command": "sfumato verify DIR --original FILE --report FILE",
    }
    return render(request, "releases/release.html", context)


@project_page("member")
@require_POST
def make(request: HttpRequest, project: Project, run_id: Any) -> HttpResponse:
    """Make a release of an evaluation; with `publish` it is published at once."""
    run = get_object_or_404(project.runs, pk=run_id, mode="evaluate")
    override, reason = _override(request)
    made = release_of(run)
    if made is None:
        made = make_release(run, request.user, name=request.POST.get("name", ""), override=override, reason=reason)
    if request.POST.get("publish") and made.published is None:
        publish_release(made, request.user, override=override, reason=reason)
    return redirect("release", project.id, made.id)


@project_page("member")
@require_POST
def publish(request: HttpRequest, project: Project, release_id: Any) -> HttpResponse:
    """Publish a release: it is attacked with the earlier ones, and entered into the ledger."""
    chosen = get_object_or_404(project.releases, pk=release_id)
    override, reason = _override(request)
    publish_release(chosen, request.user, override=override, reason=reason)
    return redirect("release", project.id, chosen.id)


@project_page("member")
@require_POST
def verify(request: HttpRequest, project: Project, release_id: Any) -> HttpResponse:
    """Check a release again, with its original."""
    chosen = get_object_or_404(project.releases, pk=release_id)
    enqueue("verify", arguments_of(chosen), user=request.user, project=project, title=_("Verify a release"))
    Event.record(request.user, "verify", f"release {chosen.id}", project=project)
    return redirect("release", project.id, chosen.id)


@project_page("member")
@require_POST
def report(request: HttpRequest, project: Project, release_id: Any) -> HttpResponse:
    """Make the board report in one edition."""
    chosen = get_object_or_404(project.releases, pk=release_id)
    edition = "private" if request.POST.get("edition") == "private" else "public"
    arguments = {**arguments_of(chosen), "edition": edition}
    if edition == "public":
        arguments |= {"source": None, "report": ""}
    title = _("Private board report") if edition == "private" else _("Public board report")
    enqueue("report", arguments, user=request.user, project=project, title=title)
    Event.record(request.user, "report", f"{edition} report of release {chosen.id}", project=project)
    return redirect("release", project.id, chosen.id)


@project_page("member")
@require_POST
def withdraw(request: HttpRequest, project: Project, release_id: Any) -> HttpResponse:
    """Withdraw a published release, with a reason."""
    chosen = get_object_or_404(project.releases, pk=release_id)
    withdraw_release(chosen, request.user, request.POST.get("reason", ""))
    messages.success(request, _("The release is withdrawn. It stays in this list and in the ledger."))
    return redirect("release", project.id, chosen.id)


@project_page("owner")
@require_POST
def sign(request: HttpRequest, project: Project, release_id: Any) -> HttpResponse:
    """Sign a published release with the key of the project."""
    chosen = get_object_or_404(project.releases, pk=release_id)
    sign_release(chosen, request.user)
    messages.success(request, _("The release is signed. Give recipients the public key by another way."))
    return redirect("release", project.id, chosen.id)


@project_page("owner")
@require_POST
def discard(request: HttpRequest, project: Project, release_id: Any) -> HttpResponse:
    """Remove a release that was never published."""
    discard_release(get_object_or_404(project.releases, pk=release_id), request.user)
    messages.success(request, _("The release was never published and is removed."))
    return redirect("releases", project.id)


def _views(request: HttpRequest) -> bool:
    return bool(request.role == "viewer")


def _override(request: HttpRequest) -> tuple[bool, str]:
    return request.POST.get("override") == "1", request.POST.get("reason", "")


def _ready(project: Project) -> list[Run]:
    """The latest evaluations that ended with a release and of which none was made."""
    runs = project.runs.filter(mode="evaluate", job__state=Job.DONE, releases=None)[:20]
    return [run for run in runs if (run.folder / "release").is_dir()][:5]


def _refusal(project: Project, shown: Release, publishing: Job | None) -> str:
    if shown.published is not None or publishing is None or not publishing.ended or not publishing.result:
        return ""
    return named(project, str(publishing.result.get("refused", "")))


def _check_of(project: Project, shown: Release) -> dict[str, Any] | None:
    path = project.folder / check_file(shown.file)
    checked: dict[str, Any] | None = json.loads(Path(path).read_text("utf-8")) if path.is_file() else None
    return checked


def _report_of(shown: Release, edition: str) -> dict[str, Any]:
    folder = shown.project.folder
    endings = [ending for ending in ("html", "pdf") if (folder / report_file(shown.file, edition, ending)).is_file()]
    return {"edition": edition, "endings": endings, "job": job_of(shown, "report", edition=edition)}


def _earlier(project: Project, shown: Release) -> list[dict[str, Any]]:
    """The attacks together with earlier releases that the ledger lists."""
    entry = None if shown.number is None else entry_of(project, shown.number)
    if entry is None:
        return []
    return [{**attack, "sentence": named(project, attack["sentence"])} for attack in entry.attacked]


def _about(shown: Release) -> Q:
    return Q(object=f"release {shown.id}") | Q(object__endswith=f"report of release {shown.id}")
