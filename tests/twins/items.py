"""Slow twins of the methods that recode items: everything is counted anew by reading all records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from sfumato.data import Policy, Taxonomy
from twins.images import keeps_ratios

Records = Sequence[Sequence[str]]


def holders(wanted: Iterable[str], records: Sequence[frozenset[str]], units: Sequence[Any]) -> set[Any]:
    """The units with a record that holds everything wanted."""
    return {unit for record, unit in zip(records, units, strict=True) if record.issuperset(wanted)}


def is_safe(
    wanted: Iterable[str],
    records: Sequence[frozenset[str]],
    units: Sequence[Any],
    k: int,
    l: int,  # noqa: E741
    secrets: Iterable[str],
) -> bool:
    """Whether a set leads to nobody, or to k and no secret of more than one in l of them, nor of their records."""
    wanted = set(wanted)
    crowd = len(holders(wanted, records, units))
    if crowd == 0:
        return True
    ratios = []
    for counted in (units, range(len(records))):
        worst = max((len(holders(wanted | {secret}, records, counted)) for secret in secrets), default=0)
        ratios.append(l * worst <= len(holders(wanted, records, counted)))
    return crowd >= k and all(ratios)


class LiteralCut:
    """The apriori recoding of items over a tree, read off its definition."""

    def __init__(
        self,
        records: Records,
        units: Sequence[Any],
        tree: Taxonomy,
        k: int,
        l: int,  # noqa: E741
        secrets: set[str],
    ) -> None:
        self.records, self.units, self.tree, self.k, self.l = records, units, tree, k, l
        self.secrets = secrets if l > 1 else set()
        self.label = {leaf: leaf for leaf in tree.leaves}
        self.order: list[str] = []
        self._walk(tree.root)

    def _walk(self, node: str) -> None:
        self.order.append(node)
        for child in self.tree.children(node):
            self._walk(child)

    def published(self) -> list[frozenset[str]]:
        return [
            frozenset(item if item in self.secrets else self.label[item] for item in record) for record in self.records
        ]

    def spread(self, nodes: Iterable[str]) -> list[frozenset[str]]:
        """The records as they would be if these nodes were published."""
        moved = dict(self.label)
        for node in nodes:
            moved |= dict.fromkeys(self.tree.leaves_below(node), node)
        return [frozenset(item if item in self.secrets else moved[item] for item in record) for record in self.records]

    def safe(self, nodes: Sequence[str]) -> bool:
        return is_safe(nodes, self.spread(nodes), self.units, self.k, self.l, self.secrets)

    def weight(self, node: str) -> int:
        below = [leaf for leaf in self.tree.leaves_below(node) if leaf not in self.secrets]
        return len(below) if len(below) > 1 else 0

    def price(self, nodes: Sequence[str]) -> int:
        total = 0
        for node in nodes:
            below = set(self.tree.leaves_below(node)) - self.secrets
            for record in self.records:
                total += sum(self.weight(node) - self.weight(self.label[item]) for item in record if item in below)
        return total

    def topmost(self, nodes: Iterable[str]) -> tuple[str, ...]:
        chosen = set(nodes)
        kept = [node for node in chosen if not chosen & set(self.tree.ancestors(node))]
        return tuple(sorted(kept, key=self.order.index))

    def repair(self, m: int) -> None:
        again = True
        while again:
            again = False
            for size in range(1, m + 1):
                seen = {
                    tuple(sorted(part, key=self.order.index))
                    for record in self.published()
                    for part in combinations(sorted(record - self.secrets), size)
                }
                support = {part: len(holders(part, self.published(), self.units)) for part in seen}
                for part in sorted(seen, key=lambda one: (support[one], one)):
                    nodes = self.topmost(self.climbed(node) for node in part)
                    if self.safe(nodes):
                        continue
                    chains = [(node, *self.tree.ancestors(node)) for node in nodes]
                    best: tuple[str, ...] | None = None
                    for choice in product(*chains):
                        candidate = self.topmost(choice)
                        if self.safe(candidate) and (best is None or self.price(candidate) < self.price(best)):
                            best = candidate
                    assert best is not None
                    for node in best:
                        self.label |= dict.fromkeys(self.tree.leaves_below(node), node)
                    again = True

    def climbed(self, node: str) -> str:
        return self.label[self.tree.leaves_below(node)[0]] if not self.tree.is_leaf(node) else self.label[node]


def keep_policy(
    records: Records, units: Sequence[Any], k: int, privacy: Policy, utility: Policy | None, *, best_pair: bool
) -> tuple[dict[str, frozenset[str]], set[str]]:
    """COAT, or with `best_pair` PCTA: the group of each item that is left, and the suppressed items."""
    names = sorted({item for record in records for item in record})
    group = {item: frozenset([item]) for item in names}
    suppressed: set[str] = set()
    constraint = dict(zip(names, utility.group_of(names) if utility else [0] * len(names), strict=True))

    def published() -> list[frozenset[frozenset[str]]]:
        return [frozenset(group[item] for item in record if item not in suppressed) for record in records]

    def crowd(wanted: Iterable[frozenset[str]]) -> int:
        return len(holders(wanted, published(), units))  # type: ignore[arg-type]

    def in_records(one: frozenset[str]) -> int:
        return sum(one in record for record in published())

    def broken() -> list[tuple[str, ...]]:
        if privacy.size:
            seen = {
                tuple(sorted(min(one) for one in part))
                for record in published()
                for size in range(1, privacy.size + 1)
                for part in combinations(sorted(record, key=min), size)
            }
            sets = [one for one in seen if 0 < crowd({group[item] for item in one}) < k]
            return sorted(sets, key=lambda one: (-crowd({group[item] for item in one}), one))
        whole = [one for one in privacy.subsets if set(one) <= set(names) - suppressed]  # others have no holder
        sets = [one for one in whole if 0 < crowd({group[item] for item in one}) < k]
        return sorted(sets, key=lambda one: -crowd({group[item] for item in one}))

    def partners(one: frozenset[str]) -> list[tuple[int, str, frozenset[str]]]:
        number = constraint[min(one)]
        others = {group[item] for item in names if item not in suppressed and constraint[item] == number} - {one}
        if number < 0:
            return []
        return [
            (
                (2 ** len(one | other) - 1) * sum(bool({one, other} & record) for record in published()),
                min(other),
                other,
            )
            for other in others
        ]

    while sets := broken():
        for one in sets:
            while not suppressed & set(one):
                wanted = {group[item] for item in one}
                if not 0 < crowd(wanted) < k:
                    break
                by_rarity = sorted(wanted, key=lambda part: (in_records(part), min(part)))
                best = None
                for part in by_rarity if best_pair else by_rarity[:1]:
                    found = min(partners(part), default=None)
                    if found is not None and (best is None or found[0] < best[0]):
                        best = (found[0], part, found[2])
                if best is None:
                    suppressed |= by_rarity[0]
                else:
                    merged = best[1] | best[2]
                    group |= dict.fromkeys(merged, merged)
    return {item: part for item, part in group.items() if item not in suppressed}, suppressed


def lm_holds(model: Any, published: Any, original: Any) -> bool:
    """l^m-diversity by looking at every set."""
    records = [frozenset(record) for record in published.to_lists()]
    secrets = set(original.sensitive)
    for label, members in published.members.items():
        if label in published.names and 0 < len(secrets & set(members)) < len(members):
            return False
    for record in records:
        for one, other in combinations(sorted(record), 2):
            if set(published.members.get(one, (one,))) & set(published.members.get(other, (other,))):
                return False
    members = {label: published.members.get(label, (label,)) for label in published.names}
    units = published.units.tolist()
    return keeps_ratios(published.to_lists(), members, secrets, units, k=model.k, l=model.l, m=model.m, ordered=False)


def policy_holds(model: Any, published: Any, original: Any) -> bool:
    """Both policies by looking at every set."""
    stands_for = {label: set(published.members.get(label, (label,))) for label in published.names}
    labels = [frozenset(record) for record in published.to_lists()]
    units = published.units.tolist()
    privacy, utility = original.privacy_policy, original.utility_policy
    if privacy.size:
        for record in labels:
            if any(stands_for[one] & stands_for[other] for one, other in combinations(sorted(record), 2)):
                return False
            for size in range(1, privacy.size + 1):
                if any(len(holders(part, labels, units)) < model.k for part in combinations(sorted(record), size)):
                    return False
    records = [frozenset(item for label in record for item in stands_for[label]) for record in labels]
    if any(0 < len(holders(one, records, units)) < model.k for one in privacy.subsets):
        return False
    if utility is not None:
        for members in stands_for.values():
            numbers = set(utility.group_of(sorted(members)))
            if len(members) > 1 and (len(numbers) > 1 or -1 in numbers):
                return False
    left = {item for members in stands_for.values() for item in members}
    items = {item for record in original.to_lists() for item in record}
    return len(items - left) <= Fraction(str(model.suppression)) * len(items)
