"""The options of questions: of the form, or of a list of the database."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from sfumato.web.studies.forms.answers import Stored
from sfumato.web.studies.forms.tree import Choice, Form, Question
from sfumato.web.studies.models import ChoiceList, Option

__all__ = ["choices_of_answers", "choices_of_form", "choices_of_list", "choices_of_questions"]


def choices_of_list(list_id: object) -> tuple[Choice, ...]:
    """The options of a list, also retired ones."""
    return tuple(map(_choice, Option.objects.filter(choice_list_id=list_id)))


def choices_of_form(form: Form) -> dict[str, tuple[Choice, ...]]:
    """The options of each question that has some, by its key; two queries for all lists together."""
    return choices_of_questions(question for question, _group in form.walk())


def choices_of_questions(questions: Iterable[Question]) -> dict[str, tuple[Choice, ...]]:
    """The options of these questions, by the key of the question."""
    chosen = [question for question in questions if question.type in ("one", "many", "list")]
    return _choices(chosen, Q())


def choices_of_answers(answers: Iterable[tuple[Question, Stored | None]]) -> dict[str, tuple[Choice, ...]]:
    """The options that answers can be checked with: of a list only those that an answer names."""
    pairs = [(question, typed) for question, typed in answers if question.type in ("one", "many", "list")]
    named = {key for _question, typed in pairs for key in ([typed] if isinstance(typed, str) else typed or ())}
    return _choices([question for question, _typed in pairs], Q(key__in=named))


def _choices(questions: list[Question], restriction: Q) -> dict[str, tuple[Choice, ...]]:
    lists = {question.choice_list for question in questions if question.choice_list}
    known = set(map(str, ChoiceList.objects.filter(id__in=lists).values_list("id", flat=True))) if lists else set()
    options: dict[str, list[Choice]] = {name: [] for name in known}
    if known:
        rows = Option.objects.filter(restriction, choice_list_id__in=known)
        for row in rows.order_by("choice_list_id", "position", "id"):
            options[str(row.choice_list_id)].append(_choice(row))
    return {
        question.key: question.choices if not question.choice_list else tuple(options.get(question.choice_list, ()))
        for question in questions
    }


def _choice(row: Option) -> Choice:
    return Choice(row.key, row.texts, tuple(row.ancestors), row.retired is not None)
