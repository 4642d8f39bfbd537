"""HORPART: clusters of similar records (Terrovitis et al., 2012, Section 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sfumato.data import Transactions
from sfumato.data.base import Ints, read_only
from sfumato.data.ragged import row_order
from sfumato.kernels.items.horpart import split_records
from sfumato.kernels.items.record_gathering import gathered_records

__all__ = ["Clusters", "horpart"]


@dataclass(frozen=True, eq=False)
class Clusters:
    """Records in the order of their clusters, and where each cluster begins; starts : int64[clusters + 1]."""

    data: Transactions
    starts: Ints

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Ints:
        """How many records each cluster has."""
        return np.diff(self.starts)

    def of_items(self) -> Ints:
        """The cluster of each item."""
        return np.repeat(np.arange(len(self)), np.diff(self.data.offsets[self.starts]))


def horpart(data: Transactions, *, smallest: int, largest: int, skipped: npt.NDArray[np.bool_]) -> Clusters:
    """Split the records by their most frequent term until every part has at most `largest` of them.

    skipped : by code, terms that never split.  Where a side of a split would have fewer than `smallest` records, both
    stay together and the term is not tried on them again; where no term is left, the part is cut by size.  The
    clusters depend on the content of the records, not on their order.

    >>> baskets = Transactions.from_lists(["ab", "ab", "ac", "c", "cd", "d"])
    >>> clusters = horpart(baskets, smallest=2, largest=4, skipped=np.zeros(4, dtype=bool))
    >>> [clusters.data.to_lists()[a:b] for a, b in zip(clusters.starts, clusters.starts[1:])]
    [[['a', 'b'], ['a', 'b'], ['a', 'c']], [['c'], ['c', 'd'], ['d']]]
    """
    by_content = row_order(data.offsets, data.codes)
    codes, offsets = gathered_records(data.codes, data.offsets, by_content)
    order = np.arange(len(data))
    starts = split_records(codes, offsets, len(data.names), skipped, smallest, largest, order)
    codes, offsets = gathered_records(data.codes, data.offsets, by_content[order])
    ordered = replace(data, codes=read_only(codes), offsets=read_only(offsets), ids=None, persons=None)
    return Clusters(ordered, np.append(np.sort(starts), len(data)))
