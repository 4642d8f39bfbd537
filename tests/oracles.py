"""Slow, obvious twins: the definitions written down once more, in plain Python, with nothing shared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import dist
from typing import Any

from sfumato.data import Places
from sfumato.privacy import (
    CSafety,
    Epsilon,
    KAnonymity,
    KkmAnonymity,
    KlmAnonymity,
    KlmDiversity,
    KmAnonymity,
    KPolicyProtection,
    LDiversity,
    LmDiversity,
    NoInferenceRoute,
    PolicyProtection,
    ProjectionSafety,
    ReconstructionAnonymity,
    SequenceKAnonymity,
    StrictKAnonymity,
    TCloseness,
)
from twins.c_safety import c_safety_holds
from twins.chunks import reconstruction_holds
from twins.diversity import l_diversity_holds, t_closeness_holds
from twins.icba import inference_route_holds, strict_k_holds
from twins.items import lm_holds, policy_holds
from twins.klm import klm_holds
from twins.ledger import epsilon_holds
from twins.mixed import k_policy_holds, kkm_holds, klm_diversity_holds
from twins.p2ka import sequence_k_holds
from twins.threats import projection_safety_holds

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


def has_overlapping_labels(records: Sequence[Record], members: dict[str, tuple[str, ...]]) -> bool:
    """Whether a record carries two different labels that share a member (soundness rule 4)."""
    for record in records:
        for one, other in combinations(sorted(set(record)), 2):
            if set(members.get(one, (one,))) & set(members.get(other, (other,))):
                return True
    return False


def km_holds(model: KmAnonymity, published: Any, original: Any = None) -> bool:  # noqa: ARG001
    """k^m-anonymity; a transaction is a sorted list, whose subsequences are its subsets."""
    records = published.to_lists()
    if has_overlapping_labels(records, published.members):
        return False
    return all(count >= model.k for count in supports(records, published.units.tolist(), model.m).values())


def k_anonymity_holds(model: KAnonymity, published: Any, original: Any = None) -> bool:  # noqa: ARG001
    """k-anonymity; a missing value equals a missing value and nothing else."""
    holders: dict[tuple[Any, ...], set[Any]] = {}
    for row, unit in zip(published.frame.iter_rows(named=True), published.units.tolist(), strict=True):
        holders.setdefault(tuple(row[column] for column in published.quasi_identifiers), set()).add(unit)
    return all(len(who) >= model.k for who in holders.values())


# Every privacy model has a twin here; the common trial asks it about every release and its original.
HOLDS: dict[type, Callable[[Any, Any, Any], bool]] = {
    KmAnonymity: km_holds,
    KAnonymity: k_anonymity_holds,
    CSafety: c_safety_holds,
    KlmAnonymity: klm_holds,
    KkmAnonymity: kkm_holds,
    KlmDiversity: klm_diversity_holds,
    Epsilon: epsilon_holds,
    ProjectionSafety: projection_safety_holds,
    SequenceKAnonymity: sequence_k_holds,
    LDiversity: l_diversity_holds,
    TCloseness: t_closeness_holds,
    LmDiversity: lm_holds,
    PolicyProtection: policy_holds,
    KPolicyProtection: k_policy_holds,
    ReconstructionAnonymity: reconstruction_holds,
    StrictKAnonymity: strict_k_holds,
    NoInferenceRoute: inference_route_holds,
}


def seqanon(
    records: Sequence[Sequence[str]],
    units: Sequence[Any],
    places: Places,
    k: int,
    m: int,
    *,
    apriori: bool = True,
    limit: float = float("inf"),
    allowed: int = 0,
) -> tuple[list[list[frozenset[str]]], int]:
    """SEQANON (or SEQANON_F), literally: supports are counted anew by reading all trajectories.

    A label that would be merged over more than the limit is suppressed, while the allowed number of visits lasts.
    Returns the recoded trajectories and how many visits were suppressed.
    """
    current = [[frozenset([location]) for location in record] for record in records]
    suppressed = 0
    for smallest, largest in [(i, i) for i in range(1, m + 1)] if apriori else [(1, m)]:  # step 2
        rare = _rare(current, units, smallest, largest, k)  # step 3
        for pattern in rare:  # step 4
            labels = {label for record in current for label in record}
            if not all(any(part <= label for label in labels) for part in pattern):
                continue  # something of it is suppressed
            read = tuple(next(label for label in labels if part <= label) for part in pattern)
            while 0 < support(read, current, units) < k:  # step 5
                labels = {label for record in current for label in record}
                if len(labels) == 1:
                    recoded, cut = _cut(current, units, k, m)
                    return recoded, suppressed + cut
                count = {label: support((label,), current, units) for label in labels}
                one = min(read, key=lambda label: (count[label], min(label)))  # step 6
                away = {label: _mean_distance(one, label, places) for label in labels if label != one}
                best = min(away.values())
                visits = sum(record.count(one) for record in current)
                if best > limit and suppressed + visits <= allowed:
                    suppressed += visits
                    current = [[label for label in record if label != one] for record in current]
                    continue
                near = [label for label in away if away[label] <= best * (1 + 1e-9)]
                other = min(near, key=lambda label: (count[label], min(label)))  # step 7
                swap = {one: one | other, other: one | other}
                current = [[swap.get(label, label) for label in record] for record in current]  # step 8
                read = tuple(swap.get(label, label) for label in read)
    return current, suppressed


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


def risks(records: Sequence[Record], units: Sequence[Any], known: int) -> dict[Any, tuple[int, float, float, int]]:
    """For each unit its smallest crowd, mean of 1 / crowd, share of patterns that are alone, number of patterns.

    A record is known by its subsequences of `known` labels, or whole if it has fewer.
    """
    held: dict[Any, set[tuple[Any, ...]]] = {unit: set() for unit in units}
    for record, unit in zip(records, units, strict=True):
        size = min(known, len(record))
        held[unit] |= subsequences(record, size, size) if size else set()
    found = {}
    for unit, patterns in held.items():
        crowds = [support(pattern, records, units) for pattern in patterns] or [len(held)]
        n = len(crowds)
        found[unit] = (min(crowds), sum(1 / crowd for crowd in crowds) / n, crowds.count(1) / n, len(patterns))
    return found


# ---- positions on a plane, as (x, y), and their times


def stay_points(
    where: Sequence[Any], times: Sequence[float], within: float, shortest: float, gap: float, unfinished: bool
) -> list[tuple[int, int, float]]:
    """Stay points of one track: first position, the one after the last, time of departure."""
    found, first = [], 0
    while first < len(where):
        end = first + 1
        while end < len(where) and times[end] - times[end - 1] <= gap and dist(where[first], where[end]) <= within:
            end += 1
        left = end < len(where) and times[end] - times[end - 1] <= gap
        departure = times[end] if left else times[end - 1]
        if departure - times[first] >= shortest and (left or unfinished):
            found.append((first, end, departure))
        first = end
    return found


def speed_clusters(
    where: Sequence[Any], times: Sequence[float], reach: float, shortest: float
) -> list[tuple[int, int]]:
    """CB-SMoT's clusters of one track: cores found by summing steps, clusters as what cores reach from each other."""

    def path(a: int, b: int) -> float:
        return sum(dist(where[at], where[at + 1]) for at in range(min(a, b), max(a, b)))

    everything = range(len(where))
    near = {at: [other for other in everything if path(at, other) <= reach + 1e-9] for at in everything}
    cores = [at for at in everything if times[near[at][-1]] - times[near[at][0]] >= shortest]
    clusters: list[set[int]] = []
    waiting = list(cores)
    while waiting:
        members = {waiting.pop(0)}
        while more := [core for core in waiting if any(core in near[member] for member in members)]:
            members |= set(more)
            waiting = [core for core in waiting if core not in members]
        clusters.append({other for core in members for other in near[core]} - {at for old in clusters for at in old})
    stretches = [(min(cluster), max(cluster) + 1) for cluster in clusters]
    return [(first, end) for first, end in stretches if times[end - 1] - times[first] >= shortest]


