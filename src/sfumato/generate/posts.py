"""Posts and photos: synthetic social media of a city on a coast, with places, events, regions and the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.generate.base import Generator
from sfumato.generate.coast.city_data import CityPosts
from sfumato.generate.coast.day_trails import draw_stops
from sfumato.generate.coast.events import draw_events
from sfumato.generate.coast.places import draw_places
from sfumato.generate.coast.post_times import draw_posts
from sfumato.generate.coast.visitors import draw_visitors
from sfumato.params import param

__all__ = ["Posts"]

_FIRST_DAY_S = 1_719_792_000.0  # Monday, 1 July 2024, 00:00 UTC; the clocks of the city show UTC


@dataclass(frozen=True, kw_only=True)
class Posts(Generator):
    """Posts and photos of residents and tourists.

    The city of Porto Claro has beaches, markets with stalls, museums, bars, clinics, churches, party offices and more,
    with names in three languages, opening hours and a popularity that follows Zipf's law in each class.  Residents have
    a home and a workplace, tourists a hotel; some tourists have a companion, and some people two accounts.  Everybody's
    day is a sequence of stops at open places, some of them during events; posts at stops and between them have a time,
    a position near the place, tags with mistakes and unrelated words, a text, and sometimes the name of the place.

    The truth is kept apart: the place, event and stop of each post, and the home of each person.

    Examples
    --------
    >>> city = Posts(people=50, days=3, places=150).make(seed=1)
    >>> city.posts.columns[:6]
    ['object', 'person', 'person_class', 'means', 'means_class', 'time']
    >>> len(city.truth) == len(city)
    True
    """

    name: ClassVar[str] = "posts"
    writes: ClassVar[tuple[str, ...]] = ("city", "truth")
    makes_posts: ClassVar[bool] = True

    people: int = param(1_000, at_least=1, help="number of people")
    days: int = param(7, at_least=1, help="number of days, from a Monday")
    places: int = param(1_000, at_least=100, help="number of places, about")
    tourists: float = param(0.4, at_least=0, at_most=1, help="share of tourists among the people")
    companions: float = param(0.2, at_least=0, at_most=1, help="probability that a tourist follows another")
    two_accounts: float = param(0.1, at_least=0, at_most=1, help="share of people with two accounts")
    posts_per_stop: float = param(3.0, above=0, help="mean number of posts at a stop")
    jitter_m: float = param(12.0, at_least=0, help="standard deviation of the error of positions, in metres")
    named: float = param(0.3, at_least=0, at_most=1, help="share of the posts at a place that name it")
    misspelt: float = param(0.08, at_least=0, at_most=1, help="share of tags with a spelling mistake")
    zipf: float = param(1.0, at_least=0, help="exponent of the popularity of places; 0 makes all equally popular")

    def make(self, *, seed: int | None = None) -> CityPosts:
        """Generate the posts, the city and the truth; a seed repeats them."""
        rng = np.random.default_rng(seed)
        places = draw_places(self.places, self.zipf, rng)
        events = draw_events(self.days, places, rng)
        visitors = draw_visitors(self.people, self.days, self.tourists, self.companions, self.two_accounts, places, rng)
        stops = draw_stops(self.days, 0, visitors, places, events, rng)
        drawn = draw_posts(stops, visitors, places, self.posts_per_stop, self.jitter_m, rng)
        return CityPosts.of(drawn, stops, visitors, places, events, _FIRST_DAY_S, self.named, self.misspelt, rng)
