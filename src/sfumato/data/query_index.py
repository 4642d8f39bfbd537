"""An index for counting queries: from a name to the records with a label that may stand for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.threads import side_by_side, spans

if TYPE_CHECKING:
    from sfumato.data.ragged import Ragged

__all__ = ["QueryIndex", "indexed_counts", "labels_of"]

Floats = npt.NDArray[np.float64]

_ELEMENTS = 1_000_000  # that the queries of one thread may have to look at, at least


class QueryIndex:
    """The labels that may stand for each name, and the records that hold each label.

    >>> from sfumato.data import Transactions
    >>> index = QueryIndex(Transactions.from_lists([["a", "b"], ["c"], ["b"]]))
    >>> index.records(["b"]).tolist(), index.records(["c", "d"]).tolist()
    ([0, 2], [1])
    """

    def __init__(self, data: Ragged) -> None:
        self._labels: dict[str, list[int]] = {}
        for code, name in enumerate(data.names):
            for member in data.members.get(name, (name,)):
                self._labels.setdefault(member, []).append(code)
        self._n_records = len(data)
        order = np.argsort(data.codes, kind="stable")
        self._starts = np.searchsorted(data.codes[order], np.arange(len(data.names) + 1))
        self._holders = data.record_of_element()[order]

    def labels(self, names: Iterable[str]) -> list[int]:
        """The labels that may stand for one of these names, rising."""
        return sorted({label for name in names for label in self._labels.get(name, ())})

    def records(self, names: Iterable[str]) -> Ints:
        """The records with such a label, rising."""
        is_holder = np.zeros(self._n_records, dtype=np.bool_)
        for label in self.labels(names):
            is_holder[self._holders[self._starts[label] : self._starts[label + 1]]] = True
        return np.flatnonzero(is_holder)


def labels_of(data: Ragged, names: Sequence[str]) -> list[list[int]]:
    """For each of these names, the labels that may stand for it, rising: found by reading all labels once."""
    positions: dict[str, list[int]] = {}
    for position, name in enumerate(names):
        positions.setdefault(name, []).append(position)
    labels: list[list[int]] = [[] for _ in names]
    for code, label in enumerate(data.names):
        for member in data.members.get(label, (label,)):
            for position in positions.get(member, ()):
                labels[position].append(code)
    return labels


def indexed_counts(
    data: Ragged, queries: Sequence[Sequence[str]], chances: Callable[[list[list[int]], Ints, Ints], Floats]
) -> Floats:
    """The expected count of each query, computed over the records that may answer it.

    queries : the names that each query asks for.  chances : the probability of each record, given the labels for each
    name, and codes and offsets of the records.
    """
    index = QueryIndex(data)
    lengths = data.lengths

    def count(names: Sequence[str]) -> float:
        if not names:  # every record answers it
            return float(len(data))
        records = index.records(names)
        offsets = np.zeros(len(records) + 1, dtype=np.int64)
        np.cumsum(lengths[records], out=offsets[1:])
        elements = np.arange(offsets[-1]) + np.repeat(data.offsets[records] - offsets[:-1], lengths[records])
        labels = [index.labels((name,)) for name in names]
        return float(chances(labels, data.codes[elements], offsets).sum())

    parts = [queries[start:end] for start, end in spans(len(queries), max(1, _ELEMENTS // max(1, len(data.codes))))]
    counted = side_by_side(lambda part: [count(names) for names in part], parts)
    return np.array([one for part in counted for one in part], dtype=np.float64)
