"""A movement with its rows in one order that follows from their content, to compare movements."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sfumato.semantics.movement.frames import TARGETS

if TYPE_CHECKING:
    from sfumato.semantics.movement.movement import Movement

__all__ = ["canonical"]

_ORDERS = {
    "objects": ["object"],
    "positions": ["object", "begin"],
    "segments": ["object", "tree", "begin", "level", "name"],
    "patterns": ["name"],
    "descriptions": ["name"],
}


def canonical(movement: Movement) -> Movement:
    """The movement with sorted rows, and without geometries that follow from the positions."""
    frames: dict[str, Any] = dict(movement.frames())
    rows: dict[str, pl.Series] = {}  # the new row of each old one
    for name, columns in _ORDERS.items():
        frame = frames[name]
        if "object" in frame.columns and name != "objects":
            frame = frame.with_columns(_moved(frame["object"], rows["objects"]).cast(pl.UInt32))
        order = frame.with_row_index("old").sort(columns)["old"].to_numpy()
        target = np.empty(len(order), np.int64)
        target[order] = np.arange(len(order))
        rows[name], frames[name] = pl.Series(target), frame[order]
    segments = frames["segments"]
    links = [_moved(segments[name], rows["segments"]) for name in ("father", "prev", "next")]
    links += [_moved(segments[name], rows["positions"]) for name in ("first", "last")]
    frames["segments"] = segments.with_columns(links)
    frames["members"] = (
        frames["members"]
        .with_columns(_moved(frames["members"][name[:-1]], rows[name]) for name in ("patterns", "segments"))
        .sort("pattern", "segment")
    )
    frames["annotations"] = _annotations(frames["annotations"], rows)
    return _without_derived(replace(movement, **frames))


def _moved(column: pl.Series, rows: pl.Series) -> pl.Series:
    return rows.gather(column).alias(column.name)


def _annotations(annotations: pl.DataFrame, rows: dict[str, pl.Series]) -> pl.DataFrame:
    parts = [annotations.head(0)]
    for kind, frame in TARGETS.items():
        part = annotations.filter(pl.col("target_kind") == kind)
        parts.append(part.with_columns(_moved(part["target"], rows[frame])))
    return pl.concat(parts).sort(pl.all(), nulls_last=False)


def _without_derived(movement: Movement) -> Movement:
    given = movement.segments["wkt"]
    if not given.count():
        return movement
    derived = replace(movement, segments=movement.segments.with_columns(wkt=pl.lit(None, dtype=pl.String))).geometries()
    same = given.eq_missing(derived)
    wkt = pl.when(~same).then(pl.col("wkt"))
    return replace(movement, segments=movement.segments.with_columns(wkt.alias("wkt")))
