"""What can be taken away from a comparison: charts, tables, the report, the whole directory."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from functools import partial

import polars as pl
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, StreamingHttpResponse

from sfumato.experiments.reports.charts import EVERY_FORMAT, rendered
from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.workbench.comparison.results import drawn_charts, require_results
from sfumato.web.workbench.comparison.run_page import comparison_run
from sfumato.web.workbench.comparison.work import RESULTS
from sfumato.web.workbench.exporting.zipping import Content, files_of, zipped
from sfumato.web.workbench.models import Project

__all__ = ["TYPES", "archive", "attachment", "chart", "charts", "report", "table"]

TYPES = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "jpg": "image/jpeg",
    "bmp": "image/bmp",
}


@project_page("viewer")
def chart(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """A chart of one figure as a picture."""
    run = comparison_run(project, run_id)
    figure, ending = request.GET.get("figure", ""), request.GET.get("format", "png")
    comparison = require_results(run)
    if figure not in comparison.figures or ending not in EVERY_FORMAT:
        raise Http404
    log_x, log_y = request.GET.get("log_x") == "1", request.GET.get("log_y") == "1"
    content = rendered(comparison.draw(figure, log_x=log_x, log_y=log_y), (ending,))[ending]
    Event.record(request.user, "download", f"chart of run {run.id}", project=project)
    return attachment(content, f"{_plain(figure)}.{ending}", TYPES[ending])


@project_page("viewer")
def charts(request: HttpRequest, project: Project, run_id: uuid.UUID) -> StreamingHttpResponse:
    """Every chart that the experiment asks for, in every format, as a zip."""
    run = comparison_run(project, run_id)
    comparison = require_results(run)
    figures = [drawn.figure for drawn in drawn_charts(run, [])]
    Event.record(request.user, "download", f"charts of run {run.id}", project=project)

    def entries() -> Iterator[tuple[str, Content]]:
        for figure in figures:
            for ending, content in rendered(comparison.draw(figure), EVERY_FORMAT).items():
                yield f"{_plain(figure)}.{ending}", partial(_whole, content)

    answer = StreamingHttpResponse(zipped(entries()), content_type="application/zip")
    answer["Content-Disposition"] = 'attachment; filename="charts.zip"'
    answer["Cache-Control"] = "no-store"
    return answer


@project_page("viewer")
def table(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """The table of one figure, or of all of them, as CSV."""
    run = comparison_run(project, run_id)
    comparison = require_results(run)
    figure = request.GET.get("figure", "")
    frames = {"": comparison.summary, "every run": comparison.results}
    frame = frames.get(figure)
    if frame is None:
        if figure not in comparison.figures:
            raise Http404
        frame = comparison.summary.filter(pl.col("figure") == figure)
    Event.record(request.user, "download", f"table of run {run.id}", project=project)
    return attachment(frame.write_csv().encode(), f"{_plain(figure or 'summary')}.csv", "text/csv; charset=utf-8")


@project_page("member")
def report(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """The report as one page that opens without the internet."""
    run = comparison_run(project, run_id)
    path = run.folder / RESULTS / "report.html"
    if not path.is_file():
        raise Http404
    Event.record(request.user, "download", f"report of run {run.id}", project=project)
    answer = FileResponse(path.open("rb"), as_attachment=True, filename="report.html", content_type="text/html")
    answer["Cache-Control"] = "no-store"
    return answer


@project_page("member")
def archive(request: HttpRequest, project: Project, run_id: uuid.UUID) -> StreamingHttpResponse:
    """The whole directory, with the data and the experiment file, which repeat it without this server."""
    run = comparison_run(project, run_id)
    Event.record(request.user, "download", f"directory of run {run.id}", project=project)
    answer = StreamingHttpResponse(zipped(files_of(run.folder)), content_type="application/zip")
    answer["Content-Disposition"] = 'attachment; filename="comparison-private.zip"'
    answer["Cache-Control"] = "no-store"
    return answer


def attachment(content: bytes, name: str, content_type: str) -> HttpResponse:
    """A file to keep, which no cache keeps."""
    answer = HttpResponse(content, content_type=content_type)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer


def _whole(content: bytes) -> tuple[bytes, ...]:
    return (content,)


def _plain(figure: str) -> str:
    """A figure as the name of a file.

    >>> _plain("seconds.verifying")
    'seconds-verifying'
    """
    return re.sub(r"[^a-z0-9]+", "-", figure.lower()).strip("-") or "figure"
