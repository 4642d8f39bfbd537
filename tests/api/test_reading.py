"""`sfumato.read`: files, frames of every make and published directories."""

from __future__ import annotations

from pathlib import Path

import geopandas
import pandas as pd
import polars as pl
import pytest

from api.walks import walks, walks_file
from sfumato import Mixed, RoadTrajectories, SeqAnon, Table, Trajectories, Transactions, read
from sfumato.errors import DataError, FileError

VISITS = pl.DataFrame({"trajectory": ["1", "1", "2"], "location": ["a", "b", "a"]})


@pytest.mark.parametrize("make", [pl.DataFrame.clone, pl.DataFrame.lazy, pl.DataFrame.to_pandas, pl.DataFrame.to_arrow])
def test_frames_of_every_make_hold_the_same_data(make: object) -> None:
    data = read(make(VISITS))  # type: ignore[operator]
    assert isinstance(data, Trajectories)
    assert data.to_lists() == [["a", "b"], ["a"]]


def test_a_geopandas_frame_brings_its_coordinates() -> None:
    points = geopandas.points_from_xy([0, 1, 0], [0, 1, 0])
    data = read(geopandas.GeoDataFrame(VISITS.to_pandas(), geometry=points))
    assert isinstance(data, Trajectories)
    assert data.places is not None
    assert data.places.located


def test_columns_decide_what_a_frame_holds() -> None:
    assert isinstance(read(pl.DataFrame({"record": [1], "item": ["tea"]})), Transactions)
    assert isinstance(read(pd.DataFrame({"age": [30, 40]}), quasi_identifiers=("age",)), Table)
    mixed = read(pl.DataFrame({"age": [30], "items": ["tea ale"]}), items="items", quasi_identifiers=("age",))
    assert isinstance(mixed, Mixed)
    assert mixed.items.to_lists() == [["ale", "tea"]]
    renamed = VISITS.rename({"trajectory": "tid", "location": "poi"})
    named = read(renamed, columns={"trajectory": "tid", "location": "poi"})
    assert isinstance(named, Trajectories)


def test_a_frame_of_roads_needs_its_network(tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text("node,x,y\nn1,0,0\nn2,1,0\n")
    (tmp_path / "roads.csv").write_text("road,from,to\nr1,n1,n2\n")
    frame = pl.DataFrame({"trajectory": ["1"], "road": ["r1"], "direction": ["+"]})
    assert isinstance(read(frame, network=tmp_path), RoadTrajectories)
    with pytest.raises(FileError, match="the frame: road trajectories need the network"):
        read(frame)


def test_side_files_are_read_where_a_path_is_given(tmp_path: Path) -> None:
    (tmp_path / "places.csv").write_text("location,x,y\na,0,0\nb,1,0\n")
    data = read(VISITS, places=tmp_path / "places.csv", kind="trajectories")
    assert data.places is not None
    assert read(walks_file(tmp_path), kind="trajectories").to_lists() == walks().to_lists()


def test_a_published_directory_is_read_as_its_certificate_says(tmp_path: Path) -> None:
    release = SeqAnon(k=2, m=2).anonymize(walks())
    folder = release.write(tmp_path / "out")
    assert read(folder).to_polars().equals(release.to_polars())
    assert read(release) is release.data
    with pytest.raises(DataError, match="say themselves how to read them; leave 'columns' out"):
        read(folder, columns={"trajectory": "tid"})
    with pytest.raises(DataError, match="wanted table, found trajectories"):
        read(folder, kind="table")
    (folder / "data.csv").write_text("trajectory,step,location\n")
    with pytest.raises(FileError, match="was altered"):
        read(folder)


def test_a_number_is_no_dataset() -> None:
    with pytest.raises(DataError, match="wanted a frame"):
        read(3)  # type: ignore[call-overload]


def test_places_may_be_a_frame_and_are_not_anything_else() -> None:
    visits = {"trajectory": ["1", "1"], "location": ["a", "b"]}
    frame = pl.DataFrame({"location": ["a", "b"], "x": [0, 1], "y": [0, 0]})
    for places in (frame, frame.to_pandas(), {"location": ["a", "b"], "x": [0, 1], "y": [0, 0]}):
        assert read(pl.DataFrame(visits), places=places).places.coordinates(("a", "b")).shape == (2, 2)
    with pytest.raises(DataError, match="wanted places as an object Places or a file, found int"):
        read(pl.DataFrame(visits), places=3)
    with pytest.raises(DataError, match="wanted taxonomy as an object Taxonomy or a file, found list"):
        read(pl.DataFrame(visits), taxonomy=["a"])