def reachable(where: Sequence[Any], times: Sequence[float], fastest: float) -> list[int]:
    """The positions of one track that can be reached from the last one kept."""
    kept = [0] if where else []
    for at in range(1, len(where)):
        if dist(where[at], where[kept[-1]]) <= fastest * (times[at] - times[kept[-1]]):
            kept.append(at)
    return kept


def regions_of_interest(density: dict[tuple[int, int], int], side: int, threshold: float) -> list[set[tuple[int, int]]]:
    """Rectangles of cells grown from the densest, as sets of cells, on a square of cells."""
    dense = {cell for cell, count in density.items() if count >= threshold}
    found: list[set[tuple[int, int]]] = []
    for seed in sorted(dense, key=lambda cell: (-density[cell], cell)):
        if any(seed in region for region in found):
            continue
        region = {seed}
        while True:
            xs, ys = {x for x, _ in region}, {y for _, y in region}
            strips = [
                {(min(xs) - 1, y) for y in ys},
                {(x, min(ys) - 1) for x in xs},
                {(max(xs) + 1, y) for y in ys},
                {(x, max(ys) + 1) for x in xs},
            ]
            options = []
            for strip in strips:
                grown = region | strip
                mean = sum(density.get(cell, 0) for cell in grown) / len(grown)
                inside = all(0 <= x < side and 0 <= y < side for x, y in strip)
                free = not any(strip & other for other in found)
                if inside and free and strip & dense and mean >= threshold:
                    options.append((mean, grown))
            if not options:
                break
            best = max(mean for mean, _ in options)
            region = next(grown for mean, grown in options if mean == best)
        found.append(region)
    return found


