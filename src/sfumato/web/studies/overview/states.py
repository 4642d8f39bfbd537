"""The states of a study: design, open, paused, closed; and which may follow which."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from sfumato.web.accounts.models import Event
from sfumato.web.studies.models import Study

__all__ = ["FOLLOWING", "change_state"]

FOLLOWING = {
    Study.DESIGN: (Study.OPEN,),
    Study.OPEN: (Study.PAUSED, Study.CLOSED),
    Study.PAUSED: (Study.OPEN, Study.CLOSED),
    Study.CLOSED: (Study.OPEN,),
}
_VERBS = {Study.OPEN: "open", Study.PAUSED: "pause", Study.CLOSED: "close"}


def change_state(study: Study, state: str, user: Any) -> str:
    """Bring a study into another state; a sentence if that is refused, or ""."""
    with transaction.atomic():
        current = Study.objects.select_for_update().get(pk=study.pk)
        if state not in FOLLOWING[current.state]:
            return _("Somebody changed the state of the study meanwhile. Look at it again.")
        if state == Study.OPEN and current.form_version is None:
            return _("There is no form to fill in yet. Design it and publish a version of it first.")
        current.state = study.state = state
        current.save(update_fields=["state"])
        Event.record(user, _VERBS[state], f"study {study.id}", project=study)
    return ""
