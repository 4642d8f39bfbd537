"""Road networks as ways: a CSV file with one row a node of a way, in order, as extracts of street maps have them."""

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
    """Columns `way, node` and `x, y` or `lat, lon`, optionally `class` and `oneway` of the way.

    Every way is cut at its nodes: the road from its first node to its second one is ``<way>.1``, the next ``<way>.2``.
    Ways meet where they share a node; a node that follows itself counts once.  `oneway` is true, false or, for a way
    that may be driven from its last node to its first one only, -1: its roads are turned round.
    """
    frame, source = read_csv(path, texts=_TEXTS)
    axes = ("x", "y") if {"x", "y"} <= set(frame.columns) else ("lat", "lon")
    wanted = ("way", "node", *axes)
    if any(name not in frame.columns for name in wanted):
        raise source.error(f"wanted the columns {', '.join(wanted)}, found {listed(frame.columns)}")
    if len(frame) == 0:
        raise source.error("wanted at least one way, found none")
    for name in ("way", "node"):
        refuse_missing(frame[name], name, source)
    _refuse_changes(frame, "node", axes, "place", source)
    facts = [name for name in _FACTS if name in frame.columns]
    for fact in facts:
        _refuse_changes(frame, "way", (fact,), fact, source)
    frame = frame.select(*wanted, *facts).with_row_index("row")
    nodes = frame.unique("node", keep="first", maintain_order=True)
    roads, rows = _cut(frame, facts, source)
    return Network.from_frames(
        nodes.select("node", *axes),
        roads,
        node_source=_Rows(source.name, source.file, source.first_line, rows=tuple(nodes["row"])),
        road_source=_Rows(source.name, source.file, source.first_line, rows=tuple(rows)),
    )


@dataclass(frozen=True)
class _Rows(Source):
    """A source whose rows were rows of a larger one."""

    rows: tuple[int, ...] = ()

    def error(self, problem: str, row: int | None = None) -> DataError:
        return super().error(problem, None if row is None else self.rows[row])


def _refuse_changes(frame: pl.DataFrame, key: str, columns: tuple[str, ...], what: str, source: Source) -> None:
    """Refuse a node at two places, or a way of two classes."""
    first = frame.select(pl.col(columns).first().over(key))
    other = pl.Series(np.any([(frame[name].ne_missing(first[name])).to_numpy() for name in columns], axis=0))
    if other.any():
        raise source.error(f"wanted one {what} for each {key}, found another", row=other.arg_max())


def _cut(frame: pl.DataFrame, facts: list[str], source: Source) -> tuple[pl.DataFrame, pl.Series]:
    """The road that ends at each row which continues its way, and the first row of its way."""
    begins = frame["way"].ne_missing(frame["way"].shift(1))
    runs = frame.filter(begins)
    again = runs.filter(~runs["way"].is_first_distinct())
    if len(again):
        raise source.error("wanted the nodes of a way in one run of rows, found one in several", row=again["row"][0])
    before, first = pl.col("node").shift(1).over("way"), pl.col("row").first().over("way")
    cut = frame.with_columns(first).filter(pl.col("node").ne_missing(before))
    cut = cut.with_columns(
        before.alias("from"),
        (pl.col("way") + "." + pl.int_range(pl.len()).over("way").cast(pl.String)).alias("road"),
    ).filter(pl.col("from").is_not_null())
    if len(cut) == 0:
        raise source.error("wanted ways of at least two nodes, found none")
    roads = cut.select("road", "from", pl.col("node").alias("to"), *facts)
    return _turned_round(roads) if "oneway" in facts else roads, cut["row"]


def _turned_round(roads: pl.DataFrame) -> pl.DataFrame:
    """Roads that may be driven backwards only, from their other end."""
    back = pl.col("oneway").is_in(_BACKWARDS).fill_null(False)
    return roads.with_columns(
        pl.when(back).then(pl.col("to")).otherwise(pl.col("from")).alias("from"),
        pl.when(back).then(pl.col("from")).otherwise(pl.col("to")).alias("to"),
        pl.when(back).then(pl.lit("true")).otherwise(pl.col("oneway")).alias("oneway"),
    )
