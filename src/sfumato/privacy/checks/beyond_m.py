"""What one piece of knowledge more than the promise allows gives away, by the published data alone.

Anybody can compute these figures from the files, so that a certificate may state them (soundness rule 2).  They count
records, as everybody sees them.  The work is bounded in advance; where it would exceed the bound, a quick look for
somebody who is alone has to do, or nothing.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.kernels.verify.subsequences import subsequence_supports

__all__ = ["SECRETS", "UNMEASURED", "WORK", "affordable", "crowds_beyond"]

UNMEASURED = "not measured"
SECRETS = 5  # what a set costs whose secrets are looked at too, in positions
WORK = 1_000_000  # positions to be read, at most; about a tenth of a second


def affordable(lengths: Ints, pieces: int, *, price: int = 1) -> bool:
    """Whether all sets of so many pieces can be looked at: what is read is at most one position a set.

    price : what it costs to look at one, in positions.

    >>> affordable(np.array([3, 4]), 2), affordable(np.array([1000]), 3)
    (True, False)
    """
    sizes, times = np.unique(np.asarray(lengths), return_counts=True)
    total: int = sum(comb(size, pieces) * count for size, count in zip(sizes.tolist(), times.tolist(), strict=True))
    return price * total <= WORK


def crowds_beyond(data: Ragged, pieces: int) -> dict[str, Any]:
    """The smallest crowd of records around any so many labels, in order, and the share of records that are alone.

    >>> from sfumato import Trajectories
    >>> seen = Trajectories.from_lists([["a", "b"], ["a", "b"], ["b", "a"], ["b"]])
    >>> crowds_beyond(seen, 2)
    {'pieces': 2, 'unit': 'record', 'smallest_crowd': 1, 'share_alone': 0.25}
    """
    said: dict[str, Any] = {"pieces": pieces, "unit": "record"}
    if len(data.codes) == 0:
        return {**said, "smallest_crowd": None, "share_alone": 0.0}
    whole = affordable(data.lengths, pieces)
    if not whole and not affordable(data.lengths, pieces - 1):
        return {**said, "smallest_crowd": UNMEASURED, "share_alone": UNMEASURED}
    longest = max(1, min(pieces, int(data.lengths.max())))
    lowest = np.full(len(data) if whole else 0, len(data), dtype=np.int64)
    found = subsequence_supports(
        data.codes,
        data.offsets,
        np.arange(len(data), dtype=np.int32),
        len(data.names),
        longest,
        0,
        -1 if whole else WORK,
        lowest,
        np.empty((1, longest), dtype=np.int32),
        np.empty(1, dtype=np.int64),
    )
    smallest, complete = int(found[2]), bool(found[4])
    if not whole:
        return {**said, "smallest_crowd": smallest if complete else UNMEASURED, "share_alone": UNMEASURED}
    return {**said, "smallest_crowd": smallest, "share_alone": round(float(np.mean(lowest == 1)), 6)}
