"""Edits of a draft: saved at once, refused if somebody else edited meanwhile, and undone."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.accounts.models import Event
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import DraftEdit, Study

__all__ = ["KEPT", "DraftConflict", "edit_draft", "keep_draft", "require_base", "seen_of", "undo_edit"]

KEPT = 20  # edits that can be undone


class DraftConflict(ParameterError):
    """The draft is not the one that the page showed."""


def edit_draft(
    study: Study, user: Any, base: str, change: Callable[[Form], Form], verb: str, seen: tuple[str, str] = ("", "")
) -> Form:
    """Save what `change` returns for the draft, and return it; `study` is the study after that.

    base : the number of the draft that the page showed.  A form that is equal to the draft is not saved.  seen : a
    question that alone the change is about, and `seen_of` it as the page showed it: while it is the same, edits of
    other questions do not hinder.
    """
    with transaction.atomic():
        current = require_base(study, base, seen)
        before = Form.from_json(current.draft)
        after = change(before)
        if after != before:
            DraftEdit.objects.create(study=current, draft=current.draft, verb=verb, by=user)
            _forget_old(current)
            keep_draft(current, after.to_json())
            Event.record(user, "edit form", f"draft {current.draft_revision}: {verb}", project=current)
    study.draft, study.draft_revision = current.draft, current.draft_revision
    return after


def undo_edit(study: Study, user: Any, base: str) -> DraftEdit | None:
    """Make the questions of the draft what they were before the last edit; None if none can be undone.

    Languages belong to the settings of the study, so they stay.
    """
    with transaction.atomic():
        current = require_base(study, base)
        edit = current.draft_edits.select_related("by").first()
        if edit is not None:
            keep_draft(current, {**edit.draft, "languages": current.draft.get("languages", ["en"])})
            edit.delete()
            Event.record(user, "undo edit", "form", project=current)
    study.draft, study.draft_revision = current.draft, current.draft_revision
    return edit


def seen_of(form: Form, key: str) -> str:
    """A short text that stands for a question as it is now, with its group; "" if the form does not have it."""
    if key not in form.by_key:
        return ""
    question, group = form.by_key[key]
    content = json.dumps([question.to_json(), group.key if group else ""], sort_keys=True)
    return sha256(content.encode()).hexdigest()[:16]


def require_base(study: Study, base: str, seen: tuple[str, str] = ("", "")) -> Study:
    """The study as the database has it, locked; refused if its draft is not the one that the page showed.

    seen : as in `edit_draft`.
    """
    current = Study.objects.select_for_update().get(pk=study.pk)
    key, text = seen
    if base != str(current.draft_revision) and (not text or text != seen_of(Form.from_json(current.draft), key)):
        raise DraftConflict(
            _("The form was changed elsewhere meanwhile, so this change was not saved. This is the form as it is now.")
        )
    return current


def keep_draft(current: Study, draft: dict[str, Any]) -> None:
    """Save another draft under the next number; `current` is what `require_base` returned."""
    current.draft, current.draft_revision = draft, current.draft_revision + 1
    current.save(update_fields=["draft", "draft_revision"])


def _forget_old(current: Study) -> None:
    oldest = current.draft_edits.values_list("id", flat=True)[KEPT - 1 : KEPT].first()
    if oldest is not None:
        current.draft_edits.filter(id__lt=oldest).delete()
