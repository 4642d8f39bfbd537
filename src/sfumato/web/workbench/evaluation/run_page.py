"""The page of an evaluation: summary, verdicts, charts, the published data beside the original."""

from __future__ import annotations

import shutil
import uuid
from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from sfumato.catalogue import method_class
from sfumato.methods.preparation_texts import step_of_text, step_words
from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.workbench.evaluation.commands import command_of
from sfumato.web.workbench.evaluation.drawing import attribute_figures, histograms, phases, varying_context
from sfumato.web.workbench.evaluation.results import Results
from sfumato.web.workbench.evaluation.starting import title_of
from sfumato.web.workbench.models import Project, Run

__all__ = ["attribute", "evaluation_run", "keep", "page", "results_of", "rows", "setting_of", "varying"]

_NEW = timedelta(minutes=2)  # the message box opens for a run that ended so recently


def page(request: HttpRequest, project: Project, run: Run) -> HttpResponse:  # noqa: ARG001
    """The page of a run, or of one value of its varying parameter (`?setting=2`)."""
    setting = setting_of(request, run)
    results = results_of(run, setting)
    member = request.role != "viewer"
    definition = _with_setting(run, setting)
    context: dict[str, Any] = {
        "run": run,
        "results": results,
        "facts": results.facts,
        "setting": setting,
        "varying": varying_context(results) if run.definition.get("vary") and setting is None else None,
        "member": member,
        "parameters": _parameters(definition),
        "preparation": [step_words(step_of_text(text)) for text in definition.get("preparation") or ()],
        "method_title": method_class(run.definition["method"]).title,
        "new": run.job is not None and run.job.finished is not None and timezone.now() - run.job.finished < _NEW,
        "refused": (results.folder / "refused").exists(),
        "release": (results.folder / "release").exists(),
        "made": run.releases.first(),
        "make_form": ["releases/make_form.html", "evaluation/bare.html"],
        "command": "" if run.version is None else command_of(run.version, definition),
    }
    if results.facts:
        context["phases"] = phases(results)
    if results.facts and member:
        context["attributes"] = results.attributes
        context["histograms"] = histograms(results)
    return render(request, "evaluation/run.html", context)


@project_page("viewer")
def varying(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """The charts over the varying parameter as far as they are done, for a page that follows the run.

    done : how many values the page shows already; there is no content while there are no more.
    """
    run = evaluation_run(project, run_id)
    results = Results(run.folder)
    if str(len(results.varying.get("rows", []))) == request.GET.get("done"):
        return HttpResponse(status=204)
    return render(request, "evaluation/varying.html", {"run": run, "varying": varying_context(results)})


@project_page("member")
def rows(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """A window of the published records beside the original ones."""
    run = evaluation_run(project, run_id)
    setting = setting_of(request, run)
    window = results_of(run, setting).window(_whole(request, "start"))
    answer = render(request, "evaluation/rows.html", {"run": run, "window": window, "setting": setting})
    answer["Cache-Control"] = "no-store"
    return answer


@project_page("member")
def attribute(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """What became of the values of an attribute, which its number names."""
    run = evaluation_run(project, run_id)
    setting = setting_of(request, run)
    results = results_of(run, setting)
    drawn = attribute_figures(results, _whole(request, "attribute"))
    if not drawn:
        raise Http404
    answer = render(request, "evaluation/attribute.html", {"run": run, "setting": setting, "figures": drawn})
    answer["Cache-Control"] = "no-store"
    return answer


@project_page("member")
@require_POST
def keep(request: HttpRequest, project: Project, run_id: uuid.UUID, number: int) -> HttpResponse:
    """Make a run of its own of one value of the varying parameter, with the files that the page shows."""
    run = evaluation_run(project, run_id)
    results = results_of(run, number)
    if not results.facts:
        raise Http404
    definition = _with_setting(run, number)
    kept = Run.objects.create(
        project=project,
        mode="evaluate",
        title=title_of(definition)[:200],
        version=run.version,
        definition=definition,
        summary=next(row for row in Results(run.folder).varying["rows"] if row["number"] == number),
        by=request.user,
    )
    shutil.copytree(results.folder, kept.folder)
    Event.record(request.user, "run", f"run {kept.id}", project=project)
    return redirect("run", project.id, kept.id)


def evaluation_run(project: Project, run_id: uuid.UUID) -> Run:
    """An evaluation of the project."""
    return get_object_or_404(project.runs, pk=run_id, mode="evaluate")


def _whole(request: HttpRequest, name: str) -> int:
    text = request.GET.get(name, "0")
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise Http404
    return int(text)


def setting_of(request: HttpRequest, run: Run) -> int | None:
    """The number of the value of the varying parameter that is asked for."""
    return _whole(request, "setting") if run.definition.get("vary") and "setting" in request.GET else None


def results_of(run: Run, setting: int | None) -> Results:
    """The files of the run, or of one value of its varying parameter."""
    return Results(run.folder if setting is None else run.folder / "settings" / str(setting))


def _with_setting(run: Run, setting: int | None) -> dict[str, Any]:
    definition = dict(run.definition)
    vary = definition.get("vary")
    if vary is None or setting is None:
        return definition
    if setting >= len(vary["values"]):
        raise Http404
    parameters = {**definition["parameters"], vary["parameter"]: vary["values"][setting]}
    return {**definition, "parameters": parameters, "vary": None}


def _parameters(definition: dict[str, Any]) -> list[tuple[str, Any]]:
    """The parameters that matter: required ones, and those that are not the default."""
    declared = method_class(definition["method"]).parameters()
    given, vary = definition["parameters"], definition.get("vary")
    shown = []
    for parameter in declared:
        if vary and parameter.name == vary["parameter"]:
            shown.append((parameter.name, ", ".join(map(str, vary["values"]))))
        elif parameter.name in given and (parameter.required or given[parameter.name] != parameter.default):
            shown.append((parameter.name, _in_words(given[parameter.name])))
    return shown


def _in_words(value: Any) -> Any:
    """A value of a parameter; a method with its own parameters in brackets."""
    if not isinstance(value, dict):
        return value
    inner = [f"{name}={part}" for name, part in value.items() if name != "method"]
    return f"{value['method']} ({', '.join(inner)})"
