"""The page of an advice: the front, every candidate with its reason, and what was not tried."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sfumato.web.workbench.models import Project, Run

__all__ = ["page"]


def page(request: HttpRequest, project: Project, run: Run) -> HttpResponse:  # noqa: ARG001
    """The advice of a run."""
    candidates = list(enumerate(run.summary.get("candidates", ())))
    promises = "".join(
        f" --promise {promise['model']}"
        + "".join(f" --{name.replace('_', '-')} {value}" for name, value in promise["parameters"].items())
        for promise in run.definition.get("promises", ())
    )
    care = "".join(f" --care {name}" for name in run.definition.get("care", ()))
    context = {
        "run": run,
        "result": run.summary,
        "compared": [(number, candidate) for number, candidate in candidates if candidate["compared"]],
        "others": [candidate for _, candidate in candidates if not candidate["compared"]],
        "command": f"sfumato advise FILE{promises}{care} --seconds {run.definition.get('seconds', 60):g}",
    }
    return render(request, "advising/run_page.html", context)
