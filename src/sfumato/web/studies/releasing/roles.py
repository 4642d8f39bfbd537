"""The privacy role of each question, and how several answers of a person become one value or a set of items.

identifying   names the person; it never enters a dataset
known         others may know it (a quasi-identifier)
sensitive     must not be inferred about a person
items         its answers are items of the set of a person
plain         published as it is
out           left out of this release
"""

from __future__ import annotations

from typing import NamedTuple

from sfumato.web.studies.forms.tree import Question
from sfumato.web.studies.releasing.vocabulary import topic_of

__all__ = [
    "COARSER",
    "ROLES",
    "SUMMARIES",
    "Guess",
    "coarser_of",
    "guess",
    "roles_of",
    "summaries_of",
    "usual_coarser",
    "usual_summary",
]

ROLES = ("identifying", "known", "sensitive", "items", "plain", "out")
SUMMARIES = ("items", "first", "last", "count")
COARSER = {
    "date": ("month", "year"),
    "integer": ("5", "10", "100"),
    "decimal": ("1", "5", "10", "100"),
    "string": ("frequent",),
}

_KNOWN = {"age", "birth", "gender", "place", "work", "family", "date", "weight", "height"}
_SENSITIVE = {"diagnosis", "test", "habit", "drug", "organism"}


class Guess(NamedTuple):
    """A role of `ROLES`, and the reason in a few words."""

    role: str
    reason: str


def guess(question: Question, group: Question | None = None) -> Guess:
    """The role of a question: the one that the form states, or the likely one by its type and its text.

    >>> guess(Question("q", "string", {"en": "Patient name"})).role
    'identifying'
    >>> guess(Question("q", "integer", {"en": "Age"}))
    Guess(role='known', reason='its text says that others may know it')
    """
    if question.privacy:
        return Guess(question.privacy, "the form says so")
    topic = topic_of(question.text("en"))
    if topic in ("number of a person", "contact") or (topic == "name" and question.type == "string"):
        return Guess("identifying", "its text says that it names the person")
    if question.type == "many":
        return Guess("items", "it has several answers")
    if group is not None and question.type in ("one", "list"):
        return Guess("items", "it recurs")
    if topic in _SENSITIVE:
        return Guess("sensitive", "its text says that it may be sensitive")
    if group is not None and question.type != "string":
        return Guess("out", "it recurs; give it a role to keep the first, the last or their number")
    if topic in _KNOWN:
        return Guess("known", "its text says that others may know it")
    if question.type == "string":
        return Guess("identifying", "free text can name a person")
    if question.type == "decimal":
        return Guess("plain", "it is measured, and others rarely know it exactly")
    return Guess("known", "nothing says that it is sensitive, so others may know it")


def roles_of(question: Question) -> tuple[str, ...]:
    """The roles that a question can have in a release; one that the form calls identifying never leaves the study."""
    return ("identifying", "out") if question.privacy == "identifying" else ROLES


def summaries_of(question: Question, group: Question | None) -> tuple[str, ...]:
    """How the answers of a person to this question can be summarized; none for a question with one answer."""
    if group is not None:
        return SUMMARIES
    return ("items", "count") if question.type == "many" else ()


def usual_summary(question: Question, group: Question | None, role: str) -> str:
    """The summary that is taken unless another one is chosen; "" for a question with one answer."""
    if not summaries_of(question, group):
        return ""
    return "items" if question.type in ("one", "many", "list", "string") or role == "items" else "first"


def coarser_of(question: Question) -> tuple[str, ...]:
    """How a value can be made coarser: a date to its month or year, a number to a multiple, a rare text to "other"."""
    return COARSER.get(question.type, ())


def usual_coarser(question: Question) -> str:
    """What is taken unless another step is chosen: rare texts can name a person, other values are as entered."""
    return "frequent" if question.type == "string" else ""
