"""How to read the private file behind a published directory, as far as the directory tells."""

from __future__ import annotations

from pathlib import Path

from sfumato.data import Mixed, Network, RoadTrajectories
from sfumato.io.frames import read_csv
from sfumato.io.published.directory import Published

__all__ = ["options_from_release"]


def options_from_release(release: Published) -> dict[str, str | Path | Network | None]:
    """The options of `read` that the release tells: the column of items of mixed data, the network of roads."""
    kind, data = release.certificate.kind, release.data
    if kind == "mixed":
        return {"items": data.column if isinstance(data, Mixed) else _column_of_items(release)}
    if kind == "roads" and isinstance(data, RoadTrajectories):
        return {"network": data.network}
    if kind == "roads" and "context/roads.csv" in release.files.sound:
        return {"network": release.folder / "context"}
    return {}


def _column_of_items(release: Published) -> str | None:
    """The column of items of a release whose data cannot be read."""
    if "context/roles.csv" not in release.files.sound:
        return None
    roles = {row[-1]: row[0] for row in read_csv(release.folder / "context" / "roles.csv")[0].iter_rows()}
    return roles.get("items")
