"""When and where people post in the synthetic city: at their stops, under way, and several photos in one second."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.generate.coast.day_trails import HOME, Stops
from sfumato.generate.coast.events import DAY_S
from sfumato.generate.coast.places import CityPlaces
from sfumato.generate.coast.visitors import Visitors

__all__ = ["DrawnPosts", "draw_posts"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_UNDER_WAY = 0.15  # probability of a post between two stops of a day
_BURST = 0.03  # share of posts with another one in the same second
_ASTRAY, _ASTRAY_M = 0.01, 250.0  # share of positions with a large error, and its standard deviation


@dataclass(frozen=True)
class DrawnPosts:
    """Posts by number, by account and then by time.

    site : 0 or 1, the site of the account.  stop : the finest stop, or -1 under way.  where : metres east and north.
    """

    person: Ints
    site: Ints
    stop: Ints
    time: Floats
    where: Floats

    def __len__(self) -> int:
        return len(self.person)


def draw_posts(
    stops: Stops, visitors: Visitors, places: CityPlaces, per_stop: float, jitter_m: float, rng: np.random.Generator
) -> DrawnPosts:
    """Posts of all stops and of ways between them, in the order of accounts and times."""
    stop, time = _at_stops(stops, per_stop, rng)
    where = _around(stops, stop, visitors, places, rng)
    person = stops.person[stop]
    way_person, way_time, way_where = _under_way(stops, visitors, places, rng)
    person, time = np.concatenate([person, way_person]), np.concatenate([time, way_time])
    where, stop = np.concatenate([where, way_where]), np.concatenate([stop, np.full(len(way_person), -1)])
    twice = np.flatnonzero(rng.random(len(person)) < _BURST)
    rows = np.concatenate([np.arange(len(person)), twice])
    person, time, where, stop = person[rows], np.round(time[rows]), where[rows], stop[rows]
    error = np.where(rng.random(len(rows)) < _ASTRAY, _ASTRAY_M, jitter_m)
    where = where + rng.normal(0, 1, where.shape) * error[:, None]
    on_second = (visitors.accounts[person] > 1) & (rng.random(len(rows)) < 0.35)
    on_second[len(person) - len(twice) :] = on_second[twice]
    site = (person + on_second) % 2  # the first account of every other person is on the first site
    order = np.lexsort((np.arange(len(rows)), time, site, person))
    return DrawnPosts(person[order], site[order], stop[order], time[order], where[order])


def _at_stops(stops: Stops, per_stop: float, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """The stop and the time of each post; around finer stops, the coarser one has posts before and after them only."""
    number = rng.poisson(per_stop, len(stops))
    stop = np.repeat(np.arange(len(stops)), number)
    share = rng.random(len(stop))
    edges = rng.random(len(stop)) < 0.35  # people post when they come and when they go
    share = np.where(edges, np.round(share) * 0.95 + 0.05 * rng.random(len(stop)), share)
    divided = np.zeros(len(stops), bool)
    divided[stops.within[stops.within >= 0]] = True
    outer_begin, outer_end = stops.begin.copy(), stops.end.copy()
    np.maximum.at(outer_begin, stops.within[stops.within >= 0], stops.end[stops.within >= 0])
    last_inner = outer_begin
    np.minimum.at(outer_end, stops.within[stops.within >= 0], stops.begin[stops.within >= 0])
    before, after = outer_end - stops.begin, stops.end - last_inner
    span = stops.end - stops.begin
    offset = share * np.where(divided, before + after, span)[stop]
    jumps = divided[stop] & (offset > before[stop])
    offset = np.where(jumps, offset - before[stop] + (last_inner - stops.begin)[stop], offset)
    return stop, stops.begin[stop] + offset


def _around(stops: Stops, stop: Ints, visitors: Visitors, places: CityPlaces, rng: np.random.Generator) -> Floats:
    """A position for each post: in the inner part of a place with an outline, otherwise at the place or the home."""
    place, centre = stops.place[stop], _centres(stops, stop, visitors, places)
    divided = np.zeros(len(stops), bool)
    divided[stops.within[stops.within >= 0]] = True
    reach = np.where(place >= 0, places.radius_m[np.maximum(place, 0)], 0.0) * np.where(divided[stop], 0.2, 0.35)
    angle, radius = rng.random(len(stop)) * 2 * np.pi, np.sqrt(rng.random(len(stop))) * reach
    offset: Floats = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return centre + offset


def _centres(stops: Stops, rows: Ints, visitors: Visitors, places: CityPlaces) -> Floats:
    """The place or the home of each of these stops."""
    place = stops.place[rows]
    is_home = (place == HOME)[:, None]
    centres: Floats = np.where(is_home, visitors.home[stops.person[rows]], places.where[np.maximum(place, 0)])
    return centres


def _under_way(
    stops: Stops, visitors: Visitors, places: CityPlaces, rng: np.random.Generator
) -> tuple[Ints, Floats, Floats]:
    """Posts between two stops of one person and day: person, time and position."""
    top = np.flatnonzero(stops.within < 0)
    here, there = top[:-1], top[1:]
    together = (stops.person[here] == stops.person[there]) & (stops.begin[here] // DAY_S == stops.begin[there] // DAY_S)
    chosen = np.flatnonzero(together & (rng.random(len(here)) < _UNDER_WAY))
    here, there = here[chosen], there[chosen]
    share = rng.uniform(0.2, 0.8, len(here))
    ends = [_centres(stops, row, visitors, places) for row in (here, there)]
    time = stops.end[here] + share * (stops.begin[there] - stops.end[here])
    return stops.person[here], time, ends[0] + share[:, None] * (ends[1] - ends[0])
