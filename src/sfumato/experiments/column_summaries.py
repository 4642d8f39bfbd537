"""The columns of a table: type, role, distinct and missing values, the distribution of values, and hierarchies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from sfumato.data import Table
from sfumato.data.tables.dates import has_calendar, is_temporal
from sfumato.data.tables.encoding import texts_of
from sfumato.data.taxonomy import Taxonomy

__all__ = ["ColumnSummary", "HierarchyCoverage", "coverage_of", "distribution", "hierarchies_of", "summary_of"]

_BARS = 12
_YEARS = 20


@dataclass(frozen=True)
class ColumnSummary:
    """A column of a table: its type and role, and how many values are distinct and how many are missing.

    values : the number of rows with each value or range of values; of many texts, the most frequent ones, and none
    where no two rows share a text.  others : the number of rows with other values.
    """

    column: str
    type: str
    role: str
    distinct: int
    missing: int
    values: Mapping[str, int] = field(default_factory=dict, compare=False)
    others: int = field(default=0, compare=False)


@dataclass(frozen=True)
class HierarchyCoverage:
    """The hierarchy of a column, and how far it covers the values.

    hierarchy : "given" by the user; otherwise "intervals" of numbers, "calendar" for dates, or "one label" for all
    values.  leaves, levels : of a given hierarchy; None for others, which are made from the data.
    uncovered : how many distinct values are not leaves.
    """

    column: str
    hierarchy: str
    leaves: int | None
    levels: int | None
    uncovered: int


def summary_of(table: Table, column: str) -> ColumnSummary:
    """The summary of one column."""
    values = table[column]
    counts = distribution(values.drop_nulls())
    return ColumnSummary(
        column=column,
        type=str(values.dtype.base_type()),
        role=table.role(column),
        distinct=values.drop_nulls().n_unique(),
        missing=values.null_count(),
        values=counts,
        others=len(values) - values.null_count() - sum(counts.values()),
    )


def distribution(values: pl.Series, bars: int = _BARS) -> dict[str, int]:
    """How many rows have each value, each range of numbers, or each year or month; of many texts, the most frequent.

    values : without missing ones.  bars : about how many to return.
    """
    if not len(values) or (values.dtype == pl.String and values.n_unique() == len(values) > bars):
        return {}
    if values.dtype.is_numeric() and values.n_unique() > bars:
        return _ranges(values, bars)
    if is_temporal(values.dtype) and values.n_unique() > bars:
        return _periods(values)
    counts = texts_of(values).alias("value").value_counts(name="rows")
    if values.dtype.is_numeric():
        return {str(value): rows for value, rows in sorted(counts.iter_rows(), key=lambda pair: float(pair[0]))}
    return dict(counts.sort("rows", "value", descending=[True, False]).head(bars).iter_rows())


def _periods(values: pl.Series) -> dict[str, int]:
    """How many rows fall into each month, year or span of years of one round width."""
    years = values.dt.year()
    first, last = int(years.min()), int(years.max())  # type: ignore[arg-type]
    width = 1 if last - first < _YEARS else int(_round_width((last - first + 1) / _YEARS))
    if width > 1:
        starts = (years // width * width).alias("start").value_counts(name="rows").sort("start")
        return {f"{start} to {start + width - 1}": rows for start, rows in starts.iter_rows()}
    periods = values.dt.to_string("%Y-%m" if last - first < 2 else "%Y")
    return dict(periods.alias("value").value_counts(name="rows").sort("value").iter_rows())


def _ranges(values: pl.Series, bars: int) -> dict[str, int]:
    """How many rows fall into each of a few ranges of one round width."""
    if values.dtype.is_integer():
        return _whole_ranges(values, bars)
    numbers = values.cast(pl.Float64).to_numpy()
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return {}
    width = _round_width(float(numbers.max() - numbers.min()) / bars)
    first, last = (int(np.floor(end / width)) for end in (numbers.min(), numbers.max()))
    counts = np.bincount((np.floor(numbers / width) - first).astype(np.int64), minlength=last - first + 1)
    for digits in (10, 17):  # more where the names would be the same
        names = [_range_name(number * width, width, digits) for number in range(first, last + 1)]
        if len(set(names)) == len(names):
            break
    return {name: int(count) for name, count in zip(names, counts, strict=True)}


def _whole_ranges(values: pl.Series, bars: int) -> dict[str, int]:
    """How many rows fall into each of a few ranges of whole numbers, which are exact also beyond 2 ** 53."""
    smallest, largest = int(values.min()), int(values.max())  # type: ignore[arg-type]
    width = max(1, round(_round_width((largest - smallest) / bars)))
    first, last = smallest // width, largest // width
    numbers = (values.to_numpy() // width).astype(np.int64) - first
    counts = np.bincount(numbers, minlength=last - first + 1)
    return {
        f"{low:,}" if width == 1 else f"{low:,} to {low + width - 1:,}": int(count)
        for low, count in zip(range(first * width, (last + 1) * width, width), counts, strict=True)
    }


def _round_width(width: float) -> float:
    """The next of 1, 2, 5, 10, 20, ..., or 1 for no width."""
    if width <= 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(width))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= width * (1 - 1e-12)))


def _range_name(low: float, width: float, digits: int) -> str:
    """A range in words; the lower end is included.

    >>> _range_name(0.5, 0.25, 10)
    '0.5 to 0.75'
    """
    return f"{low:,.{digits}g} to {low + width:,.{digits}g}"


def hierarchies_of(table: Table) -> tuple[HierarchyCoverage, ...]:
    """The hierarchy of each quasi-identifier, and of every other column that has one."""
    columns = [name for name in table.frame.columns if name in {*table.quasi_identifiers, *table.hierarchies}]
    return tuple(_coverage(table, column) for column in columns)


def _coverage(table: Table, column: str) -> HierarchyCoverage:
    tree = table.hierarchies.get(column)
    if tree is not None:
        return coverage_of(column, tree, texts_of(table[column]).drop_nulls().unique().to_list())
    if has_calendar(table[column]):
        kind = "calendar"
    else:
        kind = "intervals" if table[column].dtype.is_numeric() else "one label"
    return HierarchyCoverage(column, kind, None, None, 0)


def coverage_of(column: str, tree: Taxonomy, values: list[str]) -> HierarchyCoverage:
    """How far a given hierarchy covers these values."""
    uncovered = sum(value not in tree or not tree.is_leaf(value) for value in values)
    return HierarchyCoverage(column, "given", len(tree.leaves), tree.height + 1, uncovered)
