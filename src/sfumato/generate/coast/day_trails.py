"""The days of people in the synthetic city: stops with place, begin and end, and finer stops inside some of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sfumato.generate.coast.events import DAY_S, CityEvents
from sfumato.generate.coast.places import CityPlaces
from sfumato.generate.coast.visitors import RESIDENT, Visitors

__all__ = ["HOME", "MEANS", "Stops", "draw_stops"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

HOME = -2  # in place of the number of a place
MEANS = ("walk", "bus", "taxi", "car")
_SIGHTS = {"beach": 3.0, "peak": 2.0, "museum": 1.5, "monument": 1.5, "reserve": 1.5, "market": 1.5}
_MEALS = {"restaurant": 3.0, "fast-food": 1.0, "cafe": 1.0}
_EVENINGS = {"restaurant": 2.0, "bar": 2.0, "pub": 1.0, "nightclub": 1.0}
_ERRANDS = {
    "shop": 4.0, "park": 1.5, "market": 2.0, "cafe": 1.0, "clinic": 0.7, "hospital": 0.15, "church": 0.7,
    "mosque": 0.15, "synagogue": 0.1, "party-office": 0.25, "union-office": 0.15,
}  # fmt: skip
_SUNDAYS = {"church": 2.0, "mosque": 0.2, "synagogue": 0.2, "market": 3.0, "beach": 3.0, "park": 1.5}
_Slot = tuple[float, float, float, dict[str, float]]  # hour, minutes, probability, kinds of place with weights
_DAYS: dict[str, tuple[_Slot, ...]] = {
    "workday": (
        (7.3, 45, 0.4, {"home": 1}), (9, 170, 0.8, {"work": 1}), (12.5, 45, 0.5, _MEALS), (14, 170, 0.65, {"work": 1}),
        (17.6, 50, 0.5, _ERRANDS), (19.5, 110, 0.4, _EVENINGS), (22.0, 60, 0.4, {"home": 1}),
    ),
    "free day": (
        (9, 60, 0.4, {"home": 1}), (10.4, 80, 0.6, _SUNDAYS), (12.6, 60, 0.6, _MEALS), (14.5, 130, 0.5, _SIGHTS),
        (17.3, 60, 0.3, _ERRANDS), (19.5, 120, 0.5, _EVENINGS), (22.2, 60, 0.4, {"home": 1}),
    ),
    "arrival": (
        (7.5, 45, 0.9, {"airport": 1}), (9.5, 50, 0.9, {"hotel": 1}), (11.5, 150, 0.8, {"market": 3, "beach": 1}),
        (14.5, 60, 0.5, _MEALS), (16.0, 100, 0.7, _SIGHTS), (19.0, 130, 0.7, _EVENINGS), (22.0, 60, 0.4, {"hotel": 1}),
    ),
    "tourist": (
        (8.3, 45, 0.6, {"hotel": 1}), (9.8, 100, 0.8, _SIGHTS),
        (12.2, 110, 0.7, {"market": 2, "reserve": 1, "museum": 1}), (14.5, 55, 0.6, _MEALS), (16.2, 100, 0.6, _SIGHTS),
        (19.0, 130, 0.7, _EVENINGS), (22.0, 60, 0.4, {"hotel": 1}),
    ),
}  # fmt: skip
_EVENT_SHARE = 0.12  # of the days with an event in a slot
_ACTIVE = 0.6  # of the days of a resident
_SPEEDS_M_S = np.array([1.2, 5.5, 8.0, 8.0])
_CHANGE_S = 240.0  # least time between two stops
_SHORTEST_S = 900.0


@dataclass(frozen=True)
class Stops:
    """Stops by number, by person and then by time; those inside another follow all others.

    place : the number of a place, or `HOME`.  event : the number of an event that they share time and place with, or
    -1.  within : the stop that contains it, or -1.  arrived_by : a position in `MEANS`, or -1 for the first of a day.
    """

    person: Ints
    place: Ints
    begin: Floats
    end: Floats
    event: Ints
    within: Ints
    arrived_by: Ints

    def __len__(self) -> int:
        return len(self.person)

    def taken(self, rows: Ints | Flags) -> Stops:
        return Stops(**{name: value[rows] for name, value in vars(self).items()})


def draw_stops(
    days: int, weekday: int, visitors: Visitors, places: CityPlaces, events: CityEvents, rng: np.random.Generator
) -> Stops:
    """The stops of everybody in all days; weekday : that of the first day, 0 for Monday."""
    person, day = _days_present(days, visitors, rng)
    slots = _choices(person, day, weekday, visitors, places, events, rng)
    stops = _in_order(person, day, slots, visitors, places, rng)
    stops = _followed(stops, visitors, rng)
    stops = stops.taken(np.lexsort((stops.begin, stops.person)))
    stops = _with_finer(stops, places, rng)
    return replace(stops, event=_events_attended(stops, places, events))


def _days_present(days: int, visitors: Visitors, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Pairs of person and day on which the person goes out; those who follow somebody are left out."""
    person, day = np.divmod(np.arange(len(visitors) * days), days)
    is_out = (visitors.group[person] != RESIDENT) | (rng.random(len(person)) < _ACTIVE)
    present = (visitors.first[person] <= day) & (day <= visitors.last[person]) & is_out
    chosen = np.flatnonzero(present & (visitors.leader[person] < 0))
    return person[chosen], day[chosen]


