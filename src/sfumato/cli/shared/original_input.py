"""Reading the private file behind a published directory, which tells some of how to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.io.published.directory import Published

__all__ = ["as_told_by"]


def as_told_by(release: Published, said: dict[str, Any]) -> dict[str, Any]:
    """The options that were typed and, where nothing was, the column of items or the network of the release."""
    told: dict[str, Any] = {}
    kind, data = release.certificate.kind, release.data
    if kind == "mixed":
        told["items"] = _column_of_items(release) if data is None else data.column
    if kind == "roads" and data is not None:
        told["network"] = data.network
    elif kind == "roads" and "context/roads.csv" in release.files.sound:
        told["network"] = release.folder / "context"
    return {**said, **{name: value for name, value in told.items() if said.get(name) is None}}


def _column_of_items(release: Published) -> str | None:
    """The column of items of a release whose data cannot be read."""
    from sfumato.io.frames import read_csv

    if "context/roles.csv" not in release.files.sound:
        return None
    roles = {row[-1]: row[0] for row in read_csv(release.folder / "context" / "roles.csv")[0].iter_rows()}
    return roles.get("items")
