"""The ledger of a project: releases about the same people, and what a planned one would reveal beside them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.io.published.ledger import Entry
from sfumato.web.accounts.access import project_page
from sfumato.web.workbench.auditing.forms import target_of, targets_of
from sfumato.web.workbench.auditing.starting import start_run
from sfumato.web.workbench.ledger.entries import entries_of, named
from sfumato.web.workbench.models import Project, Release

__all__ = ["ledger", "plan"]


@project_page("viewer")
def ledger(request: HttpRequest, project: Project) -> HttpResponse:
    """The releases of the ledger with their state, and the attacks on each together with earlier ones."""
    releases = list(project.releases.all())
    by_number = {release.number: release for release in releases if release.number is not None}
    rows = [_row(project, entry, by_number.get(entry.number), releases) for entry in entries_of(project)]
    planned = [] if request.role == "viewer" else _planned(project)
    tried = project.runs.filter(mode="attack", definition__planned__isnull=False).select_related("job")[:5]
    context = {"rows": rows, "planned": planned, "runs": tried, "command": "sfumato ledger FILE"}
    return render(request, "ledger/ledger.html", context)


@project_page("member")
@require_POST
def plan(request: HttpRequest, project: Project) -> HttpResponse:
    """Attack a planned release together with the earlier ones, before it is published."""
    target = target_of(targets_of(project), request.POST.get("target", ""))
    arguments = {"source": target.source, "folder": target.folder, "report": target.report}
    run = start_run(
        project,
        request.user,
        "attack",
        arguments,
        kind="compose",
        version=target.version,
        title=_("Planned: %(name)s") % {"name": target.name},
        definition={"planned": target.key},
    )
    return redirect("run", project.id, run.id)


def _planned(project: Project) -> list[tuple[str, str]]:
    """What could be published next."""
    entered = {f"release {release.id}" for release in project.releases.exclude(number=None)}
    return [(target.key, target.name) for target in targets_of(project) if target.key not in entered]


def _row(project: Project, entry: Entry, release: Release | None, releases: list[Release]) -> dict[str, object]:
    promises = [
        f"{guarantee['model']} ({', '.join(f'{name}={value}' for name, value in guarantee['parameters'].items())})"
        for guarantee in entry.guarantees
    ]
    attacks = [
        {**attack, "sentence": named(project, attack["sentence"], releases)}
        for attack in entry.attacked
        if attack["shared"] != 0
    ]
    there = entry.directory.is_dir() or (release is not None and release.folder.is_dir())
    return {"entry": entry, "release": release, "promises": promises, "attacks": attacks, "there": there}