@dataclass(frozen=True)
class _Slots:
    """Of each day and slot: whether there is a stop, its place, and its begin and length in seconds."""

    used: Flags
    place: Ints
    begin: Floats
    length: Floats


def _choices(
    person: Ints, day: Ints, weekday: int, visitors: Visitors, places: CityPlaces, events: CityEvents,
    rng: np.random.Generator,
) -> _Slots:  # fmt: skip
    """What everybody means to do in each slot of each day."""
    width = len(_DAYS["tourist"])
    shape = (len(person), width)
    slots = _Slots(np.zeros(shape, bool), np.full(shape, HOME), np.zeros(shape), np.zeros(shape))
    is_tourist = visitors.group[person] != RESIDENT
    is_free = (day + weekday) % 7 >= 5
    arrives = is_tourist & (visitors.first[person] == day)
    kinds_of_day = np.select([arrives, is_tourist, is_free], ["arrival", "tourist", "free day"], "workday")
    for name, plan in _DAYS.items():
        rows = np.flatnonzero(kinds_of_day == name)
        for slot, (hour, minutes, probability, weights) in enumerate(plan):
            begin = day[rows] * DAY_S + (hour + rng.normal(0, 0.25, len(rows))) * 3_600
            slots.used[rows, slot] = rng.random(len(rows)) < probability
            slots.begin[rows, slot] = begin
            slots.length[rows, slot] = np.maximum(_SHORTEST_S, minutes * 60 * rng.lognormal(0, 0.25, len(rows)))
            place, is_open = _draw_place(person[rows], begin, weights, visitors, places, rng)
            slots.place[rows, slot] = place
            slots.used[rows, slot] &= is_open
    _attend(day, slots, events, rng)
    return slots


def _draw_place(
    person: Ints, begin: Floats, weights: dict[str, float], visitors: Visitors, places: CityPlaces,
    rng: np.random.Generator,
) -> tuple[Ints, Flags]:  # fmt: skip
    """A place for each person, by popularity among those of a kind, and whether it is open; closed ones are redrawn."""
    if "home" in weights:
        return np.full(len(person), HOME), np.ones(len(person), bool)
    if "hotel" in weights:
        return visitors.hotel[person], np.ones(len(person), bool)
    if "work" in weights:
        return visitors.work[person], _open(places, visitors.work[person], begin)
    candidates = np.concatenate([places.numbers(kind) for kind in weights])
    chance = places.chance[candidates] * np.array([weights[kind] for kind in places.kind[candidates]])
    sums = np.cumsum(chance) / chance.sum()
    place = candidates[np.minimum(np.searchsorted(sums, rng.random(len(person))), len(candidates) - 1)]
    for _ in range(4):
        closed = np.flatnonzero(~_open(places, place, begin))
        place[closed] = candidates[np.minimum(np.searchsorted(sums, rng.random(len(closed))), len(candidates) - 1)]
    return place, _open(places, place, begin)


def _open(places: CityPlaces, place: Ints, begin: Floats) -> Flags:
    """Whether a place is open for at least half an hour from then on."""
    hour = begin % DAY_S / 3_600
    return (places.opens[place] <= hour) & (hour <= places.closes[place] - 0.5)


def _attend(day: Ints, slots: _Slots, events: CityEvents, rng: np.random.Generator) -> None:
    """Send a share of the people to the events of their day, in the slot of the event."""
    for slot in np.unique(events.slot):
        goes = rng.random(len(day)) < _EVENT_SHARE
        choice = rng.random(len(day))
        for today in np.unique(events.day[events.slot == slot]):
            number = np.flatnonzero((events.slot == slot) & (events.day == today))
            rows = np.flatnonzero(goes & (day == today))
            event = number[(choice[rows] * len(number)).astype(np.int64)]
            slots.used[rows, slot] = True
            slots.place[rows, slot] = events.place[event]
            slots.begin[rows, slot] = events.begin[event] + rng.normal(0, 600, len(rows))
            slots.length[rows, slot] = (events.end - events.begin)[event] * rng.uniform(0.5, 1, len(rows))


