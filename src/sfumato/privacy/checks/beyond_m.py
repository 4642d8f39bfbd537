"""What an attacker with one more known visit or item than the promise allows can do, by the published data alone.

Anyone can compute these figures from the files, so that a certificate may state them (soundness rule 2).  They count
records.  The work is bounded in advance; where it would exceed the bound, only a quick search for a unique record is
made, or none.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.kernels.verify.prefixes.divided import subsequence_supports
from sfumato.kernels.verify.prefixes.first_labels import FirstLabels
from sfumato.params import JsonObject

__all__ = ["SECRETS", "UNMEASURED", "WORK", "affordable", "anonymity_sets_beyond", "figures_beyond", "smallest_support"]

UNMEASURED = "not measured"
SECRETS = 5  # the cost of a set whose sensitive values are counted too, in positions
WORK = 1_000_000  # positions to be read, at most; about a tenth of a second


def affordable(lengths: Ints, known: int, *, price: int = 1) -> bool:
    """Whether all sets of so many known visits or items can be examined, at most one position a set.

    price : what it costs to look at one, in positions.

    >>> affordable(np.array([3, 4]), 2), affordable(np.array([1000]), 3)
    (True, False)
    """
    sizes, times = np.unique(np.asarray(lengths), return_counts=True)
    total: int = sum(comb(size, known) * count for size, count in zip(sizes.tolist(), times.tolist(), strict=True))
    return price * total <= WORK


def anonymity_sets_beyond(data: Ragged, known: int) -> JsonObject:
    """The smallest anonymity set of records for any so many labels, in order, and the share of unique records.

    >>> from sfumato import Trajectories
    >>> seen = Trajectories.from_lists([["a", "b"], ["a", "b"], ["b", "a"], ["b"]])
    >>> anonymity_sets_beyond(seen, 2)
    {'known': 2, 'unit': 'record', 'smallest_anonymity_set': 1, 'share_unique': 0.25}
    """
    assumed: JsonObject = {"known": known, "unit": "record"}
    if len(data.codes) == 0:
        return {**assumed, "smallest_anonymity_set": None, "share_unique": 0.0}
    whole = affordable(data.lengths, known)
    if not whole and not affordable(data.lengths, known - 1):
        return {**assumed, "smallest_anonymity_set": UNMEASURED, "share_unique": UNMEASURED}
    lowest = np.full(len(data) if whole else 0, len(data), dtype=np.int64)
    smallest = smallest_support(data.with_persons(None), known, limit=-1 if whole else WORK, lowest=lowest)
    alone = round(float(np.mean(lowest == 1)), 6) if whole else UNMEASURED
    return {**assumed, "smallest_anonymity_set": UNMEASURED if smallest is None else smallest, "share_unique": alone}


def smallest_support(
    data: Ragged, known: int, *, limit: int = -1, lowest: Ints | None = None, first: FirstLabels | None = None
) -> int | None:
    """The smallest support of any so many labels or fewer, in order; None where the search stopped before its end.

    Counts distinct persons where they are known, otherwise records.
    limit : stop once the longest patterns have cost more than this many positions, or at a support of 1; -1 for none.
    lowest : one number a unit, lowered to the smallest support among the patterns that the unit holds.
    first : the first labels of the records by unit, where they are known.

    >>> from sfumato import Trajectories
    >>> smallest_support(Trajectories.from_lists([["a", "b"], ["a", "b"], ["b"]]), 2)
    2
    """
    longest = max(1, min(known, int(data.lengths.max(initial=0))))
    if longest < known:
        limit = -1  # no record is that long: nothing is to be found that fewer labels do not show
    grouped, _ = data.by_unit()
    supports = subsequence_supports(
        grouped.codes,
        grouped.offsets,
        grouped.units,
        len(data.names),
        longest,
        0,
        limit,
        np.empty(0, dtype=np.int64) if lowest is None else lowest,
        np.empty((1, longest), dtype=np.int32),
        np.empty(1, dtype=np.int64),
        first,
    )
    patterns, smallest, complete = int(supports[0]), int(supports[2]), bool(supports[4])
    return smallest if patterns and complete else None


def figures_beyond(
    known: int, lengths: Ints, names: tuple[str, ...], measure: Callable[[], tuple[Any, ...]], *, price: int = 1
) -> JsonObject:
    """Figures of the published records by name, or "not measured" where the records are too long to measure them.

    lengths, price : see `affordable`.

    >>> figures_beyond(2, np.array([3, 4]), ("smallest_anonymity_set",), lambda: (5,))
    {'known': 2, 'unit': 'record', 'smallest_anonymity_set': 5}
    """
    figures = measure() if affordable(lengths, known, price=price) else (UNMEASURED,) * len(names)
    return {"known": known, "unit": "record", **dict(zip(names, figures, strict=True))}
