"""Reading the private file behind a published directory, which tells some of how to read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["as_told_by"]


def as_told_by(folder: Path, kind: str, said: dict[str, Any]) -> dict[str, Any]:
    """The options that were typed and, where nothing was, the column of items or the network of the release."""
    from sfumato.io.published.directory import is_sound

    told: dict[str, Any] = {}
    if kind == "mixed":
        told["items"] = _column_of_items(folder)
    if kind == "roads" and is_sound(folder, "context/roads.csv"):
        told["network"] = folder / "context"
    return {**said, **{name: value for name, value in told.items() if said.get(name) is None}}


def _column_of_items(folder: Path) -> str | None:
    from sfumato.io.frames import read_csv
    from sfumato.io.published.directory import is_sound

    if not is_sound(folder, "context/roles.csv"):
        return None
    roles = {row[-1]: row[0] for row in read_csv(folder / "context" / "roles.csv")[0].iter_rows()}
    return roles.get("items")
