"""CSV and Parquet: headers, separators, quotation marks, lines that do not fit."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import FileError
from sfumato.io.frames import column_names, read_csv, read_frame, separator_of, write_frame
from sfumato.io.inputs.numbers import with_numbers


def load(path: Path, content: str | bytes, **options: Any) -> pl.DataFrame:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_csv(path, **options)[0]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "v.csv"


@pytest.mark.parametrize(
    ("line", "mark"),
    [("a,b", ","), ("a;b", ";"), ("a\tb", "\t"), ("a", ","), ('"a;b",c', ","), ('"a,b";c', ";"), ("1;a,b;*", ";")],
)
def test_the_separator_is_what_the_first_line_has(line: str, mark: str) -> None:
    assert separator_of(line) == mark


@pytest.mark.parametrize(
    "content",
    [
        "a,b\n007,x\n8,y\n",
        "a,b\n007,x\n8,y",
        "a;b\n007;x\n8;y\n",
        "a\tb\n007\tx\n8\ty\n",
        "a,b\r\n007,x\r\n8,y\r\n",
        "\ufeffa,b\n007,x\n8,y\n",
        ' "a" , b\n007,x\n8,y\n'.lstrip(),
        '"a","b"\n"007","x"\n"8","y"\n',
        "a,b\n007,x\n8,y\n\n\n",
        "a,b\r\n007,x\r\n8,y\r\n\r\n",
    ],
)
@pytest.mark.parametrize("texts", [None, ("a", "b")])
def test_one_table_in_many_dialects(path: Path, content: str, texts: tuple[str, ...] | None) -> None:
    frame = load(path, content, texts=texts)
    assert frame.columns == ["a", "b"]
    assert frame.rows() == [("007", "x"), ("8", "y")]
    path.with_suffix(".csv.gz").write_bytes(gzip.compress(content.encode()))
    assert read_csv(path.with_suffix(".csv.gz"), texts=texts)[0].rows() == frame.rows()
    assert column_names(path) == ["a", "b"]


def test_numbers_are_recognised_outside_the_texts(path: Path) -> None:
    assert load(path, "a,b\n007,1\n8,2.5\n", texts=("a",)).rows() == [("007", 1.0), ("8", 2.5)]
    assert load(path, "a,b\n007,1\n8,2\n").rows() == [("007", "1"), ("8", "2")]


def test_a_text_far_below_numbers_makes_a_column_of_texts(path: Path) -> None:
    content = "a,b\n" + "x,1\n" * 20_000 + "x,noon\n"
    frame = load(path, content, texts=("a",))
    assert frame["b"].dtype == pl.String
    assert frame["b"][-1] == "noon"


def test_a_file_name_is_no_pattern(tmp_path: Path) -> None:
    assert load(tmp_path / "visits[1]*.csv", "a,b\n1,2\n").rows() == [("1", "2")]


def test_the_nameless_index_column_of_pandas_is_harmless(path: Path) -> None:
    assert load(path, ",a\n0,x\n1,y\n").columns == ["", "a"]


def test_a_header_alone_is_an_empty_frame(path: Path) -> None:
    for content in ("a,b", "a,b\n", "a,b\n\n"):
        assert load(path, content).shape == (0, 2)


def test_an_empty_line_in_one_column_is_a_missing_value(path: Path) -> None:
    assert load(path, "a\n1\n\n3\n").rows() == [("1",), (None,), ("3",)]
    assert load(path, 'a\n""\n').rows() == [("",)]


def test_a_quoted_field_may_hold_anything(path: Path) -> None:
    frame = load(path, 'a,b\n"x,\ny","say ""hi"""\n"\n\n",\n')
    assert frame.rows() == [("x,\ny", 'say "hi"'), ("\n\n", None)]


