"""A condition as a sentence that reads it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sfumato.web.studies.filtering.tree import (
    About,
    All,
    Answered,
    AnyOf,
    Between,
    Condition,
    Contains,
    During,
    Has,
    Is,
    Not,
    OneOf,
    Test,
    Then,
)
from sfumato.web.studies.filtering.values import label_of
from sfumato.web.studies.forms.tree import Choice, Form, Question

__all__ = ["sentence"]

_SHOWN = 8  # values of a list before the rest is counted
Names = Mapping[str, str]


def sentence(
    condition: Condition,
    form: Form,
    choices: Mapping[str, Sequence[Choice]],
    language: str,
    names: Names | None = None,
) -> str:
    """The sentence of a condition that was checked against the form.

    choices : the options of questions by key, as `choices_of_form` gives them.  names : of authors and centres by id;
    an id without a name is shown as "another".
    """
    if condition == All():
        return _("All entries.")
    return _("Entries where %(condition)s.") % {
        "condition": _Writer(form, choices, language, names or {}).write(condition)
    }


class _Writer:
    def __init__(self, form: Form, choices: Mapping[str, Sequence[Choice]], language: str, names: Names) -> None:
        self.form, self.choices, self.language, self.names = form, choices, language, names

    def write(self, condition: Condition, *, inner: bool = False) -> str:
        """The words of a condition; those of several parts are in brackets inside of another."""
        if isinstance(condition, All | AnyOf):
            joint = _(" and ") if isinstance(condition, All) else _(" or ")
            words = joint.join(self.write(part, inner=True) for part in condition.parts)
            return f"({words})" if inner and len(condition.parts) > 1 else words
        if isinstance(condition, Not):
            return self._not(condition.part)
        if isinstance(condition, Is):
            return self._is(condition)
        if isinstance(condition, About):
            return self._about(condition)
        if isinstance(condition, Has):
            return self._has(condition)
        if isinstance(condition, Then):
            return self._then(condition)
        return self._during(condition)

    def _is(self, condition: Is) -> str:
        question = self.form.question(condition.question)
        name = question.text(self.language)
        return f"{name} {self._test(question, condition.test)}"

    def _not(self, part: Condition) -> str:
        if isinstance(part, Is) and isinstance(part.test, Answered):
            return _("%(question)s is not answered") % {
                "question": self.form.question(part.question).text(self.language)
            }
        return _("not (%(condition)s), or not answered") % {"condition": self.write(part)}

    def _test(self, question: Question, test: Test) -> str:
        if isinstance(test, OneOf):
            labels = [label_of(question, self.choices.get(question.key, ()), word) for word in test.words]
            words = _("include %(values)s") if question.type == "many" else _("is %(values)s")
            return words % {"values": _or(labels)}
        if isinstance(test, Contains):
            return _("contains “%(text)s”") % {"text": test.text}
        if isinstance(test, Answered):
            return _("is answered")
        unit = f" {question.unit}" if question.unit else ""
        low, high = (bound and _bound(question, bound) + unit for bound in (test.low, test.high))
        return _between(low, high, strict=test.strict)

    def _about(self, condition: About) -> str:
        test = condition.test
        if isinstance(test, Between):
            low, high = (bound and _day(bound) for bound in (test.low, test.high))
            return _("the day of creation %(test)s") % {"test": _between(low, high, strict=test.strict)}
        if not isinstance(test, OneOf):
            return _("the centre is known")
        if condition.field == "state":
            words = {"draft": _("a draft"), "complete": _("complete"), "withdrawn": _("withdrawn")}
            return _("the entry is %(values)s") % {"values": _or([words[word] for word in test.words])}
        values = {"values": _or([self.names.get(word, _("another")) for word in test.words])}
        if condition.field == "author":
            return _("the author is %(values)s") % values
        return _("the centre is %(values)s") % values

    def _has(self, condition: Has) -> str:
        group = self.form.question(condition.group).text(self.language)
        if condition.at_least == 1:
            return _("there is %(episode)s") % {"episode": self._episode(condition)}
        words = ngettext(
            "there is at least %(count)d “%(group)s”", "there are at least %(count)d “%(group)s”", condition.at_least
        ) % {"count": condition.at_least, "group": group}
        return words + self._inside(condition)

    def _episode(self, condition: Has) -> str:
        group = self.form.question(condition.group).text(self.language)
        return _("one “%(group)s”") % {"group": group} + self._inside(condition)

    def _inside(self, condition: Has) -> str:
        if condition.inside is None:
            return ""
        return _(" in which %(condition)s") % {"condition": self.write(condition.inside)}

    def _then(self, condition: Then) -> str:
        if condition.within_days is None:
            joint = _(", and on a later day ")
        else:
            joint = ngettext(
                ", and at most %(days)d day later ", ", and 1 to %(days)d days later ", condition.within_days
            ) % {"days": condition.within_days}
        return _("there is first %(episodes)s") % {
            "episodes": joint.join(self._episode(part) for part in condition.parts)
        }

    def _during(self, condition: During) -> str:
        return _("there is %(first)s, which shares a day with another: %(second)s") % {
            "first": self._episode(condition.first),
            "second": self._episode(condition.second),
        }


def _or(labels: Sequence[str]) -> str:
    """The labels in words: "a, b or c", and a number in place of those after the first ones."""
    shown = list(labels[:_SHOWN])
    more = len(labels) - len(shown)
    if more:
        shown.append(ngettext("%(count)d more", "%(count)d more", more) % {"count": more})
    if len(shown) == 1:
        return shown[0]
    return _("%(first)s or %(last)s") % {"first": ", ".join(shown[:-1]), "last": shown[-1]}


def _between(low: str, high: str, *, strict: bool) -> str:
    words = {"low": low, "high": high}
    if low and high:
        return (
            _("is more than %(low)s and less than %(high)s") if strict else _("is from %(low)s to %(high)s")
        ) % words
    if low:
        return (_("is more than %(low)s") if strict else _("is at least %(low)s")) % words
    return (_("is less than %(high)s") if strict else _("is at most %(high)s")) % words


def _bound(question: Question, bound: str) -> str:
    return _day(bound) if question.type == "date" else bound


def _day(text: str) -> str:
    return date_format(date.fromisoformat(text), "DATE_FORMAT")
