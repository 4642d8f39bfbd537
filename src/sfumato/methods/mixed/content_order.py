"""Mixed records in an order that their content decides, so that nothing depends on the private one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from sfumato.data import Mixed
from sfumato.data.base import Ints
from sfumato.data.ragged import row_order

__all__ = ["by_content"]


def by_content(data: Mixed) -> tuple[Mixed, Ints]:
    """The records sorted by content, then by all that is known of the person behind them; and which each one was.

    Records that still tie are interchangeable.  The items know their persons, too, who are numbered by their records.
    """
    frame = data.to_polars()
    columns = frame.columns
    rows = frame.with_row_index("\0row").sort(columns, nulls_last=False, maintain_order=True)
    order = rows["\0row"].to_numpy().astype(np.int64)
    if data.persons is not None:
        differs = pl.any_horizontal([pl.col(name).ne_missing(pl.col(name).shift(1)) for name in columns])
        rank = np.cumsum(rows.select(differs.alias("new"))["new"].fill_null(True).to_numpy())
        person = data.persons.codes[order].astype(np.int64)
        grouped = np.lexsort((rank, person))
        offsets = np.concatenate(([0], np.cumsum(np.bincount(person, minlength=len(data.persons)))))
        place = np.empty(len(data.persons), dtype=np.int64)
        place[row_order(offsets, rank[grouped])] = np.arange(len(data.persons))
        order = order[np.lexsort((place[person], rank))]
        names = data.persons.names.gather(np.argsort(place))
        data = data.with_persons(replace(data.persons, codes=place[data.persons.codes].astype(np.int32), names=names))
    moved = data.take(order)
    return replace(moved, items=replace(moved.items.with_persons(moved.persons), ids=None)), order
