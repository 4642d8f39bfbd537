"""Places of a city in a table of OpenStreetMap objects, and posts that are drawn at them, with known truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from sfumato.semantics.linking.resources import Resources
from sfumato.semantics.linking.targets import Targets

COLUMNS = ("osm", "key", "value", "name", "name_en", "lat", "lon", "wikidata")


def read_places(path: str | Path) -> pl.DataFrame:
    """The named objects: osm, key, value, name, name_en, lat, lon, wikidata."""
    frame = pl.read_csv(path, columns=COLUMNS, infer_schema_length=0)
    return frame.with_columns(pl.col("lat", "lon").cast(pl.Float64)).filter(pl.col("name").is_not_null()).sort("osm")


def resources(places: pl.DataFrame) -> Resources:
    """The places with their labels; classes are node or way, the key, and the key with its value."""
    wkt = pl.format("POINT({} {})", "lon", "lat")
    labels = [
        places.select(resource="osm", label=name, language=pl.lit(language)).drop_nulls("label")
        for name, language in (("name", "it"), ("name_en", "en"))
    ]
    pairs = places.select("osm", key=pl.col("key").str.split("|"), value=pl.col("value").str.split("|"))
    keys = pairs.explode("key").select(resource="osm", **{"class": "key"})
    values = pairs.explode("value").select(resource="osm", **{"class": pl.lit("=") + pl.col("value")})
    kinds = places.select(resource="osm", **{"class": pl.lit("a ") + pl.col("osm").str.split("/").list.first()})
    return Resources.of(
        places.select(resource="osm", wkt=wkt), pl.concat(labels), classes=pl.concat([kinds, keys, values]).unique()
    )


def targets(places: pl.DataFrame, names: pl.Series, where: np.ndarray, *, kinds: bool = False) -> Targets:
    """Texts at positions, as what is linked; with the keys of places if their class is known."""
    count = len(names)
    keys = places.select(owner=pl.int_range(pl.len()), **{"class": pl.col("key").str.split("|")}).explode("class")
    more = {"kinds": keys} if kinds else {}
    texts = pl.DataFrame({"owner": np.arange(count), "text": names})
    return Targets("position", np.arange(count), where, np.zeros(count), np.zeros(count), texts, **more)


def draw_posts(places: pl.DataFrame, count: int, seed: int) -> tuple[Targets, pl.Series]:
    """Posts at places, and the place of each: popular places more often, positions and names with errors.

    Seven of ten posts are about 15 m from the place, the others about 400 m, as after leaving.  Of the names, 60 % are
    right, 15 % have a wrong letter, 15 % lack a word, and 10 % are greetings.
    """
    rng = np.random.default_rng(seed)
    weight = 1 / np.arange(1, len(places) + 1)
    visited = rng.permutation(len(places))[rng.choice(len(places), count, p=weight / weight.sum())]
    metres = np.where(rng.random(count) < 0.7, np.abs(rng.normal(0, 15, count)), rng.exponential(400, count))
    angle = rng.uniform(0, 2 * np.pi, count)
    x, y = places.select("lon", "lat").to_numpy()[visited].T
    degree = 111_195.0
    where = np.column_stack(
        (x + metres * np.cos(angle) / degree / np.cos(np.radians(y)), y + metres * np.sin(angle) / degree)
    )
    names = [_written(name, rng) for name in places["name"].gather(visited).to_list()]
    return targets(places[visited], pl.Series(names), where), places["osm"].gather(visited)


def _written(name: str, rng: np.random.Generator) -> str:
    draw, words = rng.random(), name.split()
    if draw < 0.10:
        return str(rng.choice(["buongiorno", "what a day", "finalmente", "good night roma"]))
    if draw < 0.25 and len(words) > 2:
        left_out = int(rng.integers(len(words)))
        return " ".join(word for number, word in enumerate(words) if number != left_out)
    if draw < 0.40:
        place = int(rng.integers(len(name)))
        return name[:place] + str(rng.choice(list("aeiorst"))) + name[place + 1 :]
    return name
