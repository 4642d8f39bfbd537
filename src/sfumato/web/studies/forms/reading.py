"""Whether a stored answer stands for the same under another definition of its question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sfumato.web.studies.forms.answers import Stored
from sfumato.web.studies.forms.tree import Choice, Question
from sfumato.web.studies.forms.values import AnswerRefused, canonical

__all__ = ["reads_alike"]


def reads_alike(
    before: Question,
    after: Question,
    stored: Stored,
    before_choices: Sequence[Choice] = (),
    after_choices: Sequence[Choice] = (),
    language: str = "en",
) -> bool:
    """Whether a text that was stored for a question is the stored text of the same answer to the changed question.

    The changed question must store exactly this text, and a person must read the same: an option of a list is read by
    its text, so it does not become the string of its key.  Options of the same question keep their keys, so their texts
    may change.
    """
    if not after.is_answered or after.type == "calculated":
        return False
    try:
        again = canonical(replace(after, low="", high=""), stored, after_choices)
    except AnswerRefused:
        return False
    if again is None or set(_texts(again)) != set(_texts(stored)):
        return False
    if _source(before) == _source(after):
        return True
    return _shown(before, stored, before_choices, language) == _shown(after, stored, after_choices, language)


def _texts(stored: Stored) -> list[str]:
    return [stored] if isinstance(stored, str) else stored


def _source(question: Question) -> str:
    """Where the options of a question come from: "" without options, the question itself, or a list."""
    if question.type in ("one", "many"):
        return "question"
    return question.choice_list if question.type == "list" else ""


def _shown(question: Question, stored: Stored, choices: Sequence[Choice], language: str) -> set[str]:
    texts = {choice.key: choice.text(language) for choice in choices} if _source(question) else {}
    return {texts.get(text, text).strip().casefold() for text in _texts(stored)}
