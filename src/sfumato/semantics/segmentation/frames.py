"""The frames of a movement from observations and the stretches of positions that are its segments."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from sfumato.data.base import Ints
from sfumato.semantics.segmentation.episodes import Parts
from sfumato.semantics.segmentation.observations import Observations
from sfumato.semantics.vocabulary import BQ, RDFS

__all__ = ["PROPERTIES", "Segments", "movement_frames"]

PROPERTIES = {"tags": BQ + "tag", "text": RDFS + "comment", "place": BQ + "ppText"}
"""The property under which each detail of a position is an annotation."""

_POINT = r"(?i)^\s*POINT\b"


class Segments:
    """Segments that are collected level by level, fathers before children."""

    def __init__(self, tree: str) -> None:
        self._tree = tree
        self._frames: list[pl.DataFrame] = []
        self._regions: list[Ints] = []

    def add(self, names: pl.Series, types: Any, first: Ints, last: Ints, region: Ints | None = None) -> None:
        """Add segments with these names and types over these positions, and the row of their region, or -1."""
        types = [types] * len(first) if isinstance(types, str) else types
        rows = {"first": pl.Series(first, dtype=pl.Int64), "last": pl.Series(last, dtype=pl.Int64)}
        self._frames.append(
            pl.DataFrame({"name": names.cast(pl.String), "type": pl.Series(types, dtype=pl.String), **rows})
        )
        self._regions.append(np.full(len(first), -1) if region is None else region)

    def add_parts(self, parts: Parts) -> None:
        """Add stops and moves, which are named after the segment around them and their order in it."""
        above, rank = self._fathers(parts)
        names = above + "/" + pl.Series(rank).cast(pl.String)
        self.add(names, np.where(parts.is_stop, "STOP", "MOVE"), parts.first, parts.last, parts.region)

    def _fathers(self, parts: Parts) -> tuple[pl.Series, Ints]:
        """The name of the smallest segment so far around each part, and the number of the part in it.

        Segments of later levels are smaller, and the parts of one level do not overlap.
        """
        father = np.full(len(parts.first), -1, dtype=np.int64)
        rows = 0
        for frame in self._frames:
            first, last = frame["first"].to_numpy(), frame["last"].to_numpy()
            order = np.argsort(first, kind="stable")
            slot = np.searchsorted(first[order], parts.first, side="right") - 1
            row = order[np.maximum(slot, 0)]
            covers = (slot >= 0) & (first[row] <= parts.first) & (last[row] >= parts.last)
            father[covers] = rows + row[covers]
            rows += len(frame)
        changes = np.flatnonzero(np.diff(father, prepend=-1))
        rank = np.arange(len(father)) - np.repeat(changes, np.diff(np.append(changes, len(father)))) + 1
        return pl.concat([frame["name"] for frame in self._frames]).gather(father), rank

    def renumber(self, row_of: Ints) -> None:
        """Let every segment begin and end at the rows that its positions have now."""
        rows = pl.Series(row_of, dtype=pl.Int64)
        self._frames = [
            frame.with_columns(rows.gather(frame[name]).alias(name) for name in ("first", "last"))
            for frame in self._frames
        ]

    def frame(self, object_of: Ints) -> pl.DataFrame:
        """All segments, given the moving object of each position."""
        joined = pl.concat(self._frames)
        owner = pl.Series("object", object_of[joined["first"].to_numpy()], dtype=pl.UInt32)
        return joined.with_columns(owner, tree=pl.lit(self._tree))

    def regions(self) -> Ints:
        """The row of the region of each segment, -1 for none."""
        return np.concatenate(self._regions)

    def counts(self) -> dict[str, int]:
        """The number of trails, stops and moves."""
        types = pl.concat([frame["type"] for frame in self._frames])
        return {f"{name.lower()}s": int((types == name).sum()) for name in ("TRAIL", "STOP", "MOVE")}


def movement_frames(observations: Observations, segments: Segments) -> dict[str, Any]:
    """The arguments of `Movement.of`, with annotations of which no two are equal."""
    data = observations.positions
    present = np.flatnonzero(data.lengths > 0)
    object_of = np.repeat(np.arange(len(present)), data.lengths[present])
    positions = pl.DataFrame(
        {
            "object": pl.Series(object_of, dtype=pl.UInt32),
            "begin": data.times,
            "end": data.ends,
            "x": data.where[:, 0],
            "y": data.where[:, 1],
            "wkt": _shapes(observations),
        }
    )
    return {
        "objects": observations.objects[present],
        "positions": positions,
        "segments": segments.frame(object_of),
        "annotations": pl.concat([*_annotations(observations), *_region_names(data.regions, segments.regions())]),
        "geographic": data.geographic,
    }


def _shapes(observations: Observations) -> pl.Series:
    """The geometry of each position that is not a point."""
    shapes = pl.repeat(None, len(observations.positions.times), dtype=pl.String, eager=True)
    if "wkt" not in observations.details.columns:
        return shapes
    # of positions at one instant the first is kept, so its geometry is
    rows = np.flatnonzero(_is_first(observations.row_of))
    wkt = observations.details["wkt"].gather(rows)
    other = wkt.is_not_null() & ~wkt.str.contains(_POINT).fill_null(value=False)
    return shapes.scatter(observations.row_of[rows][other.to_numpy()], wkt.filter(other))


def _is_first(row_of: Ints) -> Any:
    """Which observations are the first of their position, among those that were not left out."""
    first = row_of >= 0
    later = np.flatnonzero(first)[1:]
    first[later] = row_of[later] != np.maximum.accumulate(row_of)[later - 1]
    return first


def _annotations(observations: Observations) -> list[pl.DataFrame]:
    """Tags, texts and place names of the positions, each once a position."""
    row = observations.row_of
    kept = row >= 0
    number = np.bincount(row[kept], minlength=1)
    merged = kept & (number[np.maximum(row, 0)] > 1)
    frames = [_rows([], [], "position", "", "text")]
    for name, iri in PROPERTIES.items():
        if name not in observations.details.columns:
            continue
        pairs = pl.DataFrame({"target": row, "value": observations.details[name]})
        single, several = (pairs.filter(pl.Series(rows)) for rows in (kept & ~merged, merged))
        if name == "tags":
            single, several = (part.explode("value") for part in (single, several))
        values = pl.concat([single, several.unique(maintain_order=True)]).drop_nulls()
        frames.append(_rows(values["target"], values["value"], "position", iri, "tag" if name == "tags" else "text"))
    return frames


def _region_names(regions: Any, region: Ints) -> list[pl.DataFrame]:
    """The name of the region of each segment that has one."""
    segment = np.flatnonzero(region >= 0)
    if regions is None or not len(segment):
        return []
    return [_rows(segment, regions.names.gather(region[segment]), "segment", BQ + "occursIn", "text")]


def _rows(target: Any, value: Any, target_kind: str, property_iri: str, kind: str) -> pl.DataFrame:
    columns = {"target": pl.Series(target, dtype=pl.Int64), "value": pl.Series(value, dtype=pl.String)}
    same = {"target_kind": target_kind, "property": property_iri, "kind": kind}
    return pl.DataFrame(columns).with_columns(pl.lit(text).alias(name) for name, text in same.items())
