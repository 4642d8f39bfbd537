"""Files of texts in other encodings than UTF-8, such as those that older programs write, as files in UTF-8."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

from sfumato.errors import FileError, ParameterError

__all__ = ["ENCODINGS", "write_utf8"]

ENCODINGS = {
    "cp1252": "Western European (Windows-1252, Latin-1)",
    "cp1250": "Central European (Windows-1250)",
    "cp1253": "Greek (Windows-1253, ISO 8859-7)",
    "cp1251": "Cyrillic (Windows-1251)",
    "cp1254": "Turkish (Windows-1254)",
    "utf-16": "Unicode text (UTF-16)",
}
"""The encodings that can be chosen, with their names."""

_BLOCK = 1 << 22


def write_utf8(source: str | Path, target: str | Path, encoding: str) -> None:
    """Write the text of a file, which is in one of `ENCODINGS`, to a new private file in UTF-8, a block at a time."""
    if encoding not in ENCODINGS:
        raise ParameterError(f"encoding: wanted one of {', '.join(ENCODINGS)}, found another name")
    decoder = codecs.getincrementaldecoder(encoding)()
    number = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with open(source, "rb") as file, os.fdopen(number, "wb") as output:
            while block := file.read(_BLOCK):
                output.write(decoder.decode(block).encode("utf-8"))
            output.write(decoder.decode(b"", final=True).encode("utf-8"))
    except UnicodeError:
        Path(target).unlink(missing_ok=True)
        raise FileError(source, f"wanted text in {ENCODINGS[encoding]}, found something else") from None
