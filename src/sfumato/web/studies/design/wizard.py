"""The steps from a new study to its first version: each is a page, and the next one follows from what is there."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from sfumato.web.accounts.access import study_page
from sfumato.web.accounts.models import Event
from sfumato.web.studies.design.words import tidy
from sfumato.web.studies.form_templates.using import available
from sfumato.web.studies.forms.tree import TYPES
from sfumato.web.studies.models import Study

__all__ = ["STEPS", "Step", "centres", "start", "strip_of", "templates"]

_MOST_CENTRES = 500
_FEW = 8  # questions that tell what a template is

# step: its title, and the name of its page
STEPS = {
    "name": (gettext_noop("Name and languages"), "study-design-settings"),
    "template": (gettext_noop("Template"), "study-design-template"),
    "questions": (gettext_noop("Questions"), "study-design"),
    "branching": (gettext_noop("Branching"), "study-design-branching"),
    "people": (gettext_noop("Centres and people"), "study-design-people"),
    "publish": (gettext_noop("Publish"), "study-design-changes"),
}


@dataclass(frozen=True)
class Step:
    """A step: whether it is done, and whether its page is shown now."""

    name: str
    title: str
    url: str
    done: bool
    here: bool


def strip_of(study: Study, here: str) -> list[Step]:
    """The steps of a study whose form was never published; none afterwards."""
    if study.form_version is not None:
        return []
    done = _done(study)
    return [
        Step(name, _(title), reverse(page, args=[study.id]), name in done, name == here)
        for name, (title, page) in STEPS.items()
    ]


@study_page("inspector")
def start(request: HttpRequest, study: Study) -> HttpResponse:  # noqa: ARG001
    """Go on with the first step that is not done; branching is no must."""
    done = _done(study) | {"branching"}
    step = next((name for name in STEPS if name not in done), "publish")
    return redirect(STEPS[step][1], study.id)


@study_page("inspector")
def templates(request: HttpRequest, study: Study) -> HttpResponse:
    """Begin with a template, or without one."""
    rows = [
        {"id": row.id, "name": row.name, "texts": row.texts[:_FEW], "more": len(row.texts) > _FEW}
        for row in available(request.user)
    ]
    context = {"strip": strip_of(study, "template"), "rows": rows, "base": study.draft_revision}
    return render(request, "design/templates.html", context)


@study_page("inspector")
def centres(request: HttpRequest, study: Study) -> HttpResponse:
    """The centres of the study, added by name; people are invited on their own page."""
    if request.method == "POST":
        lines = [tidy(line, 200) for line in request.POST.get("centres", "").splitlines()]
        known = set(study.centres.values_list("name", flat=True))
        fresh = [line for line in dict.fromkeys(lines) if line and line not in known]
        for name in fresh[: max(_MOST_CENTRES - len(known), 0)]:
            row = study.centres.create(name=name)
            Event.record(request.user, "create", f"centre {row.id}", project=study)
        if not fresh:
            messages.info(request, _("No new centre was typed."))
        return redirect("study-design-people", study.id)
    context = {"strip": strip_of(study, "people"), "centres": study.centres.filter(closed=None)}
    return render(request, "design/centres.html", context)


def _done(study: Study) -> set[str]:
    outer = study.draft.get("questions", ())  # read as JSON: a form of thousands of questions is not built for this
    rows = [question for row in outer for question in (row, *row.get("questions", ()))]
    facts = {
        "name": study.draft_revision > 0 or bool(rows),
        "template": bool(rows),
        "questions": any(TYPES[question["type"]] for question in rows),
        "branching": any(question.get("when") for question in rows),
        "people": study.centres.exists(),
        "publish": study.form_version is not None,
    }
    return {name for name, is_done in facts.items() if is_done}
