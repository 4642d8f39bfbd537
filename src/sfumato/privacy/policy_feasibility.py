"""Policies compared with data: unknown items, sets below k, and whether merging items alone can protect them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from sfumato.data import Policy, Transactions
from sfumato.errors import DataError
from sfumato.params import JsonObject
from sfumato.prepare.policies import policy_of_rule
from sfumato.privacy.policy import PolicyProtection

__all__ = ["PolicyReview", "review_privacy_policy", "review_utility_policy"]


@dataclass(frozen=True)
class PolicyReview:
    """What a policy asks of data.

    sizes : the number of constraints by their number of items; of a policy ``size``, empty.
    unknown_items : how many items of the policy do not occur in the data.  unnamed_items : how many items of the data
    no constraint names.
    smallest_support : of the protected sets that occur, and their subsets.  below_k : how many of them have a support
    below k.  satisfiable : whether merging items, as far as the utility policy allows, protects all of them without
    suppressing any; None where no k was given.
    problems : sentences about what a method would refuse.
    """

    constraints: int
    sizes: dict[int, int]
    unknown_items: int
    unnamed_items: int
    unit: str
    smallest_support: int | None = None
    below_k: int | None = None
    satisfiable: bool | None = None
    problems: tuple[str, ...] = ()

    def to_json(self) -> JsonObject:
        return {
            "constraints": self.constraints,
            "sizes": {str(size): number for size, number in self.sizes.items()},
            "unknown_items": self.unknown_items,
            "unnamed_items": self.unnamed_items,
            "unit": self.unit,
            "smallest_support": self.smallest_support,
            "below_k": self.below_k,
            "satisfiable": self.satisfiable,
            "problems": list(self.problems),
        }


def review_privacy_policy(
    policy: Policy, data: Transactions, *, k: int | None = None, utility: Policy | None = None
) -> PolicyReview:
    """Whether the itemsets of a privacy policy are of these data and, given k, whether merging items protects them.

    Merging all items of each utility constraint gives every protected set its largest possible support.  So it can be
    protected without suppression if, and only if, this does.

    >>> baskets = Transactions.from_lists([["ale", "tea"], ["ale"], ["ale", "bread"]])
    >>> review = review_privacy_policy(Policy([["ale", "tea"]]), baskets, k=2, utility=Policy([["bread", "tea"]]))
    >>> review.below_k, review.satisfiable
    (2, True)
    """
    problems = _unknown(policy, data)
    if policy.private and not _is_by_rule(policy, data):
        problems.append(f"the constraints are not those that the rule {policy.rule} computes from these data")
    review = _sizes(policy, data)
    if k is None:
        return replace(review, problems=tuple(problems))
    model = PolicyProtection(k=k)
    figures = model.check(data.with_policies(policy)).measured
    merged = model.check(_all_merged(data, utility).with_policies(policy))
    if not merged.holds:
        problems.append(
            f"merging items alone cannot give every protected set a support of {k}: a method has to suppress items"
        )
    return replace(
        review,
        smallest_support=figures["smallest_support"],
        below_k=figures["violating_sets"],
        satisfiable=bool(merged.holds),
        problems=tuple(problems),
    )


def review_utility_policy(policy: Policy, data: Transactions) -> PolicyReview:
    """Whether the items of a utility policy are of these data, and each in one constraint."""
    problems = _unknown(policy, data)
    times = Counter(item for constraint in policy.sets for item in constraint)
    repeated = sum(number > 1 for number in times.values())
    if repeated:
        problems.append(f"{repeated:,} items are in several constraints, and each may be in one only")
    if policy.size:
        problems.append("a size protects sets of items and says nothing about which items may share a label")
    return replace(_sizes(policy, data), problems=tuple(problems))


def _sizes(policy: Policy, data: Transactions) -> PolicyReview:
    occurring = set(data.with_used_names().names)
    return PolicyReview(
        constraints=len(policy),
        sizes=dict(sorted(Counter(map(len, policy.sets)).items())),
        unknown_items=len(policy.items - occurring),
        unnamed_items=0 if policy.size else len(occurring - policy.items),
        unit=data.unit,
    )


def _unknown(policy: Policy, data: Transactions) -> list[str]:
    known = {*data.names, *(() if data.taxonomy is None else data.taxonomy.leaves)}
    unknown = len(policy.items - known)
    return [f"{unknown:,} items of the policy are neither in the data nor in their hierarchy"] if unknown else []


def _is_by_rule(policy: Policy, data: Transactions) -> bool:
    try:
        return set(policy.sets) == set(policy_of_rule(policy.rule, data).sets)
    except DataError:
        return False


def _all_merged(data: Transactions, utility: Policy | None) -> Transactions:
    """The records with one label for the items of each utility constraint; without a policy, one for all items."""
    names = np.array(data.names, dtype=object)
    groups = [0] * len(names) if utility is None else utility.group_of(data.names)
    labels = [name if group < 0 else f"\0{group}" for name, group in zip(names, groups, strict=True)]
    members: dict[str, tuple[str, ...]] = {}
    for name, label in zip(data.names, labels, strict=True):
        members[label] = (*members.get(label, ()), name)
    rows = [
        [labels[code] for code in data.codes[start:stop]]
        for start, stop in zip(data.offsets, data.offsets[1:], strict=False)
    ]
    merged = Transactions.from_lists(rows)
    return replace(merged, members=members).with_persons(data.persons)
