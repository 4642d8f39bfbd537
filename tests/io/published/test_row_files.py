"""Files of rows: what is written comes back from CSV and Parquet, and a Parquet file holds nothing but its rows."""

from __future__ import annotations

import datetime
import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato
from sfumato import Mixed, RFirst, SeqAnon, Taxonomy, Trajectories, verify
from sfumato.attacks.leaks.search import find_leaks
from sfumato.errors import DataError, FileError, ParameterError
from sfumato.io.frames import csv_text, read_csv
from sfumato.io.published import directory
from sfumato.io.published.certificate import CERTIFICATE
from sfumato.io.published.row_files import Rows, as_texts, digest_of_content, parquet_writer, read_rows, write_content

FRAME = pl.DataFrame(
    {
        "age": pl.Series([30, None, 7], dtype=pl.Int32),
        "height": [1.5, float("nan"), 1e300],
        "small": pl.Series([0.1, None, 2.0], dtype=pl.Float32),
        "many": pl.Series([2**64 - 1, None, 0], dtype=pl.UInt64),
        "member": [True, None, False],
        "born": [datetime.date(1990, 1, 2), None, datetime.date(2001, 12, 31)],
        "seen": [datetime.datetime(2020, 1, 2, 3, 4, 5), None, datetime.datetime(2020, 1, 2, 3, 4, 5, 60)],
        "town": ["Oslo, N", None, 'a "b"'],
    }
)


@pytest.fixture
def walks() -> Trajectories:
    rows = [list(row) for row in ("ab", "ab", "ba", "ba", "ab", "cab", "cab", "c", "d")]
    return Trajectories.from_lists(rows, places={"a": (0, 0), "b": (1, 0), "c": (9, 9), "d": (9, 8)})


@pytest.fixture
def folder(walks: Trajectories, tmp_path: Path) -> Path:
    SeqAnon(k=2, m=2).anonymize(walks, seed=1).write(tmp_path / "out", format="parquet")
    return tmp_path / "out"


def relisted(folder: Path, **more: str) -> None:
    """Give the certificate the digests that the files have now."""
    certificate = json.loads((folder / CERTIFICATE).read_text())
    for name in certificate["files"]:
        certificate["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    certificate["files"] |= more
    (folder / CERTIFICATE).write_text(json.dumps(certificate, indent=2, ensure_ascii=False) + "\n")


def sentences(folder: Path) -> list[str]:
    return [leak.sentence for leak in find_leaks(folder)]


def test_a_parquet_file_has_numbers_and_the_texts_of_the_csv_file(tmp_path: Path) -> None:
    for format in ("csv", "parquet"):
        write_content(Rows.of(FRAME), tmp_path / f"rows.{format}")
    typed, _ = read_rows(tmp_path / "rows.parquet")
    texts = (pl.String,) * 5
    assert tuple(typed.dtypes) == (pl.Int64, pl.Float64, pl.Float64, *texts)
    assert typed["small"].to_list() == [0.1, None, 2.0]
    assert read_rows(tmp_path / "rows.parquet", texts=True)[0].equals(read_csv(tmp_path / "rows.csv")[0])
    assert as_texts(typed).equals(read_csv(tmp_path / "rows.csv")[0])


@pytest.mark.parametrize("format", ["csv", "parquet"])
@pytest.mark.parametrize("cut", [1, 7, 1_000])
def test_batches_do_not_show_in_the_file(format: str, cut: int) -> None:
    frame = pl.DataFrame({"record": np.arange(2_000), "item": [f"i{number % 7}" for number in range(2_000)]})
    pieces = Rows(frame.schema, lambda: frame.iter_slices(cut))
    assert digest_of_content(pieces, f".{format}") == digest_of_content(Rows.of(frame), f".{format}")


def test_csv_in_batches_is_csv() -> None:
    frame = FRAME.rename({"age": "age;sex"})
    file = io.BytesIO()
    Rows(frame.schema, lambda: frame.iter_slices(1)).write(file, "csv")
    assert file.getvalue().decode() == csv_text(frame)


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_no_rows(tmp_path: Path, format: str) -> None:
    write_content(Rows.of(FRAME.clear()), tmp_path / f"rows.{format}")
    frame, _ = read_rows(tmp_path / f"rows.{format}", texts=True)
    assert frame.columns == FRAME.columns
    assert len(frame) == 0


def test_threads_do_not_show_in_the_file(tmp_path: Path) -> None:
    script = (
        "import sys, polars as pl; from pathlib import Path\n"
        "from sfumato.io.published.row_files import Rows, write_content\n"
        "frame = pl.DataFrame({'a': range(600_000)})\n"
        "print(write_content(Rows(frame.schema, lambda: frame.iter_slices(100_000)), Path(sys.argv[1])))\n"
    )
    digests = set()
    for threads in ("1", "3"):
        ran = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / "rows.parquet")],
            env={"POLARS_MAX_THREADS": threads, "PYTHONPATH": str(Path(sfumato.__file__).parents[1])},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(ran.stdout)
    assert len(digests) == 1


