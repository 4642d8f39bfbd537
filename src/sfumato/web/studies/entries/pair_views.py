"""Double entry for administrators: pairs of entries, and where the two of a pair differ."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.views.decorators.http import require_GET, require_http_methods

from sfumato.web.accounts.access import study_page
from sfumato.web.studies.entries.choosing import ReasonWanted
from sfumato.web.studies.entries.comparing import Disagreement, choose, disagreements, typed_by
from sfumato.web.studies.entries.history import Texts
from sfumato.web.studies.entry.current_form import current_form
from sfumato.web.studies.entry.saving import EntryRefused
from sfumato.web.studies.forms.answers import Answers
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Entry, Study

__all__ = ["pair", "pairs"]

_AT_ONCE = 20


@study_page("inspector")
@require_GET
def pairs(request: HttpRequest, study: Study) -> HttpResponse:
    """Pairs of entries with the number of answers in which they differ, and entries that wait for a second one."""
    _version, form = current_form(study) or (None, Form())
    firsts = Entry.visible_in(study, request.user, request.study_role).filter(double_of=None)
    firsts = firsts.select_related("author", "centre").prefetch_related("doubles__author").order_by("-created")
    page = Paginator(firsts, _AT_ONCE).get_page(request.GET.get("page"))
    rows = []
    for first in page:
        second = next((row for row in first.doubles.all() if row.deleted is None), None)
        differing = [] if second is None else disagreements(form, first, second)
        rows.append({"first": first, "second": second, "left": sum(row.settled is None for row in differing)})
    return render(request, "entries/pairs.html", {"page": page, "rows": rows, "rest": ""})


@study_page("inspector")
@require_http_methods(["GET", "POST"])
def pair(request: HttpRequest, study: Study, entry_id: Any) -> HttpResponse:
    """Where the second entry differs from the first, who typed what and when; one answer is chosen with a reason."""
    visible = Entry.visible_in(study, request.user, request.study_role)
    first = get_object_or_404(visible.filter(double_of=None).select_related("author"), pk=entry_id)
    second = first.doubles.filter(deleted=None).select_related("author").first()
    _version, form = current_form(study) or (None, Form())
    name, sentence = "", ""
    if request.method == "POST" and second is not None:
        name = request.POST.get("name", "")
        try:
            choose(
                form, first, second, name, request.POST.get("choice", ""), request.POST.get("reason", ""), request.user
            )
            return redirect("study-entries-pair", study.id, first.id)
        except (ReasonWanted, EntryRefused) as refused:
            sentence = str(refused)
    differing = [] if second is None else disagreements(form, first, second)
    page = Paginator(differing, _AT_ONCE).get_page(request.GET.get("page"))
    rows = [] if second is None else _rows(form, first, second, list(page))
    for row in rows:
        row["error"] = sentence if row["row"].name == name else ""
    above = "" if any(row["error"] for row in rows) else sentence
    context = {"first": first, "second": second, "rows": rows, "reason": request.POST.get("reason", "")}
    context |= {"page": page, "rest": "", "sentence": above, "left": sum(row.settled is None for row in differing)}
    return render(request, "entries/pair.html", context, status=422 if sentence else 200)


def _rows(form: Form, first: Entry, second: Entry, differing: list[Disagreement]) -> list[dict[str, Any]]:
    texts = Texts(form, get_language() or "en")
    sides = [_Side(form, entry) for entry in (first, second)]
    texts.learn([(row.question, value) for row in differing if row.question for value in (row.first, row.second)])
    texts.learn([pair for row in differing for side in sides for pair in side.values(row).items()])
    return [
        {
            "row": row,
            "label": texts.label(row.question or row.group),
            "group": texts.label(row.group) if row.question and row.group else "",
            "first": _shown(texts, sides[0], row, row.first),
            "second": _shown(texts, sides[1], row, row.second),
            "first_by": sides[0].who(row),
            "second_by": sides[1].who(row),
        }
        for row in differing
    ]


def _shown(texts: Texts, side: _Side, row: Disagreement, value: Any) -> list[str]:
    """Lines about an answer, or about all answers of an episode."""
    if row.question:
        return [texts.value(row.question, value)]
    return [f"{texts.label(key)}: {texts.value(key, stored)}" for key, stored in side.values(row).items()]


class _Side:
    """One of the two entries: the answers of its episodes, and who typed them."""

    def __init__(self, form: Form, entry: Entry) -> None:
        self.form, self.second = form, entry.double_of_id is not None
        self.answers, self.people = Answers.from_json(entry.answers), typed_by(entry)

    def values(self, row: Disagreement) -> dict[str, Any]:
        """The answers of an episode that only one of the two has."""
        episode = row.second_episode if self.second else row.episode
        values = None if row.question or not episode else self.answers.scope(row.group, episode)
        asked = self.form.question(row.group).questions if values else ()
        return {question.key: values[question.key] for question in asked if values and question.key in values}

    def who(self, row: Disagreement) -> tuple[str, Any]:
        """Who typed it, and when."""
        place = (row.question or row.group, row.second_episode if self.second else row.episode)
        return self.people.get(place, ("", None))
