"""What is exported: which questions and columns, as labels or codes, and how recurring groups are laid out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from sfumato.web.studies.design.impact import all_questions
from sfumato.web.studies.filtering.compiling import form_of
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.models import Study

__all__ = ["ABOUT", "Choosing", "Column", "about_columns", "columns_of", "exported_form"]

ABOUT = ("@entry", "@number", "@centre", "@author", "@created", "@state")


@dataclass(frozen=True)
class Choosing:
    """What a person ticked.

    labels : texts of options and questions instead of their keys.  wide : episodes as further columns of an entry,
    otherwise as a table of their own.  identifying : with questions that identify a person.  retired : with questions
    that are no longer asked.  columns : keys of questions and "@" columns; none for all of them.  whole_study : whether
    the person sees entries of others, and so their authors and centres.
    """

    language: str
    labels: bool = True
    wide: bool = False
    identifying: bool = False
    retired: bool = False
    columns: tuple[str, ...] = ()
    whole_study: bool = False


@dataclass(frozen=True)
class Column:
    """A column of a table: about the entry ("@..." keys), or a question.

    number : of the episode, for episodes as columns; 0 otherwise.
    """

    key: str
    title: str
    question: Question | None = None
    group: str = ""
    number: int = 0


def exported_form(study: Study, chosen: Choosing) -> Form:
    """The questions that are exported, groups with their questions; titles are left out."""
    form = all_questions(study) if chosen.retired else form_of(study)
    keys = {key for key in chosen.columns if not key.startswith("@")}
    questions = []
    for question in form.questions:
        if question.type == "group":
            inner = tuple(row for row in question.questions if _is_wanted(row, chosen, keys))
            if inner:
                questions.append(replace(question, questions=inner))
        elif _is_wanted(question, chosen, keys):
            questions.append(question)
    return replace(form, questions=tuple(questions))


def _is_wanted(question: Question, chosen: Choosing, keys: Collection[str]) -> bool:
    if not question.is_answered or (chosen.columns and question.key not in keys):
        return False
    return chosen.identifying or question.privacy != "identifying"


def about_columns(chosen: Choosing) -> list[Column]:
    """The columns about the entry: always its key, and those that were chosen."""
    titles = {
        "@entry": _("Entry key"),
        "@number": _("Entry"),
        "@centre": _("Centre"),
        "@author": _("Author"),
        "@created": _("Created"),
        "@state": _("State"),
    }
    hidden = () if chosen.whole_study else ("@centre", "@author")
    asked = [key for key in chosen.columns if key.startswith("@")]
    return [
        Column(key, titles[key] if chosen.labels else key[1:])
        for key in ABOUT
        if key not in hidden and (key == "@entry" or not chosen.columns or key in asked)
    ]


def columns_of(questions: Any, chosen: Choosing, *, group: Question | None = None, number: int = 0) -> list[Column]:
    """A column for each question; of an episode if its number is given."""
    prefix = ""
    if group is not None and number:
        prefix = f"{group.text(chosen.language) if chosen.labels else group.key} {number}: "
    return [
        Column(
            question.key,
            prefix + (question.text(chosen.language) if chosen.labels else question.key),
            question,
            "" if group is None else group.key,
            number,
        )
        for question in questions
        if question.type != "group"
    ]
