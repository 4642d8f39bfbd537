"""Regions from GeoJSON and from tables, and files that are broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato.errors import FileError
from sfumato.io.regions import read_regions

RING = [[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]]


def feature(name: Any, geometry: Any, **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "properties": {"name": name, **properties}, "geometry": geometry}


def geojson(path: Path, *features: Any) -> Path:
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path


def test_geojson(tmp_path: Path) -> None:
    small = [[[1, 1], [2, 1], [2, 2], [1, 1]]]
    path = geojson(
        tmp_path / "areas.geojson",
        feature("town", {"type": "Polygon", "coordinates": [RING]}, level="city"),
        feature(7, {"type": "MultiPolygon", "coordinates": [small]}, level="place"),
    )
    regions = read_regions(path)
    assert regions.names.to_list() == ["town", "7"]
    assert regions.levels == ("city", "place")
    assert regions.holding(np.array([[8.0, 8.0], [99.0, 0.0]])).tolist() == [0, -1]


@pytest.mark.parametrize("name", ["areas.csv", "areas.csv.gz"])
@pytest.mark.parametrize("column", ["region", "name", "location"])
def test_tables(tmp_path: Path, name: str, column: str) -> None:
    import gzip

    text = f'{column},wkt,level\n007,"POLYGON ((0 0, 9 0, 9 9, 0 0))",0\nx,"POLYGON ((1 1, 2 1, 2 2, 1 1))",1\n'
    content = text.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    regions = read_regions(tmp_path / name)
    assert regions.names.to_list() == ["007", "x"]
    assert regions.levels == ("0", "1")


def test_a_note_about_outlines_that_cross_themselves(tmp_path: Path) -> None:
    (tmp_path / "areas.csv").write_text('region,wkt\nbow,"POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))"\n')
    notes: list[str] = []
    read_regions(tmp_path / "areas.csv", notes=notes)
    assert notes == [f"{tmp_path / 'areas.csv'}: 1 outlines cross themselves and are read as their parts"]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.geojson", "{", r"a.geojson, line 1: wanted GeoJSON, found something else$"),
        ("a.json", "[]", r"a.json: wanted GeoJSON with a list of features, found none$"),
        (
            "a.geojson",
            json.dumps({"features": [feature("x", None)]}),
            r"a.geojson, row 1: wanted a feature with a polygon, found another geometry or none$",
        ),
        (
            "a.geojson",
            json.dumps({"features": [feature("x", {"type": "Point", "coordinates": [0, 0]})]}),
            r"a.geojson, row 1: wanted a polygon as WKT",
        ),
        (
            "a.geojson",
            json.dumps({"features": [feature(None, {"type": "Polygon", "coordinates": [RING]})]}),
            r"a.geojson, row 1: wanted a region, found nothing",
        ),
        ("a.csv", "title,wkt\nx,y\n", r"a.csv: wanted a column region or name, found title, wkt$"),
        ("a.csv", "name,wkt\nx,y\n", r"a.csv, line 2: wanted a polygon as WKT"),
        ("a.csv", "", r"a.csv: the file is empty$"),
    ],
)
def test_broken_files(tmp_path: Path, name: str, content: str, problem: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(FileError, match=problem):
        read_regions(tmp_path / name)
