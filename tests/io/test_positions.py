"""Positions in files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from sfumato import Places, read_positions
from sfumato.errors import FileError
from sfumato.io import write_positions

TEXT = """X;Y;tracker;t
9.19;45.46;007;2026-05-01 10:00:00+00
9.20;45.47;007;2026-05-01 09:00:00+00
9.30;45.50;8;2026-05-01 10:00:00+00
"""
SWAPPED = "wanted lat between -90 and 90, found a number outside; if lat and lon are swapped, exchange the two columns"
ZONES = "wanted every time in one time zone, found UTC+00:00 before and UTC+02:00 here; convert all times to one zone"
UNREADABLE = "wanted a time as a number of seconds or as YYYY-MM-DDTHH:MM:SS, found another text"
COLUMNS = {"lon": "X", "lat": "Y", "person": "tracker", "time": "t"}


@pytest.mark.parametrize("zipped", [False, True])
def test_a_file_with_other_names(tmp_path: Path, zipped: bool) -> None:
    path = tmp_path / ("gps.csv.gz" if zipped else "gps.csv")
    path.write_bytes(gzip.compress(TEXT.encode()) if zipped else TEXT.encode())
    places = Places.from_frame({"location": ["a"], "lat": [45.0], "lon": [9.0]})
    walk = read_positions(path, columns=COLUMNS, places=places)
    assert walk.ids.to_list() == ["007", "8"]
    assert walk.where.tolist() == [[9.20, 45.47], [9.19, 45.46], [9.30, 45.50]]
    assert walk.places is places


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".csv.gz"])
def test_what_is_written_is_read(tmp_path: Path, ending: str) -> None:
    (tmp_path / "gps.csv").write_text(TEXT)
    walk = read_positions(tmp_path / "gps.csv", columns=COLUMNS)
    write_positions(walk, tmp_path / f"again{ending}")
    again = read_positions(tmp_path / f"again{ending}")
    assert again.to_polars().equals(walk.to_polars())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("9.20;45.47", "45.47;116.4", f"line 3: {SWAPPED}"),
        ("09:00:00+00", "09:00:00+02", f"line 3: {ZONES}"),
        ("9.20;", ";", "line 3: wanted a lon, found nothing (is the file cut off?)"),
        ("45.50", "north", "line 4: wanted lat as a number, found something else"),
        ("2026-05-01 09:00:00+00", "yesterday", f"line 3: {UNREADABLE}"),
        (";8;", ";;", "line 4: wanted a person, found nothing (is the file cut off?)"),
    ],
)  # fmt: skip
def test_bad_files_name_the_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "gps.csv"
    path.write_text(TEXT.replace(old, new))
    with pytest.raises(FileError) as refusal:
        read_positions(path, columns=COLUMNS)
    assert str(refusal.value) == f"{path}, {said}"


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        read_positions(tmp_path / "gps.csv")
