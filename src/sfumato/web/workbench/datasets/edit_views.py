"""Edits: one operation at a time, undo and redo, filter and sort, and saving."""

from __future__ import annotations

import uuid
from typing import Any

import numpy as np
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.errors import DataError, SfumatoError
from sfumato.web.accounts.access import project_page
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.datasets.cell_values import parsed
from sfumato.web.workbench.datasets.drafts import OVERTAKEN, Draft, changing, draft_of, why_not_overwritten
from sfumato.web.workbench.datasets.grid import TESTS, Grid
from sfumato.web.workbench.datasets.grid_views import bar_context
from sfumato.web.workbench.datasets.operations import TYPES
from sfumato.web.workbench.models import Dataset, Project, Version

__all__ = ["LONGEST", "back_to_rows", "do", "look", "save"]

LONGEST = 10_000
"""The characters of a cell that a form may send."""


@project_page("member")
@require_POST
def do(request: HttpRequest, project: Project, dataset_id: Any) -> HttpResponse:
    """Do, undo or redo an operation, discard all of them, or carry them over to the newest version."""
    chosen = get_object_or_404(project.datasets, pk=dataset_id)
    sent = request.POST
    try:
        with changing(chosen, request.user) as (draft, version):
            verb = sent.get("do", "")
            if verb == "undo":
                draft.position = max(0, draft.position - 1)
            elif verb == "redo":
                draft.position = min(len(draft.operations), draft.position + 1)
            elif verb == "discard":
                draft.operations, draft.position, draft.view = [], 0, {}
            elif verb == "carry":
                latest = chosen.latest
                assert latest is not None
                draft.carry(version, latest)
                version = latest
            else:
                draft.do(_operation(sent, Grid(version.path, draft.done)), version)
            draft.keep_view(version)
    except SfumatoError as error:
        return _refused(request, chosen, str(error))
    if request.headers.get("Accept", "").startswith("application/json"):
        bar = render_to_string(
            "datasets/bar.html", {**bar_context(chosen, draft, version), "project": project}, request
        )
        return JsonResponse({"text": sent.get("value", ""), "bar": bar})
    return back_to_rows(request, chosen)


def _operation(sent: Any, grid: Grid) -> dict[str, Any]:
    """The operation that a form stands for."""
    verb, column = sent.get("do", ""), sent.get("column", "")
    value = sent.get("value", "")[:LONGEST]
    if verb in ("set", "replace") and column not in grid.types:
        raise DataError(_("wanted a column of the data, found another name"))
    if verb == "set":
        return {
            "do": verb,
            "column": column,
            "row": _row(sent, grid),
            "value": parsed(value, grid.types[column], column),
        }
    if verb == "replace":
        old = parsed(sent.get("old", "")[:LONGEST], grid.types[column], column)
        return {"do": verb, "column": column, "old": old, "new": parsed(value, grid.types[column], column)}
    if verb == "rename":
        return {"do": verb, "column": column, "to": sent.get("to", "").strip()[:200]}
    if verb in ("add-column", "type"):
        kind = sent.get("type", "text")
        if kind not in TYPES:
            raise DataError(_("wanted a known type, found another word"))
        if verb == "type":
            lost = grid.lost_by_type(column, TYPES[kind]())
            if lost:
                words = {"column": column[:40], "kind": kind, "count": f"{lost:,}"}
                raise DataError(_("%(column)s: %(count)s values would be lost as %(kind)s; replace them first") % words)
            return {"do": verb, "column": column, "type": kind}
        name = sent.get("to", "").strip()[:200]
        return {"do": verb, "column": name, "type": kind, "value": parsed(value, TYPES[kind](), name)}
    if verb == "delete-column":
        return {"do": verb, "column": column}
    if verb == "delete-rows":
        rows = [int(text) for text in sent.getlist("rows") if _is_number(text)]
        if not rows:
            raise DataError(_("wanted at least one row, found none; tick the rows first"))
        return {"do": verb, "rows": rows}
    if verb == "role":
        return {"do": verb, "column": column, "role": sent.get("role", "")}
    raise DataError(_("wanted a known edit, found another word"))


def _is_number(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) < 12


