"""Parquet files are looked at before a session is started."""

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
