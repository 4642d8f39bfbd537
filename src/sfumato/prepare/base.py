"""The base class of preparations, which turn raw data into usable data and count what they leave out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints, Persons
from sfumato.data.globe import in_space
from sfumato.data.places import EARTH_RADIUS_M, Places
from sfumato.data.positions import Positions
from sfumato.data.stops import Stops
from sfumato.data.trajectories import Trajectories
from sfumato.errors import DataError, MissingKnowledge
from sfumato.params import Declared

__all__ = [
    "Located",
    "Preparation",
    "Prepared",
    "Raw",
    "as_trajectories",
    "ends_of",
    "located",
    "persons_of",
    "prepare",
    "prepared_visits",
    "rearranged",
    "times_of",
    "with_elements",
    "without_empty",
]

Floats = npt.NDArray[np.float64]
Raw = Positions | Trajectories


@dataclass(frozen=True)
class Prepared:
    """The new data, and counts of what was left out or merged.

    origin : the index, in the old data, of each position or visit; None where the step makes new ones.
    """

    data: Any
    counts: dict[str, int]
    origin: Ints | None = None


@dataclass(frozen=True, kw_only=True)
class Preparation(Declared, ABC):
    """A step of preparation: ``SplitByDay().apply(data)`` returns a `Prepared` and does not change `data`."""

    name: ClassVar[str]

    def apply(self, data: Raw) -> Prepared:
        """The data after this step, and its counts."""
        owner = type(self).__name__
        if not isinstance(data, Positions | Trajectories):
            raise DataError(f"{owner}: wanted positions or trajectories, found {type(data).__name__}")
        if isinstance(data, Trajectories) and data.members:
            raise DataError(
                f"{owner}: wanted original locations, found generalized ones; prepare data before anonymizing"
            )
        return self.change(data)

    @abstractmethod
    def change(self, data: Any) -> Prepared:
        """The step itself, for data that `apply` has checked."""


def prepare(data: Raw, *steps: Preparation) -> Prepared:
    """Apply several steps in turn; counts of equal name are summed.

    >>> from sfumato.prepare import CollapseRepeats
    >>> walks = Trajectories.from_lists([["a", "a", "b"]])
    >>> prepared = prepare(walks, CollapseRepeats())
    >>> prepared.data.to_lists(), prepared.counts
    ([['a', 'b']], {'repeats': 1})
    """
    counts: dict[str, int] = {}
    origin: Ints | None = np.arange(int(data.offsets[-1]))
    for step in steps:
        prepared = step.apply(data)
        data = prepared.data
        origin = None if origin is None or prepared.origin is None else origin[prepared.origin]
        for name, number in prepared.counts.items():
            counts[name] = counts.get(name, 0) + number
    return Prepared(data, counts, origin)


def prepared_visits(data: Raw, *steps: Preparation) -> Prepared:
    """The same as `prepare`, with stops as visits to the places that they are named after."""
    prepared = prepare(data, *steps)
    if not isinstance(prepared.data, Stops):
        return prepared
    visits, nowhere = without_empty(prepared.data.to_trajectories())
    origin, places = prepared.origin, prepared.data.locations
    if origin is not None and places is not None:
        origin = origin[places.is_not_null().to_numpy()]
    return Prepared(visits, {**prepared.counts, "nowhere": nowhere}, origin)


@dataclass(frozen=True)
class Located:
    """The coordinates of every position or visit: x and y, or longitude and latitude."""

    where: Floats
    geographic: bool

    @property
    def radius(self) -> float:
        return EARTH_RADIUS_M if self.geographic else 0.0

    def points(self) -> Floats:
        """The points in space, for the distances of the kernels."""
        return in_space(self.where, geographic=self.geographic)


def located(data: Raw, owner: str) -> Located:
    """The coordinates of positions, or of the places that trajectories visit."""
    if isinstance(data, Positions):
        return Located(data.where, data.geographic)
    if data.places is None or not data.places.located:
        raise MissingKnowledge(f"{owner}: wanted coordinates (x and y, or lat and lon), found none")
    return Located(data.places.coordinates(data.names)[data.codes], data.places.geographic)


def times_of(data: Raw, owner: str) -> Floats:
    """The time of every position or visit, in order within each record."""
    if data.times is None:
        raise MissingKnowledge(f"{owner}: wanted the time of each visit, found none")
    falls = np.flatnonzero(np.diff(data.times) < 0) + 1
    if not np.isin(falls, data.offsets).all():
        raise DataError(f"{owner}: wanted the visits of a trajectory in the order of time, found another order")
    return data.times


def ends_of(data: Raw) -> Floats:
    """The end of every position or visit, in seconds: its time, unless it lasts."""
    ends: Floats = data.ends if isinstance(data, Positions) else data.times  # type: ignore[assignment]
    return ends


def rearranged(data: Any, elements: Ints, offsets: Ints, **facts: Any) -> Any:
    """These positions or visits, in this order, as records with these offsets."""
    fields = data.pointwise if isinstance(data, Positions) else ("times", "codes")
    columns = {name: getattr(data, name) for name in fields}
    moved = {name: None if column is None else column[elements] for name, column in columns.items()}
    result = replace(data, offsets=offsets, **moved, **facts)
    return result.with_used_names() if isinstance(result, Trajectories) else result


def with_elements(data: Any, selected: npt.NDArray[np.bool_]) -> Any:
    """The selected positions or visits; a record may become empty."""
    return rearranged(data, np.flatnonzero(selected), np.concatenate(([0], np.cumsum(selected)))[data.offsets])


def without_empty(data: Any) -> tuple[Any, int]:
    """The records with positions or visits, and the number of records without."""
    rows = np.flatnonzero(data.lengths > 0)
    if len(rows) == len(data):
        return data, 0
    nonempty = replace(
        data,
        offsets=np.concatenate(([0], np.cumsum(data.lengths[rows]))),
        ids=None if data.ids is None else data.ids.gather(rows),
        persons=persons_of(data, rows),
    )
    return nonempty, len(data) - len(rows)


def persons_of(data: Raw, records: Ints) -> Persons | None:
    """The persons of some of the records, without those who have none of them."""
    return None if data.persons is None else Persons.of(data.persons.names.gather(data.persons.codes[records]))


def as_trajectories(data: Raw, codes: Ints, names: tuple[str, ...], places: Places) -> Trajectories:
    """The same records and times with other locations."""
    return Trajectories(
        offsets=data.offsets,
        codes=codes,
        names=names,
        ids=data.ids,
        persons=data.persons,
        times=data.times,
        places=places,
    )
