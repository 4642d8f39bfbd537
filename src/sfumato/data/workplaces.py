"""Workplaces: where somebody goes because they work there; private, and never published."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import missing
from sfumato.data.frames import Source, to_polars
from sfumato.errors import listed

if TYPE_CHECKING:
    from sfumato.data.trajectories import Trajectories

__all__ = ["Workplaces"]

_NOWHERE = Source("the workplaces")


@dataclass(frozen=True, eq=False)
class Workplaces:
    """Who works where: pairs of a person (or of a trajectory, where persons are unknown) and a location.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["clinic", "bar"], ["clinic"]], persons=["ann", "bob"])
    >>> Workplaces.of("person", [("ann", "clinic")]).visits(walks).tolist()
    [True, False, False]
    """

    who: str
    pairs: frozenset[tuple[str, str]]
    source: Source = _NOWHERE

    @classmethod
    def of(cls, who: str, pairs: Iterable[tuple[str, str]]) -> Self:
        """who : "person" or "trajectory"."""
        return cls(who, frozenset((str(one), str(location)) for one, location in pairs))

    @classmethod
    def from_frame(cls, frame: Any, source: Source | None = None) -> Self:
        """Columns `person, location` or `trajectory, location`, one row a workplace."""
        source = source or _NOWHERE
        found = to_polars(frame)
        who = "person" if "person" in found.columns else "trajectory"
        if not {who, "location"} <= set(found.columns):
            raise source.error(
                f"wanted the columns person, location or trajectory, location, found {listed(found.columns)}"
            )
        found = found.select(pl.col(who, "location").cast(pl.String))
        for name in found.columns:
            nothing = missing(found[name])
            if nothing.any():
                raise source.error(f"wanted a {name}, found nothing", row=nothing.arg_max())
        if len(found) == 0:
            raise source.error("wanted at least one workplace, found none")
        return cls(who, frozenset(found.iter_rows()), source)

    def __repr__(self) -> str:
        return f"<Workplaces: {len(self.pairs)}>"

    def visits(self, data: Trajectories) -> npt.NDArray[np.bool_]:
        """Which visits somebody makes to a workplace of their own."""
        if self.who == "person":
            if data.persons is None:
                raise self.source.error(
                    "workplaces of persons were given, but the data do not say who they are; give trajectory, location"
                )
            names, owner = data.persons.names, data.persons.codes
        else:
            if data.ids is None:
                raise self.source.error("workplaces of trajectories were given, but the trajectories have no names")
            names, owner = data.ids, np.arange(len(data))
        number = {str(name): code for code, name in enumerate(names.to_list())}
        place = {name: code for code, name in enumerate(data.names)}
        fitting = [number[one] * len(place) + place[at] for one, at in self.pairs if one in number and at in place]
        if not any(one in number for one, _ in self.pairs):
            raise self.source.error(f"wanted the workplace of a {self.who} of the data, found none")
        pairs = owner[data.record_of_element()].astype(np.int64) * max(1, len(place)) + data.codes
        return np.isin(pairs, np.array(fitting, dtype=np.int64))
