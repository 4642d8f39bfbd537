"""The map of an answer: points, lines and areas, with a panel for each column."""

from __future__ import annotations

import pytest

from sfumato.errors import DataError
from sfumato.experiments.reports.maps.answer_map import map_answer


def feature(kind: str, coordinates: object, column: str, name: str = "http://example.org/s1") -> dict[str, object]:
    geometry = {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "geometry": geometry, "properties": {column: name, "column": column}}


def test_points_lines_and_areas() -> None:
    ring = [[[0.0, 0.0], [0.0, 0.02], [0.02, 0.02], [0.02, 0.0], [0.0, 0.0]]]
    features = [
        feature("Point", [0.01, 0.01], "stop"),
        feature("Point", [0.03, 0.01], "stop"),
        feature("LineString", [[0.0, 0.0], [0.02, 0.02], [0.0, 0.0]], "trail"),
        feature("Polygon", ring, "trail", "http://example.org/area"),
    ]
    drawn = map_answer({"type": "FeatureCollection", "features": features}, title="question")
    assert repr(drawn) == "<DrawnMap of question, stop and question, trail, private>"
    summaries = [panel.summary for panel in drawn.scene.panels]
    assert summaries == ["2 trajectories, 2 visits, 2 places", "2 trajectories, 4 visits, 3 places"]


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(DataError, match="wanted features with a geometry, found none"):
        map_answer({"type": "FeatureCollection", "features": []})
