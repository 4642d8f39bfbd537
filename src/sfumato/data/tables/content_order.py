"""The order of a frame's rows by their content: column by column, missing values first, equal rows as they stand."""

from __future__ import annotations

import numpy as np
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.rows.sorting import stable_order

__all__ = ["content_order"]

_BITS = 62  # of a number that holds the ranks of several columns


def content_order(frame: pl.DataFrame) -> Ints:
    """The order that sorts the rows.

    >>> content_order(pl.DataFrame({"town": ["Rome", None, "Oslo", "Oslo"], "age": [1, 2, 9, 3]})).tolist()
    [1, 3, 2, 0]
    """
    order, packed, used = np.arange(len(frame)), np.zeros(len(frame), dtype=np.int64), 0
    for column in reversed(frame.get_columns()):
        rank = _ranks(column)
        bits = int(rank.max(initial=0)).bit_length()
        if used + bits > _BITS:
            order, packed, used = order[stable_order(packed[order])], np.zeros(len(frame), dtype=np.int64), 0
        packed |= rank << used
        used += bits
    return order[stable_order(packed[order])]


def _ranks(column: pl.Series) -> Ints:
    """The rank of each value among the distinct values of a column, from 0, a missing one first."""
    if column.dtype == pl.String:
        values = column.drop_nulls().unique().sort()
        numbers = column.cast(pl.Enum(values)).to_physical().cast(pl.Int64) + 1
        return numbers.fill_null(0).to_numpy()
    distinct = column.unique().sort(nulls_last=False).to_frame().with_row_index("\0rank")
    ranked = column.to_frame().join(distinct, on=column.name, how="left", nulls_equal=True, maintain_order="left")
    return ranked["\0rank"].to_numpy().astype(np.int64)
