"""The rows of a table in an order that its content alone decides."""

from __future__ import annotations

import numpy as np
import polars as pl

from sfumato.data import Table
from sfumato.data.base import Ints

__all__ = ["content_order"]


def content_order(table: Table) -> tuple[Ints, Ints]:
    """Rows in the order of their content, and the person of each, numbered from 0.

    Neither the order in which rows came nor the names of persons matter: rows with equal content stand in the order of
    all that their persons have, and persons who have the same are interchangeable.

    >>> from sfumato import Persons
    >>> table = Table({"age": [31, 30, 31]}, persons=Persons.of(["ann", "bob", "bob"]))
    >>> order, units = content_order(table)
    >>> order.tolist(), units.tolist()
    ([1, 2, 0], [0, 0, 1])
    """
    columns = table.frame.columns
    numbered = table.frame.with_row_index("\0row").sort(columns, nulls_last=False, maintain_order=True)
    order = numbered["\0row"].to_numpy().astype(np.int64)
    if table.persons is None:
        return order, np.arange(len(table), dtype=np.int32)
    new = pl.any_horizontal(pl.lit(False), *(pl.col(name).ne_missing(pl.col(name).shift(1)) for name in columns))
    rank = np.cumsum(numbered.select(new.alias("new"))["new"].to_numpy())
    people = table.persons.codes[order]
    by_person = np.lexsort((rank, people))
    present, starts = np.unique(people[by_person], return_index=True)
    # compared byte by byte, as the lists of ranks would be
    ranks = rank[by_person].astype(">u4")
    profiles = [part.tobytes() for part in np.split(ranks, starts[1:])] if len(starts) else []
    number = np.empty(len(table.persons), dtype=np.int32)
    number[present[sorted(range(len(present)), key=profiles.__getitem__)]] = np.arange(len(present))
    units = number[people]
    settled = np.lexsort((units, rank))
    return order[settled], units[settled]
