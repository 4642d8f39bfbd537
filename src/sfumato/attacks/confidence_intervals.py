"""Confidence intervals for shares and for means of figures between 0 and 1."""

from __future__ import annotations

import math

__all__ = ["CONFIDENCE", "wilson"]

CONFIDENCE = 0.95
_Z = 1.959963984540054


def wilson(share: float, n: int) -> tuple[float, float]:
    """The 95% score interval of a share among n at random.

    Also for the mean of figures between 0 and 1, where it is too wide rather than too narrow: no such figure varies
    more than a yes-or-no with the same mean.  Drawing without replacement makes it wider than need be, too.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22(158), 1927.

    >>> low, high = wilson(0.1, 50)
    >>> round(low, 4), round(high, 4)
    (0.0435, 0.2136)
    >>> wilson(0.0, 0)
    (0.0, 1.0)
    """
    if n == 0:
        return 0.0, 1.0
    shrink = 1 + _Z**2 / n
    centre = (share + _Z**2 / (2 * n)) / shrink
    half = _Z / shrink * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n * n))
    # at the ends the terms cancel but for their rounding, which must not put the share outside
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return (0.0 if share <= 0 else min(low, share)), (1.0 if share >= 1 else max(high, share))
