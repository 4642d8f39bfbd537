"""A release as an attacker reads it: which of its records fit something that is known about a person."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sfumato.attacks.view.table_view import RowView
from sfumato.data import Mixed, Table
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.kernels.verify.compatibility import contains_in_order

__all__ = ["Knowledge", "LabelView", "PublishedView", "in_both"]

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Knowledge:
    """What an attacker knows of a person.

    elements : codes of the original's places or items.  ordered : they are known in this order.
    row : a row of the original whose quasi-identifiers are known, -1 for none.
    """

    elements: tuple[int, ...] = ()
    ordered: bool = False
    row: int = -1


class LabelView:
    """The published places or items: what each label stands for, in codes of the original, and who carries it.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"], ["b", "c"]])
    >>> seen = LabelView(Trajectories.from_lists([["a", "g"], ["g", "c"]]), walks.names)
    >>> seen.records_with(0).tolist(), seen.records_with(1).tolist()
    ([0], [])
    """

    def __init__(self, data: Ragged, leaves: tuple[str, ...]) -> None:
        self.data = data
        code_of = {name: code for code, name in enumerate(leaves)}
        groups = [
            sorted({code_of[member] for member in data.members.get(label, (label,)) if member in code_of})
            for label in data.names
        ]
        sizes = [len(group) for group in groups]
        self.starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        self.members = np.array([leaf for group in groups for leaf in group], dtype=np.int32)
        self.n_leaves = len(leaves)
        label_of_member = np.repeat(np.arange(len(groups)), sizes)
        order = np.argsort(self.members, kind="stable")
        self.leaf_starts = np.searchsorted(self.members[order], np.arange(len(leaves) + 1))
        self.leaf_labels = label_of_member[order]
        self._cache: dict[int, Ints] = {}

    @property
    def unknown_labels(self) -> Ints:
        """The labels that stand for nothing in the original."""
        return np.flatnonzero(np.diff(self.starts) == 0)

    def labels_of(self, leaf: int) -> Ints:
        """The labels that may stand for a place or item."""
        return self.leaf_labels[self.leaf_starts[leaf] : self.leaf_starts[leaf + 1]]

    @cached_property
    def image(self) -> Ints | None:
        """int64[leaves], the one label of each, -1 for none; None where some leaf has several."""
        if np.any(np.diff(self.leaf_starts) > 1):
            return None
        image = np.full(self.n_leaves, -1, dtype=np.int64)
        image[self.members] = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        return image

    @cached_property
    def _postings(self) -> tuple[Ints, Ints]:
        data = self.data
        pairs = np.unique(data.codes.astype(np.int64) * max(1, len(data)) + data.record_of_element())
        labels, records = np.divmod(pairs, max(1, len(data)))
        return np.searchsorted(labels, np.arange(len(data.names) + 1)), records

    def records_of(self, label: int) -> Ints:
        """The records that carry a label, rising."""
        starts, records = self._postings
        return records[starts[label] : starts[label + 1]]

    def records_with(self, leaf: int) -> Ints:
        """The records that may belong to a person who was there or has it, rising."""
        if leaf not in self._cache:
            parts = [self.records_of(int(label)) for label in self.labels_of(leaf)]
            records = parts[0] if len(parts) == 1 else np.unique(np.concatenate([np.empty(0, dtype=np.int64), *parts]))
            self._cache[leaf] = records
        return self._cache[leaf]

    def fitting(self, known: Knowledge, among: Ints | None = None) -> Ints:
        """The records that fit, rising."""
        records = np.arange(len(self.data), dtype=np.int64) if among is None else among
        distinct = sorted(set(known.elements), key=lambda leaf: len(self.records_with(leaf)))
        for index, leaf in enumerate(distinct):
            with_it = self.records_with(leaf)
            records = with_it if index == 0 and among is None else in_both(records, with_it)
        if known.ordered and len(known.elements) > 1 and len(records):
            hits = np.zeros((len(known.elements), len(self.data.names)), dtype=np.bool_)
            for index, leaf in enumerate(known.elements):
                hits[index, self.labels_of(leaf)] = True
            records = records[contains_in_order(records, hits, self.data.codes, self.data.offsets)]
        return records


def in_both(first: Ints, second: Ints) -> Ints:
    """What two rising arrays without repeats have in common.

    >>> in_both(np.array([1, 3, 4]), np.array([0, 3, 4, 9])).tolist()
    [3, 4]
    """
    few, many = (first, second) if len(first) <= len(second) else (second, first)
    if len(many) == 0:
        return few
    places = np.minimum(np.searchsorted(many, few), len(many) - 1)
    return np.asarray(few[many[places] == few])


class PublishedView:
    """A published dataset with records of persons.

    units : the person of each record, as the original numbers its persons (or records): below 0 where no one is; where
    that is not known, the published records themselves.
    unit : what an anonymity set counts.
    kept : what the release kept of the records it publishes, where that is known already (see `kept_of`).
    """

    kept: str | None = None

    def __init__(self, data: Any, original: Any, units: Ints | None = None, *, unit: str = "record") -> None:
        self.data, self.original = data, original
        self.unit = unit
        self.units = np.arange(len(data), dtype=np.int64) if units is None else units
        part = data.items if isinstance(data, Mixed) else data
        source = original.items if isinstance(original, Mixed) else original
        self.labels = LabelView(part, source.names) if isinstance(part, Ragged) else None
        table = data.table if isinstance(data, Mixed) else data
        private = original.table if isinstance(original, Mixed) else original
        self.rows = RowView(table, private) if isinstance(table, Table) else None

    def __len__(self) -> int:
        return len(self.data)

    def fitting(self, known: Knowledge) -> Ints:
        """The published records that fit what is known, rising."""
        among = None
        if self.rows is not None and known.row >= 0:
            among = self.rows.fitting(known.row)
        if self.labels is not None:
            return self.labels.fitting(known, among)
        return np.arange(len(self), dtype=np.int64) if among is None else among

    def set_size(self, records: Ints) -> int:
        """How many persons (or records) are behind some records; several pieces of a record count once."""
        return len(np.unique(self.units[records]))

    @cached_property
    def whole(self) -> bool:
        """Whether nothing seems to have been suppressed, split or added: as many records, and for sequences visits."""
        if len(self.data) != len(self.original):
            return False
        if isinstance(self.data, Ragged) and self.data.kind == "trajectories":
            return len(self.data.codes) == len(self.original.codes)
        if self.labels is None:
            return True
        used = np.unique((self.original.items if isinstance(self.original, Mixed) else self.original).codes)
        return all(len(self.labels.labels_of(int(leaf))) for leaf in used)
