"""Files that are strange rather than wrong: they work, or one sentence says why not."""

from __future__ import annotations

import gzip
import os
from contextlib import suppress
from datetime import time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato import verify
from sfumato.catalogue import method_class
from sfumato.data import Mixed, Table, Taxonomy, Trajectories
from sfumato.errors import CallerError, DataError, FileError
from sfumato.io import files, read, read_taxonomy, write, write_taxonomy

N = 12


def people(**more: Any) -> pl.DataFrame:
    return pl.DataFrame({"age": [at % 4 for at in range(N)], **more})


# ---- compressed files and pipes


def test_a_gzip_file_that_unzips_to_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "v.csv.gz"
    path.write_bytes(gzip.compress(b"trajectory,location\n" + b"1,a\n" * 1_000_000))
    assert len(read(path).codes) == 1_000_000
    monkeypatch.setattr(files, "UNZIPPED_BYTES", 1 << 20)
    with pytest.raises(FileError, match=r"v\.csv\.gz: wanted a gzip file that unzips to at most 1 MB"):
        read(path)


def test_a_first_line_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LINE_BYTES", 1 << 20)
    (tmp_path / "v.csv").write_bytes(b"x" * (2 << 20))
    with pytest.raises(FileError, match="line 1: wanted a first line of at most 1 MB"):
        read(tmp_path / "v.csv")


