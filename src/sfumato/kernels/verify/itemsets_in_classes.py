"""What sets of up to m labels give away within classes of records; for verifiers.

Records of one class lie together, and in it those of one unit.  Every class is looked at by itself: the empty set of
labels first, then every set that occurs, as in `associations`.
"""

import numpy as np
from numba import njit

from sfumato.kernels.verify.associations import _worst_secret, association_supports

__all__ = ["class_associations"]

UNITS, PATTERNS, TOO_RARE, TELLING, SMALLEST, TOGETHER, OUT_OF = range(7)


@njit(cache=True)
def class_associations(
    codes, offsets, units, class_starts, n_labels, secret_starts, secrets, n_secrets, m, k, diversity
):
    """Check every set of 0 to m labels in every class, alone and together with every secret.

    class_starts : int64[classes + 1], into the records.  units : int32[records], not falling within a class.
    secret_starts : int64[records + 1] into secrets : int32[...], the distinct secrets of each record.
    Returns int64[classes, 7]: units, sets that occur (the empty one too), those with a support below k, those of which
    more than one in `diversity` supporters share a secret, smallest support, and the worst share of a secret as two
    numbers.
    """
    found = np.zeros((len(class_starts) - 1, 7), dtype=np.int64)
    together, last_holder = np.zeros(n_secrets, np.int64), np.full(n_secrets, -1, np.int64)
    for number in range(len(class_starts) - 1):
        first, stop = class_starts[number], class_starts[number + 1]
        begin, end = offsets[first], offsets[stop]
        here, holders = units[first:stop], secret_starts[first : stop + 1]
        everybody = np.arange(stop - first).astype(np.int32)
        crowd, _, most = _worst_secret(everybody, here, holders, secrets, together, last_holder)
        witnesses = np.full((2, m), -1, dtype=np.int32)
        figures = np.zeros((2, 3), dtype=np.int64)
        inside = association_supports(
            codes[begin:end],
            offsets[first : stop + 1] - begin,
            here,
            n_labels,
            holders,
            secrets,
            n_secrets,
            m,
            k,
            diversity,
            figures,
            witnesses,
        )
        found[number, UNITS] = crowd
        found[number, PATTERNS] = inside[0] + 1
        found[number, TOO_RARE] = inside[1] + (crowd < k)
        found[number, TELLING] = inside[2] + (diversity * most > crowd)
        found[number, SMALLEST] = min(inside[3], crowd)
        found[number, TOGETHER], found[number, OUT_OF] = most, crowd
        if figures[1, 1] * crowd > most * figures[1, 0]:
            found[number, TOGETHER], found[number, OUT_OF] = figures[1, 1], figures[1, 0]
    return found
