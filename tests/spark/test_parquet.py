"""Parquet files are looked at before a session is started."""

import shutil
from pathlib import Path

import polars as pl
import pytest

from sfumato.errors import FileError
from sfumato.spark.parquet import parquet_files


def test_all_files_below_a_directory(tmp_path: Path) -> None:
    (tmp_path / "day=2").mkdir()
    for name in ("b.parquet", "a.parquet", "day=2/a.parquet"):
        pl.DataFrame({"record": [1], "item": ["x"]}).write_parquet(tmp_path / name)
    (tmp_path / "_SUCCESS").touch()
    found = [str(path.relative_to(tmp_path)) for path in parquet_files(tmp_path)]
    assert found == ["a.parquet", "b.parquet", "day=2/a.parquet"]


@pytest.mark.parametrize("content", [b"", b"PAR1", b"record,item\n1,x\n", None])
def test_files_that_are_no_complete_parquet_files_are_named(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "a.parquet"
    pl.DataFrame({"record": [1], "item": ["x"]}).write_parquet(file)
    file.write_bytes(file.read_bytes()[:-1] if content is None else content)
    with pytest.raises(FileError, match=r"a\.parquet: wanted a complete Parquet file"):
        parquet_files(tmp_path)


def test_a_path_without_parquet_files(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="wanted a directory of Parquet files, found none"):
        parquet_files(tmp_path)
    with pytest.raises(FileError, match="no such file or directory"):
        parquet_files(tmp_path / "none")


def test_files_that_spark_would_leave_out_or_replace_are_refused(tmp_path: Path) -> None:
    """Spark would read a.parquet twice in place of [ab].parquet, and nothing of _b.parquet and .b.parquet."""
    for name, problem in (
        ("[ab].parquet", r"wanted a path without any of \* \? "),
        ("b:c.parquet", "wanted a path without any of"),
        ("_b.parquet", "wanted a file whose name begins with a letter or a digit; Spark leaves out others"),
        (".b.parquet", "Spark leaves out others"),
        ("x{y}/b.parquet", "which Spark reads as a pattern"),
    ):
        folder = tmp_path / name.strip(".[]{}")[:1]
        (folder / name).parent.mkdir(parents=True)
        for file in ("a.parquet", name):
            pl.DataFrame({"record": [1], "item": ["x"]}).write_parquet(folder / file)
        with pytest.raises(FileError, match=problem):
            parquet_files(folder)
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    "other",
    [
        {"record": [1], "item": ["x"], "person": ["ann"]},
        {"item": ["x"], "record": [1]},
        {"record": ["1"], "item": ["x"]},
        {"record": [1]},
    ],
    ids=str,
)
def test_files_of_other_columns_are_refused(tmp_path: Path, other: dict[str, list[object]]) -> None:
    """Spark would leave out a column that the first file does not have, such as that of persons."""
    pl.DataFrame({"record": [1], "item": ["x"]}).write_parquet(tmp_path / "a.parquet")
    pl.DataFrame(other).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(FileError, match=r"b\.parquet: wanted the columns of a\.parquet, in the same order and of"):
        parquet_files(tmp_path)
