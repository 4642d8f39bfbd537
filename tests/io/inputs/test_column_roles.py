"""Columns matched by other spellings and by common other names, and suggestions that work."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sfumato.data.frames import columns_text
from sfumato.errors import DataError
from sfumato.io import read, read_places, read_positions
from sfumato.io.inputs.column_roles import ALIASES, guessed_kind, with_guessed_roles

VISITS = ("trajectory", "location"), ("person", "time", "lat", "lon", "x", "y")


def test_no_name_means_two_roles_of_one_kind() -> None:
    for kind in (("trajectory", "location", "person", "time", "lat", "lon", "x", "y"), ("record", "item", "person")):
        names = [name for role in kind for name in ALIASES[role]]
        assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("header", "roles"),
    [
        ("tid,user,lat,lon,day,hour,poi", {"trajectory": "tid", "location": "poi", "person": "user"}),
        ("TrajID,POI_ID", {"trajectory": "TrajID", "location": "POI_ID"}),
        ("Trip ID,Venue ID,Latitude,Longitude",
         {"trajectory": "Trip ID", "location": "Venue ID", "lat": "Latitude", "lon": "Longitude"}),
        ("tid,place,timestamp,lng,LAT",
         {"trajectory": "tid", "location": "place", "time": "timestamp", "lat": "LAT", "lon": "lng"}),
        ("trajectory,location,uid", {"person": "uid"}),
        ("tid,place,X,Y", {"trajectory": "tid", "location": "place", "x": "X", "y": "Y"}),
        ("tid,place,X", {"trajectory": "tid", "location": "place"}),  # half a pair
        ("tid,place,latitude,longitude,x,y",
         {"trajectory": "tid", "location": "place", "lat": "latitude", "lon": "longitude"}),
        ("tid,POI,Poi", {"trajectory": "tid"}),  # undecided
    ],
)  # fmt: skip
def test_roles_by_names(header: str, roles: dict[str, str]) -> None:
    assert with_guessed_roles(header.split(","), {}, *VISITS) == roles


def test_a_caller_who_names_columns_names_them_all() -> None:
    names = ["tid", "user", "poi", "lng", "lat"]
    named = {"trajectory": "tid", "location": "poi"}
    assert with_guessed_roles(names, named, *VISITS) == named
    assert with_guessed_roles(names, {"person": "user"}, *VISITS)["trajectory"] == "tid"


def test_kinds_by_names() -> None:
    assert guessed_kind(["tid", "poi"], {}) == "trajectories"
    assert guessed_kind(["Order ID", "product", "price"], {}) == "transactions"
    assert guessed_kind(["user", "poi", "timestamp"], {}) is None
    assert guessed_kind(["tid", "poi"], {"person": "tid"}) is None


def test_files_of_other_names_are_read_and_it_is_noted(tmp_path: Path) -> None:
    path, notes = tmp_path / "v.csv", list[str]()
    path.write_text("tid,User,poi,Latitude,lng\n1,u,a,10,20\n1,u,b,11,21\n2,v,a,10,20\n")
    data = read(path, notes=notes)
    assert (data.kind, data.to_lists(), len(data.persons)) == ("trajectories", [["a", "b"], ["a"]], 2)  # type: ignore[union-attr,arg-type]
    assert data.places.coordinates(["b"]).tolist() == [[21.0, 11.0]]  # type: ignore[attr-defined]
    text = "trajectory=tid,location=poi,person=User,lat=Latitude,lon=lng"
    assert notes == [
        f"{path}: read as trajectories by the names of its columns: {text}; if that is wrong, name the columns"
    ]
    assert read(path, kind="table").kind == "table"
    assert read(path, quasi_identifiers=("poi",)).kind == "table"
    path.write_text("basket,product\n1,ale\n1,tea\n")
    assert read(path).to_lists() == [["ale", "tea"]]  # type: ignore[attr-defined]


def test_frames_of_other_names_are_read() -> None:
    frame = pl.DataFrame({"tid": [1, 1], "venue": ["a", "b"]})
    assert read(frame).kind == "trajectories"


def test_places_and_positions_of_other_names(tmp_path: Path) -> None:
    path, notes = tmp_path / "p.csv", list[str]()
    path.write_text("poiID,poiCat,poiLon,poiLat\n1,shop,-4.2,55.8\n")
    places = read_places(path, notes=notes)
    assert places.coordinates(["1"]).tolist() == [[-4.2, 55.8]]
    assert places.facts(["1"], "category") == {"1": "shop"}
    assert "location=poiID,lat=poiLat,lon=poiLon,category=poiCat" in notes[0]
    path.write_text("X;Y;trajectory_id;tracker;t\n116.3;39.8;1;19;2008-12-11 04:42:14+00\n")
    notes.clear()
    assert repr(read_positions(path, notes=notes)) == "<Positions: 1 position in 1 track of 1 person, planar>"
    assert notes[1] == f"{path}: X and Y are read as positions on a plane; if they are degrees, name them lon and lat"
    columns = {"trajectory": "trajectory_id", "time": "t", "lon": "X", "lat": "Y"}
    assert "geographic" in repr(read_positions(path, columns=columns))


@pytest.mark.parametrize("kind", ["trajectories", "transactions"])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_suggested_columns_work(tmp_path: Path, kind: str, ending: str) -> None:
    frame = pl.DataFrame({"height": [0.5, 0.25], "who, where": ["a", "b"], 'a "b"=c': ["x", "x"], "gap": ["", "z"]})
    path = tmp_path / f"v.{ending}"
    frame.write_csv(path) if ending == "csv" else frame.write_parquet(path)
    with pytest.raises(DataError) as refusal:
        read(path, kind=kind)
    sentence = refusal.value.args[0]
    assert sentence.remedy == "name-columns"
    from sfumato.cli.shared.options import columns_of

    named = columns_of(sentence.details["columns"])
    assert read(path, kind=kind, columns=named).kind == kind
    assert columns_of(columns_text(named)) == named
