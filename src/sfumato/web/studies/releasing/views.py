"""The page on which answers are sent to the workbench, what was sent before, and the risk meter."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from sfumato.errors import CallerError
from sfumato.web.accounts.access import study_page
from sfumato.web.studies.filtering.posted import posted_condition
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Entry, Snapshot, Study
from sfumato.web.studies.releasing.classes import classes_in
from sfumato.web.studies.releasing.content import PERSON, Content
from sfumato.web.studies.releasing.definition import Definition, columns_of
from sfumato.web.studies.releasing.meter import meter as meter_of
from sfumato.web.studies.releasing.people import people_in
from sfumato.web.studies.releasing.release_form import (
    definition_of_text,
    first_definition,
    kept_condition,
    posted,
    rows_of,
    words_of,
    words_of_condition,
)
from sfumato.web.studies.releasing.snapshots import content_now, made_of, releases_of, take_snapshot

__all__ = ["meter", "preview", "release", "send", "snapshot"]


@study_page("administrator")
def release(request: HttpRequest, study: Study) -> HttpResponse:
    """The roles of questions and what was sent before.

    Posted with a condition, the page is about the people of that filter; with a definition, the choices are those.
    """
    form = _form(study)
    definition = first_definition(study)
    if request.method == "POST" and "definition" in request.POST:
        definition = definition_of_text(request.POST["definition"], form, study)
    elif request.method == "POST":
        condition = kept_condition(posted_condition(request.POST, form))
        definition = Definition(**{**definition.to_json(), "condition": condition})
    return _page(request, study, form, definition)


@study_page("administrator")
@require_POST
def preview(request: HttpRequest, study: Study) -> HttpResponse:
    """What would be sent: people, columns, items, what is left out, and who is unique."""
    form, definition = _form(study), first_definition(study)
    try:
        definition = posted(study, request.user, form, request.POST)
        content = content_now(study, definition)
    except CallerError as refusal:
        return _page(request, study, form, definition, error=str(refusal), status=422)
    context = {
        "content": content,
        "people": len(content.people),
        "columns": _columns(content),
        "counts": columns_of(content.parts),
        "left_out": [row for row in rows_of(form, definition, study) if row.part.left_out],
        "free": [part.name for part in content.parts if not part.left_out and part.question.type == "string"],
        "sentence": words_of_condition(form, definition),
        "definition": json.dumps(definition.to_json()),
        "risk": _risk(content),
        "drafts": definition.drafts,
    }
    return render(request, "releasing/preview.html", context)


@study_page("administrator")
@require_POST
def send(request: HttpRequest, study: Study) -> HttpResponse:
    """Send the answers of this moment to the workbench, and go on there."""
    definition = definition_of_text(request.POST.get("definition", ""), _form(study), study)
    taken = take_snapshot(study, request.user, definition)
    messages.success(
        request,
        _("The answers of %(count)s people are here now. Anonymize them next.") % {"count": taken.people},
    )
    return redirect("project", study.project.id)


@study_page("administrator")
@require_GET
def snapshot(request: HttpRequest, study: Study, snapshot_id: Any) -> HttpResponse:
    """A snapshot: what was in it, who withdrew since, and its releases."""
    chosen = get_object_or_404(Snapshot.objects.select_related("version__dataset", "by"), study=study, id=snapshot_id)
    form, definition = _form(study), Definition.from_json(chosen.definition)
    context = {
        "snapshot": chosen,
        "releases": releases_of(chosen),
        "sentence": words_of_condition(form, definition),
        "columns": [] if chosen.version is None else _kept_columns(chosen.version.reading, chosen.version.profile),
    }
    return render(request, "releasing/snapshot.html", context)


@study_page("inspector")
@require_GET
def meter(request: HttpRequest, study: Study) -> HttpResponse:
    """The risk meter of the draft, as a part of other pages or on its own."""
    template = "releasing/meter_part.html" if request.htmx else "releasing/meter_page.html"
    return render(request, template, {"meter": meter_of(study, language=get_language() or "en")})


def _form(study: Study) -> Form:
    version = study.form_version
    return Form() if version is None else Form.from_json(version.tree)


def _page(
    request: HttpRequest, study: Study, form: Form, definition: Definition, *, error: str = "", status: int = 200
) -> HttpResponse:
    made = made_of(study)
    context = {
        "rows": rows_of(form, definition, study) if form.questions else [],
        "definition": definition,
        "condition": json.dumps(dict(definition.condition)) if definition.condition else "",
        "sentence": words_of_condition(form, definition),
        "complete": people_in(study).count(),
        "drafted": people_in(study, drafts=True).count(),
        "saved": study.views.filter(owner=request.user, chart={}).exclude(condition={}),
        "made": made,
        "published": [release for row in made for release in row.releases if release.published],
        "withdrawn": Entry.objects.filter(study=study, double_of=None).exclude(withdrawn=None).select_related("centre"),
        "error": error,
    }
    return render(request, "releasing/release.html", context, status=status)


def _columns(content: Content) -> list[dict[str, Any]]:
    """The columns with their role, the number of different values, and how many people have none."""
    names = {part.name: part for part in content.parts if part.in_table}
    return [
        {
            "name": column.name,
            "role": words_of("known" if names[column.name].is_known else names[column.name].role),
            "values": column.drop_nulls().n_unique(),
            "missing": column.null_count(),
            "tree": column.name in content.trees or column.dtype == pl.Date,
        }
        for column in content.frame.iter_columns()
        if column.name in names
    ]


def _kept_columns(reading: dict[str, Any], profile: dict[str, Any]) -> list[dict[str, Any]]:
    roles = dict.fromkeys(reading.get("quasi_identifiers", ()), "known")
    roles |= dict.fromkeys(reading.get("sensitive", ()), "sensitive") | {reading.get("items", ""): "items"}
    return [
        {"name": column["column"], "role": words_of(roles.get(column["column"], "plain"))}
        for column in profile.get("columns", ())
        if column["column"] != PERSON
    ]


def _risk(content: Content) -> dict[str, int] | None:
    """How many people are unique by what others may know."""
    known = content.reading.get("quasi_identifiers", ())
    if not known:
        return None
    sizes = classes_in(content.frame.select(known))
    return {"unique": int((sizes == 1).sum()), "smallest": int(sizes.min()), "known": len(known)}
