"""Rehearsals: a copy of a study that holds made-up answers only, in which everything can be tried."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.accounts.housekeeping import delete_project
from sfumato.web.accounts.models import Event
from sfumato.web.studies.design.versions import publish_version
from sfumato.web.studies.entry.indexing import index_entries, question_rows
from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Centre, Entry, Membership, Study
from sfumato.web.studies.releasing.rehearsing import synthetic_answers

__all__ = ["MOST_PEOPLE", "rehearsal_of", "rehearse", "remove_rehearsal"]

MOST_PEOPLE = 1_000
_MOST_ANSWERS = 200_000
_AT_ONCE = 200


def rehearsal_of(study: Study, user: Any) -> Study | None:
    """The rehearsal of a study that this person made."""
    return study.rehearsals.filter(deleted=None, memberships__user=user).first()


def rehearse(study: Study, user: Any, count: int, *, seed: int = 1) -> Study:
    """A new rehearsal of a study in place of the one before: the draft of its form, filled in by made-up persons."""
    form = Form.from_json(study.draft)
    questions = sum(question.is_answered for question, _group in form.walk())
    if not questions:
        raise ParameterError(_("rehearsal: wanted at least one question in the form, found none"))
    most = min(MOST_PEOPLE, _MOST_ANSWERS // questions)
    if not 1 <= count <= most:
        raise ParameterError(
            _("rehearsal: wanted 1 to %(most)s made-up patients, found %(count)s") % {"most": most, "count": count}
        )
    with transaction.atomic():
        earlier = rehearsal_of(study, user)
        if earlier is not None:
            remove_rehearsal(earlier, user)
        copy = Study.objects.create(
            name=_("%(study)s (rehearsal)") % {"study": study.name[:180]},
            state=Study.OPEN,
            languages=study.languages,
            target=study.target,
            draft=study.draft,
            example="rehearsal",
            rehearsal_of=study,
        )
        Membership.objects.create(study=copy, user=user, role="administrator", grants=list(Membership.GRANTS))
        names = list(study.centres.values_list("name", flat=True)[:5]) or [_("Centre A"), _("Centre B")]
        centres = [Centre.objects.create(study=copy, name=name) for name in names]
        publish_version(copy, user)
        _fill(copy, user, form, centres, count, seed)
        Event.record(user, "rehearse", f"study {copy.id}", project=study)
    return copy


def remove_rehearsal(rehearsal: Study, user: Any) -> None:
    """Remove a rehearsal with its made-up answers; what was tried with them in the workbench is deleted, too."""
    if rehearsal.rehearsal_of is None:
        raise ParameterError(_("rehearsal: wanted a rehearsal, found a study with answers of people"))
    with transaction.atomic():
        Event.record(user, "remove rehearsal", f"study {rehearsal.id}", project=rehearsal.rehearsal_of)
        if rehearsal.project is not None and rehearsal.project.deleted is None:
            delete_project(rehearsal.project, user)
        rehearsal.entries.all().delete()
        Study.objects.filter(pk=rehearsal.pk).delete()


def _fill(study: Study, user: Any, form: Form, centres: list[Centre], count: int, seed: int) -> None:
    version, now = study.form_version, timezone.now()
    people = synthetic_answers(form, choices_of_form(form), count, seed)
    entries = [
        Entry(
            study=study,
            number=number,
            author=user,
            centre=centres[number % len(centres)],
            form_version=version,
            answers=answers.to_json(),
            complete=now,
            client_key=f"rehearsal-{number}",
        )
        for number, answers in enumerate(people, start=1)
    ]
    Entry.objects.bulk_create(entries, batch_size=_AT_ONCE)
    rows = question_rows(study)
    for start in range(0, count, _AT_ONCE):
        index_entries(entries[start : start + _AT_ONCE], form, rows)
