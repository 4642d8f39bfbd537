"""How long a run on many records takes, estimated from runs on a few."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["extrapolated"]

_STEEPEST = 3.0  # exponent of the growth of the time


def extrapolated(known: Sequence[tuple[int, float]], records: int) -> float:
    """The estimated seconds for a number of records, from one or two samples: at least linear in the size.

    >>> round(extrapolated([(500, 1.0), (1500, 9.0)], 3000), 6), extrapolated([(500, 2.0), (1500, 2.0)], 3000)
    (36.0, 4.0)
    """
    size, seconds = known[-1]
    power = 1.0
    if len(known) > 1:
        first_size, first = known[0]
        power = min(_STEEPEST, max(1.0, math.log(seconds / first) / math.log(size / first_size)))
    return float(seconds * (records / size) ** power)
