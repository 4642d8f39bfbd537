"""SEQANON in rounds, SD-SEQANON and U-SEQANON, literally: supports are counted anew by reading all trajectories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oracles import _cut, _mean_distance, _rare, support
from sfumato.data import Places, Taxonomy

Label = frozenset[str]
Recoded = list[list[Label]]


def dissimilarity(label: Label, taxonomy: Taxonomy) -> float:
    """SD (Definition 7): climb from one member until everybody is below, then count who else is."""
    paths = {path[0]: path for path in taxonomy.to_paths()}
    climb = paths[min(label)]
    closest = next(node for node in climb if all(node in paths[member] for member in label))
    return sum(closest in path for path in paths.values()) / len(paths)


def sd_seqanon(
    records: Sequence[Sequence[str]], units: Sequence[Any], places: Places, taxonomy: Taxonomy, k: int, m: int
) -> tuple[Recoded, int]:
    """The recoded trajectories, and how many visits were suppressed."""
    current = [[frozenset([location]) for location in record] for record in records]
    for size in range(1, m + 1):  # step 2
        for pattern in _rare(current, units, size, size, k):  # steps 3 and 4
            read = _read(pattern, current)
            while 0 < support(read, current, units) < k:  # step 5
                one = _rarest(read, current, units)  # step 6
                products = {
                    other: _mean_distance(one, other, places) * dissimilarity(one | other, taxonomy)
                    for other in _labels(current) - {one}
                }
                if not products:
                    return _cut(current, units, k, m)
                other = _best(products, current, units)  # step 7
                current, read = _merged(current, one, other), _merged([read], one, other)[0]  # step 8
    return current, 0


def u_seqanon(
    records: Sequence[Sequence[str]],
    units: Sequence[Any],
    places: Places,
    constraint: Mapping[str, str],
    k: int,
    m: int,
) -> tuple[Recoded, set[str]]:
    """The recoded trajectories without suppressed visits, and the suppressed locations."""
    current = [[frozenset([location]) for location in record] for record in records]
    suppressed: set[str] = set()
    for size in range(1, m + 1):  # step 2
        for pattern in _rare(current, units, size, size, k):  # steps 3 and 4
            if any(part <= suppressed for part in pattern):
                continue
            read = _read(pattern, current)
            while 0 < support(read, current, units) < k:  # step 5
                one = _rarest(read, current, units)  # step 6
                within = {location for location in constraint if constraint[location] == constraint[min(one)]}  # step 7
                away = {
                    other: _mean_distance(one, other, places) for other in _labels(current) - {one} if other <= within
                }
                if away:
                    other = _best(away, current, units)  # step 8
                    current, read = _merged(current, one, other), _merged([read], one, other)[0]  # step 14
                else:
                    suppressed |= one  # step 10
                    current = [[label for label in record if label != one] for record in current]
    return current, suppressed


def seqanon_in_rounds(
    records: Sequence[Sequence[str]], units: Sequence[Any], places: Places, k: int, m: int
) -> tuple[Recoded, int]:
    """The recoded trajectories, and how many visits were suppressed.

    In a round, only labels that are as they were when it began are merged.  The support of a label that was merged is
    taken for the larger of the two until it is counted.
    """
    current = [[frozenset([location]) for location in record] for record in records]
    for size in range(1, m + 1):
        while rare := _rare(current, units, size, size, k):
            counted = {label: support((label,), current, units) for label in _labels(current)}
            waiting: set[Label] = set()
            for pattern in rare:
                if not waiting.isdisjoint(pattern) or not set(pattern) <= _labels(current):
                    continue
                one = min(pattern, key=lambda label: (counted[label], min(label)))
                away = {other: _mean_distance(one, other, places) for other in _labels(current) - {one}}
                if not away:
                    return _cut(current, units, k, m)
                least = min(away.values())
                ties = [other for other in away if away[other] <= least * (1 + 1e-9)]
                other = min(ties, key=lambda label: (counted[label], min(label)))
                if other in waiting:
                    waiting.add(one)
                else:
                    counted[one | other] = max(counted[one], counted[other])
                    waiting.add(one | other)
                    current = _merged(current, one, other)
    return current, 0


def _labels(current: Recoded) -> set[Label]:
    return {label for record in current for label in record}


def _read(pattern: Sequence[Label], current: Recoded) -> list[Label]:
    """A subtrajectory as it is called now."""
    return [next(label for label in _labels(current) if part <= label) for part in pattern]


def _rarest(read: Sequence[Label], current: Recoded, units: Sequence[Any]) -> Label:
    return min(read, key=lambda label: (support((label,), current, units), min(label)))


def _best(costs: dict[Label, float], current: Recoded, units: Sequence[Any]) -> Label:
    """The cheapest; ties go to the smaller support, then to the earlier name."""
    least = min(costs.values())
    ties = [label for label, cost in costs.items() if cost <= least * (1 + 1e-9)]
    return min(ties, key=lambda label: (support((label,), current, units), min(label)))


def _merged(current: Recoded, one: Label, other: Label) -> Recoded:
    return [[one | other if label in (one, other) else label for label in record] for record in current]
