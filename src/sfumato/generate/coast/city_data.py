"""Everything that the generator of posts makes: posts, what is publicly known of the city, and the private truth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from sfumato.generate.coast.day_trails import HOME, MEANS, Stops
from sfumato.generate.coast.events import CityEvents, iso_times
from sfumato.generate.coast.mappings import MAPPINGS
from sfumato.generate.coast.places import CityPlaces
from sfumato.generate.coast.post_times import DrawnPosts
from sfumato.generate.coast.regions import degrees
from sfumato.generate.coast.tags import Subjects, draw_names, draw_tags, draw_texts
from sfumato.generate.coast.visitors import Visitors
from sfumato.generate.coast.vocabulary import BASE, classes_frame, classes_turtle, iri
from sfumato.io.atomic_writes import fresh_directory, write_text
from sfumato.io.frames import write_frame

__all__ = ["CityPosts"]

_SITES = (("messages", "city:MessageSite"), ("photos", "city:PhotoSite"))


@dataclass(frozen=True)
class CityPosts:
    """Posts with the city and the truth, as tables.

    posts : object (an account), person, person_class, means, means_class, time, lon, lat, tags, text, name.
    places, gazetteer : two sources of places; events, regions, classes : what else is known of the city.
    truth : for each post, in their order: object, time, stop, finer_stop, place, event.
    people : for each person, country, home, hotel, workplace and companion.
    stops : person, begin, end, place, event, the stop that contains it, and the means of arrival.
    """

    posts: pl.DataFrame
    places: pl.DataFrame
    gazetteer: pl.DataFrame
    events: pl.DataFrame
    regions: pl.DataFrame
    classes: pl.DataFrame
    truth: pl.DataFrame
    people: pl.DataFrame
    stops: pl.DataFrame

    def __len__(self) -> int:
        return len(self.posts)

    @classmethod
    def of(
        cls, drawn: DrawnPosts, stops: Stops, visitors: Visitors, places: CityPlaces, events: CityEvents,
        start_s: float, named: float, misspelt: float, rng: np.random.Generator,
    ) -> CityPosts:  # fmt: skip
        """The tables of what was drawn."""
        place = np.where(drawn.stop >= 0, stops.place[drawn.stop], -1)
        event = np.where(drawn.stop >= 0, stops.event[drawn.stop], -1)
        subjects = Subjects(place, event, visitors.language[drawn.person])
        names = draw_names(subjects, places, named, rng)
        lon_lat = degrees(drawn.where)
        objects = _objects(drawn, visitors)
        time = iso_times(drawn.time + start_s)
        posts = objects.with_columns(
            time.alias("time"),
            pl.Series("lon", lon_lat[:, 0]),
            pl.Series("lat", lon_lat[:, 1]),
            draw_tags(subjects, places, events, misspelt, rng),
            draw_texts(subjects, places, names, rng),
            names,
        )
        stop_table = _stops_frame(stops, visitors, places, events, start_s)
        known = places.frame(rng)
        return cls(
            posts=posts,
            places=known,
            gazetteer=places.gazetteer(known, rng),
            events=events.frame(places, start_s),
            regions=places.regions(),
            classes=classes_frame(),
            truth=_truth(posts, drawn, stops, stop_table),
            people=visitors.frame(places),
            stops=stop_table,
        )

    def write_city(self, directory: str | Path) -> None:
        """Write what is publicly known of the city into a new directory, for a knowledge base."""
        with fresh_directory(directory) as folder:
            write_text(classes_turtle(), folder / "classes.ttl")
            for name in ("places", "gazetteer", "events", "regions"):
                frame = getattr(self, name)
                path = frame["class"].str.strip_prefix("http://").alias("class_path")  # what the mapping needs
                write_frame(frame.with_columns(path), folder / f"{name}.csv")
                write_text(MAPPINGS[name], folder / f"{name}.toml")

    def write_truth(self, directory: str | Path) -> None:
        """Write the truth into a new private directory."""
        with fresh_directory(directory, private=True) as folder:
            for name in ("truth", "people", "stops"):
                write_frame(getattr(self, name), folder / f"{'posts' if name == 'truth' else name}.csv")


def _objects(drawn: DrawnPosts, visitors: Visitors) -> pl.DataFrame:
    """The account, person and classes of each post."""
    person = pl.Series(visitors.ids).gather(drawn.person)
    ending = pl.Series(["_ms", "_ph"]).gather(drawn.site)
    return pl.DataFrame(
        {
            "object": person + ending,
            "person": person,
            "person_class": pl.Series(visitors.classes).gather(drawn.person),
            "means": pl.Series([BASE + name for name, _ in _SITES]).gather(drawn.site),
            "means_class": pl.Series([iri(name) for _, name in _SITES]).gather(drawn.site),
        }
    )


def _stops_frame(
    stops: Stops, visitors: Visitors, places: CityPlaces, events: CityEvents, start_s: float
) -> pl.DataFrame:
    """The stops as a table; the place of a stop at home is the person's home, h and the person's number."""
    width = len(str(len(stops)))
    ids = pl.Series([f"s{number:0{width}}" for number in range(1, len(stops) + 1)])
    person = pl.Series(visitors.ids).gather(stops.person)
    home = pl.Series([f"h{name[1:]}" for name in visitors.ids]).gather(stops.person)
    place = pl.Series(places.ids).gather(np.maximum(stops.place, 0))
    event_ids = pl.Series("event", events.ids if len(events) else ["none"], dtype=pl.String)
    means = pl.Series(MEANS).gather(np.maximum(stops.arrived_by, 0))
    return pl.DataFrame(
        {
            "stop": ids,
            "person": person,
            "begin": iso_times(stops.begin + start_s),
            "end": iso_times(stops.end + start_s),
            "place": place.zip_with(pl.Series(stops.place != HOME), home),
            "event": event_ids.gather(np.maximum(stops.event, 0)).set(pl.Series(stops.event < 0), None),
            "within": ids.gather(np.maximum(stops.within, 0)).set(pl.Series(stops.within < 0), None),
            "arrived_by": means.set(pl.Series(stops.arrived_by < 0), None),
        }
    )


def _truth(posts: pl.DataFrame, drawn: DrawnPosts, stops: Stops, table: pl.DataFrame) -> pl.DataFrame:
    """The stop, finer stop, place and event of each post; null under way."""
    row = np.maximum(drawn.stop, 0)
    finer = stops.within[row] >= 0
    outer = np.where(finer, stops.within[row], row)
    under_way = pl.Series(drawn.stop < 0)
    return posts.select("object", "time").with_columns(
        table["stop"].gather(outer).set(under_way, None).alias("stop"),
        table["stop"].gather(row).set(pl.Series((drawn.stop < 0) | ~finer), None).alias("finer_stop"),
        table["place"].gather(row).set(under_way, None).alias("place"),
        table["event"].gather(row).set(under_way, None).alias("event"),
    )
