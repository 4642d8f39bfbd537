"""Regions as GeoJSON, or as CSV, Parquet or Excel with WKT or boxes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.data.areas.outlines import shapely_package
from sfumato.data.areas.regions import Regions
from sfumato.data.column_names import matching_column
from sfumato.data.frames import Source
from sfumato.errors import FileError, listed
from sfumato.io.files import read_text, suffix_of
from sfumato.io.frames import read_frame

__all__ = ["read_regions"]

_NAMES = ("region", "regionname", "name", "location", "place")  # of the column or property that names a region


def read_regions(path: str | Path, *, notes: list[str] | None = None) -> Regions:
    """Read areas with names, on one or several levels.

    GeoJSON (.geojson, .json): features with polygons, the properties `name` (or `region`) and, if there are several
    levels, `level`.  A table: the columns `region` (or `name`, `location`, `place`), `wkt` or `west, south, east,
    north`, and `level`.  Without levels, a region that others cover lies below them.
    notes : collects sentences about how the file was read.
    """
    if suffix_of(path) in (".geojson", ".json"):
        source = Source(str(path), file=True, notes=notes)
        return Regions.from_frame(_features(path, source), source)
    frame, source = read_frame(path, notes=notes)
    name = matching_column("region", frame.columns, _NAMES)
    if name is None:
        raise source.error(f"wanted a column region or name, found {listed(frame.columns)}")
    return Regions.from_frame(frame.rename({name: "region"}), source)


def _features(path: str | Path, source: Source) -> pl.DataFrame:
    """The name, the level and the outline of each feature."""
    try:
        content = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise FileError(path, "wanted GeoJSON, found something else", line=error.lineno) from None
    features = content.get("features") if isinstance(content, dict) else None
    if not isinstance(features, list) or not all(isinstance(feature, dict) for feature in features):
        raise FileError(path, "wanted GeoJSON with a list of features, found none")
    properties = [feature.get("properties") or {} for feature in features]
    columns = {
        "region": [_first(values, _NAMES) for values in properties],
        "wkt": _outlines([feature.get("geometry") for feature in features], source),
    }
    if any("level" in values for values in properties):
        columns["level"] = [_first(values, ("level",)) for values in properties]
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))


def _first(properties: Any, names: tuple[str, ...]) -> str | None:
    """The first of these properties, as a text."""
    value = next((properties[name] for name in names if properties.get(name) is not None), None)
    return None if value is None else str(value)


def _outlines(geometries: list[Any], source: Source) -> list[str | None]:
    shapely = shapely_package()
    shapes = shapely.from_geojson([json.dumps(geometry) for geometry in geometries], on_invalid="ignore")
    unreadable = [row for row, shape in enumerate(shapes) if shape is None]
    if unreadable:
        raise source.error("wanted a feature with a polygon, found another geometry or none", row=unreadable[0])
    return list(shapely.to_wkt(shapes, rounding_precision=-1))
