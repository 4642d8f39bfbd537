"""Texts in other encodings become UTF-8, a block at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.errors import FileError, ParameterError
from sfumato.io.inputs import text_encodings
from sfumato.io.inputs.text_encodings import ENCODINGS, write_utf8

TEXTS = {
    "cp1252": "Köln é",
    "cp1250": "Łódź",
    "cp1253": "Αθήνα",
    "cp1251": "Київ",
    "cp1254": "İğde",
    "utf-16": "Αθήνα 1",
}


@pytest.mark.parametrize("encoding", list(ENCODINGS))
def test_every_encoding(tmp_path: Path, encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_encodings, "_BLOCK", 3)  # cuts characters of two bytes
    (tmp_path / "a").write_bytes(TEXTS[encoding].encode(encoding))
    write_utf8(tmp_path / "a", tmp_path / "b", encoding)
    assert (tmp_path / "b").read_text(encoding="utf-8") == TEXTS[encoding]
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o600


def test_another_encoding_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xff\xfea\x00b")
    with pytest.raises(FileError, match=r"wanted text in Unicode text \(UTF-16\), found something else"):
        write_utf8(tmp_path / "a", tmp_path / "b", "utf-16")
    assert not (tmp_path / "b").exists()
    with pytest.raises(ParameterError, match="encoding: wanted one of"):
        write_utf8(tmp_path / "a", tmp_path / "b", "rot13")
