"""What publishing a draft would do to the answers that are stored, change by change.

Simple editing adds, removes and changes questions or their branching; structural editing changes their order or type.
Nothing that is stored is rewritten.  A change is refused if stored answers could no longer be read as they were meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sfumato.web.studies.design.consequences import (
    Part,
    counted,
    of_branching,
    of_formula,
    of_most,
    of_options,
    of_place,
    of_range,
    of_type,
)
from sfumato.web.studies.design.counting import Tally, tally
from sfumato.web.studies.forms.differences import every_question, moved, with_kept_options
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.models import Study

__all__ = ["Change", "all_questions", "changes_between", "impact"]


@dataclass(frozen=True)
class Change:
    """A change of a question and what it does.

    kind : added, returned, removed, text, order, type, place, branching, formula, options, range, or other.  answers :
    how many stored answers it touches.  allowed : whether it can be published.  structural : a change of order, place
    or type.  text : the question, as it is shown.
    """

    key: str
    kind: str
    sentence: str
    answers: int = 0
    allowed: bool = True
    text: str = ""

    @property
    def structural(self) -> bool:
        """Whether this is structural editing."""
        return self.kind in ("order", "place", "type")


def impact(study: Study) -> list[Change]:
    """The changes from the form in use to the draft, in the order of the draft; empty before the first version."""
    forms = _versions(study)
    if not forms:
        return []
    return changes_between(study, forms, Form.from_json(study.draft))


def all_questions(study: Study) -> Form:
    """One form with every question that a study ever asked, retired ones too: each as it was last defined."""
    return every_question(_versions(study))


def changes_between(study: Study, forms: list[Form], draft: Form) -> list[Change]:
    """The changes from the newest of the published forms to a draft."""
    live, known = forms[0], every_question(forms)
    after = with_kept_options(draft, known)
    counts = tally(study, live, known, after)
    language = after.languages[0]
    places = set(moved(live, after))
    changes: list[Change] = []
    for question, _group in after.walk():
        text = question.text(language)
        for kind, sentence, answers, allowed in _of_question(question, live, known, after, counts, places):
            changes.append(Change(question.key, kind, sentence, answers, allowed, text))
    for question, _group in live.walk():
        if question.key not in after.by_key:
            number = counts.stored[question.key]
            sentence = counted(
                number,
                _("No longer asked."),
                lambda: ngettext(
                    "No longer asked. %(count)d answer stays and can be exported.",
                    "No longer asked. %(count)d answers stay and can be exported.",
                    number,  # noqa: B023
                ),
            )
            changes.append(Change(question.key, "removed", sentence, number, True, question.text(language)))
    if live.languages != after.languages:
        changes.append(Change("", "other", _("The languages of the form change.")))
    return changes


def _of_question(
    question: Question, live: Form, known: Form, after: Form, counts: Tally, places: set[str]
) -> Iterator[Part]:
    key = question.key
    if key not in known.by_key:
        yield "added", _("New question."), 0, True
        return
    before, stored = known.question(key), counts.stored[key]
    if key not in live.by_key:
        yield "returned", _("Asked again."), stored, True
    if _group_of(known, key) != _group_of(after, key):
        yield of_place(stored)
    if (before.type, before.choice_list) != (question.type, question.choice_list):
        yield of_type(before, question, stored, counts.unreadable[key])
    if before.texts != question.texts or before.hints != question.hints:
        yield "text", _("Its text changes. Answers are kept under a permanent key."), stored, True
    if key in places:
        yield "order", _("Its place in the order changes."), 0, True
    if before.when != question.when or counts.hidden[key] or counts.shown[key]:
        yield of_branching(counts.hidden[key], counts.shown[key])
    if before.formula != question.formula or counts.recalculated[key]:
        yield of_formula(counts.recalculated[key])
    if before.choices != question.choices and question.type in ("one", "many"):
        yield from of_options(before, question, counts)
    if (before.low, before.high) != (question.low, question.high):
        yield of_range(counts.outside[key])
    if before.most != question.most:
        yield of_most(counts.crowded[key])
    names = ("required", "unit", "starts", "ends", "privacy")
    if any(getattr(before, name) != getattr(question, name) for name in names):
        yield "other", _("Its settings change: required, unit, privacy role, start or end of an episode."), 0, True


def _group_of(form: Form, key: str) -> str:
    group = form.group_of(key)
    return group.key if group else ""


def _versions(study: Study) -> list[Form]:
    """The published forms of a study, newest first."""
    return [Form.from_json(tree) for tree in study.form_versions.order_by("-number").values_list("tree", flat=True)]
