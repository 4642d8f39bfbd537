"""Published data in several parts: read as one, verified as one, and any other division is found."""

from dataclasses import replace
from pathlib import Path

import pytest

from sfumato import SeqAnon, Trajectories
from sfumato.io.published import directory
from sfumato.io.published.certificate import CERTIFICATE
from sfumato.io.published.contents import file_contents
from sfumato.io.published.row_files import write_content
from sfumato.methods.read_back import same_data
from sfumato.verification import verify


def in_parts(folder: Path, size: int, *, swapped: bool = False) -> Trajectories:
    """A release whose data are parts of so many records; swapped : with the records of the first two exchanged."""
    places = {"a": (0, 0), "b": (1, 0), "c": (9, 0), "d": (9, 1)}
    walks = Trajectories.from_lists(["ab", "ba", "cd", "dc", "abc", "cda", "b"] * 3, places=places)
    release = SeqAnon(k=3, m=2).anonymize(walks)
    files = file_contents(release.data, (), "parquet", size)
    if swapped:
        first, second = sorted(files)[:2]
        files[first], files[second] = files[second], files[first]
    (folder / "data").mkdir(parents=True)
    digests = {name: write_content(content, folder / name) for name, content in sorted(files.items())}
    (folder / CERTIFICATE).write_bytes(replace(release.certificate(), files=digests).to_bytes())
    return release.data


@pytest.mark.parametrize("size", [1, 5, 21, 100])
def test_parts_are_read_and_verified_as_one(size: int, tmp_path: Path) -> None:
    data = in_parts(tmp_path / "out", size)
    published = directory.read(tmp_path / "out")
    assert published.problems == ()
    assert same_data(published.data, data)
    assert published.part_records == min(size, len(data))
    assert verify(published).code == 0


def test_parts_in_another_order_are_found(tmp_path: Path) -> None:
    in_parts(tmp_path / "out", 5, swapped=True)
    assert verify(tmp_path / "out").code == 1


def test_a_missing_an_altered_and_an_added_part_are_found(tmp_path: Path) -> None:
    in_parts(tmp_path / "out", 5)
    last = sorted((tmp_path / "out" / "data").iterdir())[-1]
    content = last.read_bytes()
    last.unlink()
    assert directory.read(tmp_path / "out").problems[0] == f"data/{last.name} is missing"
    last.write_bytes(content + b"x")
    assert "was altered" in directory.read(tmp_path / "out").problems[0]
    last.write_bytes(content)
    (last.parent / "part-00099.parquet").write_bytes(content)
    check = directory.read(tmp_path / "out")
    assert check.problems == ("data/part-00099.parquet is not listed in the certificate",)
    assert check.data is None
