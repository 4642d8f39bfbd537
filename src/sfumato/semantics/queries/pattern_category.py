"""Movement pattern categories: a segment of a category together with segments of others, such as a meeting."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.errors import ParameterError
from sfumato.semantics.queries.field_checks import require_choice, require_number, require_tuple
from sfumato.semantics.queries.segment_category import SegmentCategory
from sfumato.semantics.queries.terms import require_variable

__all__ = ["ANSWERS", "MAIN", "PERSONS", "Companion", "PatternCategory"]

PERSONS = ("other", "same", "any")
ANSWERS = ("segment", "object", "person")
MAIN = "segment"  # the column of the segments, unless their category has a name


@dataclass(frozen=True, kw_only=True)
class Companion:
    """Another segment, which need not be in the same hierarchy.

    Parameters
    ----------
    segment : what it must be.
    person : whether it is of another person, of the same, or of any.
    at_most_m : the largest distance between the two segments, in metres; None for any.
    least_shared_minutes : the shortest time that both share; None for any.
    begins_within_minutes : it begins after the first segment ends, at most so much later; None for any.
    once : whether a pair of persons is answered in one order only.
    shared : the column of the answer with the time that both share; None for no column.
    """

    segment: SegmentCategory
    person: str = "other"
    at_most_m: float | None = None
    least_shared_minutes: float | None = None
    begins_within_minutes: float | None = None
    once: bool = False
    shared: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.segment, SegmentCategory):
            raise ParameterError("Companion: segment must be a SegmentCategory")
        require_choice(self, "person", self.person, PERSONS)
        for name in ("at_most_m", "least_shared_minutes", "begins_within_minutes"):
            require_number(self, name, getattr(self, name))
        if self.at_most_m is None and self.least_shared_minutes is None and self.begins_within_minutes is None:
            raise ParameterError(
                "Companion: wanted at_most_m, least_shared_minutes or begins_within_minutes, found none of them"
            )
        if self.shared is not None:
            require_variable(self.shared)
            if self.least_shared_minutes is None:
                raise ParameterError("Companion: the column of the shared time needs least_shared_minutes")
        if self.once and self.person != "other":
            raise ParameterError("Companion: once applies to another person only")

    def columns(self) -> list[str]:
        """The names of the columns that the companion gives to an answer."""
        return self.segment.columns() + ([self.shared] if self.shared is not None else [])


@dataclass(frozen=True, kw_only=True)
class PatternCategory:
    """A movement pattern category (Baquara2, 2015): a category with categories of related segments.

    Parameters
    ----------
    segment : the category.
    companions : segments that must exist beside it.
    answer : what is answered: the segments, their moving objects, or their persons.

    Examples
    --------
    >>> stop = SegmentCategory(type="STOP")
    >>> meeting = PatternCategory(
    ...     segment=stop, companions=(Companion(segment=stop, at_most_m=100, least_shared_minutes=15),)
    ... )
    >>> meeting.companions[0].person
    'other'
    """

    segment: SegmentCategory
    companions: tuple[Companion, ...] = ()
    answer: str = "segment"

    def __post_init__(self) -> None:
        if not isinstance(self.segment, SegmentCategory):
            raise ParameterError("PatternCategory: segment must be a SegmentCategory")
        require_tuple(self, "companions", Companion)
        require_choice(self, "answer", self.answer, ANSWERS)
        names = self.segment.columns() + [name for entry in self.companions for name in entry.columns()]
        names += [] if self.segment.name else [MAIN]
        repeated = {name for name in names if names.count(name) > 1}
        if repeated:
            raise ParameterError(f"PatternCategory: the name {min(repeated)!r} is used twice; give each its own")
        if self.answer != "segment" and names != [MAIN]:
            raise ParameterError("PatternCategory: names of columns need the answer 'segment'; leave them out")
