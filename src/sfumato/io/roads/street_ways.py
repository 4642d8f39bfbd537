"""Reading road networks from ways: a CSV file with the nodes of each way in order, as in extracts of street maps."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from sfumato.data.frames import Source, refuse_missing
from sfumato.data.roads.network import Network
from sfumato.errors import DataError, listed
from sfumato.io.frames import read_csv

__all__ = ["read_ways"]

_TEXTS = ("way", "node", "oneway")
_FACTS = ("class", "oneway")
_BACKWARDS = ("-1", "reverse")


def read_ways(path: str | Path) -> Network:
    """Read the columns `way, node` and `x, y` or `lat, lon`, optionally `class` and `oneway` of the way.

    Every way is split at its nodes: the road from its first node to its second one is ``<way>.1``, the next
    ``<way>.2``. Ways meet where they share a node; a node that follows itself counts once.  `oneway` is true, false or,
    for a way that may be driven from its last node to its first one only, -1: its roads are reversed.
    """
    frame, source = read_csv(path, texts=_TEXTS)
    axes = ("x", "y") if {"x", "y"} <= set(frame.columns) else ("lat", "lon")
    required = ("way", "node", *axes)
    if any(name not in frame.columns for name in required):
        raise source.error(f"wanted the columns {', '.join(required)}, found {listed(frame.columns)}")
    if len(frame) == 0:
        raise source.error("wanted at least one way, found none")
    for name in ("way", "node"):
        refuse_missing(frame[name], name, source)
    _refuse_changes(frame, "node", axes, "position", source)
    facts = [name for name in _FACTS if name in frame.columns]
    for fact in facts:
        _refuse_changes(frame, "way", (fact,), fact, source)
    frame = frame.select(*required, *facts).with_row_index("row")
    nodes = frame.unique("node", keep="first", maintain_order=True)
    roads, rows = _split_ways(frame, facts, source)
    return Network.from_frames(
        nodes.select("node", *axes),
        roads,
        node_source=_Rows(source.name, source.file, source.first_line, rows=tuple(nodes["row"])),
        road_source=_Rows(source.name, source.file, source.first_line, rows=tuple(rows)),
    )


@dataclass(frozen=True)
class _Rows(Source):
    """A source for some of the rows of another source."""

    rows: tuple[int, ...] = ()

    def error(self, problem: str, row: int | None = None) -> DataError:
        return super().error(problem, None if row is None else self.rows[row])


def _refuse_changes(frame: pl.DataFrame, key: str, columns: tuple[str, ...], noun: str, source: Source) -> None:
    """Refuse a node with two positions, or a way with two classes."""
    first_value = frame.select(pl.col(columns).first().over(key))
    differs = pl.Series(np.any([(frame[name].ne_missing(first_value[name])).to_numpy() for name in columns], axis=0))
    if differs.any():
        raise source.error(f"wanted one {noun} for each {key}, found a second one", row=differs.arg_max())


def _split_ways(frame: pl.DataFrame, facts: list[str], source: Source) -> tuple[pl.DataFrame, pl.Series]:
    """The road that ends at each row that continues a way, and the first row of its way."""
    is_start = frame["way"].ne_missing(frame["way"].shift(1))
    runs = frame.filter(is_start)
    repeated = runs.filter(~runs["way"].is_first_distinct())
    if len(repeated):
        raise source.error(
            "wanted the nodes of a way in one run of rows, found a way in several runs", row=repeated["row"][0]
        )
    before, first = pl.col("node").shift(1).over("way"), pl.col("row").first().over("way")
    steps = frame.with_columns(first).filter(pl.col("node").ne_missing(before))
    steps = steps.with_columns(
        before.alias("from"),
        (pl.col("way") + "." + pl.int_range(pl.len()).over("way").cast(pl.String)).alias("road"),
    ).filter(pl.col("from").is_not_null())
    if len(steps) == 0:
        raise source.error("wanted ways of at least two nodes, found none")
    roads = steps.select("road", "from", pl.col("node").alias("to"), *facts)
    return _reversed(roads) if "oneway" in facts else roads, steps["row"]


def _reversed(roads: pl.DataFrame) -> pl.DataFrame:
    """The roads, with those that may be driven backwards only reversed."""
    is_backward = pl.col("oneway").is_in(_BACKWARDS).fill_null(False)
    return roads.with_columns(
        pl.when(is_backward).then(pl.col("to")).otherwise(pl.col("from")).alias("from"),
        pl.when(is_backward).then(pl.col("from")).otherwise(pl.col("to")).alias("to"),
        pl.when(is_backward).then(pl.lit("true")).otherwise(pl.col("oneway")).alias("oneway"),
    )
