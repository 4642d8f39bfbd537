"""Workplaces from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato import read, read_workplaces
from sfumato.errors import FileError


def test_workplaces_travel_with_the_data_and_are_not_published(tmp_path: Path) -> None:
    (tmp_path / "w.csv").write_text("person,location\nann,a\n")
    (tmp_path / "t.csv").write_text("trajectory,person,location\n1,ann,a\n2,bob,a\n")
    data = read(tmp_path / "t.csv", workplaces=read_workplaces(tmp_path / "w.csv"))
    assert data.workplaces.visits(data).tolist() == [True, False]
    assert data.take([1]).workplaces is data.workplaces
    assert data.published()[0].workplaces is None


def test_the_line_without_a_location_is_named(tmp_path: Path) -> None:
    (tmp_path / "w.csv").write_text("person,location\nann,a\nbob,\n")
    with pytest.raises(FileError, match=r"w.csv, line 3: wanted a location"):
        read_workplaces(tmp_path / "w.csv")
