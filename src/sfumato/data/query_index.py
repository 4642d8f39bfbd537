"""An index for counting queries: from a name to the records with a label that may stand for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.queries import Query

if TYPE_CHECKING:
    from sfumato.data.ragged import Ragged

__all__ = ["QueryIndex", "indexed_counts"]

Floats = npt.NDArray[np.float64]


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
        order = np.argsort(data.codes, kind="stable")
        self._starts = np.searchsorted(data.codes[order], np.arange(len(data.names) + 1))
        self._holders = data.record_of_element()[order]

    def labels(self, names: Iterable[str]) -> list[int]:
        """The labels that may stand for one of these names, rising."""
        return sorted({label for name in names for label in self._labels.get(name, ())})

    def records(self, names: Iterable[str]) -> Ints:
        """The records with such a label, rising."""
        parts = [self._holders[self._starts[label] : self._starts[label + 1]] for label in self.labels(names)]
        return np.unique(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)


def indexed_counts(
    data: Ragged,
    queries: Iterable[Query],
    names_of: Callable[[Query], Sequence[str]],
    chances: Callable[[Query, Ints, Ints, list[int]], Floats],
) -> Floats:
    """The expected count of each query, computed over the records that may answer it.

    names_of : the names that a query asks for.  chances : of a query, codes, offsets and the labels that matter.
    """
    index, counts = QueryIndex(data), []
    lengths = data.lengths
    for query in queries:
        names = names_of(query)
        if not names:  # every record answers it
            counts.append(data.expected_count(query))
            continue
        records = index.records(names)
        offsets = np.zeros(len(records) + 1, dtype=np.int64)
        np.cumsum(lengths[records], out=offsets[1:])
        elements = np.arange(offsets[-1]) + np.repeat(data.offsets[records] - offsets[:-1], lengths[records])
        counts.append(float(chances(query, data.codes[elements], offsets, index.labels(names)).sum()))
    return np.array(counts, dtype=np.float64)
