"""What a preparation is: parameters, and one function from data to data that counts what it leaves out."""

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
from sfumato.data.trajectories import Trajectories
from sfumato.errors import DataError, MissingKnowledge
from sfumato.params import Declared

__all__ = [
    "Located",
    "Preparation",
    "Prepared",
    "Raw",
    "as_trajectories",
    "kept",
    "located",
    "persons_of",
    "prepare",
    "rearranged",
    "times_of",
    "without_empty",
]

Floats = npt.NDArray[np.float64]
Raw = Positions | Trajectories


@dataclass(frozen=True)
class Prepared:
    """The new data, and counts of what was left out or put together on the way."""

    data: Any
    counts: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class Preparation(Declared, ABC):
    """A step from raw to usable: ``SplitByDay().apply(data)`` gives a `Prepared`, and leaves `data` as they are."""

    name: ClassVar[str]

    def apply(self, data: Raw) -> Prepared:
        """The data after this step, and what it counted."""
        who = type(self).__name__
        if not isinstance(data, Positions | Trajectories):
            raise DataError(f"{who}: fits positions and trajectories, got {type(data).__name__}")
        if isinstance(data, Trajectories) and data.members:
            raise DataError(
                f"{who}: wanted original locations, found generalized ones; prepare data before anonymizing"
            )
        return self.change(data)

    @abstractmethod
    def change(self, data: Any) -> Prepared:
        """The step itself, for data that fit."""


def prepare(data: Raw, *steps: Preparation) -> Prepared:
    """Apply several steps in turn; counts of equal name are summed.

    >>> from sfumato.prepare import CollapseRepeats
    >>> walks = Trajectories.from_lists([["a", "a", "b"]])
    >>> done = prepare(walks, CollapseRepeats())
    >>> done.data.to_lists(), done.counts
    ([['a', 'b']], {'repeats': 1})
    """
    counts: dict[str, int] = {}
    for step in steps:
        done = step.apply(data)
        data = done.data
        for what, number in done.counts.items():
            counts[what] = counts.get(what, 0) + number
    return Prepared(data, counts)


@dataclass(frozen=True)
class Located:
    """Where every position or visit is: x and y, or longitude and latitude."""

    where: Floats
    geographic: bool

    @property
    def radius(self) -> float:
        return EARTH_RADIUS_M if self.geographic else 0.0

    def points(self) -> Floats:
        """Each as a point in space, for the distances of the kernels."""
        return in_space(self.where, geographic=self.geographic)


def located(data: Raw, who: str) -> Located:
    """The coordinates of positions, or of the places that trajectories visit."""
    if isinstance(data, Positions):
        return Located(data.where, data.geographic)
    if data.places is None or not data.places.located:
        raise MissingKnowledge(f"{who}: needs coordinates (x and y, or lat and lon), these data have none")
    return Located(data.places.coordinates(data.names)[data.codes], data.places.geographic)


def times_of(data: Raw, who: str) -> Floats:
    """The time of every position or visit, in order within each record."""
    if data.times is None:
        raise MissingKnowledge(f"{who}: needs the time of each visit, these data have none")
    falls = np.flatnonzero(np.diff(data.times) < 0) + 1
    if not np.isin(falls, data.offsets).all():
        raise DataError(f"{who}: wanted the visits of a trajectory in the order of time, found otherwise")
    return data.times


def rearranged(data: Any, elements: Ints, offsets: Ints, **facts: Any) -> Any:
    """These positions or visits, in this order, as records with these offsets."""
    fields = data.pointwise if isinstance(data, Positions) else ("times", "codes")
    columns = {name: getattr(data, name) for name in fields}
    moved = {name: None if column is None else column[elements] for name, column in columns.items()}
    made = replace(data, offsets=offsets, **moved, **facts)
    return made.with_used_names() if isinstance(made, Trajectories) else made


def kept(data: Any, which: npt.NDArray[np.bool_]) -> Any:
    """Only these positions or visits; records stay, and may become empty."""
    return rearranged(data, np.flatnonzero(which), np.concatenate(([0], np.cumsum(which)))[data.offsets])


def without_empty(data: Any) -> tuple[Any, int]:
    """Only the records that have positions or visits, and how many have none."""
    full = np.flatnonzero(data.lengths > 0)
    if len(full) == len(data):
        return data, 0
    left = replace(
        data,
        offsets=np.concatenate(([0], np.cumsum(data.lengths[full]))),
        ids=None if data.ids is None else data.ids.gather(full),
        persons=persons_of(data, full),
    )
    return left, len(data) - len(full)


def persons_of(data: Raw, records: Ints) -> Persons | None:
    """The persons behind some of the records; those who have none are gone."""
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
