"""What a snapshot holds: whose answers, which questions, in which role and form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.studies.forms.tree import Choice, Form, Question
from sfumato.web.studies.releasing.roles import (
    ROLES,
    coarser_of,
    guess,
    roles_of,
    summaries_of,
    usual_coarser,
    usual_summary,
)

__all__ = ["CENTRE", "Definition", "Part", "centre_question", "columns_of", "parts_of"]

CENTRE = "@centre"
_LONGEST_NAME = 80


@dataclass(frozen=True)
class Part:
    """A question in a snapshot.

    name : of its column.  role : of `ROLES`.  summary : of `SUMMARIES`, "" for a question with one answer.  coarser :
    "" for values as they were entered.  reason : of a role that was guessed.
    """

    question: Question
    group: Question | None
    name: str
    role: str
    summary: str = ""
    coarser: str = ""
    reason: str = ""

    @property
    def left_out(self) -> bool:
        """Whether nothing of it is in the snapshot."""
        return self.role in ("identifying", "out")

    @property
    def in_items(self) -> bool:
        """Whether its answers are items of the set of a person."""
        return not self.left_out and (self.summary == "items" or (self.role == "items" and not self.summary))

    @property
    def in_table(self) -> bool:
        """Whether it is a column of the table."""
        return not self.left_out and not self.in_items

    @property
    def is_sensitive(self) -> bool:
        """Whether its values must not be inferred."""
        return self.role == "sensitive"

    @property
    def is_known(self) -> bool:
        """Whether others may know its value; a single value of a question of items counts as known."""
        return self.in_table and self.role in ("known", "items")


@dataclass(frozen=True)
class Definition:
    """condition : JSON of `sfumato.web.studies.filtering.conditions`; empty for everybody.  drafts : whether entries
    that are not complete are taken, too.  language : of texts.  roles, summaries, coarser : by the key of a question,
    where they differ from what is usual.
    """

    condition: Mapping[str, Any] = field(default_factory=dict)
    drafts: bool = False
    language: str = "en"
    roles: Mapping[str, str] = field(default_factory=dict)
    summaries: Mapping[str, str] = field(default_factory=dict)
    coarser: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Definition:
        """The definition that `to_json` wrote."""
        return cls(**content)

    def to_json(self) -> dict[str, Any]:
        """JSON."""
        return {
            "condition": dict(self.condition),
            "drafts": self.drafts,
            "language": self.language,
            "roles": dict(self.roles),
            "summaries": dict(self.summaries),
            "coarser": dict(self.coarser),
        }


def centre_question(names: list[str]) -> Question:
    """The centre of an entry as if it were a question, with the centres as its options."""
    choices = tuple(Choice(name, {"en": name}) for name in names)
    return Question(CENTRE, "one", {"en": "Centre"}, choices=choices, privacy="")


def parts_of(form: Form, definition: Definition, centres: list[str]) -> list[Part]:
    """Every question that holds an answer, and the centre, in the order of the form; names of columns are unique."""
    questions: list[tuple[Question, Question | None]] = [
        (question, group) for question, group in form.walk() if question.is_answered
    ]
    parts, taken = [], {"person", "items"}
    if centres:
        questions.append((centre_question(centres), None))
    for question, group in questions:
        likely = guess(question, group)
        if question.key == CENTRE:
            likely = likely._replace(role="out", reason="it is left out unless you choose a role")
        role = definition.roles.get(question.key, likely.role)
        summary = definition.summaries.get(question.key, usual_summary(question, group, role))
        coarser = definition.coarser.get(question.key, usual_coarser(question))
        _require(question, group, role, summary, coarser)
        name = _unique(_name(question, group, summary, coarser, definition.language), taken)
        reason = likely.reason if role == likely.role else ""
        parts.append(Part(question, group, name, role, summary, coarser, reason))
    return parts


def columns_of(parts: list[Part]) -> dict[str, int]:
    """How many questions become columns, items, or are left out."""
    return {
        "columns": sum(part.in_table for part in parts),
        "items": sum(part.in_items for part in parts),
        "out": sum(part.left_out for part in parts),
    }


def _require(question: Question, group: Question | None, role: str, summary: str, coarser: str) -> None:
    if role not in ROLES:
        raise ParameterError(_("release: wanted a role for the question, found another word"))
    if role not in roles_of(question):
        raise ParameterError(
            _(
                "release: the form says that this question is identifying, so it stays in the study; if it is not, "
                "change its role on the page Design first"
            )
        )
    if summary not in (summaries_of(question, group) or ("",)):
        raise ParameterError(_("release: wanted a summary that this question has, found another word"))
    if coarser and coarser not in coarser_of(question):
        raise ParameterError(_("release: wanted a step that this question has, found another word"))


def _name(question: Question, group: Question | None, summary: str, coarser: str, language: str) -> str:
    words = question.text(language) if group is None else f"{group.text(language)}: {question.text(language)}"
    details = [summary] if summary not in ("", "items") else []
    details += [coarser] if question.type == "date" and coarser else [question.unit] if question.unit else []
    cut = _plain(words)[:_LONGEST_NAME].strip()
    return _plain(f"{cut} ({', '.join(details)})" if details else cut)


def _plain(text: str) -> str:
    """A text on one line, without signs that a name of a column cannot have."""
    cleaned = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return cleaned if cleaned and cleaned != "*" and not cleaned.startswith("^") else f"question {cleaned}".strip()


def _unique(name: str, taken: set[str]) -> str:
    """The name, with a number where another column has it already."""
    chosen, number = name, 1
    while chosen.casefold() in taken:
        number += 1
        chosen = f"{name} ({number})"
    taken.add(chosen.casefold())
    return chosen
