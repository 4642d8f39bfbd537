"""Stops: places where moving objects stayed, with arrival and departure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from sfumato.data.base import Ints, frozen_array
from sfumato.data.positions import Floats, Positions
from sfumato.data.ragged import encode
from sfumato.data.trajectories import Trajectories
from sfumato.errors import Bug, DataError

__all__ = ["Stops"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Stops(Positions):
    """Positions that last: `times` are the arrivals, `where` the centres.

    departures : float64[total], in seconds.  fixes : int64[total], the number of positions of each stop.
    locations : the name of the place of each stop, null for a stop without one; None without places.

    >>> tea = Stops(offsets=[0, 1], times=[0], departures=[1800], where=[[3.0, 4.0]], fixes=[7], geographic=False)
    >>> tea.to_polars().to_dicts()
    [{'trajectory': 1, 'arrival': 0.0, 'departure': 1800.0, 'x': 3.0, 'y': 4.0, 'fixes': 7}]
    """

    pointwise: ClassVar[tuple[str, ...]] = ("times", "where", "departures", "fixes", "locations")

    departures: Floats
    fixes: Ints
    locations: pl.Series | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "departures", frozen_array(self.departures, np.float64))
        object.__setattr__(self, "fixes", frozen_array(self.fixes, np.int64))
        for column in (self.departures, self.fixes, self.locations):
            if column is not None and len(column) != len(self.times):
                raise Bug("Stops: arrivals, departures, fixes and locations have different lengths")

    def __repr__(self) -> str:
        return super().__repr__().replace("position", "stop", 1)

    @property
    def durations(self) -> Floats:
        """The duration of each stop, in seconds."""
        return self.departures - self.times

    def to_polars(self) -> pl.DataFrame:
        """One row a stop: arrival, departure, centre, and the place where it is known."""
        bare = super().to_polars().rename({"time": "arrival"})
        extra = [pl.Series("fixes", self.fixes)]
        if self.locations is not None:
            extra.append(self.locations.alias("location"))
        position = bare.columns.index("arrival") + 1
        return bare.insert_column(position, pl.Series("departure", self.departures)).with_columns(extra)

    def to_trajectories(self) -> Trajectories:
        """The named stops as visits, at the time of arrival; stops without a place are left out."""
        if self.locations is None:
            raise DataError(
                "Stops.to_trajectories: wanted stops with places, found none; give places, or apply a Grid to the stops"
            )
        named = self.locations.is_not_null().to_numpy()
        codes, names = encode(self.locations.drop_nulls())
        return Trajectories(
            offsets=np.concatenate(([0], np.cumsum(named)))[self.offsets],
            codes=codes,
            names=names,
            ids=self.ids,
            persons=self.persons,
            times=self.times[named],
            places=self.places,
        )
