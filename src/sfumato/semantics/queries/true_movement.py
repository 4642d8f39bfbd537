"""The true movement of a generated city: the stops of its people as segments, annotated with what they are at."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from sfumato.generate.coast.city_data import CityPosts
from sfumato.generate.coast.vocabulary import BASE
from sfumato.semantics.movement.movement import Movement
from sfumato.semantics.vocabulary import BQ, GEO, RDF

__all__ = ["home_triples", "true_movement"]

_MEANS = {"bus": BQ + "Bus", "taxi": BQ + "Taxi", "car": BQ + "Car"}


def true_movement(city: CityPosts, *, positions: bool = True) -> Movement:
    """Day trails, stops, finer stops and moves of every account, with the true place, event and means of transport.

    Only what was posted is known: a stop lasts from its first to its last post, and a move has the posts on the way.
    Of several posts in one second the first is kept.
    positions : whether the movement has the positions of the posts, or its segments alone.
    """
    posts = pl.concat([city.posts, city.truth.drop("object", "time")], how="horizontal")
    posts = posts.unique(["object", "time"], keep="first", maintain_order=True).with_row_index("row")
    posts = posts.with_columns(
        pl.col("row").cast(pl.Int64),
        pl.col("time").str.to_datetime(time_zone="UTC").dt.epoch("s").alias("begin"),
    ).with_columns((pl.col("begin") // 86_400).alias("day"))
    objects = posts.select("object", "person", "person_class", "means", "means_class").unique(maintain_order=True)
    segments = _segments(posts)
    whole = Movement.of(
        objects,
        posts.select("object", "begin", x="lon", y="lat"),
        segments.select("object", "type", "first", "last"),
        annotations=_annotations(segments.with_row_index("target"), city),
    )
    if positions:
        return whole
    alone = whole.segments.with_columns(first=None, last=None, wkt=whole.geometries())
    return replace(whole, positions=whole.positions.clear(), segments=alone)


def _segments(posts: pl.DataFrame) -> pl.DataFrame:
    """Trails, stops, finer stops and moves: object, type, first, last, and the stop that it is or leads to."""
    span = [pl.col("row").min().alias("first"), pl.col("row").max().alias("last")]
    trails = posts.group_by("object", "day", maintain_order=True).agg(*span)
    parts = [trails.select("object", pl.lit("TRAIL").alias("type"), "first", "last", stop=pl.lit(None, pl.String))]
    for column in ("stop", "finer_stop"):
        stops = posts.drop_nulls(column).group_by("object", column, maintain_order=True).agg(*span)
        parts.append(stops.select("object", pl.lit("STOP").alias("type"), "first", "last", stop=column))
    onward = posts.with_columns(
        pl.col("stop").fill_null(strategy="backward").over("object", "day").alias("towards"),
        pl.col("stop").fill_null(strategy="forward").over("object", "day").alias("from"),
    ).filter(pl.col("stop").is_null() & pl.col("towards").is_not_null() & pl.col("from").is_not_null())
    moves = onward.group_by("object", "day", "towards", maintain_order=True).agg(*span)
    parts.append(moves.select("object", pl.lit("MOVE").alias("type"), "first", "last", stop="towards"))
    return pl.concat(parts)


def _annotations(segments: pl.DataFrame, city: CityPosts) -> pl.DataFrame:
    """What every segment is annotated with, as resources."""
    known = segments.join(city.stops, on="stop", how="left", maintain_order="left")
    is_stop, is_trail, is_move = (pl.col("type") == kind for kind in ("STOP", "TRAIL", "MOVE"))
    place, event = pl.lit(BASE) + pl.col("place"), pl.lit(BASE) + pl.col("event")
    means = pl.col("arrived_by").replace_strict(_MEANS, default=None, return_dtype=pl.String)
    facts = [
        ("visits", is_trail, pl.lit(BASE + "country")),
        ("visits", is_trail, pl.lit(BASE + "city")),
        ("visits", is_stop, place),
        ("takesPartIn", is_stop, event),
        ("usesTransportationMeans", is_move, means),
        ("goesTo", is_move, place),
    ]
    return pl.concat(
        [
            known.filter(rows).select(
                pl.lit("segment").alias("target_kind"),
                pl.col("target").cast(pl.Int64),
                pl.lit(BQ + name).alias("property"),
                pl.lit("resource").alias("kind"),
                value.alias("value"),
            )
            for name, rows, value in facts
        ]
    ).drop_nulls("value")


def home_triples(city: CityPosts) -> str:
    """The homes of the people as N-Triples, which are private: class bq:Home and a point."""
    lines = []
    for home, lon, lat in city.people.select("home", "home_lon", "home_lat").iter_rows():
        node = f"<{BASE}{home}>"
        lines += [
            f"{node} <{RDF}type> <{BQ}Home> .",
            f"{node} <{GEO}hasGeometry> <{BASE}{home}/geometry> .",
            f'<{BASE}{home}/geometry> <{GEO}asWKT> "POINT({lon} {lat})"^^<{GEO}wktLiteral> .',
        ]
    return "\n".join(lines) + "\n"
