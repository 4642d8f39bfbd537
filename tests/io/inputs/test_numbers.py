"""Numbers in tables: ids are not rounded, postal codes keep their zeros, almost numeric columns are named."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data.frames import Source
from sfumato.io import read
from sfumato.io.inputs.numbers import note_almost_numbers, with_numbers


@given(st.lists(st.integers(-(10**22), 10**22), min_size=1))
def test_whole_numbers_are_exact_or_texts(numbers: list[int]) -> None:
    texts = [str(number) for number in numbers]
    column = with_numbers(pl.DataFrame({"a": texts}))["a"]
    assert [str(value) for value in column.to_list()] == texts
    fits = all(-(2**63) <= number < 2**63 for number in numbers)
    assert column.dtype == (pl.Int64 if fits else pl.String)


@pytest.mark.parametrize(
    "cells", [["01234", "99999"], ["12345678901234567890", "2"], ["12345678901234567", "1.5"], ["007", "-1"]]
)
def test_what_a_number_would_lose_stays_text(tmp_path: Path, cells: list[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text("zip,n\n" + "".join(f"{cell},1\n" for cell in cells))
    assert read(path)["zip"].to_list() == cells  # type: ignore[index]


def test_whole_decimals_of_parquet_are_exact(tmp_path: Path) -> None:
    big = 12345678901234567890
    frame = pl.DataFrame({"a": [big, 2], "b": [3, 4], "c": ["1.5", "2"]})
    frame = frame.with_columns(pl.col("a").cast(pl.Decimal(30, 0)), pl.col("b").cast(pl.Decimal(30, 0)))
    frame.with_columns(pl.col("c").cast(pl.Decimal(10, 2))).write_parquet(tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").to_polars().rows() == [(str(big), 3, 1.5), ("2", 4, 2.0)]


def almost(cells: list[str | None]) -> list[str]:
    notes: list[str] = []
    source = Source("t.csv", file=True, first_line=2, notes=notes)
    note_almost_numbers(pl.DataFrame({"age": pl.Series(cells, dtype=pl.String)}), source, texts=())
    return notes


def test_an_almost_numeric_column_is_named_without_its_values() -> None:
    notes = almost([None, *["31"] * 40, "zelda", "44", "unknown"])
    assert notes == [
        "t.csv, line 43: the column 'age' is read as text, although 95.3 % of its values are numbers; the value here "
        "is the first that is not a number; correct it, or name what stands for a missing value"
    ]
    for numbers, share in ((60, "60 %"), (80, "80 %"), (89, "89 %")):
        assert f"although {share} of its values are numbers" in almost(["31"] * numbers + ["x"] * (100 - numbers))[0]
    assert almost(["31", "x"]) == []  # half of them
    assert almost(["31", "44"] * 20) == []
    assert almost(["01234", *["31234"] * 30]) == []  # postal codes
    assert almost(["12345678901234567890", *["31234"] * 30]) == []
    assert almost(["a", "b"]) == []
    assert almost([None]) == []


def test_a_number_that_would_be_infinite_stays_text_and_is_noted(tmp_path: Path) -> None:
    path, notes = tmp_path / "t.csv", list[str]()
    path.write_text("pay\n1.5\n1e999\n2\n")
    assert read(path, notes=notes)["pay"].to_list() == ["1.5", "1e999", "2"]  # type: ignore[index]
    assert notes == [
        f"{path}, line 3: the column 'pay' is read as text, although 66.7 % of its values are numbers; the value here "
        "is a number that is too large; correct it, or name what stands for a missing value"
    ]


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["1,5", "1,000"], "line 2: the column 'age' is read as text, because it holds numbers with a decimal comma"),
        (["3", "0,5", "x"], "line 3: the column 'age' is read as text, because it holds numbers with a decimal comma"),
        (["1.000,5"], "a decimal comma, the first of them here; write them with a decimal point"),
        (["1,000", "999", "1,000.5"], "commas between thousands, the first of them here; write them without"),
    ],
)
def test_commas_in_numbers_are_noted(cells: list[str], words: str) -> None:
    assert words in almost(cells)[0]  # type: ignore[arg-type]
    assert len(almost(cells)) == 1  # type: ignore[arg-type]
