"""The values of a dataset that a tree needs as leaves, kept in memory for its version."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.web.workbench.loading import load
from sfumato.web.workbench.models import Dataset, Version

__all__ = ["columns_of", "missing_values", "values_of_version"]


def missing_values(dataset: Dataset, kind: str, attribute: str, draft: Any) -> list[str]:
    """The values of the newest version that are no leaf of a tree."""
    version = dataset.latest
    if version is None:
        return []
    lacking: list[str] = draft.missing(values_of_version(version, attribute if kind == "hierarchy" else None))
    return lacking


def values_of_version(version: Version, column: str | None) -> tuple[str, ...]:
    """The values of a column, or the items or locations, as texts in their order."""
    reading = tuple(sorted((name, repr(value)) for name, value in version.reading.items()))
    return _values(str(version.path), column, reading, _Reading(version.reading))


def columns_of(version: Version) -> list[str]:
    """The columns of the table, those that an attacker may know first; the column of items is not one."""
    names = list(pl.read_parquet_schema(version.path))
    known = [name for name in version.reading.get("quasi_identifiers") or () if name in names]
    return [*known, *(name for name in names if name not in known and name != version.reading.get("items"))]


class _Reading(dict[str, Any]):
    """How to read a version; equal ones have the key `reading` beside them, so this one takes no part in the key."""

    def __hash__(self) -> int:  # type: ignore[override]
        return 0

    def __eq__(self, other: object) -> bool:
        return True


@lru_cache(maxsize=16)
def _values(path: str, column: str | None, _key: Any, reading: _Reading) -> tuple[str, ...]:
    from sfumato.prepare.derived_hierarchies import values_to_cover

    if column is not None:  # one column is read, not the whole table
        plain = {name: reading[name] for name in ("missing", "dates") if reading.get(name) is not None}
        plain |= {"kind": "table"}
        frame = pl.read_parquet(path, columns=[column])
        return tuple(values_to_cover(_read(frame, plain), column))
    data = load({"file": path, "reading": dict(reading), "assets": {}}, Path(path).parent)
    return tuple(values_to_cover(data))


def _read(frame: pl.DataFrame, reading: dict[str, Any]) -> Any:
    from sfumato.api.reading import read

    return read(frame, **reading, notes=[])
