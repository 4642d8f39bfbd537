"""The correspondence of a private report, checked against the release and the original before it is used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sfumato.attacks.view.private_report import read_report
from sfumato.data import Dataset, Mixed, RoadTrajectories, Table, Trajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.errors import FileError
from sfumato.io.published.certificate import Certificate
from sfumato.verification.covered_values import columns_of

__all__ = ["records_by_report"]

_UNREADABLE = "the published records cannot be derived from the original records that the report names"


def records_by_report(path: str | Path, certificate: Certificate, data: Dataset, original: Dataset) -> Ints | None:
    """The original record behind each published one; None where a release has no correspondence.

    Each published value must be one that the original record may have been published as, in its order, and no
    original visit, item or row may stand behind two.
    """
    numbers = read_report(path, original, certificate, data)
    if numbers is None:
        return None
    records, elements = numbers
    if isinstance(data, Table | Mixed):
        if not _rows_fit(data, original, records):
            raise FileError(path, _UNREADABLE)
        return records
    if elements is None or not isinstance(data, Ragged) or not isinstance(original, Ragged):
        raise FileError(path, "wanted the origin of each visit or item, found none; make the report with this version")
    if not _elements_fit(data, original, elements):
        raise FileError(path, _UNREADABLE)
    return np.asarray(np.searchsorted(original.offsets, elements[data.offsets[:-1]], side="right") - 1)


def _rows_fit(published: Table | Mixed, original: Any, records: Ints) -> bool:
    if np.any(records < 0) or len(np.unique(records)) < len(records):
        return False
    table, private = (published.table, original.table) if isinstance(published, Mixed) else (published, original)
    columns = columns_of(table, private)
    if columns is None or any(not column.covers[column.values[records], column.labels].all() for column in columns):
        return False
    if not isinstance(published, Mixed):
        return True
    items, held = published.items, original.items
    held_by = [set(held.labels(record)) for record in records.tolist()]
    return all(
        not held_by[row].isdisjoint(items.members.get(label, (label,)))
        for row in range(len(items))
        for label in items.labels(row)
    )


def _elements_fit(published: Ragged, original: Ragged, elements: Ints) -> bool:
    """elements : the original visit or item behind each published one."""
    if len(elements) and not 0 <= int(elements.min()) <= int(elements.max()) < len(original.codes):
        return False  # methods whose records can be read from the original's publish no dummies
    if len(np.unique(elements)) < len(elements):
        return False
    record = published.record_of_element()
    behind = np.searchsorted(original.offsets, elements, side="right") - 1
    same = record[1:] == record[:-1]
    if np.any(behind[1:][same] != behind[:-1][same]):
        return False
    if isinstance(published, Trajectories | RoadTrajectories) and np.any((np.diff(elements) <= 0) & same):
        return False
    pairs = np.unique(np.column_stack((published.codes, original.codes[elements])), axis=0)
    return all(
        original.names[value] in published.members.get(published.names[label], (published.names[label],))
        for label, value in pairs.tolist()
    )
