"""The risk meter of a study: how many people are unique by what others may know, estimated and counted."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.forms.formulas import names
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.models import Study
from sfumato.web.studies.releasing.classes import classes_in
from sfumato.web.studies.releasing.hierarchies import labels_of
from sfumato.web.studies.releasing.people import ID_TEXT, Answer, answers_of, people_in
from sfumato.web.studies.releasing.roles import guess
from sfumato.web.studies.releasing.uniqueness import combinations_of, equal_share, follows, largest_share, values_of

__all__ = ["USUAL_TARGET", "Known", "Meter", "bound_percent", "meter", "percent"]

USUAL_TARGET = 200
_MOST_COMBINATIONS = 10**300  # beyond, a float ends; everybody is unique long before


@dataclass(frozen=True)
class Known:
    """A question that others may know: its values (None for free text), and the share of unique people without it.

    assumed : whether the form does not say how many values it has.  follows : whether its answer is calculated of
    others that are known.
    """

    question: Question
    text: str
    values: int | None
    assumed: bool
    follows: bool
    without: float

    @property
    def without_percent(self) -> str:
        """The largest share of unique people without it, for a page."""
        return bound_percent(self.without)


@dataclass(frozen=True)
class Meter:
    """people : expected in the study.  equal, largest : expected shares of unique people.

    entries, unique, smallest : counted in the entries so far: how many, how many of them are unique, and the size of
    the smallest equivalence class; None without entries or without questions that others may know.
    """

    people: int
    stated: bool
    known: list[Known] = field(default_factory=list)
    equal: float = 0.0
    largest: float = 0.0
    entries: int = 0
    unique: int | None = None
    smallest: int | None = None

    @property
    def share(self) -> float | None:
        """The counted share of unique people."""
        return None if self.unique is None or not self.entries else self.unique / self.entries

    @property
    def counted_percent(self) -> str:
        """The counted share, for a page."""
        return "" if self.share is None else percent(self.share)

    @property
    def equal_percent(self) -> str:
        """The share if all combinations were equally frequent, for a page."""
        return percent(self.equal)

    @property
    def largest_percent(self) -> str:
        """The largest expected share, for a page."""
        return bound_percent(self.largest)

    @property
    def most(self) -> Known | None:
        """The question without which fewest people would be unique; None if no question makes a difference alone."""
        chosen = min(self.known, key=lambda known: known.without, default=None)
        if chosen is None or chosen.values is None or chosen.without_percent != self.largest_percent:
            return chosen
        return None

    @property
    def assumes(self) -> bool:
        """Whether the estimate rests on usual ranges where the form states none."""
        return any(known.assumed and known.values is not None for known in self.known)

    @property
    def level(self) -> str:
        """yes (few are unique), part or no, as the badges of pages are called."""
        shown = self.largest if self.share is None else self.share
        return "yes" if shown < 0.05 else "part" if shown < 0.3 else "no"


def percent(share: float) -> str:
    """A share as a percentage with the digits that matter; 0 is no person, 100 is every person.

    >>> percent(0.6105), percent(0.0042), percent(0.00003), percent(0.0), percent(0.995), percent(0.99999)
    ('61', '0.4', '< 0.1', '0', '99.5', '> 99.9')
    """
    value = 100 * share
    if 0 < value < 0.1:
        return "< 0.1"
    if 99.9 < value < 100:
        return "> 99.9"
    return f"{value:.0f}" if value in (0, 100) or 10 <= value <= 90 else f"{value:.1f}"


def bound_percent(share: float) -> str:
    """A largest share as a percentage, rounded up.

    >>> bound_percent(0.6105), bound_percent(0.00003), bound_percent(0.0), bound_percent(0.9995)
    ('62', '0.1', '0', '100')
    """
    value = 100 * share
    return str(math.ceil(value)) if value >= 10 else f"{math.ceil(10 * value) / 10:g}"


def meter(study: Study, *, draft: bool = True, language: str = "en") -> Meter:
    """The risk of the draft of a form, or of the form in use, with the answers so far."""
    version = study.form_version
    form = Form.from_json(study.draft if draft or version is None else version.tree)
    questions = [question for question in form.questions if question.is_answered and guess(question).role == "known"]
    people = max(study.target or USUAL_TARGET, 1)
    choices = choices_of_form(form)
    values = {question.key: values_of(question, choices) for question in questions}
    derived = {question.key: names(question.formula) for question in questions if follows(question, values)}
    free = sum(count is None for count, _ in values.values())
    combinations = combinations_of([count for key, (count, _) in values.items() if count and key not in derived])
    known = []
    for question in questions:
        count, assumed = values[question.key]
        rest = combinations if count is None or question.key in derived else combinations // max(count, 1)
        left = [values[key][0] or 1 for key, sources in derived.items() if question.key in sources]
        without = _share(rest * combinations_of(left), free - (count is None), people)[1]
        if question.key in derived:
            count, assumed = 1, False
        known.append(Known(question, question.text(language), count, assumed, question.key in derived, without))
    equal, largest = _share(combinations, free, people)
    counted = _counted(study, questions, choices) if questions else (0, None, None)
    return Meter(people, study.target is not None, known, equal, largest, *counted)


def _share(combinations: int, free: int, people: int) -> tuple[float, float]:
    """The expected shares of unique people; with a question of free text, everybody can be unique."""
    if free:
        return 1.0, 1.0
    combinations = min(combinations, _MOST_COMBINATIONS)
    return equal_share(combinations, people), largest_share(combinations, people)


def _counted(study: Study, questions: list[Question], choices: Any) -> tuple[int, int | None, int | None]:
    """The entries, the unique ones, and the size of the smallest equivalence class."""
    entries = people_in(study, drafts=True)
    ids = list(entries.order_by().values_list(ID_TEXT, flat=True))
    if not ids:
        return 0, None, None
    labels = {question.key: labels_of(choices.get(question.key, ()), "en") for question in questions}
    answers = answers_of(entries, questions, labels)
    frame = pl.DataFrame({key: _texts(of_entry, ids) for key, of_entry in answers.items()})
    sizes = classes_in(frame)
    return len(ids), int((sizes == 1).sum()), int(sizes.min())


def _texts(answers: dict[str, list[Answer]], entries: list[str]) -> pl.Series:
    """The answer of each entry as a text, None for an entry without an answer."""
    texts = [", ".join(str(answer.value) for answer in answers.get(entry, ())) or None for entry in entries]
    return pl.Series(texts, dtype=pl.String)
