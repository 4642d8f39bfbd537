"""Points, multipoints and lines of published labels, and the coordinates that may be published."""

from __future__ import annotations

import pytest

from sfumato import Places, SeqAnon, Table, Trajectories
from sfumato.data.labels.label_geometry import label_geometry, member_points, require_public_geometry
from sfumato.errors import DataError, MissingKnowledge
from sfumato.generate import Roads

WHERE = {"a": (0, 0), "b": (-1, 0), "c": (1, 0), "d": (-1, 1.5), "e": (1, 1.6)}
WALKS = Trajectories.from_lists([*map(list, ("dace", "baec", "ade", "bdec", "dc", "de"))], places=WHERE)


def test_a_release_has_a_row_for_each_label() -> None:
    frame = SeqAnon(k=2, m=2).anonymize(WALKS).to_geopandas()
    assert list(frame.columns) == ["label", "members", "visits", "geometry"]
    assert [shape.geom_type for shape in frame.geometry] == ["Point", "Point", "MultiPoint"]
    assert frame["label"].tolist() == ["d", "e", "g1"]
    assert int(frame["visits"].sum()) == len(SeqAnon(k=2, m=2).anonymize(WALKS).data.codes)
    label = frame.set_index("label").loc["g1"]
    assert {(point.x, point.y) for point in label.geometry.geoms} == {WHERE[name] for name in "abc"}
    assert label["members"] == 3


def test_degrees_slots_and_places_without_coordinates() -> None:
    towns = Places.from_frame({"location": ["a", "b"], "lat": [40.0, 41.0], "lon": [-73.0, -74.0]})
    walks = Trajectories.from_lists([["a@9", "b", "zz"]], places=towns)
    frame = label_geometry(walks).set_index("label")
    assert frame.crs == "EPSG:4326"
    assert (frame.geometry["a@9"].x, frame.geometry["a@9"].y) == (-73.0, 40.0)
    assert frame.geometry["zz"] is None
    assert member_points(walks, [towns]).located.tolist() == [1, 1, 0]


def test_roads_are_lines() -> None:
    drives = Roads(nodes=9, degree=3, vehicles=20).make(seed=1)
    frame = label_geometry(drives)
    assert set(frame.geom_type) == {"LineString"}
    assert int(frame["vehicles"].sum()) == len(drives.codes)


def test_refusals() -> None:
    with pytest.raises(DataError, match=r"^to_geopandas: wanted trajectories or road trajectories, found table$"):
        label_geometry(Table({"age": [1]}))
    with pytest.raises(
        MissingKnowledge, match=r"^to_geopandas: wanted places with coordinates, found none; give places"
    ):
        label_geometry(Trajectories.from_lists([["a"]]))
    with pytest.raises(DataError, match=r"^geometry: wanted trajectories, found table$"):
        require_public_geometry(Table({"age": [1]}))
    with pytest.raises(MissingKnowledge, match=r"^geometry: wanted places with coordinates, found none; give places$"):
        require_public_geometry(Trajectories.from_lists([["a"]]))
    visits = Trajectories.from_frame({"trajectory": [1], "location": ["a"], "x": [0], "y": [1]})
    with pytest.raises(MissingKnowledge, match="computed from the private visits; give places") as refusal:
        require_public_geometry(visits)
    assert refusal.value.remedy == "give-places-file"
    require_public_geometry(WALKS)


def test_data_without_geometry_say_so() -> None:
    with pytest.raises(DataError, match="wanted trajectories with places that have coordinates, found table"):
        Table({"age": [1]}).to_geopandas()
