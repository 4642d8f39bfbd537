"""Movements in files: everything comes back, files are private, and damage is named."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import polars as pl
import pytest

from sfumato.errors import FileError, OutputError
from sfumato.semantics import Movement, read_movement
from sfumato.semantics.movement.files import is_movement
from twins.movements import random_frames


def movement(seed: int = 4) -> Movement:
    note = {
        "target_kind": "segment",
        "target": 0,
        "property": "x:y",
        "kind": "resource",
        "value": "x:z",
        "metres": 1 / 3,
    }
    return Movement.of(**random_frames(seed), annotations=[note]).with_patterns(lambda _: [[0, 1], [2]])


@pytest.mark.parametrize("name", ["out", "out.duckdb"])
def test_everything_comes_back(tmp_path: Path, name: str) -> None:
    given = movement()
    given.write(tmp_path / name)
    back = read_movement(tmp_path / name)
    for key, frame in given.frames().items():
        assert back.frames()[key].equals(frame)
        assert back.frames()[key].schema == frame.schema
    paths = [tmp_path / name, *(tmp_path / name).glob("*")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths} == ({0o700, 0o600} if name == "out" else {0o600})
    assert [path.name for path in tmp_path.iterdir()] == [name], "no temporary file is left"


@pytest.mark.parametrize("name", ["out", "out.duckdb"])
def test_plane_movements_stay_plane(tmp_path: Path, name: str) -> None:
    positions = {"object": [0], "begin": [1], "x": [5e6], "y": [1.0]}
    Movement.of({"object": ["a"]}, positions, geographic=False).write(tmp_path / name)
    assert not read_movement(tmp_path / name).geographic


@pytest.mark.parametrize("name", ["out", "out.duckdb"])
def test_nothing_is_replaced_and_nothing_private_is_published(tmp_path: Path, name: str) -> None:
    given = movement()
    given.write(tmp_path / name)
    with pytest.raises(OutputError, match="exists already"):
        given.write(tmp_path / name)
    with pytest.raises(OutputError, match="does not exist"):
        given.write(tmp_path / "no" / name)
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "certificate.json").write_text("{}")
    with pytest.raises(OutputError, match="published"):
        given.write(tmp_path / "public" / name)


def test_tables_of_a_database_refer_to_rows(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    given = movement()
    given.write(tmp_path / "out.duckdb")
    with duckdb.connect(str(tmp_path / "out.duckdb"), read_only=True) as connection:
        pairs = connection.execute(
            "SELECT child.name, above.name FROM segments child JOIN segments above ON child.father = above.row "
            "ORDER BY child.row"
        ).fetchall()
    names = given.segments["name"]
    wanted = [(name, names[row]) for name, row in given.segments.select("name", "father").drop_nulls().rows()]
    assert pairs == wanted


def test_damage_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with pytest.raises(FileError, match=r"wanted the directory of a movement, found no movement\.json"):
        read_movement(folder)
    movement().write(folder)
    assert is_movement(folder)
    segments = pl.read_parquet(folder / "segments.parquet")
    segments.with_columns(ord=pl.col("ord") + 1).write_parquet(folder / "segments.parquet")
    with pytest.raises(FileError, match="out: Movement: rule '08 ord' does not hold"):
        read_movement(folder)
    (folder / "segments.parquet").write_bytes(b"PAR1 not really PAR1")
    with pytest.raises(FileError, match=r"segments\.parquet: wanted a Parquet file"):
        read_movement(folder)
    (folder / "segments.parquet").unlink()
    with pytest.raises(FileError, match=r"segments\.parquet: wanted a file of a movement, found none"):
        read_movement(folder)
    (folder / "movement.json").write_text(json.dumps({"format": "sfumato movement", "version": 9, "geographic": True}))
    with pytest.raises(FileError, match="wanted format 'sfumato movement', version 1, found another"):
        read_movement(folder)
    (folder / "movement.json").write_text("{")
    with pytest.raises(FileError, match="found another or a damaged file"):
        read_movement(folder)


def test_a_database_that_is_none(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    with pytest.raises(FileError, match="wanted a DuckDB file, found none"):
        read_movement(tmp_path / "no.duckdb")
    (tmp_path / "text.duckdb").write_text("nothing of the kind")
    with pytest.raises(FileError, match="found another or a damaged file"):
        read_movement(tmp_path / "text.duckdb")
    duckdb.connect(str(tmp_path / "empty.duckdb")).close()
    with pytest.raises(FileError, match="found another or a damaged file"):
        read_movement(tmp_path / "empty.duckdb")


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato.errors import MissingExtra

    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    with pytest.raises(MissingExtra, match="duckdb is not installed"):
        movement().write(tmp_path / "out.duckdb")


def test_a_view_in_a_database_reads_no_other_file(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    given, path, other = movement(), tmp_path / "view.duckdb", tmp_path / "other.csv"
    given.write(path)
    given.objects.with_row_index("row").write_csv(other)
    assert read_movement(path).objects.equals(given.objects)
    with duckdb.connect(str(path)) as connection:
        connection.execute("DROP TABLE objects")
        connection.execute(f"CREATE VIEW objects AS SELECT * FROM read_csv('{other}', all_varchar = true)")
    with pytest.raises(FileError, match="another or a damaged file"):
        read_movement(path)


def test_a_note_of_many_brackets(tmp_path: Path) -> None:
    movement().write(tmp_path / "out")
    (tmp_path / "out" / "movement.json").write_text("[" * 100_000)
    with pytest.raises(FileError, match="another or a damaged file"):
        read_movement(tmp_path / "out")
