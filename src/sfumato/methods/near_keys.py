"""Columns that nearly are keys: published as they are, with a value of their own in most rows."""

from __future__ import annotations

import numpy as np
import polars as pl

from sfumato.data import Dataset, Mixed, Table
from sfumato.data.base import missing

__all__ = ["near_keys"]

_SHARE = 0.6  # of the rows


def near_keys(published: Dataset) -> tuple[str, ...]:
    """A warning for each column, other than quasi-identifiers, in which 60 % of the rows or more are unique.

    A row is unique if no other row (no other person, where persons are known) has its value.

    >>> pay = [1910, 2020, 2130, 2240, 1910]
    >>> near_keys(Table({"age": [30] * 5, "pay": pay}, quasi_identifiers=("age",)))[0].partition(":")[0]
    "column 'pay' is published unchanged, and 60 % of the rows (3 of 5) have a value that no one else has"
    """
    table = published.table if isinstance(published, Mixed) else published
    if not isinstance(table, Table) or len(table) < 2:
        return ()
    warnings = []
    for column in table.frame.columns:
        if table.role(column) == "quasi-identifier":
            continue
        own = _rows_with_own_value(table, column)
        if own >= _SHARE * len(table):
            warnings.append(
                f"column {column!r} is published unchanged, and {100 * own // len(table)} % of the rows ({own:,} of "
                f"{len(table):,}) have a value that no one else has: an attacker who knows the value finds the row; "
                "make the column a quasi-identifier, publish it in coarser steps, or leave it out"
            )
    return tuple(warnings)


def _rows_with_own_value(table: Table, column: str) -> int:
    """How many rows have a value that no other row, or no other person, has."""
    here = np.flatnonzero(~missing(table[column]).to_numpy())
    held = pl.DataFrame({"value": table[column].gather(here), "unit": table.units[here]})
    by_value = held.group_by("value").agg(pl.col("unit").n_unique().alias("units"), pl.len().alias("rows"))
    return int(by_value.filter(pl.col("units") == 1)["rows"].sum())
