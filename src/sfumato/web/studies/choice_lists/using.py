"""Where a list is used: studies, and how many of their answers hold each option."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Q, TextField
from django.db.models.functions import Cast

from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Cell, ChoiceList, FormVersion, Study

__all__ = ["Use", "studies_with", "use_of"]


@dataclass
class Use:
    """studies : those of which the user is an administrator.  others : how many more there are, for the owner only.

    answers : how many stored answers of these studies hold each option.
    """

    studies: list[Study] = field(default_factory=list)
    others: int = 0
    answers: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """All answers that hold an option of the list."""
        return self.answers.total()


def studies_with(choices: ChoiceList) -> list[Study]:
    """The studies whose draft or any version of whose form names a list, also deleted ones, which can be restored."""
    text = str(choices.id)
    published = FormVersion.objects.annotate(content=Cast("tree", TextField())).filter(content__contains=text)
    drafts = Study.objects.annotate(content=Cast("draft", TextField()))
    named = Q(content__contains=text) | Q(id__in=published.values("study"))
    return list(drafts.filter(named).order_by("name"))


def use_of(choices: ChoiceList, user: Any) -> Use:
    """Where a list is used, with answers of the studies that the user administers; the owner learns how many more."""
    every = [study for study in studies_with(choices) if study.deleted is None]
    own = set(Study.visible_to(user).filter(memberships__user=user, memberships__role="administrator"))
    use = Use([study for study in every if study in own])
    use.others = len(every) - len(use.studies) if choices.owner_id == user.pk else 0
    for study in use.studies:
        version = study.form_version
        if version is None:
            continue
        form = Form.from_json(version.tree)
        keys = [question.key for question, _group in form.walk() if question.choice_list == str(choices.id)]
        cells = Cell.objects.filter(question__study=study, question__key__in=keys, entry__deleted=None)
        use.answers.update(dict(cells.values_list("word").annotate(count=Count("id")).order_by()))
    return use
