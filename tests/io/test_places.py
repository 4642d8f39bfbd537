"""Places files."""

from __future__ import annotations

import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Places
from sfumato.errors import FileError
from sfumato.io import read_places, write_places

NAME = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
PLACE = st.tuples(
    st.floats(-1e6, 1e6),
    st.floats(-1e6, 1e6),
    st.none() | NAME,
    st.none() | st.sampled_from(["0042", "x"]),
    st.booleans(),
)


@settings(max_examples=50, deadline=None)
@given(
    st.dictionaries(NAME, PLACE, min_size=1, max_size=5),
    st.sampled_from(["p.csv", "p.csv.gz", "p.parquet", "p.parquet.gz"]),
)
def test_places_survive(rows: dict, name: str) -> None:
    schema = ["location", "x", "y", "category", "owner", "sensitive"]
    frame = pl.DataFrame(
        [(location, *facts) for location, facts in rows.items()],
        schema=dict(zip(schema, (pl.String, pl.Float64, pl.Float64, pl.String, pl.String, pl.Boolean), strict=True)),
        orient="row",
    )
    places = Places.from_frame(frame)
    with tempfile.TemporaryDirectory() as folder:
        write_places(places, Path(folder) / name)
        assert read_places(Path(folder) / name).frame.equals(places.frame)


def test_names_stay_texts_and_medians_are_taken(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("location;lat;lon;owner\n007;1;2;01\n007;3;2;01\n007;2;8;01\n7;0;0;1\n")
    places = read_places(tmp_path / "p.csv")
    assert places.frame.rows(named=True) == [
        {"location": "007", "lat": 2.0, "lon": 2.0, "owner": "01"},
        {"location": "7", "lat": 0.0, "lon": 0.0, "owner": "1"},
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "p.csv: the file is empty"),
        ("location,x,y\n", "p.csv: wanted at least one place, found none"),
        ("spot,x,y\na,0,0\n", "p.csv: wanted a column 'location', found spot, x, y"),
        ("location,x,y\na,0,0\nzelda,east,0\n", "p.csv, line 3: wanted x as a number, found something else"),
        ("location,x,y\na,0,0\nzelda,1,\n", "p.csv, line 3: wanted y as a number, found something else"),
        ("location,x,y\na,0,0\nzelda,1\n", "p.csv, line 3: wanted a y, found nothing (is the file cut off?)"),
        (
            "location,lat,lon\na,0,0\nb,-91,0\n",
            "p.csv, line 3: wanted lat as a number between -90 and 90, found something else; "
            "if lat and lon are swapped, exchange the two columns of the places",
        ),
        ("location,x,y\na,0,0\n,1,1\n", "p.csv, line 3: wanted a location, found nothing"),
        ("location,x\na,0\n", "p.csv: wanted both x and y, found only one of them"),
        (
            "location,sensitive\na,true\nb,perhaps\n",
            "p.csv, line 3: wanted sensitive as true or false, found something else",
        ),
        ("location,owner\na,x\na,y\n", "p.csv, line 3: wanted one owner for each location, found a second one"),
    ],
)
def test_a_file_that_cannot_be_used(refused, content: str, sentence: str) -> None:
    assert refused("p.csv", content, read_places) == sentence


def test_a_location_without_a_place_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("location,x,y\na,0,0\n")
    with pytest.raises(FileError) as refusal:
        read_places(tmp_path / "p.csv").require(["a", "b"])
    assert str(refusal.value) == (f"{tmp_path / 'p.csv'}: wanted a place for every location, found none for 1 of 2")
