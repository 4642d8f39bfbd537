"""Columns of dates and times in a table: their texts, and their hierarchies of days, weeks, months, quarters, years."""

from __future__ import annotations

import numpy as np
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.labels.calendar_labels import Days, days_of
from sfumato.data.taxonomy import ROOT, Taxonomy

__all__ = [
    "HIERARCHIES",
    "as_dates",
    "calendar_nodes",
    "calendar_sizes",
    "calendar_tree",
    "date_texts",
    "has_calendar",
    "is_temporal",
]

_MONTHS = ("%Y-%m-%d", "%Y-%m", "quarter", "%Y")
_WEEKS = ("%Y-%m-%d", "%G-W%V", "weeks")
HIERARCHIES = {"month": _MONTHS, "week": _WEEKS}
"""The levels above a time, from days upwards, by the name of the hierarchy."""

_TIME = "%Y-%m-%dT%H:%M:%S%.f"
_SECONDS_OF_DAY = 86_400


def is_temporal(dtype: pl.DataType) -> bool:
    """Whether a column holds dates, or dates with times."""
    return dtype == pl.Date or isinstance(dtype, pl.Datetime)


def as_dates(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with local times in place of times with a zone, and days in place of times that all are midnight.

    >>> from datetime import datetime
    >>> as_dates(pl.DataFrame({"day": [datetime(2024, 3, 5), None]})).dtypes
    [Date]
    """
    columns = []
    for column in frame.iter_columns():
        if not isinstance(column.dtype, pl.Datetime):
            continue
        local = column.dt.replace_time_zone(None).dt.cast_time_unit("us")
        days = local.dt.date()
        whole = len(local) > local.null_count() and bool((local == days.cast(pl.Datetime("us"))).all())
        columns.append(days if whole else local)
    return frame.with_columns(columns) if columns else frame


def date_texts(column: pl.Series) -> pl.Series:
    """Dates as ``2024-03-05``, times as ``2024-03-05T10:00:00``."""
    return column.dt.to_string("%Y-%m-%d" if column.dtype == pl.Date else _TIME)


def has_calendar(column: pl.Series) -> bool:
    """Whether a column holds dates of years with four digits, which calendar labels need."""
    if not is_temporal(column.dtype) or column.null_count() == len(column):
        return False
    years = column.dt.year().drop_nulls()
    return bool(((years > 1) & (years < 9999)).all())


def calendar_tree(column: pl.Series, hierarchy: str, *, with_missing: bool) -> Taxonomy:
    """The values of a column under days, months, quarters and years, or under days, ISO weeks and years of weeks.

    A week may lie in two months, so that there are two hierarchies.  The root is a year, or stands for all of several.

    >>> days = pl.Series(["2024-03-05", "2024-12-30"]).str.to_date()
    >>> calendar_tree(days, "month", with_missing=False).to_paths()[0]
    ('2024-03-05', '2024-03', '2024-Q1', '2024')
    >>> calendar_tree(days, "week", with_missing=False).to_paths()[1]
    ('2024-12-30', '2025-W01', '[2025-W01:2025-W52]', '*')
    """
    values = column.drop_nulls().unique().sort()
    levels = [_level(values, pattern) for pattern in HIERARCHIES[hierarchy]]
    if values.dtype != pl.Date:
        levels.insert(0, date_texts(values))
    top = levels[-1].unique(maintain_order=True).to_list()
    root = None if len(top) == 1 and not with_missing else ROOT
    parents: dict[str, str | None] = {} if root is None else {root: None}
    parents |= dict.fromkeys(top, root)
    for lower, upper in zip(levels[-2::-1], levels[:0:-1], strict=True):
        pairs = pl.DataFrame({"node": lower, "parent": upper}).unique(maintain_order=True)
        parents |= dict(pairs.iter_rows())
    return Taxonomy(parents)


def calendar_nodes(column: pl.Series) -> frozenset[str]:
    """All calendar labels above the values of a column of dates, in every hierarchy; none for another column."""
    if not has_calendar(column):
        return frozenset()
    trees = [calendar_tree(column, hierarchy, with_missing=False) for hierarchy in HIERARCHIES]
    return frozenset(node for tree in trees for node in tree.nodes if not tree.is_leaf(node) and node != ROOT)


def _level(values: pl.Series, pattern: str) -> pl.Series:
    if pattern == "quarter":
        return values.dt.to_string("%Y-Q") + values.dt.quarter().cast(pl.String)
    if pattern == "weeks":
        return _years_of_weeks(values)
    return values.dt.to_string(pattern)


def _years_of_weeks(values: pl.Series) -> pl.Series:
    """The years whose weeks these are, as ranges of weeks: they do not begin on the first of January."""
    years = values.dt.iso_year()
    names = {
        year: f"[{year:04d}-W01:{year:04d}-W{53 if days_of(f'{year:04d}-W53') else 52}]" for year in years.unique()
    }
    return years.replace_strict(names, return_dtype=pl.String)


def calendar_sizes(names: tuple[str, ...], leaf_node: Ints, *, with_missing: bool) -> Ints:
    """How many days, or seconds, each node stands for, from the first to the last day of the data; a leaf counts 1.

    names : of the nodes, the root first.  The missing value counts 1, too.
    """
    known = leaf_node[:-1] if with_missing else leaf_node
    first, last = (days_of(names[known[end]][:10]) for end in (0, -1))
    assert first is not None
    assert last is not None
    domain = Days(first.first, last.last)
    unit = 1 if len(names[known[0]]) == 10 else _SECONDS_OF_DAY
    sizes = np.ones(len(names), dtype=np.int64)
    for node in np.setdiff1d(np.arange(len(names)), leaf_node).tolist():
        days = days_of(names[node])
        sizes[node] = unit * (len(domain) if days is None else days.within(domain)) + (with_missing and node == 0)
    return sizes
