"""Damaged Parquet files."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.errors import FileError
from sfumato.io import read
from sfumato.io.parquet import reading_parquet

N = 12


def people(**more: Any) -> pl.DataFrame:
    return pl.DataFrame({"age": [at % 4 for at in range(N)], **more})


def test_a_panic_is_one_sentence_and_prints_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def panic() -> None:
        os.write(2, b"thread 'main' panicked at a private value\n")
        raise pl.exceptions.PanicException("a private value")

    with pytest.raises(FileError) as refusal, reading_parquet(tmp_path / "v.parquet"):
        panic()
    assert str(refusal.value).endswith("wanted a Parquet file, found another format, or a damaged or truncated file")
    assert capfd.readouterr().err == ""
    with reading_parquet(tmp_path / "v.parquet"):
        os.write(2, b"something else\n")
    assert capfd.readouterr().err == "something else\n"


def test_a_file_without_bytes_of_a_parquet_file(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    people().write_parquet(buffer)
    whole = buffer.getvalue()
    for cut in (0, 4, len(whole) // 2, len(whole) - 9):
        (tmp_path / "t.parquet").write_bytes(whole[:cut])
        with pytest.raises(FileError):
            read(tmp_path / "t.parquet", kind="table")
