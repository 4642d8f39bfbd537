"""`sfumato.describe` of everything that can be read."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import sfumato
from sfumato import Table, Taxonomy


def test_a_file_with_its_notes(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text("tid,poi\n1,a\n1,b\n")
    about = sfumato.describe(path)
    assert (about.kind, about.figures["visits"]) == ("trajectories", 2)
    assert "trajectory=tid,location=poi" in about.notes[0]
    assert sfumato.describe(path, kind="table").kind == "table"
    assert sfumato.describe(str(path)).to_json() == about.to_json()
    about.write(tmp_path / "page.html", title="visits")
    assert "How it was read" in (tmp_path / "page.html").read_text()


def test_frames_datasets_releases_and_directories(tmp_path: Path) -> None:
    table = Table({"age": [30, 31, 32, 33]})
    assert sfumato.describe(table).figures == sfumato.describe(pl.DataFrame({"age": [30, 31, 32, 33]})).figures
    release = sfumato.anonymize(table, "incognito", k=2)
    folder = release.write(tmp_path / "release")
    assert sfumato.describe(release).figures == sfumato.describe(folder).figures


def test_values_without_a_leaf_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age\n31\n44\n")
    about = sfumato.describe(path, hierarchies={"age": Taxonomy({"*": None, "31": "*"})})
    assert about.hierarchies[0].uncovered == 1
