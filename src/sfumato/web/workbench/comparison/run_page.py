"""The page of a comparison: it fills while the runs are made; runs can be stopped, continued and kept."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.errors import ParameterError
from sfumato.experiments.comparison import Comparison
from sfumato.web.accounts.access import ROLES, project_page
from sfumato.web.accounts.models import Event
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.comparison.experiments import enqueue_runs
from sfumato.web.workbench.comparison.results import (
    drawn_charts,
    figures_to_choose,
    places_of,
    require_results,
    results_of,
    summary_of,
)
from sfumato.web.workbench.models import Project, Run
from sfumato.web.workbench.withdrawals import require_nobody_withdrew

__all__ = ["comparison_run", "go_on", "keep", "page", "part"]


def comparison_run(project: Project, run_id: uuid.UUID) -> Run:
    """A comparison of the project."""
    return get_object_or_404(project.runs.select_related("job", "version__dataset"), pk=run_id, mode="compare")


def page(request: HttpRequest, project: Project, run: Run) -> HttpResponse:
    """The page of a run of mode compare."""
    context = _context(request, run)
    context |= {
        "run": run,
        "job": run.job,
        "may_change": ROLES.index(request.role) >= ROLES.index("member"),
        "kept": Job.objects.filter(project=project, kind="compare-keep", arguments__run=run.file)[:5],
        "command": "sfumato compare experiment.toml --out results",
    }
    return render(request, "comparison/run.html", context)


@project_page("viewer")
def part(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """The part of the page that fills; nothing where no other run is finished."""
    run = comparison_run(project, run_id)
    context = _context(request, run)
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=204)
    may_change = ROLES.index(request.role) >= ROLES.index("member")
    return render(request, "comparison/part.html", {**context, "run": run, "may_change": may_change})


def _context(request: HttpRequest, run: Run) -> dict[str, Any]:
    comparison = results_of(run)
    going_on = run.job is not None and not run.job.ended
    if comparison is None:
        return {"comparison": None, "seen": "none", "going_on": going_on}
    wanted, log_x, log_y = chosen_figures(request)
    rows = places_of(run, comparison)
    done = sum(state != "missing" for state, _sentence in comparison.states)
    under_way = sorted(place.words for row in rows for place in row if place.state == "running")
    charts = drawn_charts(run, wanted, log_x=log_x, log_y=log_y)
    return {
        "comparison": comparison,
        "going_on": going_on,
        "seen": f"{done}-{'-'.join(under_way)}"[:200].replace(" ", ""),
        "done": done,
        "total": len(comparison.states),
        "vary": comparison.experiment.vary,
        "names": [configuration.name for configuration in comparison.experiment.configurations],
        "rows": list(zip(comparison.experiment.settings, rows, strict=True)),
        "charts": charts,
        "figures": [
            (name, title, name in [chart.figure for chart in charts]) for name, title in figures_to_choose(comparison)
        ],
        "formats": ("pdf", "png", "svg", "jpg", "bmp"),
        "log_x": log_x,
        "log_y": log_y,
        "query": _query(wanted, log_x, log_y),
        "scales": _query([], log_x, log_y),
        "keepable": _keepable(comparison),
        **summary_of(comparison),
    }


def chosen_figures(request: HttpRequest) -> tuple[list[str], bool, bool]:
    """The figures that are to be drawn, and whether the axes are logarithmic."""
    return request.GET.getlist("figure")[:24], request.GET.get("log_x") == "1", request.GET.get("log_y") == "1"


def _query(wanted: list[str], log_x: bool, log_y: bool) -> str:
    from django.http import QueryDict

    query = QueryDict(mutable=True)
    query.setlist("figure", wanted)
    query.setlist("log_x", ["1"] if log_x else [])
    query.setlist("log_y", ["1"] if log_y else [])
    return query.urlencode()


def _keepable(comparison: Comparison) -> list[tuple[int, str]]:
    """The runs whose published data can be kept, and what they are called."""
    return [
        (number, run_name(comparison, number))
        for number, (state, _s) in enumerate(comparison.states)
        if state == "done"
    ]


def run_name(comparison: Comparison, number: int) -> str:
    """A run in words: its configuration, the value of the varying parameter, its seed."""
    planned, vary = comparison.plan[number], comparison.experiment.vary
    setting = "" if vary is None or planned.configuration.constant else f", {vary.label} {planned.setting}"
    return f"{planned.configuration.name}{setting}, seed {planned.seed}"


@project_page("member")
@require_POST
def go_on(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """Start the runs that are missing after the comparison was cancelled or has failed."""
    run = comparison_run(project, run_id)
    if run.job is None or run.job.ended:
        require_nobody_withdrew(run.version)
        enqueue_runs(run, request.user)
        Event.record(request.user, "run", f"run {run.id}", project=project)
    return redirect("run", project.id, run.id)


@project_page("member")
@require_POST
def keep(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """Make a dataset of the project of what a run published, or run it anew as an evaluation, to make a release."""
    run = comparison_run(project, run_id)
    require_nobody_withdrew(run.version)
    comparison = require_results(run)
    text = request.POST.get("number", "")
    number = int(text) if text.isdecimal() and len(text) < 9 else -1
    if not 0 <= number < len(comparison.plan) or comparison.states[number][0] != "done":
        raise Http404
    if request.POST.get("how") == "release":
        return redirect("run", project.id, _evaluation(request, project, run, comparison, number).id)
    out = f"versions/{uuid.uuid4()}.parquet"
    arguments = {"run": run.file, "number": number, "out": out}
    enqueue("compare-keep", arguments, user=request.user, project=project, title=run_name(comparison, number)[:200])
    Event.record(request.user, "keep", f"run {run.id}", project=project)
    messages.success(request, _("The dataset is being made. It will be listed under Data."))
    return redirect("run", project.id, run.id)


def _evaluation(request: HttpRequest, project: Project, run: Run, comparison: Comparison, number: int) -> Run:
    """The same configuration as an evaluation without a seed: what it shows is what can be published."""
    from sfumato.web.workbench.evaluation.starting import start_evaluation

    planned, vary = comparison.plan[number], comparison.experiment.vary
    if run.version is None:
        raise ParameterError("compare: the dataset of this comparison was deleted")
    if comparison.experiment.data.sample is not None or (vary is not None and vary.of_data):
        raise ParameterError("compare: these runs are about samples; evaluate the configuration on all records instead")
    varied = {} if vary is None or planned.configuration.constant else {vary.field: planned.setting}
    definition = {
        "version": str(run.version.id),
        "method": planned.configuration.method,
        "parameters": {**planned.configuration.parameters, **varied},
        "measures": run.definition.get("measures", []),
        "promises": list(planned.configuration.promises),
        "seed": None,
        "vary": None,
    }
    return start_evaluation(project, request.user, definition)