def test_a_file_says_who_wrote_it_and_no_more(folder: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    facts = pq.read_metadata(folder / "data.parquet")
    assert set(facts.metadata) == {b"ARROW:schema"}
    assert facts.created_by.startswith("Polars (python) version")
    assert facts.created_by.encode() == parquet_writer(folder / "data.parquet")[0]
    groups = [facts.row_group(number) for number in range(facts.num_row_groups)]
    columns = [group.column(number) for group in groups for number in range(facts.num_columns)]
    assert not any(column.is_stats_set for column in columns)
    assert (folder / "data.parquet").read_bytes().count(b"2020") == 0


@pytest.mark.parametrize("name", ["data.parquet", "members.parquet"])
def test_a_changed_byte_is_found(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    assert verify(folder).problems == (f"{name} was altered: its digest is not the one in the certificate",)


@pytest.mark.parametrize("left", [0.0, 0.3, 0.99])
def test_a_truncated_file_is_one_sentence(folder: Path, left: float) -> None:
    content = (folder / "data.parquet").read_bytes()
    (folder / "data.parquet").write_bytes(content[: int(len(content) * left)])
    relisted(folder)
    wanted = f"{folder / 'data.parquet'}: wanted a Parquet file, found another format, or a damaged or truncated file"
    assert directory.read(folder).problems == (wanted,)


def test_other_rows_are_found(folder: Path) -> None:
    frame = pl.read_parquet(folder / "data.parquet")
    write_content(Rows.of(frame.reverse()), folder / "data.parquet")
    relisted(folder)
    found = sentences(folder)
    assert any("not numbered" in sentence for sentence in found)
    assert verify(folder).code == 1


@pytest.mark.parametrize(
    "written",
    [
        {"statistics": True},
        {"compression": "snappy"},
        {"row_group_size": 3},
        {"metadata": {"person": "ann"}},
    ],
    ids=str,
)
def test_another_form_of_the_same_rows_is_found(folder: Path, written: dict[str, Any]) -> None:
    frame = pl.read_parquet(folder / "data.parquet")
    usual: dict[str, Any] = {"compression": "zstd", "compression_level": 3, "statistics": False}
    frame.write_parquet(folder / "data.parquet", **usual | written)
    if "compression" in written:
        frame.write_parquet(folder / "data.parquet", **written)
    relisted(folder)
    assert sentences(folder) == ["data.parquet: rows, an order, numbers or blanks that the library never writes."]


def test_a_file_by_pyarrow_is_found(folder: Path) -> None:
    pytest.importorskip("pyarrow")
    pl.read_parquet(folder / "data.parquet").write_parquet(folder / "data.parquet", use_pyarrow=True)
    relisted(folder)
    assert sentences(folder) == ["data.parquet: rows, an order, numbers or blanks that the library never writes."]


def elsewhere(folder: Path, name: bytes = b"Polars (python) version") -> None:
    """As if another version, whose name has as many letters, had written the file."""
    content = (folder / "data.parquet").read_bytes()
    writer, _ = parquet_writer(folder / "data.parquet")
    version = writer.split()[3]
    other = writer.replace(version, b"9" + version[1:]).replace(b"Polars (python) version", name)
    (folder / "data.parquet").write_bytes(content.replace(writer, other))
    relisted(folder)


def test_what_another_version_wrote_is_not_checked_to_the_byte(folder: Path) -> None:
    elsewhere(folder)
    check = verify(folder)
    assert check.problems == ()
    assert check.unchecked == (
        "another version of polars wrote data.parquet, so only its rows and columns can be checked, not its bytes",
    )
    assert check.code == 3


def test_rows_of_another_version_are_those_that_are_written_here(tmp_path: Path) -> None:
    """The order of items in a cell, and of roads' records, shows only when rows are written once more."""
    things = Taxonomy({"any": None, "a": "any", "b": "any"})
    people = Mixed.from_frame({"age": [30] * 3, "bought": ["a b"] * 3}, items="bought", taxonomy=things)
    for is_changed in (False, True):
        folder = tmp_path / str(is_changed)
        RFirst(k=2, m=1).anonymize(people).write(folder, format="parquet")
        frame = pl.read_parquet(folder / "data.parquet")
        swapped = frame.with_columns(pl.Series("bought", [frame["bought"][0], *["b a"] * 2]))
        write_content(Rows.of(swapped if is_changed else frame), folder / "data.parquet")
        elsewhere(folder)
        check = verify(folder)
        assert check.code == (1 if is_changed else 3)
        wanted = "data.parquet: rows, an order, numbers or blanks that the library never writes."
        assert check.problems == ((wanted,) if is_changed else ())


def test_an_unknown_writer_is_a_leak(folder: Path) -> None:
    elsewhere(folder, b"Ann was here 2 weeks ag")
    assert sentences(folder) == ["data.parquet: rows, an order, numbers or blanks that the library never writes."]


def test_metadata_of_another_version_are_a_leak(folder: Path) -> None:
    frame = pl.read_parquet(folder / "data.parquet")
    frame.write_parquet(folder / "data.parquet", metadata={"person": "ann"})
    elsewhere(folder)
    assert sentences(folder) == ["data.parquet: rows, an order, numbers or blanks that the library never writes."]


def test_one_format_at_a_time(folder: Path) -> None:
    (folder / "data.csv").write_text("trajectory,step,location\n")
    assert directory.read(folder).problems == ("data.csv is not listed in the certificate",)
    assert directory.read(folder).data is None
    relisted(folder, **{"data.csv": hashlib.sha256((folder / "data.csv").read_bytes()).hexdigest()})
    both = "data.csv and data.parquet are both listed; published data have one format"
    assert directory.read(folder).problems == (both,)


def test_types_that_are_not_published_are_refused(tmp_path: Path) -> None:
    pl.DataFrame({"a": [[1]]}).write_parquet(tmp_path / "data.parquet")
    with pytest.raises(DataError, match="wanted texts and numbers of 64 bits in the column 'a', found List"):
        read_rows(tmp_path / "data.parquet")


def test_a_small_file_with_endless_rows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pl.DataFrame({"a": pl.repeat(1, 100_000, eager=True)}).write_parquet(tmp_path / "data.parquet")
    monkeypatch.setattr("sfumato.io.files.UNZIPPED_BYTES", 1 << 16)
    with pytest.raises(FileError, match="in proportion to the size of the file"):
        read_rows(tmp_path / "data.parquet")


def test_a_format_that_nobody_knows(walks: Trajectories, tmp_path: Path) -> None:
    release = SeqAnon(k=2, m=2).anonymize(walks)
    with pytest.raises(ParameterError, match="format: wanted csv or parquet, got 'parque'; did you mean 'parquet'"):
        release.write(tmp_path / "out", format="parque")
    assert not (tmp_path / "out").exists()
