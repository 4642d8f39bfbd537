"""A row as a form, to edit it or to add one; it works without a script and on a phone."""

from __future__ import annotations

from typing import Any

import numpy as np
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from sfumato.errors import SfumatoError
from sfumato.web.accounts.access import project_page
from sfumato.web.workbench.datasets.cell_values import cell_text, parsed
from sfumato.web.workbench.datasets.drafts import Draft, changing, draft_of
from sfumato.web.workbench.datasets.edit_views import LONGEST, back_to_rows
from sfumato.web.workbench.datasets.grid import Grid
from sfumato.web.workbench.datasets.operations import ROW
from sfumato.web.workbench.models import Dataset, Project, Version

__all__ = ["add_row", "row"]

_LARGEST = 10**12  # number of a row


@project_page("member")
@never_cache
def row(request: HttpRequest, project: Project, dataset_id: Any, number: int) -> HttpResponse:
    """A row as a form; what was changed becomes an operation for each cell."""
    chosen = get_object_or_404(project.datasets, pk=dataset_id)
    draft, version = draft_of(chosen, request.user)
    grid = Grid(version.path, draft.done)
    values = grid.take(np.array([min(number, _LARGEST)]))
    if not len(values):
        raise Http404
    texts = {name: cell_text(values[name][0]) for name in values.columns if name != ROW}
    return _row_page(request, chosen, texts, number)


@project_page("member")
@never_cache
def add_row(request: HttpRequest, project: Project, dataset_id: Any) -> HttpResponse:
    """A new row as a form."""
    chosen = get_object_or_404(project.datasets, pk=dataset_id)
    draft, version = draft_of(chosen, request.user)
    return _row_page(request, chosen, dict.fromkeys(Grid(version.path, draft.done).types, ""), None)


def _row_page(request: HttpRequest, chosen: Dataset, texts: dict[str, str], number: int | None) -> HttpResponse:
    sent = {name: request.POST.get(f"cell-{place}", text)[:LONGEST] for place, (name, text) in enumerate(texts.items())}
    errors: dict[str, str] = {}
    if request.method == "POST":
        try:
            with changing(chosen, request.user) as (draft, version):
                errors = _row_edits(draft, version, texts, sent, number)
        except SfumatoError as error:
            errors = {"": str(error)}
        if not errors:
            messages.success(request, _("The row is changed; the change is not saved yet."))
            return back_to_rows(request, chosen)
    fields = [
        {"number": place, "name": name, "text": sent[name], "error": errors.get(name, "")}
        for place, name in enumerate(texts)
    ]
    context = {"dataset": chosen, "fields": fields, "number": number, "sentence": errors.get("", "")}
    context["back"] = request.POST.get("at") or request.GET.get("at", "")
    return render(request, "datasets/row.html", context, status=422 if errors else 200)


def _row_edits(
    draft: Draft, version: Version, before: dict[str, str], sent: dict[str, str], number: int | None
) -> dict[str, str]:
    """Add the operations of a row's form; or what is wrong, by column, and nothing is changed."""
    types = Grid(version.path, draft.done).types
    errors, values = {}, {}
    for name, text in sent.items():
        if number is None or text != before[name]:
            try:
                values[name] = parsed(text, types[name], name)
            except SfumatoError as error:
                errors[name] = str(error)
    if not errors and number is None:
        draft.do({"do": "add-row", "row": draft.next_row(version), "values": values}, version)
    elif not errors:
        for name, value in values.items():
            draft.do({"do": "set", "column": name, "row": number, "value": value}, version)
    return errors
