"""Finish an entry: refused while a required question that is asked has no answer, or an answer waits for a choice."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from sfumato.web.accounts.models import Event
from sfumato.web.studies.entry.current_form import current_form
from sfumato.web.studies.entry.saving import EntryRefused, locked_entry
from sfumato.web.studies.forms.answers import Answers
from sfumato.web.studies.forms.branching import asked
from sfumato.web.studies.forms.calculating import with_calculated
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Entry

__all__ = ["finish", "unanswered"]


def unanswered(form: Form, answers: Answers, entered: Any = None) -> list[tuple[str, str]]:
    """Required questions that are asked and have no answer, with their episode, in the order of the form."""
    answers = with_calculated(form, answers, entered)
    places = asked(form, answers)
    missing = []
    for question, group in form.walk():
        if not question.required or not question.is_answered or question.type == "calculated":
            continue
        rows = answers.episodes.get(group.key, []) if group else [("", answers.values)]
        missing += [
            (question.key, key) for key, values in rows if question.key not in values and (question.key, key) in places
        ]
    return missing


def finish(entry: Entry, user: Any) -> list[tuple[str, str]]:
    """Mark an entry as finished, or return the required questions that have no answer."""
    with transaction.atomic():
        current = locked_entry(entry)
        _version, form = current_form(current.study) or (None, Form())
        missing = unanswered(form, Answers.from_json(current.answers), localdate(current.created))
        if missing:
            return missing
        if current.conflicts.filter(resolved=None).exists():
            raise EntryRefused(_("An answer of this entry waits for a choice. Choose first, then finish the entry."))
        if current.complete is None:
            current.complete = timezone.now()
            current.save(update_fields=["complete"])
            Event.record(user, "finish", f"entry {current.id}", project=current.study)
        entry.complete = current.complete
    return []
