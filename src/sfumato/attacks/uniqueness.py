"""Uniqueness as a measure: how many an attacker who knows a few visits or items can identify."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.data.ragged import Ragged
from sfumato.kernels.verify.prefixes.divided import subsequence_supports

__all__ = ["anonymity_set_sizes", "unique_share"]


def anonymity_set_sizes(data: Ragged, known: int) -> npt.NDArray[np.int64]:
    """For each person (or record): among how many an attacker finds them who knows their worst `known` visits.

    Exact: the smallest support of any up to `known` visits, in order, that the person has.  A person without
    visits hides among all.

    >>> from sfumato import Trajectories
    >>> anonymity_set_sizes(Trajectories.from_lists([["a", "b"], ["b", "a"], ["b"]]), known=2).tolist()
    [1, 1, 3]
    """
    grouped, starts = data.by_unit()
    n_units = len(starts) - 1
    lowest = np.full(n_units, n_units, dtype=np.int64)
    size = max(1, min(known, int(data.lengths.max(initial=0))))
    witnesses = np.empty((1, size), dtype=np.int32)
    supports = np.empty(1, dtype=np.int64)
    if len(data.codes):
        subsequence_supports(
            grouped.codes,
            grouped.offsets,
            grouped.units,
            len(data.names),
            size,
            0,
            -1,
            lowest,
            witnesses,
            supports,
        )
    return lowest


def unique_share(data: Ragged, known: int) -> float:
    """The share of persons (or records) that are unique given their worst `known` visits."""
    return float(np.mean(anonymity_set_sizes(data, known) == 1)) if len(data) else 0.0
