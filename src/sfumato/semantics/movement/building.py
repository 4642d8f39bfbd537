"""Frames of a movement with everything that follows from the given columns: rows, spans, histories, hierarchies."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from sfumato.errors import DataError, listed
from sfumato.semantics.movement.frames import SCHEMAS, empty, fitted, given
from sfumato.semantics.movement.hierarchy import contained

__all__ = ["annotation_rows", "built"]


def built(objects: Any, positions: Any, segments: Any, annotations: Any) -> dict[str, pl.DataFrame]:
    """The frames objects, positions, segments and annotations, complete."""
    things = _objects(objects)
    places = _positions(positions, things)
    return {
        "objects": things,
        "positions": places,
        "segments": _segments(segments, things, places),
        "annotations": annotation_rows(annotations),
    }


def annotation_rows(annotations: Any) -> pl.DataFrame:
    """Annotations with the text of their numbers, each once."""
    frame = given("annotations", annotations)
    if frame is None:
        return empty("annotations")
    if "language" in frame.columns:
        frame = frame.with_columns(pl.col("language").cast(pl.String).str.to_lowercase())  # as stores compare them
    if "number" in frame.columns:
        text = _number_text(frame["number"].cast(pl.Float64))
        value = pl.col("value").cast(pl.String) if "value" in frame.columns else pl.lit(None, dtype=pl.String)
        frame = frame.with_columns(pl.when(pl.col("kind") == "number").then(text).otherwise(value).alias("value"))
    return fitted("annotations", frame).unique(maintain_order=True)


def _number_text(numbers: pl.Series) -> pl.Series:
    """Numbers as texts: whole numbers without a decimal point."""
    whole = (numbers == numbers.round(0)) & (numbers.abs() < 2**53)
    return (
        pl.DataFrame({"n": numbers, "whole": whole})
        .select(
            pl.when("whole")
            .then(pl.when("whole").then("n").cast(pl.Int64).cast(pl.String))
            .otherwise(pl.col("n").cast(pl.String))
        )
        .to_series()
    )


def _objects(objects: Any) -> pl.DataFrame:
    frame = given("objects", objects)
    if frame is None:
        return empty("objects")
    if "person" not in frame.columns and "object" in frame.columns:
        frame = frame.with_columns(person=pl.col("object"))
    return fitted("objects", frame)


def _positions(positions: Any, objects: pl.DataFrame) -> pl.DataFrame:
    table = given("positions", positions)
    if table is None:
        return empty("positions")
    frame = _with_rows("positions", table, objects)
    if "end" not in frame.columns and "begin" in frame.columns:
        frame = frame.with_columns(end=pl.col("begin"))
    return fitted("positions", frame)


def _with_rows(name: str, frame: pl.DataFrame, objects: pl.DataFrame) -> pl.DataFrame:
    """The column `object` as rows of objects, where it has names."""
    if "object" not in frame.columns or frame.schema["object"] != pl.String:
        return frame
    rows = dict(zip(objects["object"].to_list(), range(len(objects)), strict=True))
    numbers = frame["object"].replace_strict(rows, default=None, return_dtype=pl.UInt32)
    if numbers.null_count():
        raise DataError(
            f"Movement: wanted a moving object of the frame objects in every row of {name}, found none in row "
            f"{numbers.is_null().arg_max()}"
        )
    return frame.with_columns(numbers.alias("object"))


def _segments(segments: Any, objects: pl.DataFrame, positions: pl.DataFrame) -> pl.DataFrame:
    table = given("segments", segments)
    if table is None:
        return empty("segments")
    frame = _with_rows("segments", table, objects)
    missing = [column for column in ("object", "type") if column not in frame.columns]
    if missing:
        raise DataError(
            f"Movement: wanted the columns object, type, first and last in segments, found no {missing[0]!r}"
        )
    allowed = {"name", "object", "tree", "type", "first", "last", "begin", "end", "wkt"}
    derived = [column for column in frame.columns if column not in allowed]
    if derived:
        raise DataError(f"Movement.of: derives {listed(derived)} of segments itself; leave it out")
    frame = _named(_spanned(_defaults(frame), positions), objects)
    frame = pl.concat([frame, _histories(frame, objects, positions)])
    links = contained(frame)
    rows = {name: _nullable(getattr(links, name)) for name in ("father", "prev", "next")}
    frame = frame.with_columns(**rows, level=pl.Series(links.level), ord=pl.Series(links.ord))
    return fitted("segments", frame)


def _nullable(rows: np.ndarray) -> pl.Series:
    series = pl.Series(rows, dtype=pl.Int64)
    return series.set(series < 0, None)


def _defaults(frame: pl.DataFrame) -> pl.DataFrame:
    """Every column that is given or may be left out, with its type."""
    schema = {
        key: SCHEMAS["segments"][key]
        for key in ("name", "object", "tree", "type", "first", "last", "begin", "end", "wkt")
    }
    missing = [
        pl.lit("" if key == "tree" else None, dtype=kind).alias(key)
        for key, kind in schema.items()
        if key not in frame.columns
    ]
    return frame.with_columns(missing).select(pl.col(key).cast(kind) for key, kind in schema.items())


def _spanned(frame: pl.DataFrame, positions: pl.DataFrame) -> pl.DataFrame:
    """Begin and end from the first and last position, where these are given."""
    count = len(positions)
    unknown = frame.select(((pl.col("first") >= count) | (pl.col("last") >= count)).fill_null(False)).to_series()
    if unknown.any() or (frame.select(pl.min_horizontal("first", "last").min()).item() or 0) < 0:
        raise DataError(
            "Movement: rule '15 references name existing rows' does not hold: first or last is no row of positions"
        )
    known = frame["first"].is_not_null() & frame["last"].is_not_null()
    first, last = (frame[key].fill_null(0) for key in ("first", "last"))
    if not count:
        return frame
    return frame.with_columns(
        begin=pl.when(known).then(positions["begin"].gather(first)).otherwise(pl.col("begin")),
        end=pl.when(known).then(positions["end"].gather(last)).otherwise(pl.col("end")),
    )


def _named(frame: pl.DataFrame, objects: pl.DataFrame) -> pl.DataFrame:
    """Names for segments without one: moving object, tree, type and number."""
    if not frame["name"].null_count():
        return frame
    owner = objects["object"].gather(frame["object"])
    tree = pl.when(pl.col("tree") == "").then(pl.lit("")).otherwise("/" + pl.col("tree"))
    number = pl.int_range(1, pl.len() + 1).over("object", "tree", "type")
    made = pl.concat_str(owner, tree, pl.lit("/"), pl.col("type").str.to_lowercase(), pl.lit("/"), number)
    return frame.with_columns(name=pl.col("name").fill_null(made))


def _histories(frame: pl.DataFrame, objects: pl.DataFrame, positions: pl.DataFrame) -> pl.DataFrame:
    """A history for each tree of a moving object that has none: all its positions, or else all its segments."""
    have = frame.filter(pl.col("type") == "HISTORY").select("object", "tree").unique()
    trees = frame.group_by("object", "tree", maintain_order=True).agg(pl.col("begin").min(), pl.col("end").max())
    trees = trees.join(have, on=["object", "tree"], how="anti", maintain_order="left")
    spans = (
        positions.with_row_index("row")
        .group_by("object")
        .agg(
            pl.col("row").min().cast(pl.Int64).alias("first"),
            pl.col("row").max().cast(pl.Int64).alias("last"),
            pl.col("begin").min().alias("from"),
            pl.col("end").max().alias("to"),
        )
    )
    trees = trees.join(spans, on="object", how="left", maintain_order="left")
    tree = pl.when(pl.col("tree") == "").then(pl.lit("")).otherwise("/" + pl.col("tree"))
    return trees.select(
        pl.concat_str(objects["object"].gather(trees["object"]), tree, pl.lit("/history")).alias("name"),
        "object",
        "tree",
        pl.lit("HISTORY").alias("type"),
        "first",
        "last",
        pl.coalesce("from", "begin").alias("begin"),
        pl.coalesce("to", "end").alias("end"),
        pl.lit(None, dtype=pl.String).alias("wkt"),
    )
