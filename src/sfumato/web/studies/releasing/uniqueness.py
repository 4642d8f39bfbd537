"""How many people a form makes unique: an estimate before there are answers, without any data.

The questions that others may know have C possible combinations of values, and n people are drawn independently.  A
person with a combination of probability p is unique with probability (1 - p)^(n - 1), so the expected share of unique
people is the sum of p (1 - p)^(n - 1) over all combinations.

- If all combinations are equally probable, that is (1 - 1/C)^(n - 1).
- For all other probabilities, it is at most that where C >= n, and at most (C/n) (1 - 1/n)^(n - 1) where C < n:
  p (1 - p)^(n - 1) is largest at p = 1/n, and concave below 2/n.  Neither needs questions that are independent.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from math import prod

from sfumato.web.studies.forms.formulas import ENTERED, names
from sfumato.web.studies.forms.tree import Choice, Question
from sfumato.web.studies.releasing.vocabulary import NUMBERS, YEARS, topic_of

__all__ = ["combinations_of", "equal_share", "follows", "largest_share", "values_of"]


def equal_share(combinations: int, people: int) -> float:
    """The expected share of unique people if all combinations are equally probable.

    >>> round(equal_share(100, 50), 3)
    0.611
    """
    return float((1 - 1 / combinations) ** (people - 1))


def largest_share(combinations: int, people: int) -> float:
    """The largest expected share of unique people over all probabilities of the combinations.

    >>> largest_share(1000, 50) == equal_share(1000, 50)
    True
    >>> round(largest_share(10, 100), 3), round(equal_share(10, 100), 6)
    (0.037, 3e-05)
    """
    if combinations >= people:
        return equal_share(combinations, people)
    return combinations / people * (1 - 1 / people) ** (people - 1)


def values_of(question: Question, choices: Mapping[str, Sequence[Choice]]) -> tuple[int | None, bool]:
    """How many different answers a question takes, and whether that is assumed because the form does not say it.

    No answer counts as one more where the question need not be answered.  None for free text, which can differ for
    everybody.
    """
    none = 0 if question.required and not question.when.rules else 1
    if question.type in ("one", "list", "many"):
        options = sum(not choice.retired for choice in choices.get(question.key, ()))
        return (2**options if question.type == "many" else options + none), False
    if question.type == "yes_no":
        return 2 + none, False
    if question.type in ("integer", "decimal"):
        return _numbers(question, none)
    if question.type == "date":
        return _days(question, none)
    if question.type == "calculated":
        return _numbers(question, none)
    return None, True


def follows(question: Question, known: Collection[str]) -> bool:
    """Whether an answer is calculated of known ones alone, so that it tells nothing more."""
    if question.type != "calculated" or ENTERED in question.formula:  # the day of an entry is not an answer
        return False
    return names(question.formula) <= set(known)


def combinations_of(counts: Sequence[int]) -> int:
    """The number of combinations of answers."""
    return prod(max(count, 1) for count in counts)


def _numbers(question: Question, none: int) -> tuple[int, bool]:
    usual = NUMBERS.get(topic_of(question.text("en")), NUMBERS[""])
    steps = 10 if question.type == "decimal" else 1
    assumed = not (question.low and question.high) or question.type == "decimal"
    low = float(question.low) if question.low else usual[0]
    high = float(question.high) if question.high else low + usual[1] - usual[0]
    return max(int((high - low) * steps) + 1, 1) + none, assumed


def _days(question: Question, none: int) -> tuple[int, bool]:
    years = YEARS.get(topic_of(question.text("en")), YEARS[""])
    if question.low and question.high:
        days = date.fromisoformat(question.high).toordinal() - date.fromisoformat(question.low).toordinal() + 1
        return max(days, 1) + none, False
    return (years[1] - years[0] + 1) * 365 + none, True
