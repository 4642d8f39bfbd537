"""Choose between two answers to the same question; the revision keeps both, who chose, and why."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.accounts.models import Event
from sfumato.web.studies.design.words import tidy
from sfumato.web.studies.entry.saving import EntryRefused, locked_entry, save
from sfumato.web.studies.forms.answers import Answers, Stored
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Conflict, Entry, Revision

__all__ = ["ReasonWanted", "keep_stored", "require_choice", "resolve", "stored_answer"]


class ReasonWanted(ParameterError):
    """Somebody chose nothing, or did not say why."""


def require_choice(choice: str, offered: tuple[str, str], reason: str) -> str:
    """The reason as it is kept; `ReasonWanted` if it is empty or neither of the two was chosen."""
    if choice not in offered:
        raise ReasonWanted(_("Choose one of the two answers."))
    reason = tidy(reason, 500)
    if not reason:
        raise ReasonWanted(_("Say why you choose this answer."))
    return reason


def stored_answer(form: Form, entry: Entry, question: str, episode: str) -> Stored | None:
    """The answer that an entry holds."""
    group = form.group_of(question) if question in form.by_key else None
    values = Answers.from_json(entry.answers).scope(group.key if group else "", episode)
    return (values or {}).get(question)


def resolve(conflict: Conflict, choice: str, reason: str, user: Any, form: Form) -> None:
    """End a conflict: "mine" stores the answer that waits, "theirs" keeps the stored one."""
    reason = require_choice(choice, ("mine", "theirs"), reason)
    with transaction.atomic():
        entry = locked_entry(conflict.entry)
        waiting = Conflict.objects.select_for_update().filter(pk=conflict.pk, resolved=None).first()
        if waiting is None:
            return
        if choice == "mine":
            change = {"question": waiting.question, "episode": waiting.episode, "value": waiting.value}
            before = entry.revision
            outcome = save(entry, [change], user, base=before, reason=reason, conflict_with=waiting.revision)
            if outcome.refused:
                raise EntryRefused(next(iter(outcome.refused.values())))
        else:
            place = (waiting.question, waiting.episode)
            keep_stored(entry, form, place, waiting.value, reason, user, conflict_with=waiting.revision)
        Conflict.objects.filter(
            entry=entry, question=waiting.question, episode=waiting.episode, resolved=None, by=waiting.by
        ).update(resolved=timezone.now())
        Event.record(user, "choose", f"entry {entry.id}", project=entry.study)


def keep_stored(
    entry: Entry,
    form: Form,
    place: tuple[str, str],
    declined: Stored | None,
    reason: str,
    user: Any,
    *,
    conflict_with: int | None = None,
    marks: dict[str, str] | None = None,
) -> None:
    """A revision that says that the stored answer stays and which one was declined; `marks` are kept in it."""
    question, episode = place
    stored = stored_answer(form, entry, question, episode)
    change = {"question": question, "episode": episode, "value": stored, "before": stored, "declined": declined}
    entry.revision += 1
    entry.save(update_fields=["revision"])
    Revision.objects.create(
        entry=entry,
        number=entry.revision,
        patch=[{**change, **(marks or {})}],
        by=user,
        reason=reason,
        conflict_with=conflict_with,
    )
