"""Places: coordinates, category, owner and sensitivity of locations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Frame
from sfumato.data.frames import Source, to_polars, with_swap
from sfumato.errors import MissingKnowledge, listed

__all__ = ["EARTH_RADIUS_M", "Places"]

EARTH_RADIUS_M = 6_371_008.8
_COORDINATES = {"lat": 90.0, "lon": 180.0, "x": np.inf, "y": np.inf}
_FACTS = ("category", "owner", "sensitive")
_UNNAMED_SOURCE = Source("the places")
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Places:
    """One row a location, by name: coordinates (planar `x, y`, or `lat, lon`), category, owner, sensitive.

    >>> towns = Places.from_frame({"location": ["Rome", "Paris"], "lat": [41.9, 48.85], "lon": [12.5, 2.35]})
    >>> round(towns.distance("Rome", "Paris") / 1000)  # kilometres along the great circle
    1105
    >>> Places.planar({"a": (0, 0), "b": (3, 4)}).distance("a", "b")
    5.0
    """

    frame: pl.DataFrame
    source: Source = _UNNAMED_SOURCE
    derived: bool = False  # whether the list was computed from visits, so that it discloses visited locations

    @classmethod
    def from_frame(cls, frame: Frame, source: Source | None = None, *, visits: bool = False) -> Self:
        """Columns `location` and any of `x, y` / `lat, lon`, `category`, `owner`, `sensitive`.

        A location that occurs several times takes the median of its coordinates.
        visits : whether the rows are visits, whose columns the caller can name.
        """
        source = source or _UNNAMED_SOURCE
        rows = to_polars(frame)
        if "location" not in rows.columns:
            raise source.error(f"wanted a column 'location', found {listed(rows.columns)}")
        if len(rows) == 0:
            raise source.error("wanted at least one place, found none")
        columns = [name for name in ("location", *_COORDINATES, *_FACTS) if name in rows.columns]
        rows = rows.select(columns).with_columns(pl.col("location").cast(pl.String))
        nameless = rows["location"].is_null() | (rows["location"] == "")
        if nameless.any():
            raise source.error("wanted a location, found nothing", row=nameless.arg_max())
        rows = _numbers(rows, source, visits=visits)
        if "sensitive" in rows.columns:
            rows = rows.with_columns(_flags(rows["sensitive"], source))
        for fact in _FACTS:
            if fact in rows.columns:
                _require_one_value(rows, fact, source)
        return cls(_by_location(rows), source)

    @classmethod
    def from_visits(cls, visits: pl.DataFrame, source: Source) -> Self | None:
        """The places of a tidy frame with coordinates, or None without them."""
        coordinates = [name for name in _COORDINATES if name in visits.columns]
        if not coordinates:
            return None
        return replace(cls.from_frame(visits.select("location", *coordinates), source, visits=True), derived=True)

    @classmethod
    def planar(cls, coordinates: Mapping[str, tuple[float, float]]) -> Self:
        """Places on a plane, from name to (x, y)."""
        return cls.from_frame(
            {
                "location": list(coordinates),
                "x": [float(x) for x, _ in coordinates.values()],
                "y": [float(y) for _, y in coordinates.values()],
            }
        )

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def geographic(self) -> bool:
        """Whether the coordinates are latitude and longitude."""
        return "lat" in self.frame.columns

    @property
    def located(self) -> bool:
        """Whether the places have coordinates."""
        return self.geographic or "x" in self.frame.columns

    @cached_property
    def _row(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.frame["location"].to_list())}

    def rows(self, names: Iterable[str]) -> npt.NDArray[np.int64]:
        """The row of each name; a time slot ``a@14`` is found under its place ``a``."""
        rows = [self._row.get(name, self._row.get(name.rpartition("@")[0], -1)) for name in names]
        return np.array(rows, dtype=np.int64)

    def facts(self, names: Iterable[str], fact: str) -> dict[str, Any]:
        """The `category`, `owner` or `sensitive` of each name; names without a value are left out."""
        if fact not in self.frame.columns:
            return {}
        values = self.frame[fact].to_list()
        names = tuple(names)
        value_of = {name: values[row] for name, row in zip(names, self.rows(names), strict=True) if row >= 0}
        return {name: value for name, value in value_of.items() if value is not None and value != ""}

    def only(self, names: Iterable[str]) -> Self:
        """The places of these names, and no others."""
        rows = self.rows(names)
        return replace(self, frame=self.frame[np.unique(rows[rows >= 0])])

    def with_sensitive(self, names: Iterable[str]) -> Self:
        """The same places, exactly these of them sensitive."""
        names = tuple(names)
        unknown = [name for name in names if name not in self._row]
        if unknown:
            raise self.source.error(f"wanted sensitive locations that are places, found {unknown[0]!r}")
        return replace(self, frame=self.frame.with_columns(pl.col("location").is_in(names).alias("sensitive")))

    def require(self, names: Iterable[str]) -> None:
        """Refuse names that are not places."""
        names = tuple(names)
        unknown = [name for name, row in zip(names, self.rows(names), strict=True) if row < 0]
        if unknown:
            raise self.source.error(f"wanted a place for every location, found none for {len(unknown)} of {len(names)}")

    def coordinates(self, names: Iterable[str]) -> Floats:
        """x and y, or longitude and latitude, of each name."""
        if not self.located:
            raise MissingKnowledge("places: wanted coordinates (x and y, or lat and lon), found none")
        names = tuple(names)
        self.require(names)
        columns = ("lon", "lat") if self.geographic else ("x", "y")
        return self.frame.select(columns).to_numpy()[self.rows(names)]

    def centre(self, names: Iterable[str]) -> Floats:
        """The mean of several places, as one place: x and y, or longitude and latitude."""
        names = tuple(names)
        if not self.geographic or len(names) == 1:
            return np.asarray(self.coordinates(names).mean(axis=0))
        x, y, z = self.points(names).mean(axis=0)
        return np.degrees([np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))])

    def points(self, names: Iterable[str]) -> Floats:
        """Each name as a point in space: on the plane z = 0, or on the globe, in metres."""
        flat = self.coordinates(names)
        if not self.geographic:
            return np.column_stack((flat, np.zeros(len(flat))))
        lon, lat = np.radians(flat.T)
        return EARTH_RADIUS_M * np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)))

    @property
    def radius(self) -> float:
        """The radius of the globe the points lie on, or 0 on a plane."""
        return EARTH_RADIUS_M if self.geographic else 0.0

    def distance(self, place: str, other: str) -> float:
        """Euclidean on the plane, along the great circle (in metres) on the globe."""
        start, end = self.points((place, other))
        return float(self.along_surface(np.sqrt(np.sum((start - end) ** 2))))

    def along_surface(self, chords: Any) -> Any:
        """Distances along the surface between places, from the straight distances between their points."""
        if self.radius == 0:
            return chords
        return 2 * self.radius * np.arcsin(np.minimum(1.0, chords / (2 * self.radius)))


def _numbers(frame: pl.DataFrame, source: Source, *, visits: bool) -> pl.DataFrame:
    """The frame with coordinates as finite numbers within their range; refuses half a pair."""
    for pair in (("lat", "lon"), ("x", "y")):
        if len(set(pair) & set(frame.columns)) == 1:
            raise source.error(f"wanted both {pair[0]} and {pair[1]}, found only one of them")
    if {"lat", "x"} <= set(frame.columns):
        frame = frame.drop("x", "y")
    for name, limit in _COORDINATES.items():
        if name not in frame.columns:
            continue
        numbers = frame[name].cast(pl.Float64, strict=False)
        invalid = numbers.is_null() | ~numbers.is_finite() | (numbers.abs() > limit)
        if invalid.any():
            within = "" if limit == np.inf else f" between {-limit:g} and {limit:g}"
            problem = f"wanted {name} as a number{within}, found something else"
            if name == "lat" and _swapped(frame):
                swap = "if lat and lon are swapped, exchange the two columns of the places"
                problem = with_swap(problem, source) if visits else f"{problem}; {swap}"
            raise source.error(problem, row=invalid.arg_max())
        frame = frame.with_columns(numbers.alias(name))
    return frame


def _swapped(frame: pl.DataFrame) -> bool:
    """Whether lat and lon are numbers that fit each other's limits, and a latitude lies beyond its own."""
    if not {"lat", "lon"} <= set(frame.columns):
        return False
    lat, lon = (frame[name].cast(pl.Float64, strict=False) for name in ("lat", "lon"))
    fits = (lat.abs() <= _COORDINATES["lon"]) & (lon.abs() <= _COORDINATES["lat"])
    return bool(fits.fill_null(value=False).all()) and bool((lat.abs() > _COORDINATES["lat"]).any())


