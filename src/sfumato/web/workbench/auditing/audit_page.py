"""The page of an audit, and its private table of persons."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.workbench.models import Project, Run
from sfumato.web.workbench.releases.downloads import attached

__all__ = ["page", "persons"]


def page(request: HttpRequest, project: Project, run: Run) -> HttpResponse:  # noqa: ARG001
    """What an attacker who knows a little could do to the data as they are."""
    parameters = run.definition.get("parameters", {})
    options = "".join(
        f" --{name.replace('_', '-')} {value}"
        for name, value in parameters.items()
        if value is not None and name != "ordered"
    )
    if parameters.get("ordered") is False:
        options += " --unordered"
    persons = request.role != "viewer" and (run.folder / "persons.csv").is_file()
    context = {"run": run, "result": run.summary, "persons": persons, "command": f"sfumato audit FILE{options}"}
    return render(request, "auditing/audit_page.html", context)


@project_page("member")
@require_POST
def persons(request: HttpRequest, project: Project, run_id: Any) -> HttpResponse:
    """The risk of each person, which is private."""
    run = get_object_or_404(project.runs, pk=run_id, mode="audit")
    path = run.folder / "persons.csv"
    if not path.is_file():
        raise Http404
    Event.record(request.user, "download", f"persons of run {run.id}", project=project)
    return attached(path.open("rb"), "persons.csv", "text/csv; charset=utf-8")