def quickest_times(nodes: int, roads: Sequence[tuple[int, int, float]], source: int) -> list[float]:
    """The time from a node to every other over roads (one end, other end, time), by relaxing until nothing changes."""
    best = [float("inf")] * nodes
    best[source] = 0.0
    for _ in range(nodes):
        for one, other, time in roads:
            best[other] = min(best[other], best[one] + time)
            best[one] = min(best[one], best[other] + time)
    return best


def frequent_patterns(
    records: Sequence[Record],
    units: Sequence[Any],
    threshold: int,
    *,
    keep: str = "all",
    top: int | None = None,
    shortest: int = 1,
    longest: int | None = None,
) -> list[tuple[tuple[Any, ...], int]]:
    """Frequent patterns and their supports, in order; a transaction is a sorted list, its subsequences its subsets."""
    counted = supports(records, units, max(map(len, records), default=0))
    frequent = {pattern: count for pattern, count in counted.items() if count >= threshold}

    def kept(pattern: tuple[Any, ...], count: int) -> bool:
        longer = [other for other in frequent if len(other) > len(pattern) and contains(other, pattern)]
        if keep == "closed":
            return all(frequent[other] != count for other in longer)
        return keep == "all" or not longer

    found = [(pattern, count) for pattern, count in frequent.items() if kept(pattern, count)]
    fitting = [(p, count) for p, count in found if shortest <= len(p) and (longest is None or len(p) <= longest)]
    return sorted(fitting, key=lambda row: (-row[1], row[0]))[:top]


def frequent_sets(
    rows: Sequence[Sequence[Any]], threshold: int, keep: str = "all"
) -> list[tuple[tuple[Any, ...], int]]:
    """Frequent itemsets of wide records, in order: sets grow item by item, each with the set of its records."""
    items = sorted({item for row in rows for item in row})
    holders = {item: frozenset(number for number, row in enumerate(rows) if item in row) for item in items}
    frequent: dict[tuple[Any, ...], int] = {}

    def grow(pattern: tuple[Any, ...], records: frozenset[int], rest: list[Any]) -> None:
        for place, item in enumerate(rest):
            common = records & holders[item]
            if len(common) >= threshold:
                frequent[(*pattern, item)] = len(common)
                grow((*pattern, item), common, rest[place + 1 :])

    grow((), frozenset(range(len(rows))), items)

    def kept(pattern: tuple[Any, ...], count: int) -> bool:
        larger = [frequent.get(tuple(sorted({*pattern, item})), 0) for item in items if item not in pattern]
        return not any(other == count if keep == "closed" else other > 0 for other in larger)

    found = [(pattern, count) for pattern, count in frequent.items() if keep == "all" or kept(pattern, count)]
    return sorted(found, key=lambda row: (-row[1], row[0]))
