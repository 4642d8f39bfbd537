"""The parts of which a condition on entries consists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.errors import ParameterError

__all__ = [
    "ABOUT",
    "EVERYTHING",
    "STATES",
    "About",
    "All",
    "Answered",
    "AnyOf",
    "Between",
    "Condition",
    "ConditionRefused",
    "Contains",
    "During",
    "Has",
    "Is",
    "Not",
    "OneOf",
    "Test",
    "Then",
    "nodes",
]

ABOUT = ("created", "author", "centre", "state")
STATES = ("draft", "complete", "withdrawn")


class ConditionRefused(ParameterError):
    """A condition that cannot be understood or does not fit the form; the sentence is shown above it."""


@dataclass(frozen=True)
class OneOf:
    """The answer is one of these texts, as they are stored: keys of options, yes, no, numbers, ISO dates."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class Between:
    """The number or day is between two texts; "" is open.  strict : the two bounds themselves do not pass."""

    low: str = ""
    high: str = ""
    strict: bool = False


@dataclass(frozen=True)
class Contains:
    """The text contains these letters; upper and lower case and accents do not matter."""

    text: str


@dataclass(frozen=True)
class Answered:
    """Any answer passes."""


Test = OneOf | Between | Contains | Answered


@dataclass(frozen=True)
class All:
    """Everything holds; without parts it holds always."""

    parts: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Not:
    """The part does not hold, for example because a question is not answered."""

    part: Condition


@dataclass(frozen=True)
class Is:
    """An answer passes a test: the one of the episode inside of `Has`, otherwise that of any episode."""

    question: str
    test: Test


@dataclass(frozen=True)
class About:
    """Something about the entry passes a test.

    created : a day, `Between`.  author, centre : ids, `OneOf` or `Answered`.  state : `OneOf` draft, complete,
    withdrawn.
    """

    field: str
    test: Test


@dataclass(frozen=True)
class Has:
    """At least so many episodes of a group in each of which `inside` holds; None holds in every episode."""

    group: str
    inside: Condition | None = None
    at_least: int = 1


@dataclass(frozen=True)
class Then:
    """Episodes in this order: each starts on a later day than the one before, at most `within_days` days later."""

    parts: tuple[Has, ...]
    within_days: int | None = None


@dataclass(frozen=True)
class During:
    """Two different episodes that share a day."""

    first: Has
    second: Has


Condition = All | AnyOf | Not | Is | About | Has | Then | During
EVERYTHING = All()


def nodes(condition: Condition) -> Iterator[Condition]:
    """The condition and all conditions inside of it."""
    yield condition
    for part in _parts(condition):
        yield from nodes(part)


def _parts(condition: Condition) -> tuple[Condition, ...]:
    if isinstance(condition, All | AnyOf | Then):
        return condition.parts
    if isinstance(condition, Not):
        return (condition.part,)
    if isinstance(condition, Has):
        return () if condition.inside is None else (condition.inside,)
    if isinstance(condition, During):
        return (condition.first, condition.second)
    return ()
