"""The events of the synthetic city: matches, festivals, parties and exhibitions, with place and time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.generate.coast.place_names import names_of
from sfumato.generate.coast.places import CityPlaces
from sfumato.generate.coast.vocabulary import EVENTS, iri

__all__ = ["DAY_S", "CityEvents", "draw_events", "iso_times"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

DAY_S = 86_400.0
_PROBABILITY = {"match": 0.35, "music-festival": 0.4, "party": 0.9, "exhibition": 0.3}  # of one on a day


@dataclass(frozen=True)
class CityEvents:
    """Events by number: kind, place, begin and end in seconds since the first day, slot of the day, names."""

    kind: npt.NDArray[np.str_]
    place: Ints
    begin: Floats
    end: Floats
    slot: Ints
    names: list[tuple[str, str, str]]

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def ids(self) -> npt.NDArray[np.str_]:
        width = len(str(max(1, len(self))))
        return np.array([f"e{number:0{width}}" for number in range(1, len(self) + 1)], dtype=np.str_)

    @property
    def day(self) -> Ints:
        return (self.begin // DAY_S).astype(np.int64)

    def frame(self, places: CityPlaces, start_s: float) -> pl.DataFrame:
        """The events as a table that a knowledge base reads with a mapping."""
        names = list(zip(*self.names, strict=True)) or [(), (), ()]
        return pl.DataFrame(
            {
                "id": self.ids,
                "class": [iri(EVENTS[kind][0]) for kind in self.kind],
                "name": names[0],
                "name:pt": names[0],
                "name:en": names[1],
                "name:de": names[2],
                "begin": iso_times(self.begin + start_s),
                "end": iso_times(self.end + start_s),
                "place": places.ids[self.place],
            },
            schema_overrides={"place": pl.String},
        )


def iso_times(seconds: Floats) -> pl.Series:
    """Times as ISO texts in UTC."""
    stamps = pl.Series(seconds.round().astype(np.int64) * 1_000).cast(pl.Datetime("ms"))
    return stamps.dt.strftime("%Y-%m-%dT%H:%M:%SZ")


def draw_events(days: int, places: CityPlaces, rng: np.random.Generator) -> CityEvents:
    """Events of every kind by their probability on a day, each at a place of its kind by popularity."""
    rows: list[tuple[str, int, float, float, int]] = []
    for kind, (_, venues, first, hours, slot, _) in EVENTS.items():
        candidates = places.numbers(*venues)
        chance = places.chance[candidates] / places.chance[candidates].sum()
        for day in np.flatnonzero(rng.random(days) < _PROBABILITY[kind]):
            place = int(rng.choice(candidates, p=chance))
            begin = float(day * DAY_S + (first + rng.integers(0, 3) / 2) * 3_600)
            rows.append((kind, place, begin, min(begin + hours * 3_600, (day + 1) * DAY_S - 600), slot))
    names = {kind: iter(names_of(EVENTS[kind][5], days, rng)) for kind in EVENTS}
    return CityEvents(
        np.array([row[0] for row in rows], dtype=np.str_),
        np.array([row[1] for row in rows], dtype=np.int64),
        np.array([row[2] for row in rows], dtype=np.float64),
        np.array([row[3] for row in rows], dtype=np.float64),
        np.array([row[4] for row in rows], dtype=np.int64),
        [next(names[row[0]]) for row in rows],
    )
