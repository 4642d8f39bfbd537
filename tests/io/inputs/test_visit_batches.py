"""Visits read some rows at a time are the visits that are read at once, and everything unusual is read at once."""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sfumato
from sfumato import Places, Trajectories
from sfumato.errors import FileError
from sfumato.io import datasets
from sfumato.io.inputs import batches, visit_batches
from sfumato.io.inputs.reading import Reading

HEAD = "trajectory,location"


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_CSV_BYTES", 64)
    monkeypatch.setattr(batches, "_PARQUET_ROWS", 5)


def at_once(path: Path, **options: Any) -> Trajectories:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datasets, "read_in_batches", lambda *_: None)
        return sfumato.read(path, **options)


def batched(path: Path, columns: dict[str, str] | None = None, **sides: Any) -> Trajectories | None:
    """What is read in batches; None where the file is not regular."""
    names = datasets.column_names(path)
    options = {"places": None, "taxonomy": None, "reading": Reading(), **sides}
    return visit_batches.read_in_batches(path, names, columns or {}, **options)


def same(one: Trajectories, other: Trajectories) -> bool:
    for name in ("offsets", "codes", "times"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert (mine is None) == (theirs is None)
        assert mine is None or (mine.dtype == theirs.dtype and np.array_equal(mine, theirs))
    assert one.names == other.names
    assert one.ids.equals(other.ids, check_dtypes=True, check_names=True)
    assert (one.persons is None) == (other.persons is None)
    if one.persons is not None and other.persons is not None:
        assert one.persons.names.equals(other.persons.names, check_dtypes=True)
        assert np.array_equal(one.persons.codes, other.persons.codes)
    assert (one.places is None) == (other.places is None)
    if one.places is not None and other.places is not None:
        assert one.places.frame.equals(other.places.frame)
        assert one.places.derived == other.places.derived
    return True


def walks(chance: Random, *, person: bool, time: bool, where: bool) -> pl.DataFrame:
    rows = []
    for record in range(chance.randint(1, 12)):
        moment = chance.randrange(5)
        for _ in range(chance.randint(1, 6)):
            place = chance.randrange(4)
            moment += chance.randrange(3)
            rows.append((f"t{record}", f"p{place}", f"u{record % 3}", moment, place * 1.5, place - 2.0))
    frame = pl.DataFrame(rows, schema=["trajectory", "location", "person", "time", "x", "y"], orient="row")
    dropped = {"person": person, "time": time, "x": where, "y": where}
    return frame.drop(name for name, kept in dropped.items() if not kept)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**9), person=st.booleans(), time=st.booleans(), where=st.booleans())
@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv", "parquet"])
def test_regular_files_are_read_alike(
    ending: str, seed: int, person: bool, time: bool, where: bool, tmp_path: Path
) -> None:
    frame, path = walks(Random(seed), person=person, time=time, where=where), tmp_path / f"v.{ending}"
    if ending == "parquet":
        frame.write_parquet(path)
    else:
        text = frame.write_csv(separator="\t" if ending == "tsv" else ",").encode()
        path.write_bytes(gzip.compress(text) if ending.endswith("gz") else text)
    found = batched(path)
    assert found is not None
    assert same(found, at_once(path))
    assert same(sfumato.read(path), at_once(path))


def test_numbers_as_ids_keep_their_type(tmp_path: Path) -> None:
    frame = pl.DataFrame({"trajectory": [7, 7, 2], "location": [1, 2, 1]})
    frame.write_parquet(tmp_path / "v.parquet")
    found = batched(tmp_path / "v.parquet")
    assert found is not None
    assert same(found, at_once(tmp_path / "v.parquet"))
    (tmp_path / "v.csv").write_text("trajectory,location\n007,01\n007,1\n7,01\n")
    found = batched(tmp_path / "v.csv")
    assert found is not None
    assert found.ids.to_list() == ["007", "7"]
    assert found.to_lists() == [["01", "1"], ["01"]]


