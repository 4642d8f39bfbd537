"""Positions: timestamped points of moving objects, such as GPS tracks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import frames
from sfumato.data.areas.regions import Regions
from sfumato.data.base import Frame, Ints, Persons, frozen_array, missing
from sfumato.data.globe import in_space
from sfumato.data.places import EARTH_RADIUS_M, Places
from sfumato.data.roads.network import Network
from sfumato.data.rows.posts import DETAILS, centres_of, details_of, merged_rows
from sfumato.data.rows.records import grouped, persons_of
from sfumato.data.rows.times import seconds
from sfumato.errors import Bug, DataError, listed

__all__ = ["Positions"]

Floats = npt.NDArray[np.float64]
_COORDINATES = (("lon", "lat"), ("x", "y"))
_LIMITS = {"lat": 90.0, "lon": 180.0, "x": np.inf, "y": np.inf}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Positions:
    """Points with times: raw data that `sfumato.prepare` turns into trajectories.

    Track t holds the positions ``offsets[t]`` to ``offsets[t + 1] - 1``, in the order of time.  Positions are
    private and are never published.

    offsets : int64[n + 1], from 0 upwards.  times : float64[total], in seconds.
    where : float64[total, 2], x and y, or longitude and latitude.
    ids : the name of each track.  persons : the person of each track, or None.
    places : known places, for the preparations that use them.  network : the roads, for map matching.
    details : what posts and photos carry besides, one row a position, any of the columns `end` (in seconds), `tags`
        (lists), `text`, `place` (its name) and `wkt` (a geometry), and of its moving object (an account or device)
        `object`, `person_class`, `means` and `means_class`; None for plain positions.
    regions : areas on one or several levels, for the preparations that use them.

    >>> walk = Positions.from_frame({"person": ["ann", "ann"], "time": [60, 0], "x": [3.0, 0.0], "y": [4.0, 0.0]})
    >>> walk
    <Positions: 2 positions in 1 track of 1 person, planar>
    >>> walk.to_polars().rows()[0]
    ('ann', 'ann', 0.0, 0.0, 0.0)
    >>> photo = {"person": ["ann"], "time": [60], "lon": [-43.2], "lat": [-22.95], "tags": ["Corcovado, view"]}
    >>> Positions.from_frame(photo).details["tags"].to_list()
    [['Corcovado', 'view']]
    """

    pointwise: ClassVar[tuple[str, ...]] = ("times", "where", "details")  # the fields with a value for each position

    offsets: Ints
    times: Floats
    where: Floats
    geographic: bool
    ids: pl.Series | None = None
    persons: Persons | None = None
    places: Places | None = None
    network: Network | None = None
    details: pl.DataFrame | None = None
    regions: Regions | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", frozen_array(self.offsets, np.int64))
        object.__setattr__(self, "times", frozen_array(self.times, np.float64))
        object.__setattr__(self, "where", frozen_array(self.where, np.float64))
        if len(self.offsets) == 0 or self.offsets[0] != 0 or np.any(np.diff(self.offsets) < 0):
            raise Bug("Positions: offsets do not rise from 0")
        if self.where.shape != (len(self.times), 2) or self.offsets[-1] != len(self.times):
            raise Bug("Positions: offsets, times and coordinates have different lengths")
        falls = np.flatnonzero(np.diff(self.times) < 0) + 1
        if not np.isin(falls, self.offsets).all():
            raise DataError("Positions: wanted the positions of a track in the order of time, found another order")
        for column in (self.ids, None if self.persons is None else self.persons.codes):
            if column is not None and len(column) != len(self):
                raise DataError(f"Positions: {len(self)} tracks, but {len(column)} ids or persons")
        if self.details is not None and (
            len(self.details) != len(self.times) or self.details.columns != _sorted(self.details)
        ):
            raise Bug("Positions: the details are not one row a position, in their order of columns")

    @classmethod
    def from_frame(
        cls,
        frame: Frame,
        *,
        columns: Mapping[str, str] | None = None,
        places: Places | None = None,
        network: Network | None = None,
        source: frames.Source | None = None,
    ) -> Self:
        """One row a position: columns `time`, `lat, lon` or `x, y`, and `trajectory` or `person` or both
        (polars, pandas, geopandas with points, or Arrow).

        Rows of one trajectory (or of one person, where there is no `trajectory`) make a track and are sorted by time,
        ties in the order of the frame; tracks come in the order of their first row.
        Further columns are details: `end` (without one, a position is an instant), `tags` (lists, or texts with commas
        between the tags), `text`, `place` and `wkt`, which may stand in place of coordinates.  A column `tag` holds
        one tag a row: rows that agree in every other column are one position.  A person with several accounts or
        devices has an `object` for each, with its `means`; classes are `person_class` and `means_class`.
        `columns` gives other names: ``{"person": "tracker", "time": "t"}``.
        """
        source, columns = source or frames.Source(), columns or {}
        frame = frames.to_polars(frame, lists=[columns.get("tags", "tags")])
        tidy = frames.tidy(
            frame,
            required=("time", _key_of(frame, columns, source)),
            optional=("trajectory", "person", "lat", "lon", "x", "y", *DETAILS, "tag"),
            columns=columns,
            source=source,
            lists=("tags",),
        )
        times = seconds(tidy["time"], source).to_numpy()
        details = details_of(tidy, times, source)
        coordinates, geographic = _coordinates(tidy, details, source)
        key = _key_of(tidy, {}, source)
        record, order, offsets = grouped(tidy[key], sort_by=times)
        persons = None
        if "person" in tidy.columns:
            persons = persons_of(tidy["person"], record, key, source)
        positions = cls(
            offsets=offsets,
            times=times[order],
            where=coordinates[order],
            geographic=geographic,
            ids=tidy[key].gather(order[offsets[:-1]]).rename("trajectory"),
            persons=persons,
            places=places,
            network=network,
            details=None if details is None else details.select(pl.exclude("tag"))[order],
        )
        if details is None or "tag" not in details.columns:
            return positions
        return positions._with_tags(details["tag"].gather(order))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        def counted(number: int, word: str) -> str:
            return f"{number:,} {word}" + ("" if number == 1 else "s")

        of_persons = "" if self.persons is None else f" of {counted(len(self.persons), 'person')}"
        kind = "geographic" if self.geographic else "planar"
        counts = f"{counted(len(self.times), 'position')} in {counted(len(self), 'track')}{of_persons}"
        return f"<{type(self).__name__}: {counts}, {kind}>"

    @property
    def lengths(self) -> Ints:
        """The number of positions of each track."""
        return np.diff(self.offsets)

    @property
    def radius(self) -> float:
        """The radius of the globe the positions lie on, or 0 on a plane."""
        return EARTH_RADIUS_M if self.geographic else 0.0

    def points(self) -> Floats:
        """Each position as a point in space: on the plane z = 0, or on the globe, in metres."""
        return in_space(self.where, geographic=self.geographic)

    def record_of_element(self) -> Ints:
        """The track that each position belongs to."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.lengths)

    @property
    def ends(self) -> Floats:
        """The end of each position, in seconds: its time, unless it lasts."""
        if self.details is None or "end" not in self.details.columns:
            return self.times
        return self.details["end"].to_numpy()

    def _with_tags(self, tag: pl.Series) -> Self:
        """The positions with all their tags, where each has been there once for each tag."""
        track = self.record_of_element()
        columns = {"track": track, "time": self.times, "x": self.where[:, 0], "y": self.where[:, 1]}
        bare = pl.DataFrame() if self.details is None else self.details
        rows, tags = merged_rows(
            bare.with_columns(**{name: pl.Series(column) for name, column in columns.items()}), tag
        )
        details = bare[rows].with_columns(tags.alias("tags")) if bare.width else tags.alias("tags").to_frame()
        return replace(
            self,
            offsets=np.concatenate(([0], np.cumsum(np.bincount(track[rows], minlength=len(self))))),
            times=self.times[rows],
            where=self.where[rows],
            details=details.select(_sorted(details)),
        )

    def with_network(self, network: Network | None) -> Self:
        """The same positions on another road network."""
        return replace(self, network=network)

    def with_regions(self, regions: Regions | None) -> Self:
        """The same positions among other regions."""
        return replace(self, regions=regions)

    def with_places(self, places: Places | None) -> Self:
        """The same positions among other known places."""
        return replace(self, places=places)

    def to_polars(self) -> pl.DataFrame:
        """A tidy frame, one row a position, in the column names of the input format."""
        track = self.record_of_element()
        ids = pl.Series(np.arange(1, len(self) + 1)) if self.ids is None else self.ids
        columns = {"trajectory": ids.gather(track)}
        if self.persons is not None:
            columns["person"] = self.persons.names.gather(self.persons.codes[track])
        columns["time"] = pl.Series(self.times)
        x, y = _COORDINATES[0] if self.geographic else _COORDINATES[1]
        bare = pl.DataFrame({**columns, x: self.where[:, 0], y: self.where[:, 1]})
        return bare if self.details is None else bare.hstack(self.details)

    def to_pandas(self) -> Any:
        return frames.to_pandas(self.to_polars())

    def to_arrow(self) -> Any:
        return frames.to_arrow(self.to_polars())

    def to_geopandas(self) -> Any:
        """One point a position."""
        bare = self.to_polars().drop("lon", "lat", "x", "y", strict=False)
        return frames.to_geopandas(bare, self.where, geographic=self.geographic)


