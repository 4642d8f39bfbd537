"""The contributions of each unit to noisy counts: its records, in a random order that depends on no other unit.

A differentially private method bounds what one unit contributes.  Where a person has more, a random choice of their
records stays: it depends on nothing but this person's records and fresh random bits.
"""

from __future__ import annotations

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged, row_order, sequence_order
from sfumato.privacy.noise.geometric import Entropy

__all__ = ["records_by_unit"]


def records_by_unit(data: Ragged, entropy: Entropy) -> tuple[Ints, Ints]:
    """The records, those of a unit next to each other and in random order, and a number for the unit of each.

    Units and records are sorted by their content before anything is drawn, so that a seed repeats a choice for
    any private order of the records and any names of the persons.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["b"], ["a"], ["b"]], persons=["u", "v", "u"])
    >>> records, units = records_by_unit(walks, Entropy(seed=1))
    >>> records[1:].tolist(), units.tolist()
    ([2, 0], [0, 1, 1])
    """
    order = sequence_order(data)
    if data.persons is None:
        return order, np.arange(len(data))
    rank = np.empty(len(data), dtype=np.int64)
    rank[order] = np.cumsum(data.take(order).run_starts()) - 1
    by_person = np.lexsort((rank, data.persons.codes))
    counts = np.bincount(data.persons.codes, minlength=len(data.persons))
    place = np.empty(len(counts), dtype=np.int64)
    # persons are sorted by the sorted contents of their records
    place[row_order(np.concatenate(([0], np.cumsum(counts))), rank[by_person])] = np.arange(len(counts))
    unit = place[data.persons.codes]
    settled = np.lexsort((rank, unit))
    key = entropy.words(len(data))
    shuffled = settled[np.lexsort((key, unit[settled]))]
    return shuffled, unit[shuffled]
