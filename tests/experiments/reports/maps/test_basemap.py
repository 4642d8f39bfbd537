"""Lines beneath a map, from files that somebody else may have written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato import Network
from sfumato.errors import CallerError, FileError
from sfumato.experiments.reports.maps.basemap import as_basemap, lines_on_map, read_basemap
from sfumato.io import write_network

SQUARE = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]


def written(tmp_path: Path, content: Any) -> Path:
    file = tmp_path / "lines.geojson"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return file


def test_all_kinds_of_geometry(tmp_path: Path) -> None:
    geometries = [
        {"type": "Point", "coordinates": [1, 1]},
        {"type": "LineString", "coordinates": [[0, 0], [1, 1, 99]]},
        {"type": "MultiLineString", "coordinates": [[[0, 0], [2, 2]], [[3, 3]]]},
        {"type": "Polygon", "coordinates": [SQUARE, SQUARE]},
        {"type": "MultiPolygon", "coordinates": [[SQUARE], [SQUARE]]},
    ]
    features = [{"type": "Feature", "properties": {"name": "x"}, "geometry": None}]
    features += [{"type": "Feature", "geometry": {"type": "GeometryCollection", "geometries": geometries}}]
    lines = read_basemap(written(tmp_path, {"type": "FeatureCollection", "features": features}))
    assert [len(line) for line in lines] == [2, 2, 5, 5, 5, 5]


@pytest.mark.parametrize(
    "content",
    [
        "", "[]", "null", "{", '{"type": "Nonsense"}', '{"type": "LineString"}', "[" * 100_000,
        '{"type": "LineString", "coordinates": [[0, "x"], [1, 1]]}',
        '{"type": "LineString", "coordinates": [[0, NaN], [1, 1]]}',
        '{"type": "FeatureCollection", "features": 3}',
    ],
)  # fmt: skip
def test_other_files_are_refused(content: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"lines.geojson: wanted GeoJSON, found something else$"):
        read_basemap(written(tmp_path, content))


def test_nothing_to_draw(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="wanted lines or polygons in the GeoJSON file, found none"):
        read_basemap(written(tmp_path, {"type": "Point", "coordinates": [1, 2]}))
    with pytest.raises(FileError, match="cannot be read"):
        read_basemap(tmp_path / "absent.geojson")
    with pytest.raises(CallerError, match="wanted the basemap as a file or a network, found int"):
        as_basemap(3)


def test_roads_are_lines(tmp_path: Path) -> None:
    town = Network.from_frames(
        {"node": ["a", "b"], "x": [0, 1], "y": [0, 0]}, {"road": ["r"], "from": ["a"], "to": ["b"]}
    )
    write_network(town, tmp_path / "streets")
    for source in (town, tmp_path / "streets"):
        assert [line.tolist() for line in as_basemap(source)] == [[[0.0, 0.0], [1.0, 0.0]]]


def test_lines_are_cut_to_the_map() -> None:
    low, high = np.array([0.0, 0.0]), np.array([10.0, 10.0])
    far = np.array([[100.0, 100.0], [101.0, 100.0]])
    through = np.array([[-50.0, 5.0], [50.0, 5.0]])
    leaving = np.array([[1.0, 1.0], [2.0, 1.0], [90.0, 90.0], [99.0, 99.0], [9.0, 9.0]])
    lines = lines_on_map([far, through, leaving], low, high, np.inf)
    assert [len(line) for line in lines] == [2, 3, 2]
    seam = lines_on_map([np.array([[1.0, 1.0], [2.0, 1.0], [9.0, 2.0], [8.0, 2.0]])], low, high, 10.0)
    assert [line.tolist() for line in seam] == [[[1.0, 1.0], [2.0, 1.0]], [[9.0, 2.0], [8.0, 2.0]]]


def test_detail_that_nobody_sees_is_left_out() -> None:
    dense = np.column_stack((np.linspace(0, 10, 500_000), np.zeros(500_000)))
    (line,) = lines_on_map([dense], np.zeros(2), np.full(2, 10.0), np.inf)
    assert 1_000 < len(line) <= 20_001
