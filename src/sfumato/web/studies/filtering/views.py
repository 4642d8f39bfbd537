"""The filtering tool: conditions, the sentence that reads them back, a live count, and the entries."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import study_page
from sfumato.web.studies.filtering.drafts import ROOT, Draft, condition_of, draft_of, walk
from sfumato.web.studies.filtering.editor import editor_of, node_of, reading_of
from sfumato.web.studies.filtering.posted import posted_draft
from sfumato.web.studies.filtering.results import column_rows, first_columns, posted_columns, results_of
from sfumato.web.studies.filtering.tree import EVERYTHING, ConditionRefused
from sfumato.web.studies.filtering.visible import Visible
from sfumato.web.studies.models import Study, View

__all__ = ["count", "filter_page", "part", "shown", "values"]


@study_page("participant", grant="filter")
@never_cache
def filter_page(request: HttpRequest, study: Study) -> HttpResponse:
    """The filtering tool; a post changes the condition and shows its entries."""
    visible = Visible.of(request, study)
    if request.method != "POST":
        return shown(request, visible, draft_of(EVERYTHING), first_columns(visible.form))
    return shown(request, visible, posted_draft(request.POST, visible.form), posted_columns(request.POST, visible))


@study_page("participant", grant="filter")
@require_POST
def part(request: HttpRequest, study: Study) -> HttpResponse:
    """The editor after a button changed the condition, and the entries of the new condition."""
    visible = Visible.of(request, study)
    draft = posted_draft(request.POST, visible.form)
    context = {"editor": editor_of(request, study, draft), **_table(request, visible, draft)}
    return render(request, "filtering/condition_part.html", context)


@study_page("participant", grant="filter")
@require_POST
def count(request: HttpRequest, study: Study) -> HttpResponse:
    """The sentence of the condition as it is, the number of its entries, and the entries."""
    visible = Visible.of(request, study)
    draft = posted_draft(request.POST, visible.form)
    context = {"editor": reading_of(visible, draft), **_table(request, visible, draft)}
    return render(request, "filtering/reading_part.html", context)


@study_page("participant", grant="filter")
@require_POST
def values(request: HttpRequest, study: Study) -> HttpResponse:
    """The stored values of the question at a path that contain the letters that were typed."""
    visible = Visible.of(request, study)
    places = dict(walk(posted_draft(request.POST, visible.form)))
    path = request.POST.get("path", "")
    if path not in places or places[path].kind != "is":
        raise Http404
    return render(request, "filtering/values.html", {"node": node_of(visible, places[path], path, None, 1)})


def shown(
    request: HttpRequest,
    visible: Visible,
    draft: Draft,
    columns: list[str],
    view: View | None = None,
    **context: Any,
) -> HttpResponse:
    """The whole page of a draft; `view` is the saved view that it came from."""
    editor = editor_of(request, visible.study, draft)
    used = {place.key for _path, place in walk(draft)}
    return render(
        request,
        "filtering/filter.html",
        {
            "editor": editor,
            "lines": column_rows(visible, used, columns),
            "results": _results(request, visible, draft, columns),
            "views": View.objects.filter(study=visible.study, owner=request.user, chart={}),
            "view": view,
            "root": ROOT,
            "counted": visible.entries.exists(),
            **context,
        },
    )


def _table(request: HttpRequest, visible: Visible, draft: Draft) -> dict[str, Any]:
    """The entries, for a page that has a table of them."""
    if request.POST.get("table") != "yes":
        return {}
    return {"results": _results(request, visible, draft, posted_columns(request.POST, visible)), "with_table": True}


def _results(request: HttpRequest, visible: Visible, draft: Draft, columns: list[str]) -> Any:
    typed = request.POST.get("page", "")
    page = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 9 else 1
    try:
        condition = condition_of(draft, visible.form)
    except ConditionRefused:
        return None
    return results_of(visible, condition, columns, page)
