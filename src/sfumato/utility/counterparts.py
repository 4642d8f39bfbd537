"""Supports of the generalized counterparts of patterns (Poulis et al., Trans. Data Privacy 7(2), 2014, Footnote 2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.data.query_index import QueryIndex
from sfumato.data.ragged import Ragged

__all__ = ["counterpart_supports"]


def counterpart_supports(data: Ragged, patterns: Sequence[Sequence[str]]) -> npt.NDArray[np.int64]:
    """The number of records that contain the generalized counterpart of each pattern, a sequence or a set of names.

    The counterpart has, in place of each name, the label that stands for it.  Where a name has several labels (local
    recoding), any of them counts.  A name without a label has no counterpart; every record contains the empty pattern.

    >>> from dataclasses import replace
    >>> walks = replace(Trajectories.from_lists([["g1", "c"], ["g1", "g1"]]), members={"g1": ("a", "b")})
    >>> counterpart_supports(walks, [["a"], ["a", "b"], ["c"], ["c", "a"], ["d"]]).tolist()
    [2, 1, 1, 0, 0]
    """
    index = QueryIndex(data)
    count = _sequence_support if isinstance(data, Trajectories) else _itemset_support
    return np.array([count(data, index, pattern) if pattern else len(data) for pattern in patterns], dtype=np.int64)


def _itemset_support(data: Ragged, index: QueryIndex, items: Sequence[str]) -> int:  # noqa: ARG001
    return len(reduce(np.intersect1d, [index.records([item]) for item in items]))


def _sequence_support(data: Ragged, index: QueryIndex, locations: Sequence[str]) -> int:
    """The number of records with these locations in this order; the earliest match of each is never wrong."""
    records = index.records(locations[:1])
    if len(locations) == 1:
        return len(records)
    ends = data.offsets[records + 1]
    following = data.offsets[records]  # the first visit that the next location may match
    for location in locations:
        visits = _visits_of(data, index, location)
        first = np.append(visits, len(data.codes))[np.searchsorted(visits, following)]
        contained = first < ends
        ends, following = ends[contained], first[contained] + 1
    return len(ends)


def _visits_of(data: Ragged, index: QueryIndex, location: str) -> Ints:
    """The visits under a label that may stand for a location, rising."""
    is_label = np.zeros(len(data.names), dtype=bool)
    is_label[index.labels([location])] = True
    return np.flatnonzero(is_label[data.codes])
