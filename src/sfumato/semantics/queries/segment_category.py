"""Movement segment categories: what a segment must be, without geometry and time, and what its relatives must be."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.errors import ParameterError
from sfumato.semantics.queries.field_checks import (
    require_choice,
    require_choices,
    require_iri,
    require_number,
    require_order,
    require_text,
    require_tuple,
)
from sfumato.semantics.queries.terms import is_iri, require_variable
from sfumato.semantics.vocabulary import BQ, SEGMENT_CLASSES

__all__ = [
    "POSITIONS",
    "RELATIONS",
    "WEEKDAYS",
    "AnnotationCondition",
    "EventCondition",
    "Relative",
    "SegmentCategory",
    "ThingCondition",
]

RELATIONS = (
    "father",
    "ancestor",
    "child",
    "descendant",
    "sibling",
    "next",
    "prev",
    "followed-by",
    "preceded-by",
    "immediately-followed-by",
    "immediately-preceded-by",
)
WEEKDAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
POSITIONS = ("first", "last")


@dataclass(frozen=True, kw_only=True)
class ThingCondition:
    """What the value of an annotation must have: another thing by a property.

    Parameters
    ----------
    property : IRI of the property, such as that of dbp:location.
    value : IRI of a thing, or of a class of things; None for any.
    label : a name that the thing must have, in any language; None for any.
    """

    property: str
    value: str | None = None
    label: str | None = None

    def __post_init__(self) -> None:
        require_iri(self, "property", self.property)
        require_iri(self, "value", self.value)
        require_text(self, "label", self.label)


@dataclass(frozen=True, kw_only=True)
class AnnotationCondition:
    """What a segment must be annotated with.

    Parameters
    ----------
    property : IRI of the property or of a more general one; None for any property.
    value : IRI of an instance, or of a class, which also stands for its subclasses and their instances; None for any.
    label : a name that the value must have, in any language; None for any.
    text : a text that the value contains, if it is a text, or one of its names; upper and lower case are different.
    at_most_m : the largest distance between the segment and the value, in metres; None for any.
    having : what the value itself must have.
    name : the column of the answer with the value; None for no column.
    """

    property: str | None = None
    value: str | None = None
    label: str | None = None
    text: str | None = None
    at_most_m: float | None = None
    having: tuple[ThingCondition, ...] = ()
    name: str | None = None

    def __post_init__(self) -> None:
        require_iri(self, "property", self.property)
        require_iri(self, "value", self.value)
        require_text(self, "label", self.label)
        require_text(self, "text", self.text)
        require_number(self, "at_most_m", self.at_most_m)
        require_tuple(self, "having", ThingCondition)
        if self.name is not None:
            require_variable(self.name)
        if self.text is not None and (self.value, self.label, self.at_most_m, self.having) != (None, None, None, ()):
            raise ParameterError("AnnotationCondition: text stands alone; leave value, label, at_most_m and having out")


@dataclass(frozen=True, kw_only=True)
class EventCondition:
    """An event at the place that the segment is related to; both share more than an instant.

    Parameters
    ----------
    value : IRI of an event or of a class of events.
    property : IRI of the property, or of a more general one, by which the segment is related to the place.
    least_shared_minutes : the shortest time that segment and event share.
    name, shared : the columns of the answer with the event and with the shared time; None for no column.
    """

    value: str = BQ + "Event"
    property: str = BQ + "visits"
    least_shared_minutes: float = 0.0
    name: str | None = None
    shared: str | None = None

    def __post_init__(self) -> None:
        require_iri(self, "value", self.value)
        require_iri(self, "property", self.property)
        require_number(self, "least_shared_minutes", self.least_shared_minutes)
        for name in (self.name, self.shared):
            if name is not None:
                require_variable(name)


@dataclass(frozen=True, kw_only=True)
class SegmentCategory:
    """A movement segment category (Baquara2, 2015): a segment without geometry and time.

    Parameters
    ----------
    type : HISTORY, TRAIL, TRAJ, STOP, MOVE, or the IRI of a class of segments; None for any segment.
    person : IRI of a person or of a class of persons; None for any.
    means : IRI of a means of monitoring or of a class of them; None for any.
    least_minutes, most_minutes : the shortest and longest duration, both included; None for any.
    weekdays : the weekdays on which it begins; none for any.
    from_hour, to_hour : it begins at or after the first and before the second hour of the day.
    position : `first` or `last` among its siblings; None for any.
    annotations, events, relatives : what must be true of it; each applies by itself.
    name : the column of the answer with the segment; None for no column.

    Examples
    --------
    >>> market = AnnotationCondition(property=BQ + "visits", value=BQ + "Market")
    >>> SegmentCategory(type="STOP", most_minutes=60, annotations=(market,)).most_minutes
    60
    """

    type: str | None = None
    person: str | None = None
    means: str | None = None
    least_minutes: float | None = None
    most_minutes: float | None = None
    weekdays: tuple[str, ...] = ()
    from_hour: float | None = None
    to_hour: float | None = None
    position: str | None = None
    annotations: tuple[AnnotationCondition, ...] = ()
    events: tuple[EventCondition, ...] = ()
    relatives: tuple[Relative, ...] = ()
    name: str | None = None

    def __post_init__(self) -> None:
        if self.type is not None and self.type not in SEGMENT_CLASSES and not is_iri(str(self.type)):
            kinds = ", ".join(SEGMENT_CLASSES)
            raise ParameterError(f"SegmentCategory: type must be one of {kinds} or the IRI of a class of segments")
        for name in ("person", "means"):
            require_iri(self, name, getattr(self, name))
        for name in ("least_minutes", "most_minutes", "from_hour", "to_hour"):
            require_number(self, name, getattr(self, name), most=24.0 if name.endswith("hour") else math.inf)
        require_order(self, "least_minutes", "most_minutes")
        require_order(self, "from_hour", "to_hour")
        require_choices(self, "weekdays", WEEKDAYS)
        require_choice(self, "position", self.position, POSITIONS)
        for name, kind in (("annotations", AnnotationCondition), ("events", EventCondition), ("relatives", Relative)):
            require_tuple(self, name, kind)
        if self.name is not None:
            require_variable(self.name)

    def columns(self) -> list[str]:
        """The names of the columns that the category gives to an answer."""
        return [name for name in _names(self) if name is not None]


@dataclass(frozen=True, kw_only=True)
class Relative:
    """A relative of a segment in its hierarchy, which must exist, or must not.

    Parameters
    ----------
    relation : what the relative is to the segment.  `next` and `prev` are the neighbours of any type; `followed-by` and
        `preceded-by` any later and earlier siblings; `immediately-` allows no stop between the two.
    segment : what the relative must be.
    absent : whether there must be no such relative.
    """

    relation: str
    segment: SegmentCategory
    absent: bool = False

    def __post_init__(self) -> None:
        require_choice(self, "relation", self.relation, RELATIONS)
        if not isinstance(self.segment, SegmentCategory):
            raise ParameterError("Relative: segment must be a SegmentCategory")
        if self.absent and self.segment.columns():
            raise ParameterError("Relative: a relative that is absent gives no column; leave its names out")


def _names(category: SegmentCategory) -> Iterator[str | None]:
    yield category.name
    yield from (condition.name for condition in category.annotations)
    for event in category.events:
        yield from (event.name, event.shared)
    for relative in category.relatives:
        yield from _names(relative.segment)
