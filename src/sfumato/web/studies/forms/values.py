"""What may be answered to a question: from what somebody typed to the stored text, and from the text to a value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.studies.forms.answers import Stored
from sfumato.web.studies.forms.tree import Choice, Question

__all__ = ["AnswerRefused", "canonical", "is_plain", "value_of"]

Value = str | int | Decimal | date | bool | list[str]
_LONGEST = 10_000
_LONGEST_NUMBER = 40
_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)", re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})", re.ASCII)
_PLAIN_NUMBER = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
_PLAIN_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_NOT_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")  # no database keeps these


class AnswerRefused(ParameterError):
    """An answer that its question does not take; the sentence is shown beside it."""


def canonical(question: Question, typed: Stored, choices: Sequence[Choice] = ()) -> Stored | None:
    """The text that is stored for what was typed; None for an empty answer.

    choices : the options that are offered or were, of one, many and list.
    """
    typed_texts = [typed] if isinstance(typed, str) else typed
    if not isinstance(typed_texts, list) or not all(isinstance(text, str) for text in typed_texts):
        raise AnswerRefused(_("wanted a text"))
    texts = [text for raw in typed_texts if (text := raw.strip())]
    if not texts:
        return None
    if question.type == "many":
        chosen = {_key(question, text, choices) for text in texts}
        return [choice.key for choice in choices if choice.key in chosen]
    if len(texts) > 1:
        raise AnswerRefused(_("wanted one answer"))
    stored = _CANONICAL[question.type](question, _plain(texts[0]), choices)
    _require_range(question, stored)
    return stored


def value_of(question: Question, stored: Stored) -> Value:
    """The value that a stored text stands for; ValueError if it does not stand for one of this type."""
    if question.type == "many":
        return [stored] if isinstance(stored, str) else list(stored)
    if not isinstance(stored, str):
        if len(stored) != 1:
            raise ValueError(stored)
        stored = stored[0]
    if question.type == "integer":
        return _integer(stored)
    if question.type == "decimal":
        return _decimal(stored)
    if question.type == "date":
        if not _PLAIN_DAY.fullmatch(stored):
            raise ValueError(stored)
        return date.fromisoformat(stored)
    if question.type == "yes_no":
        if stored not in ("yes", "no"):
            raise ValueError(stored)
        return stored == "yes"
    return _calculated_value(stored) if question.type == "calculated" else stored


def is_plain(text: str) -> bool:
    """Whether a text can be kept: it has no control characters and no halves of characters."""
    return _NOT_TEXT.search(text) is None


def _plain(text: str) -> str:
    """A typed text as it can be kept: composed characters, so that equal texts are equal, and no control characters."""
    if len(text) > _LONGEST:
        raise AnswerRefused(
            _("wanted at most %(longest)s characters, found %(count)s") % {"longest": _LONGEST, "count": len(text)}
        )
    if not is_plain(text):
        raise AnswerRefused(_("wanted a text without control characters"))
    return unicodedata.normalize("NFC", text)


def _calculated_value(text: str) -> Value:
    """A number or a day where a calculated text is one, otherwise the text."""
    if _PLAIN_NUMBER.fullmatch(text):
        return Decimal(text)
    return date.fromisoformat(text) if _PLAIN_DAY.fullmatch(text) else text


def _string(_question: Question, text: str, _choices: Sequence[Choice]) -> str:
    return text


def _whole(_question: Question, text: str, _choices: Sequence[Choice]) -> str:
    if not _INTEGER.fullmatch(text):
        raise AnswerRefused(_("wanted a whole number such as 12"))
    return str(int(text))


def _number(_question: Question, text: str, _choices: Sequence[Choice]) -> str:
    if not _DECIMAL.fullmatch(text) or len(text) > _LONGEST_NUMBER:
        raise AnswerRefused(_("wanted a number such as 38.5"))
    stored = format(_decimal(text.replace(",", ".")), "f")
    return stored.removeprefix("-") if not stored.strip("-0.") else stored


def _date(_question: Question, text: str, _choices: Sequence[Choice]) -> str:
    if parts := _DAY_FIRST.fullmatch(text):
        day, month, year = map(int, parts.groups())
    elif parts := _YEAR_FIRST.fullmatch(text):
        year, month, day = map(int, parts.groups())
    else:
        raise AnswerRefused(_("wanted a date such as 31/12/2026"))
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        raise AnswerRefused(_("wanted a day of the calendar such as 31/12/2026")) from None


def _yes_no(_question: Question, text: str, _choices: Sequence[Choice]) -> str:
    if text not in ("yes", "no"):
        raise AnswerRefused(_("wanted yes or no"))
    return text


def _option(question: Question, text: str, choices: Sequence[Choice]) -> str:
    return _key(question, text, choices)


def _calculated(_question: Question, _text: str, _choices: Sequence[Choice]) -> str:
    raise AnswerRefused(_("this answer is calculated and cannot be typed"))


_CANONICAL = {
    "string": _string,
    "integer": _whole,
    "decimal": _number,
    "date": _date,
    "yes_no": _yes_no,
    "one": _option,
    "list": _option,
    "calculated": _calculated,
}


def _key(_question: Question, key: str, choices: Sequence[Choice]) -> str:
    if key not in {choice.key for choice in choices}:
        raise AnswerRefused(_("wanted one of the options that the form offers"))
    return key


def _integer(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _decimal(text: str) -> Decimal:
    if not _DECIMAL.fullmatch(text) or "," in text:
        raise ValueError(text)
    return Decimal(text)


def _require_range(question: Question, stored: str) -> None:
    if question.type not in ("integer", "decimal", "date") or not (question.low or question.high):
        return
    value = value_of(question, stored)
    if question.low and value < value_of(question, question.low):  # type: ignore[operator]
        raise AnswerRefused(_("wanted at least %(low)s") % {"low": question.low})
    if question.high and value > value_of(question, question.high):  # type: ignore[operator]
        raise AnswerRefused(_("wanted at most %(high)s") % {"high": question.high})
