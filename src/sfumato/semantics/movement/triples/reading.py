"""A movement from the triples of a knowledge base."""

from __future__ import annotations

import polars as pl

from sfumato.errors import DataError
from sfumato.semantics.movement.frames import fitted
from sfumato.semantics.movement.triples.annotation_reading import read_annotations
from sfumato.semantics.movement.triples.names import names, require_base
from sfumato.semantics.movement.triples.pairs import Knowledge, Pairs, with_column, with_rows
from sfumato.semantics.movement.triples.writing import TYPE_NAME
from sfumato.semantics.vocabulary import BQ, DESCRIPTION_CLASSES, SEGMENT_CLASSES

__all__ = ["read_frames"]

_POINT = r"^\s*POINT\s*\(\s*([-+0-9.eE]+)\s+([-+0-9.eE]+)\s*\)\s*$"


def read_frames(knowledge: Knowledge, base: str) -> tuple[dict[str, pl.DataFrame], pl.Series]:
    """The frames of the movement in a knowledge base, and the durations that it states, in minutes."""
    base, pairs = require_base(base), Pairs(knowledge)
    owners = pairs.links(BQ + "isOfMO", "object")
    objects = _objects(pairs, owners, base)
    positions = _positions(pairs, owners, objects)
    segments = _segments(pairs, owners, objects, positions, base)
    patterns = _patterns(pairs, base)
    descriptions = _described(pairs, "MovementDescription", "description", DESCRIPTION_CLASSES, base)
    tables = {"object": objects, "position": positions, "segment": segments, "pattern": patterns}
    targets = {kind: table.select("iri", "row") for kind, table in {**tables, "description": descriptions}.items()}
    sequences = owners.rename({"object": "owner"}).join(targets["object"].rename({"iri": "owner"}), on="owner")
    of_segment = sequences["iri"].is_in(segments["iri"].implode())
    targets["object"] = pl.concat([targets["object"], sequences.filter(~of_segment).select("iri", "row")])
    frames = {
        "objects": objects,
        "positions": positions,
        "segments": segments,
        "annotations": read_annotations(pairs, targets),
        "patterns": patterns,
        "members": _members(pairs, patterns, segments),
        "descriptions": descriptions,
    }
    own = ["iri", "row", "minutes", "order", "centroid"]
    return {name: fitted(name, frame.drop(own, strict=False)) for name, frame in frames.items()}, segments["minutes"]


def _objects(pairs: Pairs, owners: pl.DataFrame, base: str) -> pl.DataFrame:
    typed = pairs.of_class(BQ + "MovingObject").select("iri")
    table = pl.concat([typed, owners.select(iri="object")]).unique().sort("iri")
    table = with_column(table, pairs.links(BQ + "hasMovingEntity", "person"))
    table = with_column(table, pairs.links(BQ + "hasMonitoringMeans", "means"))
    stated = pairs.links(BQ + "isOfMOclass", "class").join(owners, on="iri").select("object", "class").unique()
    persons = stated.join(table.select(object="iri", iri="person").drop_nulls(), on="object").select("iri", "class")
    for column in ("person", "means"):
        single = _one_class(pairs, table[column], persons).rename({"iri": column, "class": f"{column}_class"})
        table = with_column(table, single, on=column)
    table = table.with_columns(
        names(table["iri"], "object", base).alias("object"),
        names(table["person"], "person", base).alias("person"),
        names(table["means"], "means", base).alias("means"),
    )
    return table.with_columns(pl.col("person").fill_null(pl.col("object"))).sort("object").with_row_index("row")


def _one_class(pairs: Pairs, things: pl.Series, stated: pl.DataFrame) -> pl.DataFrame:
    """iri and one class of each thing: one that segments state, else the first by name."""
    found = pairs.classes.filter(pl.col("iri").is_in(things.drop_nulls().unique().implode()))
    marked = stated.unique().with_columns(stated=pl.lit(True))
    ranked = found.join(marked, on=["iri", "class"], how="left").with_columns(pl.col("stated").fill_null(False))
    return (
        ranked.sort("iri", "stated", "class", descending=[False, True, False])
        .unique("iri", keep="first")
        .select("iri", "class")
    )