def _key_of(frame: pl.DataFrame, columns: Mapping[str, str], source: frames.Source) -> str:
    """The column whose equal values form one track: the trajectory, else the person, else the moving object."""
    for role in ("trajectory", "person", "object"):
        if role in columns or role in frame.columns:
            return role
    raise source.error(f"wanted a column trajectory or person, found {listed(frame.columns)}")


def _sorted(details: pl.DataFrame) -> list[str]:
    return [name for name in DETAILS if name in details.columns]


def _coordinates(frame: pl.DataFrame, details: pl.DataFrame | None, source: frames.Source) -> tuple[Floats, bool]:
    """Longitude and latitude, or x and y, as numbers within their range; without both, the centres of geometries."""
    if details is not None and "wkt" in details.columns and not {"lat", "lon", "x", "y"} & set(frame.columns):
        return centres_of(details["wkt"], source), True
    present = [[name for name in pair if name in frame.columns] for pair in _COORDINATES]
    pair = next((columns for columns in present if len(columns) == 2), None)
    if pair is None:
        half = next((columns[0] for columns in present if columns), None)
        names = f"{half} alone" if half else ", ".join(frame.columns)
        raise source.error(f"wanted the columns lat and lon, or x and y, found {names}")
    numbers = {name: _numbers(frame[name], source) for name in pair}
    for name in pair[::-1]:
        outside = numbers[name].abs() > _LIMITS[name]
        if outside.any():
            swapped = all((numbers[column].abs() <= _LIMITS[limit_of]).all() for column, limit_of in (pair, pair[::-1]))
            limit = f"{_LIMITS[name]:g}"
            problem = f"wanted {name} between -{limit} and {limit}, found a number outside"
            raise source.error(frames.with_swap(problem, source) if swapped else problem, row=outside.arg_max())
    return np.column_stack([numbers[name].to_numpy() for name in pair]), pair[0] == "lon"


def _numbers(column: pl.Series, source: frames.Source) -> pl.Series:
    is_missing = missing(column)
    if is_missing.any():
        raise source.error(f"wanted a {column.name}, found nothing (is the file cut off?)", row=is_missing.arg_max())
    numbers = column.cast(pl.Float64, strict=False)
    invalid = numbers.is_null() | ~numbers.is_finite()
    if invalid.any():
        raise source.error(f"wanted {column.name} as a number, found something else", row=invalid.arg_max())
    return numbers
