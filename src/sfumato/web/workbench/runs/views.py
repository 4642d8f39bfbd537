"""The list of runs, the page of each by its mode, a new name, and deletion."""

from __future__ import annotations

import shutil
import uuid
from importlib import import_module
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.jobs.queue import cancel
from sfumato.web.workbench.models import Project, Run

__all__ = ["delete", "rename", "run", "runs"]

_SHOWN = 50  # runs of a page
_PAGES = {
    "evaluate": "evaluation.run_page",
    "compare": "comparison.run_page",
    "advise": "advising.run_page",
    "audit": "auditing.audit_page",
    "attack": "auditing.attack_page",
}
_MODES = {
    "evaluate": gettext_noop("evaluation"),
    "compare": gettext_noop("comparison"),
    "advise": gettext_noop("advice"),
    "audit": gettext_noop("audit"),
    "attack": gettext_noop("attack"),
    "verify": gettext_noop("verification"),
}


@project_page("viewer")
def runs(request: HttpRequest, project: Project) -> HttpResponse:
    """The runs of a project, newest first, of one mode if asked."""
    mode = request.GET.get("mode", "")
    every = project.runs.select_related("job", "by", "version__dataset").defer("definition", "job__result")
    listed = every.filter(mode=mode) if mode in _MODES else every
    page = Paginator(listed, _SHOWN).get_page(request.GET.get("page"))
    for item in page.object_list:
        item.mode_words = _(_MODES.get(item.mode, item.mode))
    present = set(project.runs.order_by().values_list("mode", flat=True).distinct())
    modes = [(name, _(words), name == mode) for name, words in _MODES.items() if name in present]
    return render(request, "runs/runs.html", {"page": page, "modes": modes, "mode": mode if mode in _MODES else ""})


@project_page("viewer")
def run(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """The page of a run, by its mode."""
    chosen = get_object_or_404(project.runs.select_related("job", "version__dataset"), pk=run_id)
    if chosen.mode not in _PAGES:
        raise Http404
    module: Any = import_module(f"sfumato.web.workbench.{_PAGES[chosen.mode]}")
    answer: HttpResponse = module.page(request, project, chosen)
    answer["Cache-Control"] = "no-store"
    return answer


@project_page("member")
@require_POST
def rename(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """Give a run another name."""
    chosen = get_object_or_404(project.runs, pk=run_id)
    title = request.POST.get("title", "").strip()[:200]
    if title:
        chosen.title = title
        chosen.save(update_fields=["title"])
        Event.record(request.user, "rename", f"run {chosen.id}", project=project)
    return redirect("run", project.id, chosen.id)


@project_page("member")
@require_POST
def delete(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """Delete a run with its files; for the person who started it, and for the owner of the project."""
    chosen = get_object_or_404(project.runs.select_related("job"), pk=run_id)
    if request.role != "owner" and chosen.by_id != request.user.pk:
        raise Http404
    if _needed(chosen):
        messages.error(request, _("A release was made of this run and needs its files, so it stays."))
        return redirect("run", project.id, chosen.id)
    if chosen.job is not None:
        cancel(chosen.job)
    folder, name = chosen.folder, str(chosen.id)
    chosen.delete()
    shutil.rmtree(folder, ignore_errors=True)
    Event.record(request.user, "delete", f"run {name}", project=project)
    messages.success(request, _("The run was deleted."))
    return redirect("runs", project.id)


def _needed(chosen: Run) -> bool:
    """Whether files of a release lie in the folder of the run."""
    inside = f"{chosen.file}/"
    return any(
        path.startswith(inside) for paths in chosen.project.releases.values_list("file", "report") for path in paths
    )
