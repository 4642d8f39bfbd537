"""Outlines of regions: polygons from WKT or from boxes, made valid, and how they contain each other."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import polars as pl

from sfumato.data.base import Ints, missing
from sfumato.data.frames import Source
from sfumato.errors import MissingExtra, listed

__all__ = ["areas_of", "depths", "shapely_package", "with_wkt"]

_BOX = ("west", "south", "east", "north")


def shapely_package() -> Any:
    """The package shapely, or one sentence that says what to install."""
    try:
        return import_module("shapely")
    except ImportError as absent:
        raise MissingExtra("shapely", "semantics") from absent


def with_wkt(frame: Any) -> Any:
    """A frame whose outlines are WKT; frames of geopandas hold geometries."""
    if type(frame).__module__.partition(".")[0] != "geopandas":
        return frame
    import pandas

    outlines = frame.geometry
    return pandas.DataFrame(frame.drop(columns=outlines.name)).assign(wkt=outlines.to_wkt().to_numpy())


def areas_of(rows: pl.DataFrame, source: Source) -> Any:
    """The outline of each row, from the column `wkt` or from the four borders of a box."""
    if "wkt" in rows.columns:
        return _polygons(rows["wkt"], source)
    if set(_BOX) <= set(rows.columns):
        return _boxes(rows, source)
    raise source.error(f"wanted a column wkt, or west, south, east and north, found {listed(rows.columns)}")


def depths(outlines: Any) -> Ints:
    """How many other outlines cover each one; of equal outlines the earlier covers the later."""
    shapely = shapely_package()
    inner, outer = shapely.STRtree(outlines).query(outlines, predicate="covered_by")
    equal = shapely.equals(outlines[inner], outlines[outer])
    counts = (inner != outer) & (~equal | (outer < inner))
    return np.bincount(inner[counts], minlength=len(outlines))


def _polygons(wkt: pl.Series, source: Source) -> Any:
    shapely = shapely_package()
    absent = missing(wkt.cast(pl.String))
    if absent.any():
        raise source.error("wanted a polygon as WKT, found nothing (is the file cut off?)", row=absent.arg_max())
    outlines = shapely.from_wkt(wkt.cast(pl.String).to_numpy(), on_invalid="ignore")
    is_area = np.isin(shapely.get_type_id(outlines), (3, 6)) & ~shapely.is_empty(outlines)
    if not is_area.all():
        problem = "wanted a polygon as WKT, such as POLYGON ((0 0, 1 0, 1 1, 0 0)), found something else"
        raise source.error(problem, row=int((~is_area).argmax()))
    crossed = ~shapely.is_valid(outlines)
    if crossed.any():
        source.note(f"{source.name}: {int(crossed.sum()):,} outlines cross themselves and are read as their parts")
        outlines[crossed] = shapely.make_valid(outlines[crossed])
    return outlines


def _boxes(rows: pl.DataFrame, source: Source) -> Any:
    numbers = {name: rows[name].cast(pl.Float64, strict=False) for name in _BOX}
    for name, column in numbers.items():
        invalid = column.is_null() | ~column.is_finite()
        if invalid.any():
            raise source.error(f"wanted {name} as a number, found something else", row=invalid.arg_max())
    west, south, east, north = numbers.values()
    turned = (west >= east) | (south >= north)
    if turned.any():
        problem = "wanted west below east and south below north, found another order"
        raise source.error(problem, row=turned.arg_max())
    return shapely_package().box(*(column.to_numpy() for column in (west, south, east, north)))