def _flags(column: pl.Series, source: Source) -> pl.Series:
    values = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False, "": False}
    lowered = column.cast(pl.String).str.to_lowercase().fill_null("")
    invalid = ~lowered.is_in(list(values))
    if invalid.any():
        raise source.error("wanted sensitive as true or false, found something else", row=invalid.arg_max())
    return lowered.replace_strict(values, return_dtype=pl.Boolean).alias("sensitive")


def _require_one_value(frame: pl.DataFrame, fact: str, source: Source) -> None:
    several = frame.group_by("location").agg(pl.col(fact).n_unique().alias("n")).filter(pl.col("n") > 1)
    if len(several):
        name = several["location"].min()
        rows = (frame["location"] == name).arg_true()
        row = rows.gather(frame[fact].gather(rows).ne_missing(frame[fact][rows[0]]).arg_true())[0]
        raise source.error(f"wanted one {fact} for each location, found a second one", row=row)


def _by_location(frame: pl.DataFrame) -> pl.DataFrame:
    """One row a location, in name order; medians of coordinates, longitudes across the date line too."""
    distinct = frame.lazy().unique().collect(engine="streaming")  # from one row a visit to one row a place
    if distinct["location"].n_unique() == len(distinct):
        return distinct.sort("location")
    lon, first = pl.col("lon"), pl.col("lon").first()
    turned = (lon + 360 * (lon - first < -180) - 360 * (lon - first > 180)).median()
    middle = {
        "lat": pl.col("lat").median(),
        "lon": turned - 360 * (turned > 180) + 360 * (turned < -180),
        "x": pl.col("x").median(),
        "y": pl.col("y").median(),
    }
    aggregates = [middle.get(name, pl.col(name).first()).alias(name) for name in frame.columns if name != "location"]
    short = frame.with_columns(pl.col("location").cast(pl.Enum(distinct["location"].unique())))
    return short.group_by("location").agg(aggregates).cast({"location": pl.String}).sort("location")
