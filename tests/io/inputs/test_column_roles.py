"""Columns matched by other spellings and by common other names, and suggestions that work."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sfumato.data.column_names import ALIASES, with_guessed_roles
from sfumato.data.frames import columns_text
from sfumato.errors import DataError
from sfumato.io import read, read_places, read_positions
from sfumato.io.inputs.column_roles import guessed_kind, suggested_columns

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


def test_further_columns_are_read_beside_the_named_ones() -> None:
    names = ["tid", "user", "poi", "lng", "lat", "Timestamp"]
    named = {"trajectory": "tid", "location": "poi"}
    roles = with_guessed_roles(names, named, *VISITS)
    assert roles == {**named, "person": "user", "time": "Timestamp", "lon": "lng"}
    assert with_guessed_roles(names, {"person": "user"}, *VISITS)["trajectory"] == "tid"
    planar = {"x": "east", "y": "north"}
    assert with_guessed_roles([*names, "east", "north"], planar, *VISITS).keys() >= {"x", "y"}
    assert "lon" not in with_guessed_roles([*names, "east", "north"], planar, *VISITS)


ORDERED = "User,POI,Timestamp\n1,A,300\n1,B,100\n1,C,200\n2,A,100\n2,B,300\n2,C,200\n"


def test_named_columns_do_not_hide_the_times(tmp_path: Path) -> None:
    path, notes = tmp_path / "ord.csv", list[str]()
    path.write_text(ORDERED)
    data = read(path, columns={"trajectory": "User", "location": "POI"}, notes=notes)
    assert data.to_lists() == [["B", "C", "A"], ["A", "C", "B"]]  # type: ignore[attr-defined]
    assert notes == [f"{path}: further columns are read by their names: time=Timestamp; if that is wrong, rename them"]


@pytest.mark.parametrize(
    ("kind", "table", "columns"),
    [
        ("trajectories", ORDERED, "trajectory=User,location=POI,time=Timestamp"),
        ("transactions", ORDERED, "record=User,item=POI"),
        ("trajectories", "photoID,userID,dateTaken,poiID,poiTheme,seqID\n7,u,1,a,x,1\n8,u,2,b,x,1\n9,v,3,a,x,2\n",
         "trajectory=seqID,location=poiID,person=userID,time=dateTaken"),
        ("trajectories", "X,Y,fid,sequence,trajectory_id,tracker\n1.5,2,1,1,1,9\n2.5,2,2,1,2,9\n",
         "trajectory=trajectory_id,location=COLUMN,person=tracker,x=X,y=Y"),
        ("trajectories", "age,sex,job\n31,f,cook\n31,m,cook\n", "trajectory=COLUMN,location=COLUMN"),
    ],
)  # fmt: skip
def test_the_suggestion_follows_the_names(tmp_path: Path, kind: str, table: str, columns: str) -> None:
    path = tmp_path / "v.csv"
    path.write_text(table)
    assert suggested_columns(read(path, kind="table").frame, kind) == columns  # type: ignore[attr-defined]
    with pytest.raises(DataError) as refusal:
        read(path, kind=kind)
    assert refusal.value.args[0].details["columns"] == columns


def test_a_table_that_may_hold_visits_is_noted(tmp_path: Path) -> None:
    path, notes = tmp_path / "v.csv", list[str]()
    path.write_text("user_id,venue,LATITUDE,Longitude,datetime\n1,a,1,2,2020-01-01T10:00\n")
    assert read(path, notes=notes).kind == "table"
    columns = "trajectory=user_id,location=venue,time=datetime,lat=LATITUDE,lon=Longitude"
    assert notes == [f"{path}: read as a table; if it is not a table, say which column is which, such as {columns}"]
    notes.clear()
    read(path, kind="table", notes=notes)
    read(path, quasi_identifiers=("venue",), notes=notes)
    path.write_text("age,site\n31,a\n")
    read(path, notes=notes)
    assert notes == []


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


def test_a_misspelt_role_is_named(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text("Trip,spot\n1,a\n")
    with pytest.raises(DataError, match="wanted a known column role, found 'trajectry'; did you mean 'trajectory'"):
        read(path, columns={"trajectry": "Trip"})
    with pytest.raises(DataError, match="found 'zz'; known are item, lat, location, lon, person, record, time"):
        read(path, columns={"zz": "Trip"})


def test_columns_of_a_places_file_cannot_be_named(tmp_path: Path) -> None:
    path, notes = tmp_path / "p.csv", list[str]()
    path.write_text("location,Latitude,Longitude\na,-74,40.7\nb,-73.9,40.6\n")
    read_places(path, notes=notes)
    assert notes == [
        f"{path}: read as places by the names of its columns: lat=Latitude,lon=Longitude; if that is wrong, "
        "rename them",
        f"{path}: all latitudes lie beyond 60 degrees south, where no people live; if lat and lon are swapped, "
        "exchange the two columns of this file",
    ]


def test_visits_where_nobody_lives_are_noted(tmp_path: Path) -> None:
    path, notes = tmp_path / "v.csv", list[str]()
    path.write_text("trajectory,location,lat,lon\n1,a,-74,40.7\n1,b,-73.9,40.6\n")
    read(path, notes=notes)
    assert [note.split("; ")[0] for note in notes] == [
        f"{path}: all latitudes lie beyond 60 degrees south, where no people live"
    ]
    assert notes[0].details["columns"] == "lat=lon,lon=lat"  # type: ignore[attr-defined]
    read(path, columns={"lat": "lon", "lon": "lat"}, notes=notes)
    assert len(notes) == 1
