"""The smallest support of a frequent pattern, as a number of records that holds for the original and its release."""

from __future__ import annotations

from sfumato.data.ragged import Ragged
from sfumato.mining import FrequentSequences

__all__ = ["smallest_support"]


def smallest_support(support: float, original: Ragged) -> int:
    """The number of records that a threshold stands for; a share is of the original's records.

    A release may have more records than its original (parts of trajectories) or fewer.  A share of its own records
    would be another threshold, and no pattern count could be compared.

    >>> from sfumato.data import Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"]] * 10)
    >>> smallest_support(0.6, walks), smallest_support(3, walks)
    (6, 3)
    """
    return FrequentSequences(support=support).threshold(original.with_persons(None))