def test_columns_by_other_names_and_places(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("who,tid,poi,x,y,note\n" + "u,1,a,0,5,9\nu,1,b,1,5,9\nv,2,a,0,5,text\n" * 1)
    columns = {"trajectory": "tid", "location": "poi", "person": "who"}
    places = Places.planar({"a": (0, 0), "b": (1, 1)})
    found = batched(tmp_path / "v.csv", columns, places=places)
    assert found is not None
    assert found.places is places
    assert same(found, at_once(tmp_path / "v.csv", columns=columns, places=places))


IRREGULAR = {
    "quotation marks": 'trajectory,location\n1,"a"\n2,b\n',
    "interrupted records": "trajectory,location\n1,a\n2,a\n1,b\n",
    "times that fall": "trajectory,location,time\n1,a,5\n1,b,3\n",
    "times in texts": "trajectory,location,time\n1,a,2020-01-01\n1,b,2020-01-02\n",
    "times of two types": "trajectory,location,time\n" + "1,a,5\n" * 30 + "1,b,7.5\n",
    "several positions": "trajectory,location,x,y\n1,a,0,0\n1,a,1,1\n2,a,4,4\n",
    "two line ends": "trajectory,location\n1,a\n2,b\n\n",
}


@pytest.mark.parametrize("what", IRREGULAR)
def test_irregular_files_are_read_at_once(what: str, tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(IRREGULAR[what])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "_INFERRED", 10)
        assert batched(tmp_path / "v.csv") is None
        assert same(sfumato.read(tmp_path / "v.csv"), at_once(tmp_path / "v.csv"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1,a\n2,\n", "line 3: wanted a location, found nothing"),
        ("1,a\n,b\n", "line 3: wanted a trajectory, found nothing"),
        ("1,a\n2,b,c\n", "line 3: wanted as many fields"),
        ("1,a\n2\n", "line 3: wanted a location, found nothing"),
        ("", "wanted at least one row, found none"),
    ],
)
def test_mistakes_have_their_line(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(f"{HEAD}\n{text}")
    with pytest.raises(FileError, match=problem):
        sfumato.read(tmp_path / "v.csv", kind="trajectories")


def test_a_second_person_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(f"{HEAD},person\n" + "1,a,u\n" * 20 + "1,a,v\n")
    with pytest.raises(FileError, match="line 22: wanted one person for each trajectory, found a second person"):
        sfumato.read(tmp_path / "v.csv")


def test_a_negative_time_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(f"{HEAD},time\n" + "1,a,-3\n" + "1,a,4\n" * 20)
    with pytest.raises(FileError, match="line 2: wanted a time of 0 or later"):
        sfumato.read(tmp_path / "v.csv")


def test_a_damaged_gzip_file_is_refused(tmp_path: Path) -> None:
    content = gzip.compress(f"{HEAD}\n".encode() + b"1,a\n" * 100)
    (tmp_path / "v.csv.gz").write_bytes(content[:-6])
    with pytest.raises(FileError, match="ends early or is damaged"):
        sfumato.read(tmp_path / "v.csv.gz")


def test_a_gzip_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "v.csv.gz").write_bytes(gzip.compress(f"{HEAD}\n".encode() + b"1,a\n" * 100_000))
    monkeypatch.setattr("sfumato.io.files.UNZIPPED_BYTES", 1 << 16)
    with pytest.raises(FileError, match="unzips to at most"):
        sfumato.read(tmp_path / "v.csv.gz")


def test_notes_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(
        "trip_id,place,lat,lon,time\n" + "1,a,-70,10,1600000000000\n1,b,-71,11,1600000000001\n"
    )
    places = Places.from_frame({"location": ["a", "b"], "lat": [10.0, 11.0], "lon": [-70.0, -71.0]})
    for options in ({}, {"places": places}):
        notes: tuple[list[str], list[str]] = ([], [])
        sfumato.read(tmp_path / "v.csv", notes=notes[0], **options)
        at_once(tmp_path / "v.csv", notes=notes[1], **options)
        assert notes[0] == notes[1]
        assert notes[0]


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("location", [1.0, float("nan"), 2.0]),
        ("location", [b"\xff", b"a", b"b"]),
        ("location", [["a"], ["b"], ["c"]]),
        ("location", [{"a": 1}, {"a": 2}, {"a": 3}]),
        ("time", [[1], [2], [3]]),
        ("time", [1.0, float("nan"), 2.0]),
        ("lat", [[1], [2], [3]]),
    ],
    ids=str,
)
def test_values_that_are_none_are_refused_as_when_read_at_once(column: str, values: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "visits.parquet"
    usual = {"trajectory": ["t1", "t1", "t2"], "location": ["a", "b", "c"], "lat": [1, 2, 3], "lon": [1, 2, 3]}
    pl.DataFrame(usual | {column: values}).write_parquet(path)
    assert batched(path) is None
    with pytest.raises(FileError) as whole:
        at_once(path)
    with pytest.raises(FileError) as here:
        sfumato.read(path)
    assert str(here.value) == str(whole.value)