def _positions(pairs: Pairs, owners: pl.DataFrame, objects: pl.DataFrame) -> pl.DataFrame:
    held = pairs.links(BQ + "hasPosition", "position").rename({"iri": "sequence", "position": "iri"})
    rows = objects.select(pl.col("iri").alias("object"), pl.col("row").alias("owner"))
    owner = owners.join(rows, on="object").select(pl.col("iri").alias("sequence"), pl.col("owner").alias("object"))
    table = held.join(owner, on="sequence").select("iri", "object").unique("iri")
    table = with_column(table, pairs.numbers(BQ + "order", "order"))
    table = with_column(table, pairs.times(BQ + "begin", "begin"))
    table = with_column(table, pairs.times(BQ + "end", "end"))
    table = with_column(table, pairs.geometries("hasGeometry", "wkt"))
    table = with_column(table, pairs.geometries("hasCentroid", "centroid"))
    point = pl.coalesce("centroid", "wkt").str.extract_groups(_POINT)
    table = table.with_columns(
        point.struct[0].cast(pl.Float64, strict=False).alias("x"),
        point.struct[1].cast(pl.Float64, strict=False).alias("y"),
        wkt=pl.when(pl.col("centroid").is_not_null()).then("wkt"),
    )
    incomplete = table.select(pl.any_horizontal(pl.col("begin", "end", "x", "y").is_null()).sum()).item()
    if incomplete:
        raise DataError(f"Movement: wanted begin, end and a point of every position, found {incomplete:,} without")
    return table.sort("object", "order", "begin").with_row_index("row")


def _segments(
    pairs: Pairs, owners: pl.DataFrame, objects: pl.DataFrame, positions: pl.DataFrame, base: str
) -> pl.DataFrame:
    table = _typed(pairs, "MovementSegment", SEGMENT_CLASSES)
    rows = objects.select(pl.col("iri").alias("object"), pl.col("row").alias("owner"))
    table = table.join(owners.join(rows, on="object").select("iri", pl.col("owner").alias("object")), on="iri")
    table = with_column(table, pairs.texts(BQ + "tree", "tree"))
    table = with_column(table, pairs.times(BQ + "begin", "begin"))
    table = with_column(table, pairs.times(BQ + "end", "end"))
    for name, word in (("minutes", "hasDuration"), ("level", "level"), ("ord", "ord")):
        table = with_column(table, pairs.numbers(BQ + word, name))
    table = with_column(table, pairs.geometries("hasGeometry", "wkt"))
    incomplete = table.select(pl.any_horizontal(pl.col("begin", "end", "level", "ord").is_null()).sum()).item()
    if incomplete:
        raise DataError(f"Movement: wanted begin, end, level and ord of every segment, found {incomplete:,} without")
    table = table.with_columns(names(table["iri"], "segment", base).alias("name"), pl.col("tree").fill_null(""))
    table = table.sort("object", "tree", "begin", "level", "name").with_row_index("row")
    segments = table.select("iri", "row")
    for name in ("father", "prev", "next"):
        table = with_rows(table, pairs.links(BQ + name, name), segments)
    table = with_rows(table, pairs.links(BQ + "firstPosition", "first"), positions)
    return with_rows(table, pairs.links(BQ + "lastPosition", "last"), positions)


def _typed(pairs: Pairs, general: str, classes: dict[str, str]) -> pl.DataFrame:
    """iri and type: that of a known class, or the name of a type, or else the IRI of a class."""
    found = pairs.of_class(BQ + general, *classes.values())
    back = {iri: name for name, iri in classes.items()}
    known = pl.col("class").replace_strict(back, default=None, return_dtype=pl.String)
    broad = [BQ + name for name in (general, "Episode", "SemanticTrajectory")]
    below = found.filter(~pl.col("class").is_in(broad))["class"].unique()
    is_below, is_broad = pl.col("class").is_in(below.implode()), pl.col("class").is_in(broad)
    unplaced = pl.when(~is_broad).then(2).otherwise(3)  # 2: a class that the ontology does not place
    rank = pl.when(known.is_not_null()).then(0).when(is_below).then(1).otherwise(unplaced)
    every = pairs.classes.join(found.select("iri").unique(), on="iri").with_columns(known.alias("known"))
    ranked = every.sort("iri", rank, "class").unique("iri", keep="first")
    named = with_column(ranked, pairs.texts(TYPE_NAME, "type_name"))
    return named.select("iri", pl.coalesce("known", "type_name", "class").alias("type"))


def _described(pairs: Pairs, general: str, kind: str, classes: dict[str, str], base: str) -> pl.DataFrame:
    table = _typed(pairs, general, classes)
    return table.with_columns(names(table["iri"], kind, base).alias("name")).sort("name").with_row_index("row")


def _patterns(pairs: Pairs, base: str) -> pl.DataFrame:
    table = _described(pairs, "MovementPattern", "pattern", {}, base)
    return with_column(with_column(table, pairs.times(BQ + "begin", "begin")), pairs.times(BQ + "end", "end"))


def _members(pairs: Pairs, patterns: pl.DataFrame, segments: pl.DataFrame) -> pl.DataFrame:
    held = pairs.links(BQ + "hasSegment", "segment")
    ends = segments.select(pl.col("iri").alias("segment"), pl.col("row").cast(pl.Int64).alias("segment_row"))
    rows = held.join(patterns.select("iri", pl.col("row").alias("pattern")), on="iri").join(
        ends, on="segment", how="left"
    )
    return rows.select("pattern", segment=pl.col("segment_row").fill_null(-2)).sort("pattern", "segment")
