"""(k,k^m)-anonymity and (k,l^m)-diversity by their definitions: every record and every set of its items looked up."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from sfumato.privacy import KkmAnonymity, KlmDiversity, KPolicyProtection


def kkm_holds(model: KkmAnonymity, published: Any, original: Any = None) -> bool:  # noqa: ARG001
    """For record r and 0 to m of its items at least k agree with r on every relational value and contain the items."""
    return _holds(published, frozenset(), model.k, 1, model.m)


def klm_diversity_holds(model: KlmDiversity, published: Any, original: Any = None) -> bool:
    """The same for items that are not sensitive, and of those found at most one in l has any sensitive item."""
    flagged = (published if original is None else original).items.sensitive
    return _holds(published, flagged, model.k, model.l, model.m)


def k_policy_holds(model: KPolicyProtection, published: Any, original: Any) -> bool:
    """At least k agree with every record; among them a protected set, or a part of it, leads to nobody or to k."""
    privacy, utility = original.privacy_policy, original.utility_policy
    items = published.items
    if privacy.size and not _holds(published, frozenset(), model.k, 1, privacy.size):
        return False
    members = {name: set(items.members.get(name, (name,))) for name in items.names}
    columns = published.table.quasi_identifiers
    values = [tuple(row[column] for column in columns) for row in published.table.frame.to_dicts()]
    baskets, units = items.to_lists(), published.units.tolist()
    if any(members[one] & members[two] for basket in baskets for one, two in combinations(basket, 2)):
        return False
    for value in set(values):
        rows = [row for row, other in enumerate(values) if other == value]
        holding = {row: {item for label in baskets[row] for item in members[label]} for row in rows}
        for wanted in ((), *privacy.subsets):
            crowd = {units[row] for row in rows if set(wanted) <= holding[row]}
            if 0 < len(crowd) < model.k:
                return False
    groups = [set(utility.group_of(sorted(some))) for some in members.values() if len(some) > 1] if utility else []
    return all(len(group) == 1 and -1 not in group for group in groups)


def _holds(published: Any, flagged: frozenset[str], k: int, l: int, m: int) -> bool:  # noqa: E741
    members = {name: set(published.items.members.get(name, (name,))) for name in published.items.names}
    values = [
        tuple(row[column] for column in published.table.quasi_identifiers) for row in published.table.frame.to_dicts()
    ]
    baskets = published.items.to_lists()
    units = published.units.tolist()
    for basket in baskets:
        for label in basket:
            if members[label] & flagged and members[label] - flagged:
                return False
        for one, other in combinations(basket, 2):
            if members[one] & members[other]:
                return False
    shown = [{label for label in basket if not members[label] & flagged} for basket in baskets]
    if flagged:  # a ratio counts all labels of a known item together
        shown = [{item for label in labels for item in members[label]} for labels in shown]
    told = [{item for label in basket for item in members[label] & flagged} for basket in baskets]
    for row in range(len(values)):
        for size in range(m + 1):
            for known in combinations(sorted(shown[row]), size):
                found = [at for at in range(len(values)) if values[at] == values[row] and shown[at] >= set(known)]
                crowd = len({units[at] for at in found})
                if crowd < k:
                    return False
                for item in flagged:
                    having = [at for at in found if item in told[at]]
                    if l * len({units[at] for at in having}) > crowd:
                        return False
                    if l * len(having) > len(found):  # the ratio must hold in records, too
                        return False
    return True
