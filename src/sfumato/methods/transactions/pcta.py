"""PCTA: clustering of items until a privacy policy is kept, always by the merge that loses least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.methods.transactions.coat import PolicyMethod
from sfumato.methods.transactions.item_groups import Groups

__all__ = ["Pcta"]


@dataclass(frozen=True, kw_only=True)
class Pcta(PolicyMethod):
    """Cluster items so that every protected set leads to enough, by the merges that lose least.

    Notes
    -----
    Of a set that leads to fewer than k, every group is tried with every group that it may be published as one with,
    and the pair that loses least (utility loss, see [1]_) is merged, until the set has a support of 0 or at least k.
    Where none may be merged, the group in the fewest records is suppressed; more than `suppression` of the items, or
    more than `occurrence_suppression` of their occurrences (which the paper does not bound), make the policies
    infeasible.  Every non-empty subset of a privacy constraint is protected like the constraint.  Sets are taken by
    support, the best supported first, then by name, until a full pass finds none.

    References
    ----------
    .. [1] A. Gkoulalas-Divanis, G. Loukides, "Utility-guided clustering-based transaction data anonymization",
       Transactions on Data Privacy 5(1), 2012.

    Examples
    --------
    >>> from sfumato import Policy, Transactions
    >>> baskets = Transactions.from_lists([["flu", "hiv"], ["cough", "hiv"], ["flu"]])
    >>> release = Pcta(k=2).anonymize(baskets.with_policies(privacy=Policy([["cough", "hiv"]])))
    >>> release.data.to_lists(), release.data.members
    ([['flu'], ['flu', 'g1'], ['g1']], {'g1': ('cough', 'hiv')})
    """

    name: ClassVar[str] = "pcta"
    title: ClassVar[str] = "PCTA"
    paper: ClassVar[str] = "Gkoulalas-Divanis, Loukides 2012"

    def _repair(self, groups: Groups, labels: list[int]) -> None:
        best, least = (-1, -1), np.inf
        for group in sorted(labels, key=lambda group: (groups.holders(group), groups.rank[group])):
            partner, loss = groups.partner(group, least)
            if partner >= 0 and loss < least - 1e-12:
                best, least = (group, partner), loss
        if best[0] >= 0:
            groups.merge(*best)
        else:
            groups.suppress(min(labels, key=lambda group: (groups.holders(group), groups.rank[group])))
