"""Supports of sets of up to m labels within equivalence classes, alone and with sensitive values; for verifiers only.

Records of one class lie together, and in it those of one unit.  Every class is checked by itself: the empty set of
labels first, then every set that occurs, as in `associations`.
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.verify.prefixes.associations import SensitiveValues, association_supports, worst_value

__all__ = ["class_associations"]

UNITS, PATTERNS, TOO_RARE, NOT_DIVERSE, SMALLEST, TOGETHER, OUT_OF = range(7)


@njit(cache=True)
def class_associations(codes, offsets, units, class_starts, n_labels, sensitive, m, k, diversity):
    """Check every set of 0 to m labels in every class, alone and together with every sensitive value.

    class_starts : int64[classes + 1], into the records.  units : int32[records], not falling within a class.
    sensitive : SensitiveValues.
    Returns int64[classes, 7]: units, sets that occur (the empty one too), those with a support below k, those of which
    more than one in `diversity` supporters share a sensitive value, smallest support, and the worst share of a
    sensitive value as two numbers.
    """
    by_class = np.zeros((len(class_starts) - 1, 7), dtype=np.int64)
    together, last_holder = np.zeros(sensitive.n, np.int64), np.full(sensitive.n, -1, np.int64)
    for number in range(len(class_starts) - 1):
        first, stop = class_starts[number], class_starts[number + 1]
        begin, end = offsets[first], offsets[stop]
        here = units[first:stop]
        values = SensitiveValues(sensitive.starts[first : stop + 1], sensitive.values, sensitive.n)
        everyone = np.arange(stop - first).astype(np.int32)
        n_units, _, most = worst_value(everyone, here, values, together, last_holder)
        witnesses = np.full((2, m), -1, dtype=np.int32)
        figures = np.zeros((2, 3), dtype=np.int64)
        inside = association_supports(
            codes[begin:end],
            offsets[first : stop + 1] - begin,
            here,
            n_labels,
            values,
            m,
            k,
            diversity,
            figures,
            witnesses,
        )
        by_class[number, UNITS] = n_units
        by_class[number, PATTERNS] = inside[0] + 1
        by_class[number, TOO_RARE] = inside[1] + (n_units < k)
        by_class[number, NOT_DIVERSE] = inside[2] + (diversity * most > n_units)
        by_class[number, SMALLEST] = min(inside[3], n_units)
        by_class[number, TOGETHER], by_class[number, OUT_OF] = most, n_units
        if figures[1, 1] * n_units > most * figures[1, 0]:
            by_class[number, TOGETHER], by_class[number, OUT_OF] = figures[1, 1], figures[1, 0]
    return by_class
