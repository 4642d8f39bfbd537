"""Utility constraints: which locations may be published as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

import polars as pl

from sfumato.data.base import missing
from sfumato.data.frames import Source, to_polars
from sfumato.errors import listed

__all__ = ["Constraints"]


class Constraints:
    """A partition of the locations: only locations of one constraint may be generalized together.

    >>> towns = Constraints({"Rome": "Italy", "Pisa": "Italy", "Oslo": "Norway"})
    >>> towns.groups
    {'Italy': ('Pisa', 'Rome'), 'Norway': ('Oslo',)}
    """

    def __init__(self, constraint_of: Mapping[str, str], *, source: Source | None = None) -> None:
        self._of = dict(constraint_of)
        self._source = source or Source("the constraints")

    @classmethod
    def from_frame(cls, frame: Any, source: Source | None = None) -> Self:
        """Columns `location` and `constraint`, one row a location."""
        source = source or Source("the constraints")
        found = to_polars(frame)
        if not {"location", "constraint"} <= set(found.columns):
            raise source.error(f"wanted the columns location, constraint, found {listed(found.columns)}")
        if len(found) == 0:
            raise source.error("wanted at least one location with its constraint, found none")
        found = found.select(pl.col("location", "constraint").cast(pl.String))
        for name in found.columns:
            nothing = missing(found[name])
            if nothing.any():
                raise source.error(f"wanted a {name}, found nothing", row=nothing.arg_max())
        again = found["location"].is_first_distinct().not_()
        if again.any():
            row = int(again.to_numpy().argmax())
            raise source.error("wanted every location in one constraint, found one again", row=row)
        return cls(dict(found.iter_rows()), source=source)

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, location: str) -> str:
        return self._of[self._known(location)]

    def _known(self, location: str) -> str:
        """A time slot ``a@14`` is found under its own name or under its place ``a``."""
        place = location.rpartition("@")[0]
        return place if location not in self._of and place in self._of else location

    def __repr__(self) -> str:
        return f"<Constraints: {len(self._of)} locations in {len(self)}>"

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The locations of each constraint, all in name order."""
        found: dict[str, list[str]] = {}
        for location, constraint in sorted(self._of.items()):
            found.setdefault(constraint, []).append(location)
        return {constraint: tuple(found[constraint]) for constraint in sorted(found)}

    def require(self, locations: Iterable[str]) -> None:
        """Refuse locations that are in no constraint."""
        lost = [location for location in locations if self._known(location) not in self._of]
        if lost:
            raise self._source.error(f"wanted every location of the data in one constraint, found none for {len(lost)}")
