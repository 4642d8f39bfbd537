"""The charts of a run to take away: as pictures, and their figures as CSV."""

from __future__ import annotations

import uuid
from typing import Any

import polars as pl
from django.http import Http404, HttpRequest, HttpResponse

from sfumato.experiments.reports.charts import EVERY_FORMAT, rendered
from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.workbench.comparison.downloads import TYPES, attachment
from sfumato.web.workbench.evaluation.drawing import figure_of
from sfumato.web.workbench.evaluation.figures import Figure
from sfumato.web.workbench.evaluation.run_page import evaluation_run, results_of, setting_of
from sfumato.web.workbench.models import Project

__all__ = ["chart"]

_WIDTH = 640


@project_page("viewer")
def chart(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """A chart by its key (`?chart=phases&format=pdf`)."""
    run = evaluation_run(project, run_id)
    results = results_of(run, setting_of(request, run))
    ending = request.GET.get("format", "")
    figure = figure_of(results, request.GET.get("chart", ""), member=request.role != "viewer")
    if figure is None or ending not in (*EVERY_FORMAT, "csv"):
        raise Http404
    Event.record(request.user, "download", f"chart of run {run.id}", project=project)
    if ending == "csv":
        return attachment(_table(figure), f"{figure.key}.csv", "text/csv; charset=utf-8")
    return attachment(rendered(_on_paper(figure), (ending,))[ending], f"{figure.key}.{ending}", TYPES[ending])


def _table(figure: Figure) -> bytes:
    columns = {name: [row[place] for row in figure.rows] for place, name in enumerate(figure.head)}
    return pl.DataFrame(columns, strict=False).write_csv().encode()


def _on_paper(figure: Figure) -> dict[str, Any]:
    """The specification of a picture: of a fixed width, with its title, on white."""
    title = {"text": figure.title, "anchor": "start"}
    return {**figure.spec, "width": _WIDTH, "title": title, "background": "white", "padding": 12}
