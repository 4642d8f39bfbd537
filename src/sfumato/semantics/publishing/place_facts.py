"""Facts about places, as frames: categories, opening hours, events, popularity, coordinates, sensitivity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

import polars as pl

from sfumato.data.base import Frame
from sfumato.data.frames import to_polars
from sfumato.data.places import Places
from sfumato.errors import DataError, listed

__all__ = ["WEEK_S", "PlaceFacts"]

WEEK_S = 7 * 86_400

_SCHEMAS: dict[str, dict[str, type[pl.DataType]]] = {
    "categories": {"place": pl.String, "category": pl.String},
    "classes": {"place": pl.String, "class": pl.String},
    "hours": {"place": pl.String, "opens_s": pl.Float64, "closes_s": pl.Float64},
    "events": {"place": pl.String, "begin": pl.Float64, "end": pl.Float64},
    "popularity": {"place": pl.String, "popularity": pl.Float64},
}


def _empty(name: str) -> pl.DataFrame:
    return pl.DataFrame(schema=_SCHEMAS[name])


@dataclass(frozen=True, eq=False)
class PlaceFacts:
    """What open data state about places, each by the name that trajectories use for it.

    categories : place, category: the one class that a person would name.
    classes : place, class: every class of a place, with those above it.
    hours : place, opens_s, closes_s: seconds since Monday 0:00, local time; a place without rows may be open always.
    events : place, begin, end: seconds since 1970 UTC.
    popularity : place, popularity: any number that is not negative; more is more popular.
    places : coordinates, or None.  sensitive : the names of sensitive places.

    >>> facts = PlaceFacts.of(categories={"place": ["St Mary"], "category": ["clinic"]}, sensitive=["St Mary"])
    >>> facts
    <PlaceFacts: 1 category, 0 opening hours, 0 events, 0 popularities>
    """

    categories: pl.DataFrame = field(default_factory=lambda: _empty("categories"))
    classes: pl.DataFrame = field(default_factory=lambda: _empty("classes"))
    hours: pl.DataFrame = field(default_factory=lambda: _empty("hours"))
    events: pl.DataFrame = field(default_factory=lambda: _empty("events"))
    popularity: pl.DataFrame = field(default_factory=lambda: _empty("popularity"))
    places: Places | None = None
    sensitive: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        *,
        categories: Frame | None = None,
        classes: Frame | None = None,
        hours: Frame | None = None,
        events: Frame | None = None,
        popularity: Frame | None = None,
        places: Places | None = None,
        sensitive: Iterable[str] = (),
    ) -> Self:
        """Facts from frames of any make; a place with a category but no classes has its category as its class."""
        given = {
            "categories": categories,
            "classes": classes,
            "hours": hours,
            "events": events,
            "popularity": popularity,
        }
        frames = {name: _checked(name, frame) for name, frame in given.items()}
        own = frames["categories"].rename({"category": "class"})
        frames["classes"] = pl.concat([frames["classes"], own]).unique(maintain_order=True)
        _require(frames)
        return cls(**frames, places=places, sensitive=frozenset(sensitive))

    def __repr__(self) -> str:
        counts = {
            ("category", "categories"): self.categories["place"].n_unique(),
            ("opening hours", "opening hours"): self.hours["place"].n_unique(),
            ("event", "events"): len(self.events),
            ("popularity", "popularities"): self.popularity["place"].n_unique(),
        }
        texts = [f"{count:,} {one if count == 1 else many}" for (one, many), count in counts.items()]
        return f"<PlaceFacts: {', '.join(texts)}>"


def _checked(name: str, frame: Frame | None) -> pl.DataFrame:
    """The columns of a frame of facts, in their types and without rows that lack a value."""
    if frame is None:
        return _empty(name)
    rows = to_polars(frame)
    lacking = [column for column in _SCHEMAS[name] if column not in rows.columns]
    if lacking:
        raise DataError(f"PlaceFacts: {name} needs a column {lacking[0]!r}, found {listed(rows.columns)}")
    schema = _SCHEMAS[name]
    try:
        return (
            rows.select(pl.col(column).cast(kind) for column, kind in schema.items())
            .drop_nulls()
            .unique(maintain_order=True)
        )
    except pl.exceptions.InvalidOperationError:
        raise DataError(
            f"PlaceFacts: {name} needs numbers for {listed(list(schema)[1:])}, found other values"
        ) from None


def _require(frames: Mapping[str, pl.DataFrame]) -> None:
    for name, start, end in (("hours", "opens_s", "closes_s"), ("events", "begin", "end")):
        if (frames[name][start] > frames[name][end]).any():
            raise DataError(f"PlaceFacts: {name} must not end before they begin, found a row that does")
    hours = frames["hours"]
    if len(hours) and not (0 <= hours["opens_s"].min() <= hours["opens_s"].max() <= WEEK_S):  # type: ignore[operator]
        raise DataError("PlaceFacts: hours need seconds of a week, from 0 to 604,800, found others")
    if (frames["popularity"]["popularity"] < 0).any():
        raise DataError("PlaceFacts: popularity must not be negative, found a number below 0")
    if frames["categories"]["place"].n_unique() < len(frames["categories"]):
        raise DataError("PlaceFacts: wanted one category for each place, found a second one")