def test_rows_are_counted_where_they_are_not_lines(path: Path) -> None:
    path.write_text('a,b\n"x\ny",1\nz,2\n')
    assert str(read_csv(path)[1].error("wanted x", row=1)) == f"{path}, row 2: wanted x"
    path.write_text('a,b\n"x",1\nz,2\n')
    assert str(read_csv(path)[1].error("wanted x", row=1)) == f"{path}, line 3: wanted x"
    path.write_text("a,b\nx,1\nz,2\n\n\n")
    assert str(read_csv(path)[1].error("wanted x", row=1)) == f"{path}, line 3: wanted x"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "v.csv: the file is empty"),
        ("\nzelda,b\n", "v.csv, line 1: wanted a header, found an empty line"),
        ("a,b,a\n1,2,3\n", "v.csv, line 1: wanted every column once, found 'a' twice"),
        ('a,b," a"\n1,2,3\n', "v.csv, line 1: wanted every column once, found 'a' twice"),
        (b"a,\xe9\nzelda,1\n", "v.csv, line 1: wanted text in UTF-8, found something else"),
        (b"a,b\nzelda,1\nx,\xe9\n", "v.csv, line 3: wanted text in UTF-8, found something else"),
        (
            "a,b\nx,1\nzelda,2,3\n",
            "v.csv, line 3: wanted as many fields as the header has, found a line with too many fields",
        ),
        (
            'a,b\n"x",1\nzelda,2,3\n',
            "v.csv, line 3: wanted as many fields as the header has, found a line with too many fields",
        ),
        (
            "a;b\nx;1\nzelda;2;3\n",
            "v.csv, line 3: wanted as many fields as the header has, found a line with too many fields",
        ),
        ("a,item\nx,1\nzelda\ny,2\n", "v.csv, line 3: wanted an item, found nothing (is the file cut off?)"),
        ("a,b\nx,1\n\ny,2\n", "v.csv, line 3: wanted an a, found nothing (is the file cut off?)"),
        ('a,b\n"x",1\n\ny,2\n', "v.csv, line 3: wanted an a, found nothing (is the file cut off?)"),
        ('a,b\n"x\nz",1\n\ny,2\n', "v.csv, line 4: wanted an a, found nothing (is the file cut off?)"),
        ('a,b\n"x",1\nzelda', "v.csv, line 3: wanted a b, found nothing (is the file cut off?)"),
        ('a,b\n"x",1\n"zelda', "v.csv, line 3: wanted quotation marks in pairs, found one without its partner"),
        ('a,b\nx,1\n"zelda,2\ny,3\n', "v.csv, line 3: wanted quotation marks in pairs, found one without its partner"),
        ('a,b\nx,1\n"zel"da,3\n', "v.csv, line 3: wanted quotation marks in pairs, found one without its partner"),
        (b"PAR1\x00\x01\xff\xfe", "v.csv, line 1: wanted text in UTF-8, found something else"),
    ],
)
@pytest.mark.parametrize("texts", [None, ("a",)])
def test_a_file_that_cannot_be_used(refused, content: str | bytes, sentence: str, texts: Any) -> None:
    assert refused("v.csv", content, read_csv, texts=texts) == sentence


def test_the_same_in_gzip(refused) -> None:
    zipped = gzip.compress(b"a,b\nx,1\nzelda\n")
    assert refused("v.csv.gz", zipped, read_csv) == "v.csv.gz, line 3: wanted a b, found nothing (is the file cut off?)"
    whole = gzip.compress(b"a,b\n" + b"zelda,1\n" * 500)
    assert refused("v.csv.gz", whole[:-30], read_csv) == "v.csv.gz: the gzip file ends early or is damaged"
    assert refused("v.csv.gz", whole[:12], read_csv) == "v.csv.gz: the gzip file ends early or is damaged"
    assert refused("v.csv.gz", gzip.compress(b""), read_csv) == "v.csv.gz: the file is empty"


def test_a_large_file_is_cut_at_any_place(path: Path) -> None:
    """Wherever a table is cut, a row is lost without notice only at the end of a field."""
    whole = "name,street,town\n" + "".join(f'"n{number}, x",street {number},town {number}\n' for number in range(30))
    for end in range(len(whole) - 20, len(whole)):
        path.write_text(whole[:end])
        fields = whole[:end].rsplit("\n", 1)[1].count(",")
        if whole[:end].endswith("\n") or fields == 3:
            assert len(read_csv(path)[0]) in (29, 30)
        else:
            with pytest.raises(FileError, match=r"line 31: wanted "):
                read_csv(path)


