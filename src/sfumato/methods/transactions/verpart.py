"""VERPART: which terms of a cluster may be published together (Terrovitis et al., 2012, Section 4)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.kernels.items.verpart import vertical_parts
from sfumato.methods.transactions.horpart import Clusters
from sfumato.threads import side_by_side

__all__ = ["verpart"]

_AT_ONCE = 256  # clusters a thread takes on at a time


def verpart(
    clusters: Clusters, *, k: int, m: int, skipped: npt.NDArray[np.bool_], safe: bool = False
) -> npt.NDArray[np.int32]:
    """For each item the record chunk of its cluster, counted from 0, TERM (-1) for the term chunk or SUPPRESSED (-2).

    Clusters are worked on in parallel, each by itself, so that the number of threads cannot show.

    >>> from sfumato.data import Transactions
    >>> three = Clusters(Transactions.from_lists(["ab", "ab", "a"]), np.array([0, 3]))
    >>> verpart(three, k=2, m=2, skipped=np.zeros(2, dtype=bool)).tolist()
    [0, 0, 0, 0, 0]
    """
    data = clusters.data
    parts = np.empty(len(data.codes), dtype=np.int32)

    divide = vertical_parts
    if safe:
        from sfumato.kernels.items.cover_free_chunks import safe_vertical_parts as divide

    def run(first: int) -> None:
        last = min(first + _AT_ONCE, len(clusters))
        divide(data.codes, data.offsets, clusters.starts, first, last, len(data.names), skipped, m, k, parts)

    list(side_by_side(run, range(0, len(clusters), _AT_ONCE)))
    return parts
