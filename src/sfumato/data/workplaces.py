"""Workplaces: the locations where each person works; private, and never published."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Frame, missing
from sfumato.data.frames import Source, to_polars
from sfumato.errors import listed

if TYPE_CHECKING:
    from sfumato.data.trajectories import Trajectories

__all__ = ["Workplaces"]

_UNNAMED_SOURCE = Source("the workplaces")


@dataclass(frozen=True, eq=False)
class Workplaces:
    """Workplaces as pairs of a person (or of a trajectory, where persons are unknown) and a location.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["clinic", "bar"], ["clinic"]], persons=["ann", "bob"])
    >>> Workplaces.of("person", [("ann", "clinic")]).visits(walks).tolist()
    [True, False, False]
    """

    who: str
    pairs: frozenset[tuple[str, str]]
    source: Source = _UNNAMED_SOURCE

    @classmethod
    def of(cls, who: str, pairs: Iterable[tuple[str, str]]) -> Self:
        """Workplaces from pairs; who : "person" or "trajectory", what the first of each pair names."""
        return cls(who, frozenset((str(owner), str(location)) for owner, location in pairs))

    @classmethod
    def from_frame(cls, frame: Frame, source: Source | None = None) -> Self:
        """Columns `person, location` or `trajectory, location`, one row a workplace."""
        source = source or _UNNAMED_SOURCE
        rows = to_polars(frame)
        who = "person" if "person" in rows.columns else "trajectory"
        if not {who, "location"} <= set(rows.columns):
            raise source.error(
                f"wanted the columns person, location or trajectory, location, found {listed(rows.columns)}"
            )
        rows = rows.select(pl.col(who, "location").cast(pl.String))
        for name in rows.columns:
            is_missing = missing(rows[name])
            if is_missing.any():
                raise source.error(f"wanted a {name}, found nothing", row=is_missing.arg_max())
        if len(rows) == 0:
            raise source.error("wanted at least one workplace, found none")
        return cls(who, frozenset(rows.iter_rows()), source)

    def to_polars(self) -> pl.DataFrame:
        """The two columns in the order of their values, the counterpart of `from_frame`."""
        schema = {self.who: pl.String, "location": pl.String}
        return pl.DataFrame(sorted(self.pairs), schema=schema, orient="row")

    def __repr__(self) -> str:
        return f"<Workplaces: {len(self.pairs)}>"

    def visits(self, data: Trajectories) -> npt.NDArray[np.bool_]:
        """Whether each visit is one of a person to their own workplace."""
        if self.who == "person":
            if data.persons is None:
                raise self.source.error(
                    "wanted persons in the data, found none; give workplaces with the columns trajectory, location"
                )
            names, owner = data.persons.names, data.persons.codes
        else:
            if data.ids is None:
                raise self.source.error(
                    "wanted ids of the trajectories in the data, found none; give workplaces with the columns "
                    "person, location"
                )
            names, owner = data.ids, np.arange(len(data))
        number = {str(name): code for code, name in enumerate(names.to_list())}
        place = {name: code for code, name in enumerate(data.names)}
        keys = [
            number[name] * len(place) + place[location]
            for name, location in self.pairs
            if name in number and location in place
        ]
        if not any(name in number for name, _ in self.pairs):
            raise self.source.error(f"wanted workplaces of a {self.who} that occurs in the data, found none")
        pairs = owner[data.record_of_element()].astype(np.int64) * max(1, len(place)) + data.codes
        return np.isin(pairs, np.array(keys, dtype=np.int64))
