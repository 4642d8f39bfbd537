"""The digest of several files: names and contents, in an order that does not depend on the file system."""

import hashlib
from pathlib import Path

from sfumato.io.digests import digest_of_files, files_below


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def test_a_digest_depends_on_names_and_contents_and_not_on_the_place(tmp_path: Path) -> None:
    first = write(tmp_path / "one", {"b": b"1", "a/c": b"2"})
    copy = write(tmp_path / "two", {"a/c": b"2", "b": b"1"})
    renamed = write(tmp_path / "three", {"b": b"1", "a/d": b"2"})
    swapped = write(tmp_path / "four", {"b": b"2", "a/c": b"1"})
    digests = [digest_of_files(folder, files_below(folder)) for folder in (first, copy, renamed, swapped)]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3


def test_it_is_the_digest_of_names_and_digests(tmp_path: Path) -> None:
    folder = write(tmp_path, {"b": b"1", "a/c": b"2"})
    one, two = (hashlib.sha256(content).hexdigest() for content in (b"2", b"1"))
    assert (
        digest_of_files(folder, files_below(folder)) == hashlib.sha256(f"a/c\0{one}\0b\0{two}\0".encode()).hexdigest()
    )


def test_a_file_stands_for_itself(tmp_path: Path) -> None:
    write(tmp_path, {"x.csv": b"1", "y.csv": b"1"})
    first, second = (digest_of_files(path, files_below(path)) for path in (tmp_path / "x.csv", tmp_path / "y.csv"))
    assert first == second


def test_only_files_of_the_pattern_are_found(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.py": b"", "deep/b.py": b"", "deep/c.md": b""})
    assert [path.name for path in files_below(folder, "*.py")] == ["a.py", "b.py"]
