"""Changes to files: foreign, missing, linked, or in another form."""

from __future__ import annotations

import re
from collections.abc import Callable

from trials.changes.base import Copy, change


@change()
def an_unlisted_file(copy: Copy) -> None:
    (copy.folder / "notes.txt").write_text("private-person-1 is record 1\n")


@change()
def a_listed_foreign_file(copy: Copy) -> bool:
    return copy.write("notes.csv", [["note"], ["private-person-1 is record 1"]])


@change()
def a_foreign_context_file(copy: Copy) -> bool:
    (copy.folder / "context").mkdir(exist_ok=True)
    return copy.write("context/persons.csv", [["person"], ["private-person-1"]])


@change()
def an_empty_directory(copy: Copy) -> None:
    (copy.folder / "private-person-1").mkdir()


@change()
def a_symlink(copy: Copy) -> None:
    name = next(iter(copy.certificate["files"]))
    content = (copy.folder / name).read_bytes()
    other = copy.folder.parent / "elsewhere"
    other.write_bytes(content)
    (copy.folder / name).unlink()
    (copy.folder / name).symlink_to(other)


@change()
def a_wrong_digest(copy: Copy) -> None:
    certificate = copy.certificate
    certificate["files"][next(iter(certificate["files"]))] = "0" * 64
    copy.certify(certificate, digests=False)


@change()
def a_missing_file(copy: Copy) -> None:
    (copy.folder / next(iter(copy.certificate["files"]))).unlink()


def _another_form(copy: Copy, change: Callable[[bytes], bytes]) -> bool:
    name = "chunks.csv" if copy.certificate["kind"] == "chunks" else "data.csv"
    before = (copy.folder / name).read_bytes()
    after = change(before)
    (copy.folder / name).write_bytes(after)
    copy.certify(copy.certificate)
    return after != before


@change()
def a_byte_order_mark(copy: Copy) -> bool:
    return _another_form(copy, lambda text: b"\xef\xbb\xbf" + text)


@change()
def other_line_ends(copy: Copy) -> bool:
    return _another_form(copy, lambda text: re.sub(rb"(?<=[^\"\n])\n", b"\r\n", text))


@change()
def needless_quotes(copy: Copy) -> bool:
    return _another_form(copy, lambda text: re.sub(rb"^([a-z]+),", rb'"\1",', text))


@change()
def a_blank_line(copy: Copy) -> bool:
    return _another_form(copy, lambda text: text + b"\n")


@change()
def certificate_blanks(copy: Copy) -> None:
    path = copy.folder / "certificate.json"
    path.write_text(path.read_text("utf-8").replace('"kind":', '"kind" :\t', 1), "utf-8")
