"""Chains of visits: how probable each place of each visit is, if some places cannot follow each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Chain", "chain_probabilities"]

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


class Chain(NamedTuple):
    """The probability of each place at each visit, and that no visit is at a flagged place."""

    places: list[Floats]
    without_flagged: float


def chain_probabilities(
    weights: Sequence[Floats], follow: Sequence[Floats | None], flagged: Sequence[Bools]
) -> Chain | None:
    """Exact probabilities under weights that are independent but for `follow`; None if no sequence is possible.

    weights : of each visit the weights of its places, not negative.
    follow : between two visits 1 where a place (row) may be followed by a place (column), else 0; None where all may.
    flagged : of each visit which of its places are flagged, such as sensitive.

    >>> possible = np.array([[1.0, 0.0], [1.0, 1.0]])
    >>> no_flag = [np.zeros(2, dtype=bool)] * 2
    >>> [shares.round(2).tolist() for shares in chain_probabilities([np.ones(2)] * 2, [possible], no_flag).places]
    [[0.33, 0.67], [0.67, 0.33]]
    """
    forward, total = _forward(weights, follow)
    if not np.isfinite(total):
        return None
    places, behind = [forward[-1]], np.ones(len(weights[-1]))
    for visit in range(len(weights) - 2, -1, -1):
        step, message = follow[visit], weights[visit + 1] * behind
        behind = np.full(len(weights[visit]), message.sum()) if step is None else step @ message
        behind = behind / behind.max()
        places.insert(0, forward[visit] * behind)
    kept = [np.where(marked, 0.0, weight) for weight, marked in zip(weights, flagged, strict=True)]
    without = np.exp(_forward(kept, follow)[1] - total)
    return Chain([shares / shares.sum() for shares in places], float(min(1.0, without)))


def _forward(weights: Sequence[Floats], follow: Sequence[Floats | None]) -> tuple[list[Floats], float]:
    """Of each visit the scaled sums over all earlier visits, and the logarithm of the sum over all sequences."""
    message = weights[0]
    forward, total = [], 0.0
    for step, here in zip((*follow, None), (*weights[1:], None), strict=True):
        scale = float(message.sum())
        if scale <= 0:
            return [], -np.inf
        message = message / scale
        total += np.log(scale)
        forward.append(message)
        if here is not None:
            message = here * (message.sum() if step is None else message @ step)
    return forward, total
