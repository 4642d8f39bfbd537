"""The rows of a file: every column stays, and `read` takes the frame back to the same data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.errors import FileError
from sfumato.io import read
from sfumato.io.inputs.file_rows import rows_in_file

VISITS = "tid,poi,user,time,note\n1,b,u,2020-01-01 11:00,x\n1,a,u,2020-01-01 10:00,y\n2,a,v,2020-01-01 10:00,z\n"
FILES = {
    "visits.csv": (VISITS, {}),
    "table.csv": ("pid,age,born,ill\n007,31,1990-01-02,flu\np2,?,1991-01-02,hiv\n", {"columns": {"person": "pid"}}),
    "mixed.csv": ("age,items\n30,a b\n40,b\n", {"items": "items"}),
    "baskets.csv": ("record,item,price\n1,ale,3\n1,tea,4\n2,ale,3\n", {}),
    "baskets.dat": ("ale tea\ntea\n", {}),
    "walks.txt": ("a b c\nb\n", {}),
}


@pytest.mark.parametrize("name", FILES)
def test_the_frame_is_read_back_to_the_same_data(tmp_path: Path, name: str) -> None:
    content, options = FILES[name]
    path = tmp_path / name
    path.write_text(content)
    notes: list[str] = []
    rows = rows_in_file(path, notes=notes, **options)
    expected: Any = read(path, notes=[], **options)
    again = read(rows.frame, kind=rows.kind, notes=[], **{**options, "columns": rows.columns})
    assert rows.kind == expected.kind == again.kind
    assert again.to_polars().equals(expected.to_polars())
    if again.persons is not None:
        assert again.persons.names.to_list() == expected.persons.names.to_list()


def test_columns_without_a_role_stay(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text(VISITS)
    rows = rows_in_file(path)
    assert rows.frame.columns == ["tid", "poi", "user", "time", "note"]
    assert rows.columns == {"trajectory": "tid", "location": "poi", "person": "user"}
    named = rows_in_file(path, kind="table", missing=["z"])
    assert (named.kind, named.frame["note"].null_count()) == ("table", 1)


def test_a_sheet_and_roads(tmp_path: Path) -> None:
    from sfumato.io.workbooks import write_workbook

    frame = pl.DataFrame({"trajectory": ["1"], "road": ["007"], "direction": ["forth"], "weight": [2]})
    write_workbook(frame, tmp_path / "r.xlsx")
    rows = rows_in_file(tmp_path / "r.xlsx", sheet="data")
    assert (rows.kind, rows.frame["road"].to_list()) == ("roads", ["007"])
    with pytest.raises(FileError, match="wanted a sheet 'other'"):
        rows_in_file(tmp_path / "r.xlsx", sheet="other")


def test_empty_lines_are_noted(tmp_path: Path) -> None:
    (tmp_path / "b.dat").write_text("ale\n\ntea\n")
    notes: list[str] = []
    assert len(rows_in_file(tmp_path / "b.dat", notes=notes).frame) == 2
    assert "1 empty line left out" in notes[0]
