"""A directory to be changed, and the list of all changes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from trials.files import Cell, parse_csv
from trials.nasty import Case

__all__ = ["CHANGES", "EXPECTED", "FILES", "ORIGINAL", "Copy", "Rows", "change"]

Rows = list[list[Cell]]
FILES = frozenset({"verify", "leaks", "refusal"})
"""Anybody who has the files must notice."""
ORIGINAL = frozenset({*FILES, "original"})
"""Somebody who has the original as well must notice: the files alone make a weaker claim."""


@dataclass
class Copy:
    """A directory to be changed."""

    folder: Path
    case: Case
    chance: Random

    @property
    def certificate(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "certificate.json").read_text("utf-8"))
        return found

    def certify(self, certificate: dict[str, Any], *, digests: bool = True) -> None:
        if digests:
            names = [*certificate["files"], *(name for name in ("members.csv",) if (self.folder / name).exists())]
            certificate["files"] = {
                name: hashlib.sha256((self.folder / name).read_bytes()).hexdigest()
                for name in sorted(set(names))
                if (self.folder / name).is_file()
            }
        text = json.dumps(certificate, indent=2, ensure_ascii=False) + "\n"
        (self.folder / "certificate.json").write_text(text, "utf-8", newline="")

    def rows(self, name: str) -> Rows:
        path = self.folder / name
        return parse_csv(path.read_text("utf-8")) if path.exists() else []

    def write(self, name: str, rows: Rows) -> bool:
        """Write rows as a release is written, and fit the digests; False where nothing would change."""
        text = "".join(",".join(map(_cell, row)) + "\n" for row in rows)
        path = self.folder / name
        if path.exists() and path.read_text("utf-8") == text:
            return False
        path.write_text(text, "utf-8", newline="")
        certificate = self.certificate
        certificate["files"].setdefault(name, "")
        self.certify(certificate)
        return True

    def edit(self, change: Callable[[dict[str, Any]], object]) -> bool:
        """Change the certificate; False where the change says that it does not apply."""
        certificate = self.certificate
        before = json.dumps(certificate)
        change(certificate)
        if json.dumps(certificate) == before:
            return False
        self.certify(certificate)
        return True


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    return '"' + value.replace('"', '""') + '"' if value == "" or re.search('[",\n\r]', value) else value


Change = Callable[[Copy], bool | None]
CHANGES: dict[str, Change] = {}
"""Every change by its name; it returns False where it does not apply."""
EXPECTED: dict[str, frozenset[str]] = {}
"""Who has to notice each change: one of these at least."""


def change(by: frozenset[str] = FILES) -> Callable[[Change], Change]:
    """Enter a function into the list of changes, under its own name."""

    def enter(made: Change) -> Change:
        name = made.__name__.replace("_", " ")
        CHANGES[name], EXPECTED[name] = made, by
        return made

    return enter