def _in_order(
    person: Ints, day: Ints, slots: _Slots, visitors: Visitors, places: CityPlaces, rng: np.random.Generator
) -> Stops:
    """The stops of each day one after the other, with the time that the way takes; what does not fit is left out."""
    free_from = day * DAY_S + 300
    last_where = np.full((len(day), 2), np.nan)
    columns: list[tuple[Ints, Ints, Floats, Floats, Ints]] = []
    for slot in range(slots.used.shape[1]):
        place = slots.place[:, slot]
        where = np.where((place == HOME)[:, None], visitors.home[person], places.where[np.maximum(place, 0)])
        metres = np.nan_to_num(np.hypot(*(where - last_where).T))
        means = np.where(metres < 900, 0, rng.choice([1, 2, 3], p=[0.5, 0.25, 0.25], size=len(day)))
        arrival = free_from + np.where(np.isnan(last_where[:, 0]), 0, _CHANGE_S + metres / _SPEEDS_M_S[means])
        begin = np.round(np.maximum(slots.begin[:, slot], arrival))
        end = np.round(np.minimum(begin + slots.length[:, slot], (day + 1) * DAY_S - 300))
        closes = np.where(place == HOME, 48.0, places.closes[np.maximum(place, 0)]) * 3_600 + day * DAY_S
        end = np.minimum(end, closes)
        rows = np.flatnonzero(slots.used[:, slot] & (end - begin >= _SHORTEST_S))
        means = np.where(np.isnan(last_where[:, 0]), -1, means)
        columns.append((person[rows], place[rows], begin[rows], end[rows], means[rows]))
        free_from[rows], last_where[rows] = end[rows], where[rows]
    who, place, begin, end, means = (np.concatenate(column) for column in zip(*columns, strict=True))
    none = np.full(len(who), -1)
    return Stops(who, place, begin, end, none, none.copy(), means)


def _followed(stops: Stops, visitors: Visitors, rng: np.random.Generator) -> Stops:
    """The stops, and those of companions: the same places, a little earlier or later."""
    companion = np.full(len(visitors), -1)
    followers = np.flatnonzero(visitors.leader >= 0)
    companion[visitors.leader[followers]] = followers
    copied = stops.taken(np.flatnonzero(companion[stops.person] >= 0))
    begin = copied.begin + np.round(rng.uniform(0, 100, len(copied)))
    end = copied.end - np.round(rng.uniform(0, 100, len(copied)))
    copied = replace(copied, person=companion[copied.person], begin=begin, end=end)
    return _joined(stops, copied)


def _with_finer(stops: Stops, places: CityPlaces, rng: np.random.Generator) -> Stops:
    """The stops, and finer ones at the parts of a place, for two thirds of the long stops where there are parts."""
    counts = np.bincount(places.within[places.within >= 0], minlength=len(places))
    first_part = np.full(len(places), -1)
    inner = np.flatnonzero(places.within >= 0)
    first_part[places.within[inner][::-1]] = inner[::-1]  # the parts of a place have consecutive numbers
    parts = np.where(stops.place >= 0, counts[np.maximum(stops.place, 0)], 0)
    whole = np.flatnonzero((parts > 0) & (stops.end - stops.begin >= 3_600) & (rng.random(len(stops)) < 0.65))
    number = np.minimum(rng.integers(1, 4, len(whole)), parts[whole])
    start = rng.integers(0, 1_000, len(whole))
    father = np.repeat(whole, number)
    order = np.arange(len(father)) - np.repeat(np.cumsum(number) - number, number)
    part = first_part[stops.place[father]] + (np.repeat(start, number) + order) % parts[father]
    share = (stops.end - stops.begin)[father] / (np.repeat(number, number) + 1)
    begin = np.round(stops.begin[father] + share * (order + 0.3))
    end = np.round(begin + share * rng.uniform(0.5, 0.85, len(father)))
    none = np.full(len(father), -1)
    return _joined(stops, Stops(stops.person[father], part, begin, end, none, father, none.copy()))


def _joined(first: Stops, second: Stops) -> Stops:
    return Stops(**{name: np.concatenate([value, getattr(second, name)]) for name, value in vars(first).items()})


def _events_attended(stops: Stops, places: CityPlaces, events: CityEvents) -> Ints:
    """The event at the place of each stop, or around it, that shares more than an instant with it; -1 for none."""
    attended = np.full(len(stops), -1)
    outer = np.where(stops.place >= 0, places.within[np.maximum(stops.place, 0)], -1)
    for number in range(len(events)):
        is_there = (stops.place == events.place[number]) | (outer == events.place[number])
        shares = np.minimum(stops.end, events.end[number]) - np.maximum(stops.begin, events.begin[number])
        attended[is_there & (shares > 0) & (attended < 0)] = number
    return attended
