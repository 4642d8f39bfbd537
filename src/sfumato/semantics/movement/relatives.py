"""Relatives of segments in their hierarchy, for many rows at once (Definition 3).

Every function takes the segments of a movement and rows of them, and gives a frame of pairs: `row` as it was asked
for, and `relative`, in the order of time (ancestors and lineage: from the root down).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from sfumato.errors import DataError

__all__ = ["ancestors", "children", "descendants", "lineage", "predecessors", "siblings", "successors"]


def children(segments: pl.DataFrame, rows: Any) -> pl.DataFrame:
    """Segments whose father is a row."""
    return _pairs(segments, *_children(segments, *_asked(segments, rows)))


def descendants(segments: pl.DataFrame, rows: Any) -> pl.DataFrame:
    """Children of a row, their children, and so on."""
    asked, current = _asked(segments, rows)
    parts = [(asked[:0], asked[:0])]
    while len(current):
        asked, current = _children(segments, asked, current)
        parts.append((asked, current))
    return _pairs(segments, *(np.concatenate(part) for part in zip(*parts, strict=True)))


def ancestors(segments: pl.DataFrame, rows: Any) -> pl.DataFrame:
    """The father of a row, its father, and so on up to the root."""
    asked, current = _asked(segments, rows)
    father = segments["father"].fill_null(-1).to_numpy()
    parts = [(asked[:0], asked[:0])]
    while len(current):
        current = father[current]
        asked, current = asked[current >= 0], current[current >= 0]
        parts.append((asked, current))
    return _pairs(segments, *(np.concatenate(part) for part in zip(*parts, strict=True)))


def lineage(segments: pl.DataFrame, rows: Any) -> pl.DataFrame:
    """A row with its ancestors and descendants."""
    asked, current = _asked(segments, rows)
    own = pl.DataFrame({"row": asked, "relative": current})
    return _sorted(segments, pl.concat([ancestors(segments, rows), own, descendants(segments, rows)]))


def siblings(segments: pl.DataFrame, rows: Any) -> pl.DataFrame:
    """Other segments of the same father; a root has none."""
    asked, current = _asked(segments, rows)
    father = segments["father"].fill_null(-1).to_numpy()[current]
    pairs = pl.DataFrame({"row": asked, "own": current, "father": father}).filter(pl.col("father") >= 0)
    related = segments.select("father", pl.int_range(pl.len()).alias("relative")).drop_nulls()
    joined = pairs.join(related, on="father").filter(pl.col("own") != pl.col("relative"))
    return _sorted(segments, joined.select("row", "relative"))


def predecessors(segments: pl.DataFrame, rows: Any) -> pl.DataFrame:
    """Siblings that are over before a row begins."""
    return _timed(segments, rows, before=True)


def successors(segments: pl.DataFrame, rows: Any) -> pl.DataFrame:
    """Siblings that begin when a row is over."""
    return _timed(segments, rows, before=False)


def _timed(segments: pl.DataFrame, rows: Any, *, before: bool) -> pl.DataFrame:
    pairs = siblings(segments, rows)
    number = segments["ord"].to_numpy()
    own, other = number[pairs["row"].to_numpy()], number[pairs["relative"].to_numpy()]
    return pairs.filter(pl.Series(other < own if before else other > own))


def _asked(segments: pl.DataFrame, rows: Any) -> tuple[np.ndarray, np.ndarray]:
    """Distinct rows, as they are asked for and as they are followed."""
    numbers = np.unique(np.atleast_1d(np.asarray(rows, dtype=np.int64)))
    if len(numbers) and (numbers[0] < 0 or numbers[-1] >= len(segments)):
        raise DataError(f"Movement: wanted rows from 0 to {len(segments) - 1}, found others")
    return numbers, numbers


def _children(segments: pl.DataFrame, asked: np.ndarray, current: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    related = segments.select("father", pl.int_range(pl.len()).alias("relative")).drop_nulls()
    pairs = pl.DataFrame({"row": asked, "father": current}).join(related, on="father")
    return pairs["row"].to_numpy(), pairs["relative"].to_numpy()


def _pairs(segments: pl.DataFrame, asked: np.ndarray, relative: np.ndarray) -> pl.DataFrame:
    return _sorted(segments, pl.DataFrame({"row": asked, "relative": relative}))


def _sorted(segments: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    relative = pairs["relative"].to_numpy()
    begin, level = segments["begin"].to_numpy()[relative], segments["level"].to_numpy()[relative]
    order = np.lexsort((level, begin, pairs["row"].to_numpy()))
    return pairs[order].cast({"row": pl.Int64, "relative": pl.Int64})
