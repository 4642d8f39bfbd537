"""How many persons the labels of each granularity have."""

from __future__ import annotations

__all__ = ["granularities"]


def granularities(k: int, coarsest: float, levels: int) -> list[int]:
    """The smallest number of units of a label, from k to the coarsest in equal ratios, rising.

    >>> granularities(5, 45, 3), granularities(5, 6, 3), granularities(5, 45, 1)
    ([5, 15, 45], [5, 6], [45])
    """
    if levels == 1:
        return [max(k, round(coarsest))]
    ratio = max(1.0, coarsest / k)
    return sorted({round(k * ratio ** (level / (levels - 1))) for level in range(levels)})
