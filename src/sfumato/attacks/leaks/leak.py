"""A leak: something in a published directory that reveals more than its data."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Leak"]


@dataclass(frozen=True)
class Leak:
    """check : which kind of leak.  file : where.  what : in words; nothing private is quoted."""

    check: str
    file: str
    what: str

    @property
    def sentence(self) -> str:
        return f"{self.file}: {self.what}."

    def to_json(self) -> dict[str, str]:
        return {"leak": self.check, "file": self.file, "what": self.what}
