"""How many stored answers a change of a form touches, counted in one pass over all entries of a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.timezone import localdate

from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.forms.answers import Answers, Stored
from sfumato.web.studies.forms.branching import asked
from sfumato.web.studies.forms.calculating import with_calculated
from sfumato.web.studies.forms.differences import affected
from sfumato.web.studies.forms.order import dependencies
from sfumato.web.studies.forms.reading import reads_alike
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.forms.values import value_of
from sfumato.web.studies.models import Study

__all__ = ["Tally", "tally"]


@dataclass
class Tally:
    """Numbers of stored answers by question.

    stored : all of them (episodes for a group).  unreadable : those that the new type does not read alike.  holding :
    those that hold an option, by question and option.  outside : outside of the new bounds.  hidden, shown : asked
    before and no longer, and the other way round.  recalculated : calculated answers that change.  crowded : entries
    with more episodes than a group takes.
    """

    stored: Counter[str] = field(default_factory=Counter)
    unreadable: Counter[str] = field(default_factory=Counter)
    holding: Counter[tuple[str, str]] = field(default_factory=Counter)
    outside: Counter[str] = field(default_factory=Counter)
    hidden: Counter[str] = field(default_factory=Counter)
    shown: Counter[str] = field(default_factory=Counter)
    recalculated: Counter[str] = field(default_factory=Counter)
    crowded: Counter[str] = field(default_factory=Counter)


def tally(study: Study, live: Form, known: Form, after: Form) -> Tally:
    """The numbers of a change from the form in use to another.

    known : every question that the study ever had, as it was last defined.
    """
    counts, world = Tally(), _Changes(live, known, after)
    rows = study.entries.values_list("answers", "created")
    for content, created in rows.iterator(chunk_size=2000):
        answers = Answers.from_json(content)
        for key, stored in _stored(answers):
            counts.stored[key] += 1
            world.count_answer(counts, key, stored)
        for group, episodes in answers.episodes.items():
            counts.stored[group] += len(episodes)
            most = after.question(group).most if group in after.by_key else None
            counts.crowded[group] += most is not None and len(episodes) > most
        if world.keys:
            world.count_asked(counts, answers, localdate(created))
    return counts


class _Changes:
    """What changes, prepared once for all entries."""

    def __init__(self, live: Form, known: Form, after: Form) -> None:
        self.known, self.after, self.language = known, after, after.languages[0]
        self.before_choices, self.after_choices = choices_of_form(known), choices_of_form(after)
        both = [question for question, _group in after.walk() if question.key in known.by_key]
        self.retyped = {
            question.key for question in both if _reading(question) != _reading(known.question(question.key))
        }
        self.bounded = {
            question.key: question
            for question in both
            if (question.low or question.high) and _bounds(question) != _bounds(known.question(question.key))
        }
        self.keys = {key for key in affected(live, after) if _place(live, key) == _place(after, key) is not None}
        self.old, self.new = _needed(live, self.keys), _needed(after, self.keys)

    def count_answer(self, counts: Tally, key: str, stored: Stored) -> None:
        """Count an answer that is stored for a question."""
        for option in [stored] if isinstance(stored, str) else stored:
            if key in self.before_choices:
                counts.holding[key, option] += 1
        if key in self.retyped and not reads_alike(
            self.known.question(key),
            self.after.question(key),
            stored,
            self.before_choices.get(key, ()),
            self.after_choices.get(key, ()),
            self.language,
        ):
            counts.unreadable[key] += 1
        if key in self.bounded:
            counts.outside[key] += _is_outside(self.bounded[key], stored)

    def count_asked(self, counts: Tally, answers: Answers, entered: Any) -> None:
        """Count the answers of an entry that are asked or calculated differently."""
        old, new = with_calculated(self.old, answers, entered), with_calculated(self.new, answers, entered)
        before, now = asked(self.old, old), asked(self.new, new)
        for key, episode in before ^ now:
            group = self.old.group_of(key) if key in self.keys else None
            values = answers.scope(group.key if group else "", episode) or {}
            if key in self.keys and key in values:
                (counts.hidden if (key, episode) in before else counts.shown)[key] += 1
        for key in self.keys:
            if self.old.question(key).type == self.new.question(key).type == "calculated":
                counts.recalculated[key] += _differences(self.old, key, old, new)


def _stored(answers: Answers) -> Iterator[tuple[str, Stored]]:
    yield from answers.values.items()
    for rows in answers.episodes.values():
        for _episode, values in rows:
            yield from values.items()


def _reading(question: Question) -> tuple[str, str]:
    return question.type, question.choice_list


def _place(form: Form, key: str) -> str | None:
    """The group in which a question is asked, "" outside of groups; None if it is not in the form."""
    if key not in form.by_key:
        return None
    group = form.group_of(key)
    return group.key if group else ""


def _bounds(question: Question) -> tuple[str, str]:
    return question.low, question.high


def _is_outside(question: Question, stored: Stored) -> bool:
    try:
        value: Any = value_of(question, stored)
    except ValueError:
        return False
    low, high = (value_of(question, text) if text else None for text in _bounds(question))
    return (low is not None and value < low) or (high is not None and value > high)


def _needed(form: Form, keys: set[str]) -> Form:
    """The form with these questions and all that they depend on."""
    depends, waiting, kept = dependencies(form), list(keys), set(keys)
    while waiting:
        for other in depends[waiting.pop()] - kept:
            kept.add(other)
            waiting.append(other)
    questions = (
        replace(question, questions=tuple(inner for inner in question.questions if inner.key in kept))
        for question in form.questions
        if question.key in kept
    )
    return Form(form.languages, tuple(questions))


def _differences(form: Form, key: str, old: Answers, new: Answers) -> int:
    group = form.group_of(key)
    if group is None:
        return int(old.values.get(key) != new.values.get(key))
    pairs = zip(old.episodes.get(group.key, ()), new.episodes.get(group.key, ()), strict=True)
    return sum(before.get(key) != after.get(key) for (_old, before), (_new, after) in pairs)
