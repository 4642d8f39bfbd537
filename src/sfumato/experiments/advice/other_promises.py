"""Promises against the same attacker, who knows up to m items, that are kept by other methods for sets of items.

k^m-anonymity is about published records, reconstruction anonymity about possible originals of disassociated data.
Candidates of the other promise run with the same k and m and are measured alike.  They are compared with those of the
promise that was asked for, and never recommended in their place.
"""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.data import Dataset, Transactions
from sfumato.privacy import KmAnonymity, PrivacyModel, ReconstructionAnonymity

__all__ = ["difference", "other_promise"]


def other_promise(promises: Sequence[PrivacyModel], data: Dataset) -> PrivacyModel | None:
    """The other promise with the same k and m; None if the data or the promises have none.

    >>> from sfumato import Transactions
    >>> other_promise([KmAnonymity(k=5, m=2)], Transactions.from_lists([["ale"], ["tea"]])).label
    'reconstruction anonymity(k=5, m=2, l=1)'
    """
    if len(promises) != 1 or not isinstance(data, Transactions):
        return None
    (promise,) = promises
    if isinstance(promise, KmAnonymity):
        return ReconstructionAnonymity(k=promise.k, m=promise.m)
    if isinstance(promise, ReconstructionAnonymity) and promise.l == 1:
        return KmAnonymity(k=promise.k, m=promise.m)
    return None


def difference(kept: PrivacyModel) -> str:
    """What a release with the other promise keeps, beside the promise that was asked for."""
    if isinstance(kept, ReconstructionAnonymity):
        return (
            f"It keeps {kept.title}, which is weaker: any {kept.m} items belong to {kept.k} records in at least one "
            f"possible original, not in {kept.k} published records."
        )
    return f"It keeps {kept.title}, which is stronger: any known items belong to no published record or to k of them."