def _row(sent: Any, grid: Grid) -> int:
    text = sent.get("row", "")
    if not _is_number(text) or not len(grid.take(np.array([int(text)]))):
        raise DataError(_("wanted a row of the data, found another number"))
    return int(text)


@project_page("member")
@require_POST
def look(request: HttpRequest, project: Project, dataset_id: Any) -> HttpResponse:
    """Filter and sort: add a filter, remove one, sort by a column, or show everything again."""
    chosen = get_object_or_404(project.datasets, pk=dataset_id)
    try:
        draft, version = draft_of(chosen, request.user)
        draft.look(version, *_view(request.POST, draft.view))  # computes the order, before anybody has to wait
        with changing(chosen, request.user) as (draft, version):
            draft.look(version, *_view(request.POST, draft.view))
    except SfumatoError as error:
        return _refused(request, chosen, str(error))
    return redirect("data-edit", project.id, chosen.id)


def _view(sent: Any, view: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """The filters and the sort after what a form asks."""
    filters, sort = list(view.get("filters", [])), view.get("sort")
    verb = sent.get("look", "")
    if "sort" in sent:
        sort = _next_sort(sort, sent["sort"])
    elif verb == "filter":
        filters.append(_filter(sent))
    elif verb == "remove" and _is_number(sent.get("number", "")):
        filters = [test for number, test in enumerate(filters) if number != int(sent["number"])]
    elif verb in ("up", "down"):
        sort = {"column": sent.get("column", ""), "descending": verb == "down"}
    elif verb == "unsorted":
        sort = None
    elif verb == "all":
        filters, sort = [], None
    return filters, sort


def _next_sort(sort: dict[str, Any] | None, column: str) -> dict[str, Any] | None:
    """Upwards, then downwards, then as the rows come."""
    if sort is None or sort["column"] != column:
        return {"column": column, "descending": False}
    return None if sort["descending"] else {"column": column, "descending": True}


def _filter(sent: Any) -> dict[str, Any]:
    test = sent.get("test", "")
    if test not in TESTS:
        raise DataError(_("wanted a known test, found another word"))
    texts = {name: sent.get(name, "")[:LONGEST] for name in ("text", "low", "high")}
    return {"column": sent.get("column", ""), "test": test, **texts}


@project_page("member")
@require_POST
def save(request: HttpRequest, project: Project, dataset_id: Any) -> HttpResponse:
    """Start the job that saves the edits: as a new version, over the version, or as a copy."""
    chosen = get_object_or_404(project.datasets, pk=dataset_id)
    mode = request.POST.get("mode", "version")
    if mode not in ("version", "overwrite", "copy"):
        raise Http404
    try:
        with changing(chosen, request.user) as (draft, version):
            _require_savable(chosen, draft, version, mode)
            draft.operations = draft.done
            arguments = {
                "dataset": str(chosen.id),
                "version": str(version.id),
                "file": version.file,
                "reading": version.reading,
                "draft": f"drafts/{draft.file.name}",
                "output": f"versions/{uuid.uuid4()}.parquet",
                "mode": mode,
            }
            job = enqueue("save-edits", arguments, user=request.user, project=project, title=_("Save a version"))
            draft.saving = str(job.id)
    except SfumatoError as error:
        return _refused(request, chosen, str(error))
    return back_to_rows(request, chosen)


def _require_savable(chosen: Dataset, draft: Draft, version: Version, mode: str) -> None:
    if not draft.done:
        raise DataError(_("wanted at least one edit to save, found none"))
    if mode != "copy" and chosen.latest != version:
        raise DataError(_(OVERTAKEN))
    if mode == "overwrite":
        refusal = why_not_overwritten(version, draft)
        if refusal:
            raise DataError(refusal)


def back_to_rows(request: HttpRequest, chosen: Dataset) -> HttpResponse:
    """To the rows, at the place where the person was."""
    place = request.POST.get("at", "")
    query = f"?row={place}" if _is_number(place) else ""
    return redirect(reverse("data-edit", args=[chosen.project_id, chosen.id]) + query)


def _refused(request: HttpRequest, chosen: Dataset, sentence: str) -> HttpResponse:
    if request.headers.get("Accept", "").startswith("application/json"):
        return JsonResponse({"sentence": sentence}, status=422)
    messages.error(request, sentence)
    return back_to_rows(request, chosen)
