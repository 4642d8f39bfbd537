"""The pages on which an evaluation is set up and started."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.interface.parameter_forms import FormErrors
from sfumato.web.workbench.evaluation.commands import command_of
from sfumato.web.workbench.evaluation.form import EvaluationForm
from sfumato.web.workbench.evaluation.results import Results
from sfumato.web.workbench.evaluation.starting import start_evaluation
from sfumato.web.workbench.models import Project, Run

__all__ = ["add", "add_run", "evaluate", "form_part", "promise"]


@project_page("member")
def evaluate(request: HttpRequest, project: Project) -> HttpResponse:
    """The form of an evaluation; sent, it starts a run."""
    if request.method != "POST":
        return _page(request, EvaluationForm(project, definition=_earlier(request, project)))
    form = EvaluationForm(project, request.POST)
    try:
        run = start_evaluation(project, request.user, form.definition(), title=form.title.strip())
    except FormErrors:
        return _page(request, form, status=422)
    return redirect("run", project.id, run.id)


@project_page("member")
@require_POST
def form_part(request: HttpRequest, project: Project) -> HttpResponse:
    """The form for another version or method, with what was chosen before."""
    return _page(request, EvaluationForm(project, request.POST, redrawn=True))


@project_page("member")
@require_POST
def promise(request: HttpRequest, project: Project) -> HttpResponse:
    """What the method promises with the parameters of the form, in words."""
    form = EvaluationForm(project, request.POST, redrawn=True)
    if form.version is None or form.method is None:
        raise Http404
    return render(request, "evaluation/promise_part.html", {**form.promise(), "command": _command(form)})


@project_page("member")
@require_POST
def add(request: HttpRequest, project: Project) -> HttpResponse:
    """Add the configuration of the form to the list of the comparison."""
    from sfumato.web.workbench.comparison.drafts import add_configuration

    form = EvaluationForm(project, request.POST)
    try:
        add_configuration(project, request.user, form.definition())
    except FormErrors:
        return _page(request, form, status=422)
    Event.record(request.user, "add", "configuration", project=project)
    return redirect("compare", project.id)


@project_page("member")
@require_POST
def add_run(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """Add the configuration of a run to the list of the comparison."""
    from sfumato.web.workbench.comparison.drafts import add_configuration

    run = get_object_or_404(project.runs, pk=run_id, mode="evaluate")
    add_configuration(project, request.user, run.definition)
    Event.record(request.user, "add", "configuration", project=project)
    return redirect("compare", project.id)


def _earlier(request: HttpRequest, project: Project) -> dict[str, Any] | None:
    """The definition that the form shows at first: of a version, of a run, or of a candidate of an advice."""
    for name in ("from", "version"):
        try:
            asked = uuid.UUID(request.GET.get(name, ""))
        except ValueError:
            continue
        if name == "version":
            return {"version": str(asked)}
        run = get_object_or_404(project.runs, pk=asked, mode__in=("evaluate", "advise"))
        if run.mode == "advise":
            return _candidate(request, run)
        return dict(run.definition) if "alternative" not in request.GET else _alternative(request, run)
    return None


def _candidate(request: HttpRequest, run: Run) -> dict[str, Any]:
    """The candidate of an advice that the address numbers."""
    candidates = run.summary.get("candidates", [])
    number = request.GET.get("candidate", "")
    if not (number.isascii() and number.isdigit() and int(number) < len(candidates)):
        raise Http404
    chosen = candidates[int(number)]
    names = ("method", "parameters", "promises", "measures", "preparation")
    return {"version": str(run.version_id), **{name: chosen[name] for name in names if name in chosen}}


def _alternative(request: HttpRequest, run: Run) -> dict[str, Any]:
    """What a run with heavy losses names as an alternative: `loss` and `alternative` are numbers."""
    losses = Results(run.folder).facts.get("heavy_losses", [])
    try:
        chosen = losses[int(request.GET.get("loss", ""))]["alternatives"][int(request.GET["alternative"])]
    except (ValueError, IndexError):
        raise Http404 from None
    steps = [*run.definition.get("preparation", []), *chosen.get("preparation", [])]
    changes = {"method": chosen["method"], "parameters": chosen["parameters"], "preparation": steps, "vary": None}
    return {**run.definition, **changes}


def _page(request: HttpRequest, form: EvaluationForm, status: int = 200) -> HttpResponse:
    template = "evaluation/form_part.html" if request.htmx else "evaluation/form.html"
    return render(request, template, {**form.context(), "command": _command(form)}, status=status)


def _command(form: EvaluationForm) -> str:
    """The command that does what the form asks for, as far as its fields can be read."""
    if form.version is None or form.method is None:
        return ""
    return command_of(form.version, form.known_so_far())
