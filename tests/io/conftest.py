"""A file that must be refused, and the sentence it is refused with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sfumato.errors import FileError
from sfumato.io import read

SECRET = "zelda"  # stands for what is private in the files below

Refused = Callable[..., str]


@pytest.fixture
def refused(tmp_path: Path) -> Refused:
    """Write a file, let a reader refuse it, and give the sentence without the folder."""

    def check(name: str, content: str | bytes, reader: Callable[..., Any] = read, **options: Any) -> str:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        with pytest.raises(FileError) as refusal:
            reader(path, **options)
        error = refusal.value
        sentence = str(error)
        assert SECRET not in sentence
        assert "\n" not in sentence
        assert error.__context__ is None or error.__suppress_context__, "the cause would quote the file"
        return sentence.replace(f"{tmp_path}/", "")

    return check