@pytest.mark.parametrize("name", ["v.csv", "v.txt", "v.parquet"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(FileError, match=r"wanted a file, found a pipe, a socket or a device$"):
        read(tmp_path / name)


# ---- line ends


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("name", "lines", "lists"),
    [
        ("v.txt", ["a b", "b"], [["a", "b"], ["b"]]),
        ("v.dat", ["b a", "b"], [["a", "b"], ["b"]]),
        ("v.spmf", ["a -1 b -1 -2", "b -1 -2"], [["a", "b"], ["b"]]),
    ],
)
def test_line_ends_of_files_of_lines(tmp_path: Path, end: str, name: str, lines: list[str], lists: Any) -> None:
    (tmp_path / name).write_bytes(end.join([*lines, ""]).encode())
    assert read(tmp_path / name).to_lists() == lists


def test_a_csv_whose_lines_end_in_cr(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_bytes(b"trajectory,location\r1,a\r2,b\r")
    with pytest.raises(FileError, match=r"v\.csv: wanted lines that end in LF or CR LF"):
        read(tmp_path / "v.csv")


# ---- Parquet


# ---- types


TYPES = {
    "Duration": [timedelta(seconds=at % 3) for at in range(N)],
    "List": [[at % 3] for at in range(N)],
    "Struct": [{"a": at % 3} for at in range(N)],
    "Binary": [b"\xff%d" % (at % 3) for at in range(N)],
    "Object": pl.Series([object() for _ in range(N)], dtype=pl.Object),
    "Array": pl.Series([[at % 3, 1] for at in range(N)], dtype=pl.Array(pl.Int64, 2)),
}


@pytest.mark.parametrize("name", TYPES)
def test_columns_that_are_no_plain_values(tmp_path: Path, name: str) -> None:
    frame = people(x=TYPES[name])
    sentence = f"wanted texts, numbers, dates or times in the column 'x', found {name}"
    with pytest.raises(DataError, match=f"^the frame: {sentence}$"):
        Table(frame)
    if name != "Object":
        frame.write_parquet(tmp_path / "t.parquet")
        with pytest.raises(FileError, match=rf"t\.parquet: {sentence}$"):
            read(tmp_path / "t.parquet", kind="table")
    with pytest.raises(DataError):
        Trajectories.from_frame(frame.rename({"age": "trajectory", "x": "location"}))
    if name != "List":
        with pytest.raises(DataError, match=sentence):
            Mixed.from_frame(frame, items="x")


PLAIN = {
    "category": (pl.Series([f"c{at % 3}" for at in range(N)], dtype=pl.Categorical), pl.String),
    "enum": (pl.Series([f"c{at % 3}" for at in range(N)], dtype=pl.Enum(["c0", "c1", "c2"])), pl.String),
    "decimal": (pl.Series([Decimal(at % 3) / 4 for at in range(N)]), pl.Float64),
    "nothing": (pl.Series([None] * N), pl.String),
    "bytes of text": (pl.Series([b"x%d" % (at % 3) for at in range(N)]), pl.String),
    "clock": (pl.Series([time(at % 3) for at in range(N)]), pl.Time),
    "huge": (pl.Series([2**63 + at % 3 for at in range(N)], dtype=pl.UInt64), pl.UInt64),
}


@pytest.mark.parametrize("name", PLAIN)
def test_columns_that_become_plain_values(tmp_path: Path, name: str) -> None:
    values, dtype = PLAIN[name]
    people(x=values).write_parquet(tmp_path / "t.parquet")
    table = read(tmp_path / "t.parquet", kind="table")
    assert table["x"].dtype == dtype
    out = method_class("local")(k=2).anonymize(table, seed=1).write(tmp_path / "out")
    assert verify(out).holds


# ---- names


NAMES = ["__row", "__one", "__class", "__code", "__unit", "__support", "value", "index", "row", "literal", "key", "new",
         "a,b", "a;b", "a=b", "a;b,c=d", "len", "", "é\xa0x"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_strange_names_of_columns_work(tmp_path: Path, name: str) -> None:
    frame = people(**{name: [["u", "v"][at % 2] for at in range(N)], "s": [["p", "q", "r"][at % 3] for at in range(N)]})
    for number, (qi, sensitive) in enumerate([(("age", name), ("s",)), (("age",), (name,))]):
        table = Table(frame, quasi_identifiers=qi, sensitive=sensitive)
        for method in ("local", "incognito", "top-down"):
            release = method_class(method).from_json({"k": 2, "l": 2}).anonymize(table, seed=1)
            check = verify(release.write(tmp_path / f"{method}{number}"))
            assert check.holds, check
    for ending in ("csv", "parquet"):
        write(Table(frame), tmp_path / f"t.{ending}")
        assert read(tmp_path / f"t.{ending}", kind="table").frame.columns == frame.columns


@pytest.mark.parametrize("name", [" a", "a ", "a\nb", "\0row", "*", "^a$", "a\tb"])
def test_names_of_columns_that_are_refused(tmp_path: Path, name: str) -> None:
    frame = people(**{name: list(range(N))})
    with pytest.raises(DataError, match=r"^the table: wanted column names"):
        Table(frame)
    frame.write_parquet(tmp_path / "t.parquet")
    with pytest.raises(FileError, match=r"t\.parquet: wanted column names"):
        read(tmp_path / "t.parquet", kind="table")


def test_names_of_nodes_keep_their_blanks_and_separators(tmp_path: Path) -> None:
    names = [" a", "b ", "c,d", "e;f", 'g"h', "i=j", "k\nl", "\tm", "n\r"]
    tree = Taxonomy({"all, of it": None, **dict.fromkeys(names, "all, of it")})
    write_taxonomy(tree, tmp_path / "t.csv")
    assert read_taxonomy(tmp_path / "t.csv") == tree


def test_a_quotation_mark_without_its_partner(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('node,parent\nall,\n"a,all\n')
    with pytest.raises(FileError, match=r"t\.csv, line 3: wanted quotation marks in pairs"):
        read_taxonomy(tmp_path / "t.csv")


# ---- parameters


@pytest.mark.parametrize("name", ["seqanon", "zga", "gsup", "apriori", "disassociate", "r-first"])
@pytest.mark.parametrize("value", [100_000, 10**30])
def test_an_absurd_m_works_or_ends_with_one_sentence(name: str, value: int) -> None:
    from datasets import build

    method = method_class(name)
    if not any(one.name == "m" for one in method.parameters()):
        pytest.skip("no m")
    least = {one.name: int(one.at_least or 1) for one in method.parameters() if one.required}
    data = build(method.kind, [list("abc"), list("abd"), list("ab"), list("cd")] * 4, None)
    with suppress(CallerError):  # one sentence
        assert method.from_json({**least, "m": value}).anonymize(data, seed=1).holds
