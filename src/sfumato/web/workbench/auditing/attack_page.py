"""The page of an attack: what each attack achieved beside guessing and control, and which promises held."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sfumato.web.interface.library_words import translated
from sfumato.web.workbench.ledger.entries import named
from sfumato.web.workbench.models import Project, Run

__all__ = ["page"]

_WORDS = ("attack", "who", "title", "sort", "domain")  # parts of the chart that hold words
HEAD = ("mean", "worst", "guessing", "control", "tried")


def page(request: HttpRequest, project: Project, run: Run) -> HttpResponse:
    """What attackers achieved; or, of a planned release, what it reveals together with earlier ones."""
    releases = list(project.releases.all())
    result = dict(run.summary)
    for name in ("headlines", "problems", "unfit"):
        result[name] = [named(project, sentence, releases) for sentence in result.get(name, ())]
    result["promises"] = [
        {**promise, "promise": named(project, promise["promise"], releases)} for promise in result.get("promises", ())
    ]
    result["earlier"] = [
        {**part, "sentence": named(project, part["sentence"], releases)} for part in result.get("earlier", ())
    ]
    result["chart"] = _in_language(result.get("chart"))
    known = run.definition.get("known")
    command = "sfumato audit FILE --against DIR --report FILE" + (f" --known {known}" if known else "")
    template = "ledger/planned_page.html" if run.definition.get("planned") else "auditing/attack_page.html"
    return render(request, template, {"run": run, "result": result, "head": HEAD, "command": command})


def _in_language(chart: Any) -> Any:
    """The chart of the attacks with its words in the language of the reader."""
    if isinstance(chart, list):
        return [_in_language(part) for part in chart]
    if not isinstance(chart, dict):
        return chart
    return {name: _words(value) if name in _WORDS else _in_language(value) for name, value in chart.items()}


def _words(value: Any) -> Any:
    """A title, the name of an attack or a list of names; numbers stay."""
    if isinstance(value, list):
        return [_words(part) for part in value]
    return translated(value) if isinstance(value, str) else value
