"""A dataset as a frame with one row a record, and the original record of each published one: to read both together."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from sfumato.data import Chunks, Dataset, Mixed, Table
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged

__all__ = ["original_records", "records_frame"]

_SHOWN = 40  # elements of a record
_MEMBERS = 3  # of a label


def records_frame(data: Dataset) -> pl.DataFrame:
    """One row a record, all in texts: the columns of a table, the elements of a trajectory or transaction in a line.

    A label that stands for several values is followed by the first of them.  A record with more than 40 elements ends
    with the number of the others.  Of chunks, one row a subrecord.

    >>> from sfumato.data import Trajectories
    >>> records_frame(Trajectories.from_lists([["home", "gym", "home"], ["gym"]])).to_dicts()
    [{'visits': 'home, gym, home'}, {'visits': 'gym'}]
    """
    if isinstance(data, Mixed):
        items = records_frame(data.items).to_series().rename(data.column)
        return records_frame(data.table).with_columns(items)
    if isinstance(data, Ragged):
        return pl.DataFrame({f"{data.element}s": _lines(data)})
    frame = data.frame if isinstance(data, Table) else data.to_polars()
    nested = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    frame = frame.with_columns(pl.col(name).cast(pl.List(pl.String)).list.join(", ") for name in nested)
    return frame.select(pl.all().cast(pl.String))


def original_records(original: Dataset, published: Dataset, origin: Ints | None) -> Ints | None:
    """The original record of each published one, -1 for an added one; None where no record is one of the original.

    origin : as in `Release.origin`.

    >>> from sfumato.data import Trajectories
    >>> before = Trajectories.from_lists([["a", "b"], ["c"]])
    >>> original_records(before, before.take(np.array([1])), np.array([2])).tolist()
    [1]
    """
    if origin is None or isinstance(published, Chunks):
        return None
    if not (isinstance(published, Ragged) and isinstance(original, Ragged)):
        return np.asarray(origin, dtype=np.int64)
    records = np.full(len(published), -1, dtype=np.int64)
    filled = published.lengths > 0
    first = origin[published.offsets[:-1][filled]]
    records[filled] = np.where(first < 0, -1, np.searchsorted(original.offsets, first, side="right") - 1)
    return records


def _lines(data: Ragged) -> pl.Series:
    """The elements of each record in one text."""
    names = np.array([_with_members(name, data.members.get(name, ())) for name in data.names], dtype=object)
    lengths, shown = data.lengths, np.minimum(data.lengths, _SHOWN)
    starts = data.offsets[:-1]
    kept: Any = np.repeat(starts - (np.cumsum(shown) - shown), shown) + np.arange(int(shown.sum()))
    values = pl.Series(names[data.codes[kept]].tolist(), dtype=pl.String)
    record = pl.Series(np.repeat(np.arange(len(data)), shown))
    joined = pl.DataFrame({"record": record, "value": values}).group_by("record", maintain_order=True)
    texts = joined.agg(pl.col("value").str.join(", "))
    every = pl.DataFrame({"record": np.arange(len(data)), "more": lengths - shown})
    lines = every.join(texts, on="record", how="left", maintain_order="left").with_columns(
        pl.col("value").fill_null("")
    )
    more = pl.when(pl.col("more") > 0).then(pl.format("{}, and {} more", "value", "more")).otherwise(pl.col("value"))
    return lines.select(more.alias("line")).to_series()


def _with_members(name: str, members: tuple[str, ...]) -> str:
    """A label with the first of its members.

    >>> _with_members("g1", ("a", "b", "c", "d")), _with_members("a", ())
    ('g1 (a, b, c and 1 more)', 'a')
    """
    if len(members) < 2:
        return name
    more = f" and {len(members) - _MEMBERS:,} more" if len(members) > _MEMBERS else ""
    return f"{name} ({', '.join(members[:_MEMBERS])}{more})"
