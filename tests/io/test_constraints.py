"""Utility constraints from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato import read, read_constraints
from sfumato.errors import FileError


def test_constraints_travel_with_the_data(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("location,constraint\na,1\nb,1\nc,2\n")
    (tmp_path / "t.txt").write_text("a b\nc\n")
    data = read(tmp_path / "t.txt", constraints=read_constraints(tmp_path / "c.csv"))
    assert data.constraints.groups == {"1": ("a", "b"), "2": ("c",)}


def test_the_line_of_a_second_row_for_a_location_is_named(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("location,constraint\na,1\nb,1\na,2\n")
    with pytest.raises(FileError, match=r"c.csv, line 4: wanted every location in one constraint"):
        read_constraints(tmp_path / "c.csv")


def test_a_location_without_constraint_is_refused_when_data_are_read(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("location,constraint\na,1\n")
    (tmp_path / "t.txt").write_text("a b\nc\n")
    with pytest.raises(FileError, match=r"found none for 2"):
        read(tmp_path / "t.txt", constraints=read_constraints(tmp_path / "c.csv"))
