"""The chart tool: choose one or two questions, see the chart and its table, keep it, take it away."""

from __future__ import annotations

import csv
import io
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from sfumato.experiments.reports.charts import rendered
from sfumato.web.accounts.access import study_page
from sfumato.web.accounts.models import Event
from sfumato.web.studies.charting.asking import drawn, first_chart, posted_chart, variables_of
from sfumato.web.studies.charting.definition import KINDS, PERIODS, Chart, ChartRefused
from sfumato.web.studies.charting.drawing import on_paper
from sfumato.web.studies.charting.suppressing import LEAST_K
from sfumato.web.studies.filtering.conditions import from_json, to_json
from sfumato.web.studies.filtering.drafts import Draft, condition_of, draft_of
from sfumato.web.studies.filtering.editor import editor_of
from sfumato.web.studies.filtering.posted import posted_draft
from sfumato.web.studies.filtering.tree import EVERYTHING, ConditionRefused
from sfumato.web.studies.filtering.visible import Visible
from sfumato.web.studies.models import Study, View
from sfumato.web.workbench.comparison.downloads import TYPES, attachment
from sfumato.web.workbench.exporting.contents import file_name

__all__ = ["chart", "delete_view", "download", "open_view", "save_view", "shown"]

FORMATS = ("png", "svg", "pdf", "jpg", "csv")
_MOST_VIEWS = 200


@study_page("participant", grant="chart")
@never_cache
def chart(request: HttpRequest, study: Study) -> HttpResponse:
    """The chart tool; a form that was sent is drawn."""
    visible = Visible.of(request, study)
    if request.method != "POST":
        return shown(request, visible, first_chart(visible.form), draft_of(EVERYTHING))
    return shown(request, visible, posted_chart(request.POST), _draft(request, visible))


@study_page("participant", grant="chart")
@require_GET
@never_cache
def open_view(request: HttpRequest, study: Study, view_id: Any) -> HttpResponse:
    """The chart tool with a saved chart, or with the condition of a saved filter."""
    view, visible = _own(request, study, view_id), Visible.of(request, study)
    asked = Chart.from_json(view.chart) if view.chart else first_chart(visible.form)
    return shown(request, visible, asked, draft_of(from_json(view.condition)), view=view)


@study_page("participant", grant="chart")
@require_POST
def save_view(request: HttpRequest, study: Study) -> HttpResponse:
    """Keep the chart under a name; a chart of the same name is replaced."""
    visible, asked = Visible.of(request, study), posted_chart(request.POST)
    draft, name = _draft(request, visible), request.POST.get("name", "").strip()[:200]
    own = View.objects.filter(study=study, owner=request.user)
    known = own.filter(name=name).first()
    problem = ""
    if not name:
        problem = _("Give the chart a name.")
    elif known is not None and not known.chart:
        problem = _("A filter of yours has this name.")
    elif known is None and own.count() >= _MOST_VIEWS:
        problem = _("You have saved as many views as a study keeps; delete one first.")
    if problem:
        return shown(request, visible, asked, draft, save_error=problem)
    asked.require(visible.form, whole_study=request.study_role != "participant")
    condition = to_json(condition_of(draft, visible.form))
    view = known or View(study=study, owner=request.user, name=name)
    view.chart, view.condition = asked.to_json(), condition
    view.save()
    Event.record(request.user, "save chart", f"view {view.id}", project=study)
    return redirect("study-chart-view", study.id, view.id)


@study_page("participant", grant="chart")
@require_POST
def delete_view(request: HttpRequest, study: Study, view_id: Any) -> HttpResponse:
    """Delete a saved view."""
    view = _own(request, study, view_id)
    Event.record(request.user, "delete chart", f"view {view.id}", project=study)
    view.delete()
    messages.success(request, _("The saved chart was deleted."))
    return redirect("study-chart", study.id)


@study_page("participant", grant="chart")
@require_POST
def download(request: HttpRequest, study: Study) -> HttpResponse:
    """The chart as a picture, or its table as CSV."""
    ending = request.POST.get("format", "")
    if ending not in FORMATS:
        raise ChartRefused(_("Choose PNG, SVG, PDF, JPG or CSV."))
    visible, asked = Visible.of(request, study), posted_chart(request.POST)
    condition = condition_of(_draft(request, visible), visible.form)
    result = drawn(request, visible, asked, condition)
    Event.record(request.user, "download", f"chart of study {study.id}", project=study)
    name = f"{file_name(study.name, 'chart')}-private.{ending}"
    if ending == "csv":
        return attachment(_csv(result), name, "text/csv; charset=utf-8")
    return attachment(rendered(on_paper(result.spec, result.title), (ending,))[ending], name, TYPES[ending])


def shown(
    request: HttpRequest, visible: Visible, asked: Chart, draft: Draft, *, view: View | None = None, **context: Any
) -> HttpResponse:
    """The page of a chart; what is wrong is a sentence beside the form."""
    whole = request.study_role != "participant"
    problem, result = "", None
    if visible.entries.exists():
        try:
            result = drawn(request, visible, asked, condition_of(draft, visible.form))
        except (ChartRefused, ConditionRefused) as refusal:
            problem = str(refusal)
    variables = variables_of(visible.form, whole_study=whole)
    language = get_language() or "en"
    chosen = [*asked.variables, None, None][:2]
    fields = {
        name: {"key": "" if row is None else row.key, "bins": "" if row is None else row.bins}
        for name, row in zip(("first", "second"), chosen, strict=True)
    }
    kinds = {row["key"]: row["bins"] for row in variables}
    for field in fields.values():
        field["kind"] = kinds.get(field["key"], "")
    page = {
        "asked": asked,
        "fields": fields,
        "kinds": [(kind, name) for kind, name in zip(KINDS, _kind_names(), strict=True)],
        "periods": list(zip(PERIODS, (_("years"), _("quarters"), _("months")), strict=True)),
        "variables": variables,
        "groups": [
            (question.key, question.text(language)) for question in visible.form.questions if question.type == "group"
        ],
        "drawn": result,
        "problem": problem,
        "view": view,
        "views": View.objects.filter(study=visible.study, owner=request.user).exclude(chart={}),
        "editor": editor_of(request, visible.study, draft),
        "formats": FORMATS,
        "few": result is not None and 0 < result.table.total < 10,
        "least_k": LEAST_K,
        "shared_count": visible.study.shared_charts.count() if request.study_role == "administrator" else 0,
        **context,
    }
    return render(request, "charting/chart.html", page, status=422 if problem or "save_error" in context else 200)


def _kind_names() -> tuple[str, ...]:
    return _("Columns"), _("Bars"), _("Pie"), _("Donut")


def _draft(request: HttpRequest, visible: Visible) -> Draft:
    return posted_draft(request.POST, visible.form)


def _own(request: HttpRequest, study: Study, view_id: Any) -> View:
    return get_object_or_404(View.objects.filter(study=study, owner=request.user), pk=view_id)


def _csv(result: Any) -> bytes:
    """The table; values are written as they are."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow([result.titles[0], *result.heads])
    writer.writerows([label, *counts] for label, counts in result.rows)
    if result.sums:
        writer.writerow([_("Total"), *result.sums])
    return file.getvalue().encode("utf-8-sig")
