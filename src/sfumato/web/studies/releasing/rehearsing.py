"""Made-up answers to a form: no answer comes from a person, and a seed repeats them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from random import Random

from sfumato.web.studies.forms.answers import Answers, Stored
from sfumato.web.studies.forms.branching import asked
from sfumato.web.studies.forms.calculating import with_calculated
from sfumato.web.studies.forms.tree import Choice, Form, Question
from sfumato.web.studies.releasing.vocabulary import NUMBERS, TEXTS, YEARS, topic_of

__all__ = ["synthetic_answers"]

_UNANSWERED = 0.04  # share of questions that are not required and stay empty
_MOST_EPISODES = 4
_LONGEST_EPISODE = 30  # days
_FINEST = Decimal("0.1")

Choices = Mapping[str, Sequence[Choice]]


def synthetic_answers(form: Form, choices: Choices, count: int, seed: int) -> list[Answers]:
    """The answers of `count` made-up persons.

    They have the types, ranges and options of the form, answer only what is asked, and start episodes before they end.
    choices : the options of each question by its key, as `choices_of_form` returns them.  Earlier options are more
    frequent than later ones.  The same seed gives the same answers.
    """
    return [_person(form, choices, Random(f"{seed}:{number}")) for number in range(count)]


def _person(form: Form, choices: Choices, random: Random) -> Answers:
    answers = Answers()
    for question in form.questions:
        if question.type == "group":
            answers.episodes[question.key] = _episodes(question, choices, random)
        else:
            _answer(question, choices, random, answers.values)
    return _asked_only(form, answers)


def _asked_only(form: Form, answers: Answers) -> Answers:
    """The answers without those that are not asked; calculated answers can enable, so it is looked up again."""
    while True:
        places = asked(form, with_calculated(form, answers))
        rest = Answers(
            {key: stored for key, stored in answers.values.items() if (key, "") in places},
            {
                group: [
                    (name, {key: stored for key, stored in values.items() if (key, name) in places})
                    for name, values in rows
                ]
                for group, rows in answers.episodes.items()
                if rows and (group, "") in places
            },
        )
        if rest == answers:
            return answers
        answers = rest


def _episodes(group: Question, choices: Choices, random: Random) -> list[tuple[str, dict[str, Stored]]]:
    most = _MOST_EPISODES if group.most is None else min(group.most, _MOST_EPISODES)
    rows: list[tuple[str, dict[str, Stored]]] = []
    for number in range(random.choices(range(most + 1), weights=range(most + 1, 0, -1))[0]):
        values: dict[str, Stored] = {}
        for question in group.questions:
            _answer(question, choices, random, values)
        _end_after_start(group, values, random)
        rows.append((f"episode{number + 1}", values))
    return sorted(rows, key=lambda row: str(row[1].get(group.starts, "")))


def _end_after_start(group: Question, values: dict[str, Stored], random: Random) -> None:
    """Move the end of an episode to some days after its start, or leave it open where its range ends before."""
    if group.starts not in values or group.ends not in values or group.starts == group.ends:
        return
    start = date.fromisoformat(str(values[group.starts])).toordinal()
    question = next(question for question in group.questions if question.key == group.ends)
    least, greatest = _days(question)
    first, last = max(start, least), min(start + _LONGEST_EPISODE, greatest)
    if first > last:
        del values[group.ends]
    else:
        values[group.ends] = date.fromordinal(random.randint(first, last)).isoformat()


def _answer(question: Question, choices: Choices, random: Random, values: dict[str, Stored]) -> None:
    empty = random.random() < _UNANSWERED and not question.required
    stored = _stored(question, choices.get(question.key, ()), random)
    if stored and not empty:
        values[question.key] = stored


def _stored(question: Question, choices: Sequence[Choice], random: Random) -> Stored | None:
    topic = topic_of(question.text("en"))
    if question.type == "string":
        return _string(topic, random)
    if question.type == "integer":
        return _integer(question, topic, random)
    if question.type == "decimal":
        return _decimal(question, topic, random)
    if question.type == "date":
        return _date(question, random)
    if question.type == "yes_no":
        return "yes" if random.random() < 0.4 else "no"
    if question.type in ("one", "list", "many"):
        return _options(question, choices, random)
    return None  # titles, and what is calculated


def _string(topic: str, random: Random) -> str:
    if topic in ("number of a person", "contact"):
        return f"made-up {random.randint(10**5, 10**6 - 1)}"
    return _skewed(TEXTS.get(topic, TEXTS[""]), random)


def _options(question: Question, choices: Sequence[Choice], random: Random) -> Stored | None:
    offered = [choice.key for choice in choices if not choice.retired]
    if not offered:
        return None
    if question.type != "many":
        return _skewed(offered, random)
    chosen = {_skewed(offered, random) for _ in range(random.randint(1, 3))}
    return [key for key in offered if key in chosen]


def _skewed(values: Sequence[str], random: Random) -> str:
    return random.choices(values, weights=[1 / (place + 2) for place in range(len(values))])[0]


def _integer(question: Question, topic: str, random: Random) -> str | None:
    least, greatest = _numbers(question, topic)
    first, last = -int(-least // 1), int(greatest // 1)
    return None if first > last else str(round(random.triangular(first, last)))


def _decimal(question: Question, topic: str, random: Random) -> str | None:
    least, greatest = _numbers(question, topic)
    if least > greatest:
        return None
    number = Decimal(str(random.triangular(float(least), float(greatest)))).quantize(_FINEST)
    return format(min(max(number, least), greatest), "f")


def _numbers(question: Question, topic: str) -> tuple[Decimal, Decimal]:
    """Least and greatest number: those of the question; where it has one only, a range of the usual width."""
    usual = NUMBERS.get(topic, NUMBERS[""])
    width = Decimal(usual[1] - usual[0])
    low = Decimal(question.low) if question.low else None
    high = Decimal(question.high) if question.high else None
    if low is None and high is None:
        return Decimal(usual[0]), Decimal(usual[1])
    if low is None or high is None:
        return (low, low + width) if low is not None else (high - width, high)  # type: ignore[operator,return-value]
    return low, high


def _date(question: Question, random: Random) -> str | None:
    least, greatest = _days(question)
    return None if least > greatest else date.fromordinal(random.randint(least, greatest)).isoformat()


def _days(question: Question) -> tuple[int, int]:
    """First and last day as day numbers; where the question has one only, two years after or before it."""
    years = YEARS.get(topic_of(question.text("en")), YEARS[""])
    usual = date(years[0], 1, 1).toordinal(), date(years[1], 12, 31).toordinal()
    low = date.fromisoformat(question.low).toordinal() if question.low else None
    high = date.fromisoformat(question.high).toordinal() if question.high else None
    width = usual[1] - usual[0]
    if low is None and high is None:
        return usual
    if low is None:
        return max((high or 0) - width, 1), high or 1
    return (low, high) if high is not None else (low, min(low + width, date.max.toordinal()))
