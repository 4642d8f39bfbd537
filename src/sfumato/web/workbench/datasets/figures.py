"""Histograms of the attributes of a version: numbers in ranges, texts by their frequency.  Without Django."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.experiments.column_summaries import distribution
from sfumato.web.workbench.datasets.readings import role_of

__all__ = ["Histogram", "bar_chart", "figure_pairs", "histogram_of", "stored_histograms"]

_BARS = 24
_FEWEST = 5  # rows behind a bar that a viewer sees
_BLUE = "#0072B2"


@dataclass(frozen=True)
class Histogram:
    """Bars by name; `others` are the rows with other values, `missing` those without one."""

    title: str
    unit: str
    bars: dict[str, int]
    others: int = 0
    missing: int = 0
    distinct: int | None = None
    ranges: bool = False

    @property
    def pairs(self) -> list[tuple[str, int]]:
        """The bars as pairs, for tables: a bar may have the name of a method of dictionaries."""
        return list(self.bars.items())

    @property
    def spec(self) -> dict[str, Any]:
        """The chart."""
        return bar_chart(self.bars, self.unit)


def histogram_of(path: Path, column: str, reading: Mapping[str, Any], *, rows_visible: bool) -> Histogram:
    """The histogram of a column; items are counted one by one.

    rows_visible : whether the person may see rows.  To others, a bar counts persons, or trajectories or records where
    persons are not known, and one of fewer than five is not shown; numbers of which a person may have several are not
    shown at all.
    """
    unit = "" if rows_visible else _unit_of(path, reading)
    return _counted(path, column, role_of(reading, column) == "items", rows_visible, unit)


def _unit_of(path: Path, reading: Mapping[str, Any]) -> str:
    """The column whose values several rows may share: that of persons, trajectories or records, if there is one."""
    names = pl.scan_parquet(path, glob=False).collect_schema().names()
    columns = {role_of(reading, name): name for name in names}
    return next((columns[role] for role in ("person", "trajectory", "record") if role in columns), "")


@lru_cache(maxsize=512)  # the file of a version never changes
def _counted(path: Path, column: str, items: bool, rows_visible: bool, per: str) -> Histogram:
    rows = pl.scan_parquet(path, glob=False).select(pl.col(column).alias("value"))
    if per:
        rows = pl.scan_parquet(path, glob=False).select(pl.col(column).alias("value"), pl.col(per).alias("unit"))
        if items and rows.collect_schema()["value"] == pl.String:
            rows = rows.with_columns(pl.col("value").str.split(" "))
        rows = (rows.explode("value") if items else rows).unique()
    values = rows.select("value").collect().to_series()
    several = bool(per) and not items and (values.dtype.is_numeric() or values.dtype.is_temporal())
    missing = values.null_count()
    values = values.drop_nulls()
    unit = "rows"
    if items:
        values = values if per else values.explode() if isinstance(values.dtype, pl.List) else _split(values)
        values, unit = values.filter(values != ""), "records"
    is_plain = values.dtype.is_numeric() or values.dtype.is_temporal()
    distinct = values.n_unique()
    bars = distribution(values, _BARS)
    if not rows_visible:
        bars = {} if several else {name: count for name, count in bars.items() if count >= _FEWEST}
    return Histogram(
        column, unit, bars, len(values) - sum(bars.values()), missing, distinct, is_plain and distinct > _BARS
    )


def _split(values: pl.Series) -> pl.Series:
    return values.str.split(" ").explode()


def figure_pairs(profile: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The figures of a profile that are known, as pairs: `items` is a figure, and a template reads it as such."""
    return [(name, value) for name, value in profile.get("figures", {}).items() if value is not None]


def stored_histograms(profile: Mapping[str, Any]) -> list[Histogram]:
    """The histograms of sizes, such as lengths of records, that were computed when the version was read."""
    return [
        Histogram(name.replace("_", " "), "records" if name.startswith("records") else "values", dict(bars))
        for name, bars in profile.get("histograms", {}).items()
        if bars
    ]


def bar_chart(bars: Mapping[str, int], unit: str) -> dict[str, Any]:
    """The specification of a chart with a bar for each name, in this order."""
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": "container",
        "autosize": {"type": "fit-x", "contains": "padding"},
        "height": {"step": 18},
        "data": {"values": [{"value": name, "count": count} for name, count in bars.items()]},
        "mark": {"type": "bar", "color": _BLUE},
        "encoding": {
            "y": {"field": "value", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 160}},
            "x": {"field": "count", "type": "quantitative", "title": unit, "axis": {"tickMinStep": 1}},
            "tooltip": [{"field": "value"}, {"field": "count", "type": "quantitative", "format": ","}],
        },
    }
