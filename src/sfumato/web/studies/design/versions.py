"""Publish the draft of a form as its next version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.accounts.models import Event
from sfumato.web.studies.design.impact import Change, changes_between
from sfumato.web.studies.entry.indexing import index_entries, question_rows
from sfumato.web.studies.forms.answers import Answers
from sfumato.web.studies.forms.checks import Problem, problems
from sfumato.web.studies.forms.differences import affected, every_question, with_kept_options
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import ChoiceList, FormVersion, Membership, Question, Study

__all__ = ["PublishRefused", "problems_of_draft", "publish_version"]

_AT_ONCE = 500


class PublishRefused(ParameterError):
    """A draft that cannot be published.

    problems : of the form itself.  changes : those for which stored answers are in the way.
    """

    def __init__(self, sentence: str, problems: Sequence[Problem] = (), changes: Sequence[Change] = ()) -> None:
        super().__init__(sentence)
        self.problems, self.changes = list(problems), list(changes)


def problems_of_draft(study: Study, user: Any) -> list[Problem]:
    """What must be corrected before the draft can be published: lists that are not available too."""
    live = study.form_version
    return _problems(study, Form.from_json(study.draft), None if live is None else Form.from_json(live.tree), user)


def publish_version(study: Study, user: Any) -> FormVersion:
    """Make the draft the form that is filled in: its questions get rows, and the index of answers follows.

    One transaction, in which no answer can be saved: what was saved before counts, and readers see the old form and
    its index until it ends.  Refuses with `PublishRefused`.  A draft without changes makes no new version.
    """
    with transaction.atomic():
        # no_key: an event that is recorded while an answer is saved refers to the study, and must not wait for this
        current = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        entries = list(current.entries.order_by("pk").select_for_update().values_list("pk", flat=True))
        versions = list(current.form_versions.order_by("-number"))
        forms = [Form.from_json(version.tree) for version in versions]
        draft = Form.from_json(current.draft)
        if faults := _problems(current, draft, forms[0] if forms else None, user):
            raise PublishRefused(faults[0].sentence, problems=faults)
        form = with_kept_options(draft, every_question(forms))
        if forms and form == forms[0]:
            return versions[0]
        _require_allowed(current, forms, draft)
        version = FormVersion.objects.create(
            study=current, number=versions[0].number + 1 if versions else 1, tree=form.to_json(), by=user
        )
        _keep_questions(current, form)
        Event.record(user, "publish form", f"form version {version.number}", project=current)
        if forms:
            _index(current, entries, forms[0], form)
    study.refresh_from_db()
    return version


def _problems(study: Study, draft: Form, live: Form | None, user: Any) -> list[Problem]:
    """Problems of a draft, which may use shared lists and those of its administrators.

    A rehearsal may use what the study may use of which it is a copy.
    """
    studies = [study.pk] if study.rehearsal_of_id is None else [study.pk, study.rehearsal_of_id]
    administrators = Membership.objects.filter(study__in=studies, role="administrator", ended=None).values("user")
    available = ChoiceList.objects.filter(Q(shared=True) | Q(owner__in=administrators) | Q(owner=user))
    lists = set(map(str, available.values_list("id", flat=True)))
    if live is not None:  # a list that is no longer shared is still used
        lists |= {question.choice_list for question, _group in live.walk()}
    return problems(draft, lists)


def _require_allowed(study: Study, forms: list[Form], draft: Form) -> None:
    changes = changes_between(study, forms, draft) if forms else []
    if refused := [change for change in changes if not change.allowed]:
        sentence = _("%(question)s: %(sentence)s") % {"question": refused[0].text, "sentence": refused[0].sentence}
        raise PublishRefused(sentence, changes=refused)


def _keep_questions(study: Study, form: Form) -> None:
    """A row for each question; those that the form no longer has are retired."""
    now, known = timezone.now(), {row.key: row for row in study.questions.all()}
    rows = {
        question.key: known.get(question.key) or Question(study=study, key=question.key) for question, _ in form.walk()
    }
    for question, group in form.walk():
        row = rows[question.key]
        row.type, row.privacy, row.retired = question.type, question.privacy, None
        row.group = group.key if group else ""
    gone = [row for key, row in known.items() if key not in rows and row.retired is None]
    for row in gone:
        row.retired = now
    Question.objects.bulk_create([row for row in rows.values() if row.pk is None], batch_size=500)
    changed = [row for row in (*rows.values(), *gone) if row.key in known]
    Question.objects.bulk_update(changed, ["type", "group", "privacy", "retired"], batch_size=500)


def _index(study: Study, entries: list[Any], before: Form, after: Form) -> None:
    """Make the index anew for the entries whose answers are read, asked or calculated differently."""
    keys = affected(before, after) | _differently_required(before, after)
    if not keys:
        return
    definitions = [form.question(key) for form in (before, after) for key in keys if key in form.by_key]
    everywhere = any(question.required or question.type == "calculated" for question in definitions)
    rows = question_rows(study)
    only = None if any(_change_episodes(form, keys) for form in (before, after)) else keys
    for start in range(0, len(entries), _AT_ONCE):
        part = study.entries.filter(pk__in=entries[start : start + _AT_ONCE])
        index_entries([entry for entry in part if everywhere or keys & _answered(entry.answers)], after, rows, only)


def _change_episodes(form: Form, keys: set[str]) -> bool:
    """Whether questions are a group, or the start or the end of its episodes."""
    groups = [question for question in form.questions if question.type == "group"]
    return any(keys & {group.key, group.starts, group.ends} for group in groups)


def _differently_required(before: Form, after: Form) -> set[str]:
    required = [{question.key for question, _group in form.walk() if question.required} for form in (before, after)]
    return required[0] ^ required[1]


def _answered(content: dict[str, Any]) -> set[str]:
    """The keys of questions and groups of which an entry has answers."""
    answers = Answers.from_json(content)
    inner = {key for rows in answers.episodes.values() for _episode, values in rows for key in values}
    return {*answers.values, *answers.episodes, *inner}