# ---- numbers in tables


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1", "-20", "0"], [1, -20, 0]),
        (["1", None, ""], [1, None, None]),
        (["1", "2.50", "-0.5e3"], [1.0, 2.5, -500.0]),
        (["02139", "10001"], ["02139", "10001"]),
        (["1", "01.5"], ["1", "01.5"]),
        (["1", "+2"], ["1", "+2"]),
        (["1", "x"], ["1", "x"]),
        (["1", " 2"], ["1", " 2"]),
        (["12345678901234567890", "1"], ["12345678901234567890", "1"]),
        ([None, ""], [None, ""]),
        (["NaN", "1"], ["NaN", "1"]),
        (["[19:22]", "23"], ["[19:22]", "23"]),
    ],
)
def test_texts_that_are_all_numbers_become_numbers(texts: list[Any], values: list[Any]) -> None:
    frame = pl.DataFrame({"a": pl.Series(texts, dtype=pl.String)})
    found = with_numbers(frame)["a"].to_list()
    assert found == values
    assert [type(cell) for cell in found] == [type(cell) for cell in values]
    assert with_numbers(frame, texts=("a",)).equals(frame)


# ---- written and read again

CELL = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
ENDINGS = ["v.csv", "v.csv.gz", "v.parquet", "v.parquet.gz"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=6), st.sampled_from(ENDINGS))
def test_texts_survive_to_the_letter(rows: list[tuple[str | None, str | None]], name: str) -> None:
    frame = pl.DataFrame(rows, schema={"a": pl.String, "b": pl.String}, orient="row")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        write_frame(frame, file)
        assert (file.read_bytes()[:2] == b"\x1f\x8b") == name.endswith(".gz")
        assert read_frame(file)[0].equals(frame)


@settings(max_examples=30, deadline=None)
@given(st.lists(CELL, min_size=1, max_size=6), st.sampled_from(ENDINGS))
def test_a_single_column_survives_with_its_missing_values(cells: list[str | None], name: str) -> None:
    frame = pl.DataFrame({"a": pl.Series(cells, dtype=pl.String)})
    with tempfile.TemporaryDirectory() as folder:
        write_frame(frame, Path(folder) / name)
        assert read_frame(Path(folder) / name)[0].equals(frame)


# ---- Parquet


def test_of_a_parquet_file_only_some_columns_are_read(tmp_path: Path) -> None:
    for name in ("v.parquet", "v.parquet.gz"):
        write_frame(pl.DataFrame({"a": [1], "b": ["x"], "c": [2.5]}), tmp_path / name)
        assert column_names(tmp_path / name) == ["a", "b", "c"]
        frame, source = read_frame(tmp_path / name, only=("c", "a", "z"))
        assert frame.rows(named=True) == [{"a": 1, "c": 2.5}]
        assert str(source.error("wanted x", row=0)) == f"{tmp_path / name}, row 1: wanted x"


@pytest.mark.parametrize("reader", [column_names, read_frame])
def test_a_parquet_file_that_cannot_be_used(refused, tmp_path: Path, reader: Any) -> None:
    write_frame(pl.DataFrame({"a": ["zelda"] * 500}), tmp_path / "whole.parquet")
    whole = (tmp_path / "whole.parquet").read_bytes()
    wanted = "wanted a Parquet file, found another format, or a damaged or truncated file"
    for content in (b"", b"a,b\nzelda,1\n", whole[: len(whole) // 2], whole[:-4], whole[: len(whole) - 20]):
        assert refused("v.parquet", content, reader) == f"v.parquet: {wanted}"
    assert refused("v.parquet.gz", gzip.compress(whole[:-4]), reader) == f"v.parquet.gz: {wanted}"
    assert refused("v.parquet.gz", gzip.compress(whole)[:-9], reader) == (
        "v.parquet.gz: the gzip file ends early or is damaged"
    )
    with pytest.raises(FileError, match=r"nothing.parquet: no such file$"):
        reader(tmp_path / "nothing.parquet")
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(FileError, match=r"folder.parquet: wanted a file"):
        reader(tmp_path / "folder.parquet")
