"""COAT: set-based generalization of items within a utility policy until a privacy policy is kept."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sfumato.data import Transactions
from sfumato.errors import Infeasible
from sfumato.methods.base import Method, Outcome, Run, require_units
from sfumato.methods.transactions.item_groups import Groups
from sfumato.params import exact, param
from sfumato.privacy import KmAnonymity, PolicyProtection, PrivacyModel

__all__ = ["Coat", "PolicyMethod", "TooManySuppressed", "enough_suppression", "item_domain"]


class TooManySuppressed(Infeasible):
    """More must be suppressed than is allowed.  share : of the items, from 0 to 1."""

    def __init__(self, share: Fraction, problem: str) -> None:
        super().__init__(problem)
        self.share = share


@dataclass(frozen=True, kw_only=True)
class PolicyMethod(Method[Transactions]):
    """What the methods that keep a policy have in common: look for sets that lead to too few, and mend them."""

    kind: ClassVar[str] = "transactions"
    promises: ClassVar[tuple[str, ...]] = ("policy",)
    promises_if: ClassVar[Mapping[str, str]] = {"km": "privacy_policy = all:m"}
    needs: ClassVar[tuple[str, ...]] = ("privacy_policy",)
    takes: ClassVar[tuple[str, ...]] = ("utility_policy", "taxonomy")

    k: int = param(at_least=2, help="smallest support of a protected set of items; the paper's k")
    suppression: float = param(
        0.1,
        at_least=0,
        at_most=1,
        grid=(0.0, 0.1, 0.3),
        help="largest share of the items that may be suppressed entirely; the paper's s",
    )
    occurrence_suppression: float = param(
        1.0,
        at_least=0,
        at_most=1,
        help="largest share of the occurrences of items that may be suppressed, where an item counts in every record "
        "that has it; 1 for no such limit",
    )

    @property
    def guarantees(self) -> tuple[PolicyProtection, ...]:
        return (PolicyProtection(k=self.k, suppression=self.suppression),)

    def guarantees_on(self, data: Transactions) -> tuple[PrivacyModel, ...]:
        """A policy that protects all sets of up to m items is k^m-anonymity, which is then a guarantee as well."""
        policy = data.privacy_policy
        if policy is None or policy.size < 1:
            return self.guarantees
        return (*self.guarantees, KmAnonymity(k=self.k, m=policy.size))

    def transform(self, data: Transactions, run: Run) -> Outcome[Transactions]:
        require_units(self, self.k, data)
        privacy, utility = data.privacy_policy, data.utility_policy
        if privacy is None:
            raise ValueError("a privacy policy is needed")
        privacy.require(item_domain(data))
        privacy.require_short()
        if utility is not None:
            utility.require(item_domain(data))
        data = data.with_used_names()  # policies may name other items, which stay public; none of them is merged
        groups = Groups(data, utility)
        with run.phase("generalizing"):
            # merging creates sets that occurred in no record before: go on until a full pass finds nothing
            while len(sets := groups.suspects(privacy, self.k)):
                known = groups.nothing_known(sets)
                position, labels, _ = groups.next_violation(sets, 0, self.k, known)
                while position < len(sets):
                    run.advance(position, len(sets))
                    self._repair(groups, labels)
                    position, labels, _ = groups.next_violation(sets, position, self.k, known)
        self._require_bounds(groups, data)
        return groups.outcome()

    def _require_bounds(self, groups: Groups, data: Transactions) -> None:
        """Refuse a release in which more items or more of their occurrences are suppressed than is allowed."""
        items = Fraction(groups.suppressed, max(1, len(data.names)))
        occurrences = Fraction(groups.suppressed_occurrences, max(1, len(data.codes)))
        shares = {"suppression": items, "occurrence_suppression": occurrences}
        failed = {name: share for name, share in shares.items() if share > exact(getattr(self, name))}
        if not failed:
            return
        bounds = " and ".join(f"{name}={getattr(self, name):g}" for name in failed)
        enough = " and ".join(f"{name}={enough_suppression(share):g}" for name, share in failed.items())
        raise TooManySuppressed(
            items,
            f"{self.name}: {bounds} {'is' if len(failed) == 1 else 'are'} too small: {float(items):.1%} of the items, "
            f"which are {float(occurrences):.1%} of the occurrences, would have to be suppressed; {enough} would be "
            "enough, or lower k or widen the utility policy",
        )

    @abstractmethod
    def _repair(self, groups: Groups, labels: list[int]) -> None:
        """Merge two groups, one of them of this set, or suppress one of the set."""


def enough_suppression(share: Fraction) -> float:
    """The smallest bound of three digits that allows to suppress this share.

    >>> enough_suppression(Fraction(1, 3)), enough_suppression(Fraction(1, 2))
    (0.334, 0.5)
    """
    return math.ceil(1000 * share) / 1000


def item_domain(data: Transactions) -> set[str]:
    """The items that policies may name: those of the data and, whether they occur or not, those of the hierarchy."""
    return {*data.names, *(() if data.taxonomy is None else data.taxonomy.leaves)}


@dataclass(frozen=True, kw_only=True)
class Coat(PolicyMethod):
    """Publish items of one utility constraint as one, the rarest item of a protected set first.

    Notes
    -----
    Of a set that leads to fewer than k, the group in the fewest records is merged with that group of its utility
    constraint which loses least (utility loss, see [1]_), until the set has a support of 0 or at least k.  The only
    group of a constraint is suppressed; more than `suppression` of the items, or more than `occurrence_suppression` of
    their occurrences (which the paper does not bound), make the policies infeasible.  Every
    non-empty subset of a privacy constraint is protected like the constraint.  Sets are taken by support, the best
    supported first, then by name, until a full pass finds none.  Without a utility policy any items may be published
    as one.

    References
    ----------
    .. [1] G. Loukides, A. Gkoulalas-Divanis, B. Malin, "COAT: constraint-based anonymization of transactions",
       Knowledge and Information Systems 28(2), 2011.

    Examples
    --------
    >>> from sfumato import Policy, Transactions
    >>> baskets = Transactions.from_lists([["flu", "hiv"], ["cough", "hiv"], ["flu"]])
    >>> told = baskets.with_policies(Policy([["cough", "hiv"]]), utility=Policy([["cough", "flu"], ["hiv"]]))
    >>> release = Coat(k=2).anonymize(told)
    >>> release.data.to_lists(), release.data.members
    ([['g1'], ['g1', 'hiv'], ['g1', 'hiv']], {'g1': ('cough', 'flu')})
    """

    name: ClassVar[str] = "coat"
    title: ClassVar[str] = "COAT"
    paper: ClassVar[str] = "Loukides, Gkoulalas-Divanis, Malin 2011"

    def _repair(self, groups: Groups, labels: list[int]) -> None:
        rarest = min(labels, key=lambda group: (groups.holders(group), groups.rank[group]))
        partner, _ = groups.partner(rarest)
        if partner < 0:
            groups.suppress(rarest)
        else:
            groups.merge(rarest, partner)
