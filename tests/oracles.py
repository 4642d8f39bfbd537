"""Slow, obvious twins: the definitions written down once more, in plain Python, with nothing shared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from sfumato.data import Places
from sfumato.privacy import KAnonymity, KmAnonymity

Record = Sequence[Any]


def subsequences(record: Record, smallest: int, largest: int) -> set[tuple[Any, ...]]:
    """Every distinct subsequence of these sizes."""
    return {found for size in range(smallest, largest + 1) for found in combinations(record, size)}


def contains(record: Record, pattern: Sequence[Any]) -> bool:
    """Whether the pattern is a subsequence: gaps are allowed, order counts."""
    rest = iter(record)
    return all(label in rest for label in pattern)


def support(pattern: Sequence[Any], records: Sequence[Record], units: Sequence[Any]) -> int:
    """How many distinct units have a record that contains the pattern."""
    return len({unit for record, unit in zip(records, units, strict=True) if contains(record, pattern)})


def supports(records: Sequence[Record], units: Sequence[Any], largest: int) -> dict[tuple[Any, ...], int]:
    """The support of every subsequence of up to `largest` labels."""
    holders: dict[tuple[Any, ...], set[Any]] = {}
    for record, unit in zip(records, units, strict=True):
        for pattern in subsequences(record, 1, largest):
            holders.setdefault(pattern, set()).add(unit)
    return {pattern: len(who) for pattern, who in holders.items()}


def has_torn_record(records: Sequence[Record], members: dict[str, tuple[str, ...]]) -> bool:
    """Whether a record carries two different labels that share a member (soundness rule 4)."""
    for record in records:
        for one, other in combinations(sorted(set(record)), 2):
            if set(members.get(one, (one,))) & set(members.get(other, (other,))):
                return True
    return False


def km_holds(model: KmAnonymity, published: Any) -> bool:
    """k^m-anonymity; a transaction is a sorted list, whose subsequences are its subsets."""
    records = published.to_lists()
    if has_torn_record(records, published.members):
        return False
    return all(count >= model.k for count in supports(records, published.units.tolist(), model.m).values())


def k_anonymity_holds(model: KAnonymity, published: Any) -> bool:
    """k-anonymity; a missing value equals a missing value and nothing else."""
    holders: dict[tuple[Any, ...], set[Any]] = {}
    for row, unit in zip(published.frame.iter_rows(named=True), published.units.tolist(), strict=True):
        holders.setdefault(tuple(row[column] for column in published.quasi_identifiers), set()).add(unit)
    return all(len(who) >= model.k for who in holders.values())


# Every privacy model has a twin here; the common trial asks it about every release.
HOLDS: dict[type, Callable[[Any, Any], bool]] = {KmAnonymity: km_holds, KAnonymity: k_anonymity_holds}


def seqanon(
    records: Sequence[Sequence[str]], units: Sequence[Any], places: Places, k: int, m: int, *, apriori: bool = True
) -> tuple[list[list[frozenset[str]]], int]:
    """SEQANON (or SEQANON_F), literally: supports are counted anew by reading all trajectories.

    Returns the recoded trajectories and how many visits were suppressed.
    """
    current = [[frozenset([location]) for location in record] for record in records]
    for smallest, largest in [(i, i) for i in range(1, m + 1)] if apriori else [(1, m)]:  # step 2
        rare = _rare(current, units, smallest, largest, k)  # step 3
        for pattern in rare:  # step 4
            labels = {label for record in current for label in record}
            read = tuple(next(label for label in labels if part <= label) for part in pattern)
            while 0 < support(read, current, units) < k:  # step 5
                labels = {label for record in current for label in record}
                if len(labels) == 1:
                    return _cut(current, units, k, m)
                count = {label: support((label,), current, units) for label in labels}
                one = min(read, key=lambda label: (count[label], min(label)))  # step 6
                away = {label: _mean_distance(one, label, places) for label in labels if label != one}
                best = min(away.values())
                near = [label for label in away if away[label] <= best * (1 + 1e-9)]
                other = min(near, key=lambda label: (count[label], min(label)))  # step 7
                swap = {one: one | other, other: one | other}
                current = [[swap.get(label, label) for label in record] for record in current]  # step 8
                read = tuple(swap.get(label, label) for label in read)
    return current, 0


def _rare(current: Any, units: Any, smallest: int, largest: int, k: int) -> list[tuple[frozenset[str], ...]]:
    found = {pattern for record in current for pattern in subsequences(record, smallest, largest)}
    counted = {pattern: support(pattern, current, units) for pattern in found}
    rare = [pattern for pattern in found if counted[pattern] < k]
    return sorted(rare, key=lambda pattern: (counted[pattern], tuple(min(label) for label in pattern)))


def _cut(current: Any, units: Any, k: int, m: int) -> tuple[list[list[frozenset[str]]], int]:
    """One label is left: visits beyond what enough units have are suppressed."""
    for size in range(1, m + 1):
        if 0 < len({unit for record, unit in zip(current, units, strict=True) if len(record) >= size}) < k:
            lost = sum(max(0, len(record) - size + 1) for record in current)
            return [record[: size - 1] for record in current], lost
    return current, 0


def _mean_distance(one: frozenset[str], other: frozenset[str], places: Places) -> float:
    return sum(places.distance(a, b) for a in sorted(one) for b in sorted(other)) / (len(one) * len(other))
