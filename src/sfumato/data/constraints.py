"""Utility constraints: which locations may be published under one label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Self

import polars as pl

from sfumato.data.base import Frame, missing
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
    def from_frame(cls, frame: Frame, source: Source | None = None) -> Self:
        """Columns `location` and `constraint`, one row a location."""
        source = source or Source("the constraints")
        rows = to_polars(frame)
        if not {"location", "constraint"} <= set(rows.columns):
            raise source.error(f"wanted the columns location, constraint, found {listed(rows.columns)}")
        if len(rows) == 0:
            raise source.error("wanted at least one location with its constraint, found none")
        rows = rows.select(pl.col("location", "constraint").cast(pl.String))
        for name in rows.columns:
            is_missing = missing(rows[name])
            if is_missing.any():
                raise source.error(f"wanted a {name}, found nothing", row=is_missing.arg_max())
        is_repeated = rows["location"].is_first_distinct().not_()
        if is_repeated.any():
            row = int(is_repeated.to_numpy().argmax())
            raise source.error("wanted every location in one constraint, found a location for the second time", row=row)
        return cls(dict(rows.iter_rows()), source=source)

    def to_polars(self) -> pl.DataFrame:
        """Columns `location` and `constraint`, the counterpart of `from_frame`."""
        columns = {"location": list(self._of), "constraint": list(self._of.values())}
        return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))

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
        groups: dict[str, list[str]] = {}
        for location, constraint in sorted(self._of.items()):
            groups.setdefault(constraint, []).append(location)
        return {constraint: tuple(groups[constraint]) for constraint in sorted(groups)}

    def require(self, locations: Iterable[str]) -> None:
        """Refuse locations without a constraint."""
        unconstrained = [location for location in locations if self._known(location) not in self._of]
        if unconstrained:
            raise self._source.error(
                f"wanted every location of the data in one constraint, found none for {len(unconstrained)}"
            )
