"""The papers' questions about a generated city, compared with a direct computation on the generated truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.generate import Posts
from sfumato.generate.coast.city_data import CityPosts
from sfumato.generate.coast.vocabulary import BASE, iri
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.movement.movement import Movement
from sfumato.semantics.queries.answering import answer_question
from sfumato.semantics.queries.question_files import read_question
from sfumato.semantics.queries.true_movement import home_triples, true_movement

QUESTIONS = Path(__file__).parents[3] / "examples" / "questions"
EUROPEANS = [iri(f"city:{name}Tourist") for name in ("German", "French", "British", "Portuguese")]


@dataclass
class City:
    """A generated city, its movement and its knowledge base."""

    posts: CityPosts
    movement: Movement
    base: KnowledgeBase
    answers: dict[str, pl.DataFrame] = field(default_factory=dict)

    def answer(self, name: str) -> pl.DataFrame:
        """The answer to a question, which is asked once."""
        if name not in self.answers:
            self.answers[name] = answer_question(self.base, read_question(QUESTIONS / f"{name}.toml")).frame
        return self.answers[name]

    def asked(self, name: str, column: str = "") -> set[tuple[str, float]]:
        """The segments in a column of the answer, by moving object and begin."""
        frame = self.answer(name)
        names = frame[column or frame.columns[0]].str.strip_prefix("http://example.org/movement/segment/")
        table = self.movement.segments.join(names.alias("name").to_frame(), on="name", how="semi")
        objects = self.movement.objects["object"].gather(table["object"])
        assert len(table) == names.n_unique()
        return set(zip(objects.to_list(), table["begin"].to_list(), strict=True))

    @property
    def known(self) -> pl.DataFrame:
        """The posts that count, with what is true of their stops."""
        posts = pl.concat(
            [self.posts.posts.drop("time"), self.posts.truth.drop("object", "place", "event")], how="horizontal"
        )
        times = pl.col("time").str.to_datetime(time_zone="UTC").dt.epoch("s").cast(pl.Float64)
        posts = posts.with_columns(times.alias("time")).unique(["object", "time"], keep="first", maintain_order=True)
        return posts.with_columns((pl.col("time") // 86_400).alias("day"))

    def stops(self, column: str = "stop") -> pl.DataFrame:
        """What was posted of each stop: first, last, position, place, class of the place, event, means of arrival."""
        kinds = self.posts.places.select(place="id", kind="class")
        return (
            self.known.drop_nulls(column)
            .group_by("object", "person", "person_class", "day", pl.col(column).alias("name"), maintain_order=True)
            .agg(
                pl.col("time").min().alias("begin"),
                pl.col("time").max().alias("end"),
                pl.col("lon").mean(),
                pl.col("lat").mean(),
                pl.col("stop").first().alias("whole"),
            )
            .join(
                self.posts.stops.select(name="stop", place="place", event="event", arrived_by="arrived_by"), on="name"
            )
            .join(kinds, on="place", how="left")
            .sort("object", "begin")
        )

    def trails(self, rows: pl.DataFrame) -> set[tuple[str, float]]:
        """The trails of some stops, by moving object and begin."""
        begins = self.known.group_by("object", "day").agg(pl.col("time").min())
        table = begins.join(rows, on=["object", "day"], how="semi")
        return set(zip(table["object"].to_list(), table["time"].to_list(), strict=True))


@pytest.fixture(scope="module")
def city(tmp_path_factory: pytest.TempPathFactory) -> Iterator[City]:
    folder = tmp_path_factory.mktemp("city")
    posts = Posts(people=200, days=7, places=200).make(seed=4)
    movement = true_movement(posts, positions=False)
    posts.write_city(folder / "city")
    (folder / "homes.nt").write_text(home_triples(posts), encoding="utf-8")
    (folder / "movement.nt").write_bytes(movement.to_triples())
    with KnowledgeBase.create(folder / "kb") as base:
        for name in ("regions", "places", "events"):
            base.load([folder / "city" / f"{name}.csv"], mapping=folder / "city" / f"{name}.toml")
        base.load([folder / "city" / "classes.ttl", folder / "homes.nt", folder / "movement.nt"])
        yield City(posts, movement, base)


def ends(rows: pl.DataFrame, *, last: bool = False) -> pl.DataFrame:
    """The first or last stop of each trail."""
    groups = rows.group_by("object", "day", maintain_order=True)
    return groups.last() if last else groups.first()


def test_trajectory_patterns(city: City) -> None:
    stops = city.stops()
    markets = ends(stops).filter(kind=iri("lgdo:Marketplace"))
    assert city.asked("market_first") == city.trails(markets) != set()
    at_home = ends(stops).filter(pl.col("place").str.starts_with("h"))
    workplaces = [iri(name) for name in ("city:Office", "city:Hospital")]
    at_work = ends(stops, last=True).filter(pl.col("kind").is_in(workplaces))
    assert city.asked("home_to_work") == city.trails(at_home.join(at_work, on=["object", "day"], how="semi")) != set()


def test_events(city: City) -> None:
    both = pl.concat([city.stops(), city.stops("finer_stop")])
    matches = city.posts.events.filter(pl.col("class") == iri("dbo:FootballMatch"))["id"].to_list()
    assert city.asked("sport_event_stop") == city.trails(both.filter(pl.col("event").is_in(matches))) != set()
    times = pl.col("begin", "end").str.to_datetime(time_zone="UTC").dt.epoch("s").name.suffix("_event")
    events = city.posts.events.select("place", times)
    shared = both.join(events, on="place").filter(
        (pl.col("begin") < pl.col("end_event")) & (pl.col("begin_event") < pl.col("end"))
    )
    assert city.asked("event_presence") == set(shared.select("object", "begin").iter_rows()) != set()


def test_europeans(city: City) -> None:
    stops, finer = city.stops(), city.stops("finer_stop")
    of_europeans = city.known.filter(pl.col("person_class").is_in(EUROPEANS))
    assert city.asked("europeans") == city.trails(of_europeans) != set()
    reserves = stops.filter(pl.col("kind") == iri("lgdo:NatureReserve"), pl.col("person_class").is_in(EUROPEANS))
    shops = finer.filter(kind=iri("lgdo:TouristShop"))
    souvenirs = reserves.join(shops, left_on=["object", "name"], right_on=["object", "whole"], how="semi")
    assert city.asked("europeans_souvenirs") == city.trails(souvenirs) != set()


def test_weekday_and_hour(city: City) -> None:
    churches = [iri(f"city:{name}") for name in ("Church", "Mosque", "Synagogue")]
    sunday = city.stops().filter(
        pl.col("kind").is_in(churches), pl.col("day") % 7 == 3, pl.col("begin") % 86_400 < 12 * 3_600
    )  # the first day of 1970 was a Thursday
    assert city.asked("sunday_worship") == set(sunday.select("object", "begin").iter_rows()) != set()


def test_moves_by_bus(city: City) -> None:
    posts = city.known.with_columns(
        pl.col("stop").fill_null(strategy="backward").over("object", "day").alias("towards"),
        pl.col("stop").fill_null(strategy="forward").over("object", "day").alias("from"),
    ).filter(pl.col("stop").is_null(), pl.col("from").is_not_null())
    moves = posts.group_by("object", "day", "towards").agg(pl.col("time").min())
    by_bus = moves.join(city.stops(), left_on=["object", "towards"], right_on=["object", "name"]).filter(
        arrived_by="bus"
    )
    assert city.asked("by_bus") == set(by_bus.select("object", "time").iter_rows()) != set()


def test_meetings(city: City) -> None:
    both = pl.concat([city.stops(), city.stops("finer_stop")]).sort("begin")
    begin, end, lon, lat = (both[name].to_numpy() for name in ("begin", "end", "lon", "lat"))
    person = both["person"].to_numpy()
    x, y = np.radians(lon), np.radians(lat)
    pairs = set()
    for row in range(len(both)):
        shared = np.minimum(end, end[row]) - np.maximum(begin, begin[row])
        half = np.sin((y - y[row]) / 2) ** 2 + np.cos(y) * np.cos(y[row]) * np.sin((x - x[row]) / 2) ** 2
        near = 2 * 6_371_008.8 * np.arcsin(np.sqrt(half)) <= 100
        pairs |= {(row, int(other)) for other in np.flatnonzero(near & (shared >= 900) & (person[row] < person))}
    rows = list(both.select("object", "begin").iter_rows())
    assert city.asked("meeting", "stop1") == {rows[first] for first, _ in pairs} != set()
    assert city.asked("meeting", "stop2") == {rows[second] for _, second in pairs}
    assert len(city.answer("meeting")) == len(pairs)


def test_homes_are_known_by_their_own_names(city: City) -> None:
    text = home_triples(city.posts)
    assert text.count("\n") == 3 * 200
    assert f"<{BASE}{city.posts.people['home'][0]}>" in text
