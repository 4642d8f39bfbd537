"""Share a chart with people outside of the study; the list of those that were shared."""

from __future__ import annotations

import csv
import io
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from sfumato.experiments.reports.charts import rendered
from sfumato.web.accounts.access import study_page
from sfumato.web.accounts.models import Event
from sfumato.web.studies.charting.asking import posted_chart
from sfumato.web.studies.charting.definition import ChartRefused
from sfumato.web.studies.charting.drawing import on_paper, spec
from sfumato.web.studies.charting.sharing import share
from sfumato.web.studies.charting.views import FORMATS, shown
from sfumato.web.studies.filtering.drafts import condition_of
from sfumato.web.studies.filtering.posted import posted_draft
from sfumato.web.studies.filtering.tree import ConditionRefused
from sfumato.web.studies.filtering.visible import Visible
from sfumato.web.studies.models import SharedChart, Study
from sfumato.web.workbench.comparison.downloads import TYPES, attachment
from sfumato.web.workbench.exporting.contents import file_name

__all__ = ["share_chart", "shared", "shared_file"]


@study_page("administrator")
@require_POST
def share_chart(request: HttpRequest, study: Study) -> HttpResponse:
    """Share the chart that was sent, or say beside the button why not."""
    visible, asked = Visible.of(request, study), posted_chart(request.POST)
    draft, typed = posted_draft(request.POST, visible.form), request.POST.get("k", "5").strip()
    title = request.POST.get("title", "").strip()
    try:
        k = int(typed) if typed.isdecimal() and len(typed) < 4 else 0
        share(study, visible.form, request.user, asked, condition_of(draft, visible.form), title=title, k=k)
    except (ChartRefused, ConditionRefused) as refusal:
        return shown(request, visible, asked, draft, share_error=str(refusal), share_title=title, share_k=typed[:3])
    messages.success(request, _("This chart may be shown outside of the study; download it here."))
    return redirect("study-chart-shared", study.id)


@study_page("inspector")
@require_GET
def shared(request: HttpRequest, study: Study) -> HttpResponse:
    """The charts that left the study, as they were published."""
    return render(request, "charting/shared.html", {"charts": list(map(_page, study.shared_charts.all()))})


@study_page("inspector")
@require_GET
def shared_file(request: HttpRequest, study: Study, chart_id: Any) -> HttpResponse:
    """A shared chart as a picture, or its table as CSV (`?format=png`)."""
    row = get_object_or_404(study.shared_charts, pk=chart_id)
    ending = request.GET.get("format", "")
    if ending not in FORMATS:
        raise ChartRefused(_("Choose PNG, SVG, PDF, JPG or CSV."))
    page = _page(row)
    Event.record(request.user, "download", f"shared chart {row.id}", project=study)
    name = f"{file_name(page['title'])}.{ending}"
    if ending == "csv":
        return attachment(_csv(page), "shared-chart.csv", "text/csv; charset=utf-8")
    content = rendered(on_paper(page["spec"], page["title"]), (ending,))[ending]
    return attachment(content, f"shared-chart.{ending}" if not name.isascii() else name, TYPES[ending])


def _page(row: SharedChart) -> dict[str, Any]:
    """What is shown of a chart: its picture without hidden counts, and its table with a mark for them."""
    content, kind = row.shown, row.definition["chart"]["kind"]
    titles, labels, counts = content["titles"], content["labels"], content["counts"]
    title = row.title or (titles[0] if len(titles) == 1 else f"{titles[0]} \N{MULTIPLICATION SIGN} {titles[1]}")
    heads = labels[1] if len(labels) > 1 else [_("entries")]
    lines = [list(line) for line in counts]
    if "rows" in content:
        heads = [*heads, _("Total")]
        lines = [[*line, total] for line, total in zip(lines, content["rows"], strict=True)]
    table = list(zip(labels[0], lines, strict=True))
    sums = [*content["columns"], content["total"]] if "columns" in content else [content["total"]]
    return {
        "row": row,
        "title": title,
        "spec": spec(kind, titles, labels, counts, _("entries")),
        "first": titles[0],
        "heads": heads,
        "lines": table,
        "sums": sums,
        "k": row.definition["k"],
        "is_part_hidden": any(count is None for _label, line in table for count in line),
    }


def _csv(page: dict[str, Any]) -> bytes:
    """The published table; a hidden count is an empty field."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow([page["first"], *page["heads"]])
    for label, line in [*page["lines"], (_("Total"), page["sums"])]:
        writer.writerow([label, *("" if count is None else count for count in line)])
    return file.getvalue().encode("utf-8-sig")
