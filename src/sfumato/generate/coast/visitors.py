"""The people of the synthetic city: residents and tourists, their homes, hotels, workplaces and accounts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.generate.coast.places import CityPlaces
from sfumato.generate.coast.regions import degrees
from sfumato.generate.coast.vocabulary import iri

__all__ = ["RESIDENT", "Visitors", "draw_visitors"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_GROUPS = (  # class, country, share among tourists, language: 0 Portuguese, 1 English, 2 German
    ("city:Resident", "Litorânia", 0.0, 0),
    ("city:GermanTourist", "Germany", 0.22, 2),
    ("city:FrenchTourist", "France", 0.13, 1),
    ("city:BritishTourist", "United Kingdom", 0.15, 1),
    ("city:PortugueseTourist", "Portugal", 0.1, 0),
    ("city:ArgentineTourist", "Argentina", 0.2, 0),
    ("city:AmericanTourist", "United States", 0.12, 1),
    ("city:JapaneseTourist", "Japan", 0.08, 1),
)
RESIDENT = 0
_MEAN_STAY_DAYS = 4.0


@dataclass(frozen=True)
class Visitors:
    """People by number.

    group : 0 for a resident, otherwise the tourist's country.  home : metres east and north, of tourists the hotel.
    hotel, work : a place, or -1.  first, last : the days in the city.  leader : the person who is followed, or -1.
    accounts : 1 or 2.
    """

    group: Ints
    home: Floats
    hotel: Ints
    work: Ints
    first: Ints
    last: Ints
    leader: Ints
    accounts: Ints

    def __len__(self) -> int:
        return len(self.group)

    @property
    def ids(self) -> npt.NDArray[np.str_]:
        width = len(str(len(self)))
        return np.array([f"u{number:0{width}}" for number in range(1, len(self) + 1)])

    @property
    def language(self) -> Ints:
        return np.array([group[3] for group in _GROUPS])[self.group]

    @property
    def classes(self) -> npt.NDArray[np.str_]:
        return np.array([iri(group[0]) for group in _GROUPS])[self.group]

    def frame(self, places: CityPlaces) -> pl.DataFrame:
        """The truth about each person: country, home, workplace, companion."""
        lon_lat, ids = degrees(self.home), self.ids
        return pl.DataFrame(
            {
                "person": ids,
                "person_class": self.classes,
                "country": np.array([group[1] for group in _GROUPS])[self.group],
                "home": [f"h{name[1:]}" for name in ids],
                "home_lon": lon_lat[:, 0],
                "home_lat": lon_lat[:, 1],
                "hotel": _or_none(places.ids, self.hotel),
                "work": _or_none(places.ids, self.work),
                "companion": _or_none(ids, self.leader),
            }
        )


def _or_none(names: npt.NDArray[np.str_], numbers: Ints) -> pl.Series:
    return pl.Series(names).gather(np.maximum(numbers, 0)).set(pl.Series(numbers < 0), None)


def draw_visitors(
    count: int, days: int, tourists: float, companions: float, two_accounts: float,
    places: CityPlaces, rng: np.random.Generator,
) -> Visitors:  # fmt: skip
    """People with their facts; a companion is a tourist who follows another, with the same hotel and days."""
    shares = np.array([group[2] for group in _GROUPS])
    is_tourist = rng.random(count) < tourists
    group = np.where(is_tourist, rng.choice(len(_GROUPS), size=count, p=shares / shares.sum()), RESIDENT)
    hotel = np.where(is_tourist, _by_popularity(places, ("hotel",), count, rng), -1)
    work = np.where(is_tourist, -1, _by_popularity(places, ("office", "shop", "hospital"), count, rng))
    first = np.where(is_tourist, rng.integers(0, days, count), 0)
    last = np.where(is_tourist, np.minimum(first + rng.geometric(1 / _MEAN_STAY_DAYS, count) - 1, days - 1), days - 1)
    home = places.land.point(rng.random(count), 0.05 + 0.9 * rng.beta(1.2, 2.0, count))
    leader = np.full(count, -1)
    follows = (rng.random(count) < companions) & is_tourist
    follows[1:] &= is_tourist[:-1] & ~follows[:-1]
    follows[:1] = False
    leader[follows] = np.flatnonzero(follows) - 1
    for fact in (hotel, first, last, group):
        fact[follows] = fact[leader[follows]]
    home[is_tourist] = places.where[hotel[is_tourist]]
    accounts = 1 + (rng.random(count) < two_accounts)
    return Visitors(group, home, hotel, work, first, last, leader, accounts)


def _by_popularity(places: CityPlaces, kinds: tuple[str, ...], count: int, rng: np.random.Generator) -> Ints:
    candidates = places.numbers(*kinds)
    chance = places.chance[candidates]
    return rng.choice(candidates, size=count, p=chance / chance.sum())
