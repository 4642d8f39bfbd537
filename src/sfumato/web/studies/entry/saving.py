"""Save changes of an entry: one transaction, one revision, never over a change that the writer has not seen.

`sfumato.web.studies.entry.changes` says what a change is.  The entry is locked first and the form is read after that,
so a form that is published meanwhile is the one by which the answers are indexed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.studies.entry.changes import answer_to_store, apply, place_of
from sfumato.web.studies.entry.current_form import current_form
from sfumato.web.studies.entry.indexing import missing_at_first, update_index
from sfumato.web.studies.entry.options import choices_of_answers
from sfumato.web.studies.forms.answers import Answers, Stored
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.forms.values import AnswerRefused
from sfumato.web.studies.models import Conflict, Entry, Revision, Study

__all__ = ["EntryRefused", "Saved", "locked_entry", "new_entry", "save"]


class EntryRefused(ParameterError):
    """Nothing of an entry can be saved now; the sentence says why."""


@dataclass
class Saved:
    """What came of a save.

    revision : the number after it.  refused : sentences by (question, episode); nothing of these was stored.
    conflicts : changes whose answer somebody else changed meanwhile, with "theirs" and the "revision" of it; they wait
    as `Conflict` until somebody chooses.  changed : answers that others changed since the writer looked.  calculated :
    calculated answers that this save changed.
    """

    revision: int
    refused: dict[tuple[str, str], str] = field(default_factory=dict)
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    changed: dict[tuple[str, str], Stored | None] = field(default_factory=dict)
    calculated: dict[tuple[str, str], Stored | None] = field(default_factory=dict)


def new_entry(study: Study, user: Any, *, client_key: str, centre: Any = None, double_of: Entry | None = None) -> Entry:
    """A new, empty entry; the one that this browser made before, if it sends the same key again."""
    with transaction.atomic():
        locked = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        known = Entry.objects.filter(study=study, client_key=client_key, author=user).first()
        if known is not None:
            return known
        _require_open(locked)
        version = current_form(study)
        if version is None:
            raise EntryRefused(_("This study has no form yet."))
        last = Entry.objects.filter(study=study, author=user).aggregate(last=Max("number"))["last"] or 0
        entry = Entry(
            study=study,
            author=user,
            centre=centre,
            form_version=version[0],
            client_key=client_key,
            number=last + 1,
            double_of=double_of,
        )
        entry.missing = missing_at_first(version[1], entry)
        entry.save(force_insert=True)
        return entry


def locked_entry(entry: Entry) -> Entry:
    """The entry as it is now, locked until the transaction ends; refused unless its answers may change."""
    current = Entry.objects.select_for_update(no_key=True).filter(pk=entry.pk, deleted=None).first()
    if current is None:
        raise EntryRefused(_("This entry was deleted."))
    _require_open(current.study)
    return current


def _require_open(study: Study) -> None:
    if study.deleted is not None or study.state == Study.CLOSED:
        raise EntryRefused(_("This study is closed. It takes no more answers."))
    if study.state == Study.PAUSED:
        raise EntryRefused(_("This study is paused. It takes no answers until it goes on."))
    if study.state != Study.OPEN:
        raise EntryRefused(_("This study is not open for entry yet."))


def save(
    entry: Entry,
    changes: list[dict[str, Any]],
    user: Any,
    *,
    base: int,
    reason: str = "",
    conflict_with: int | None = None,
    marks: dict[str, str] | None = None,
) -> Saved:
    """Store changes that were made to the answers as they were at revision `base`, or at the base of each change.

    What is valid and in no conflict is stored; the rest is reported.  Changes that were stored before change nothing.
    marks : kept with each change in the revision.
    """
    with transaction.atomic():
        current = locked_entry(entry)
        version, form = current_form(current.study) or (None, Form())
        before, answers = (Answers.from_json(current.answers) for _ in range(2))
        work = _Work(current, form, user, min((change.get("base", base) for change in changes), default=base))
        outcome, patch = Saved(current.revision), []
        known = [(form.question(change["question"]), change.get("value")) for change in changes if _known(form, change)]
        choices = choices_of_answers(known)
        for change in changes:
            try:
                applied = work.apply(answers, change, choices, change.get("base", base), outcome)
            except AnswerRefused as refusal:
                outcome.refused[place_of(change)] = str(refusal)
                continue
            if applied is not None:
                patch.append({**applied, **(marks or {})})
        outcome.changed = work.changed_by_others(changes)
        if patch:
            current.form_version = version
            _store(current, answers, patch, user, reason, conflict_with)
            outcome.calculated = update_index(current, form, before, answers, _places(form, patch))
            outcome.revision = current.revision
        return outcome


def _known(form: Form, change: dict[str, Any]) -> bool:
    return change.get("question", "") in form.by_key


def _places(form: Form, patch: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """The places at which answers changed; those of an episode that came or went are all of it."""
    places = set()
    for change in patch:
        if "question" in change:
            places.add(place_of(change))
        else:
            inner = form.question(change["group"]).questions
            places |= {(question.key, change["episode"]) for question in inner}
    return places


def _store(
    entry: Entry, answers: Answers, patch: list[dict[str, Any]], user: Any, reason: str, conflict_with: int | None
) -> None:
    entry.answers = answers.to_json()
    entry.revision += 1
    entry.changed = timezone.now()
    entry.save(update_fields=["answers", "revision", "changed", "form_version"])
    Revision.objects.create(
        entry=entry, number=entry.revision, patch=patch, by=user, reason=reason[:500], conflict_with=conflict_with
    )


class _Work:
    """A save that is under way: the entry, its form, and what changed after the writer looked."""

    def __init__(self, entry: Entry, form: Form, user: Any, base: int) -> None:
        self.entry, self.form, self.user = entry, form, user
        self.meanwhile: dict[tuple[str, str], dict[str, Any]] = {}
        for revision in entry.revisions.filter(number__gt=base).order_by("number"):
            for change in revision.patch:
                self.meanwhile[place_of(change)] = {**change, "revision": revision.number}

    def apply(
        self, answers: Answers, change: dict[str, Any], choices: Any, base: int, outcome: Saved
    ) -> dict[str, Any] | None:
        """The applied change; None if it changes nothing, or was reported as a conflict."""
        theirs = self.meanwhile.get(place_of(change))
        unseen = theirs is not None and theirs["revision"] > base
        if "do" in change:
            if change["do"] == "retire":
                self._require_seen(change, base)
            elif change["do"] == "add" and unseen:
                return None  # it was added before, and perhaps retired since
            return apply(self.form, answers, change, self._retired)
        stored = answer_to_store(self.form, change, choices.get(change["question"], ()))
        question = self.form.question(change["question"])
        if stored is None and question.required and self.entry.complete:
            raise AnswerRefused(_("this entry is finished, and the question needs an answer"))
        if unseen and theirs is not None and theirs.get("value") != stored:
            outcome.conflicts.append({**change, "theirs": theirs.get("value"), "revision": theirs["revision"]})
            self._keep_conflict(change, stored, theirs["revision"])
            return None
        return apply(self.form, answers, {**change, "value": stored}, self._retired)

    def changed_by_others(self, changes: list[dict[str, Any]]) -> dict[tuple[str, str], Stored | None]:
        """Answers that changed since the writer looked, besides those that the writer sends."""
        own = {place_of(change) for change in changes}
        return {
            place: change["value"]
            for place, change in self.meanwhile.items()
            if place not in own and change.get("question")
        }

    def _require_seen(self, change: dict[str, Any], base: int) -> None:
        for (_key, episode), theirs in self.meanwhile.items():
            if episode == change["episode"] and theirs["revision"] > base and theirs.get("do") != "add":
                raise AnswerRefused(_("somebody changed this meanwhile: load the page anew before you remove it"))

    def _keep_conflict(self, change: dict[str, Any], stored: Stored | None, revision: int) -> None:
        key, episode = place_of(change)
        Conflict.objects.update_or_create(
            entry=self.entry,
            question=key,
            episode=episode,
            by=self.user,
            resolved=None,
            defaults={"value": stored, "revision": revision, "at": timezone.now()},
        )

    def _retired(self, group: str, episode: str) -> dict[str, Any] | None:
        """The last change that retired an episode."""
        for revision in self.entry.revisions.order_by("-number").iterator(chunk_size=200):
            for change in revision.patch:
                if change.get("do") == "retire" and (change["group"], change["episode"]) == (group, episode):
                    return dict(change)
        return None
