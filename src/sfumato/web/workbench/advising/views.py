"""The form of an advice, and taking a candidate of it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import project_page
from sfumato.web.interface.parameter_forms import FormErrors
from sfumato.web.workbench.advising.forms import (
    FEWEST_S,
    LONGEST_S,
    USUAL_S,
    measures_for,
    offers_for,
    promises_sent,
    seconds_sent,
)
from sfumato.web.workbench.advising.taking import add_policy, definition_of
from sfumato.web.workbench.auditing.forms import chosen_dataset, dataset_or_404
from sfumato.web.workbench.auditing.starting import start_run
from sfumato.web.workbench.models import Project

__all__ = ["advise", "run_advice", "take"]

_LATEST = 12


@project_page("viewer")
def advise(request: HttpRequest, project: Project) -> HttpResponse:
    """The form, and the advice that was given before."""
    return _page(request, project)


@project_page("member")
@require_POST
def run_advice(request: HttpRequest, project: Project) -> HttpResponse:
    """Start an advice."""
    dataset = dataset_or_404(project, request.POST.get("dataset", ""))
    version = dataset.latest
    if version is None:
        return redirect("advise", project.id)
    errors: dict[str, str] = {}
    promises: list[dict[str, Any]] = []
    seconds = 0.0
    try:
        promises = promises_sent(dataset.kind, request.POST)
    except FormErrors as wrong:
        errors |= wrong.errors
    try:
        seconds = seconds_sent(request.POST)
    except FormErrors as wrong:
        errors |= wrong.errors
    offered = [row[0] for row in measures_for(dataset.kind)]
    care = [name for name in request.POST.getlist("care") if name in offered]
    if errors:
        return _page(request, project, errors)
    arguments = {"source": version.source(), "promises": promises, "care": care, "seconds": seconds}
    definition = {"promises": promises, "care": care, "seconds": seconds}
    title = _("Advice on %(name)s") % {"name": dataset.name}
    run = start_run(project, request.user, "advise", arguments, version=version, title=title, definition=definition)
    return redirect("run", project.id, run.id)


@project_page("member")
@require_POST
def take(request: HttpRequest, project: Project, run_id: Any) -> HttpResponse:
    """Run a candidate of an advice as an evaluation."""
    from sfumato.web.workbench.evaluation.starting import start_evaluation

    advice = get_object_or_404(project.runs, pk=run_id, mode="advise")
    sent = request.POST.get("candidate", "")
    number = int(sent) if sent.isdecimal() else -1
    definition = definition_of(advice, number)
    policy = add_policy(advice, number, request.user)
    if policy is not None:
        messages.info(request, _("The privacy policy %(rule)s was added to the configuration.") % {"rule": policy.text})
    run = start_evaluation(project, request.user, definition)
    return redirect("run", project.id, run.id)


def _page(request: HttpRequest, project: Project, errors: dict[str, str] | None = None) -> HttpResponse:
    post = request.POST if errors else None
    chosen = chosen_dataset(project, request.POST.get("dataset") or request.GET.get("dataset", ""))
    kind = "" if chosen is None else chosen.kind
    context = {
        "datasets": project.datasets.all(),
        "chosen": chosen,
        "offers": offers_for(kind, post, errors) if kind else [],
        "measures": measures_for(kind, None if post is None else post.getlist("care")) if kind else [],
        "seconds": request.POST.get("seconds", USUAL_S),
        "fewest": FEWEST_S,
        "longest": LONGEST_S,
        "errors": errors or {},
        "runs": project.runs.filter(mode="advise").select_related("job", "version__dataset")[:_LATEST],
        "command": "sfumato advise FILE --promise k-anonymity --k 5 --care are --seconds 60",
    }
    return render(request, "advising/advise.html", context, status=422 if errors else 200)
