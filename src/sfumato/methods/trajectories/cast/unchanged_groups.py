"""CAST where nothing has to be done: groups whose trajectories keep c as they are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction

__all__ = ["untouched"]


def untouched(
    parts: Sequence[Sequence[int]],
    known: Sequence[tuple[int, ...]],
    sensitive_leaves: Sequence[Sequence[int]],
    units: Sequence[int],
    c: Fraction,
) -> list[bool]:
    """Which parts of the records can be published as they are.

    parts : records that are published alike or not at all, each in one part.  known : the quasi-identifiers of each
    record, at least one.  sensitive_leaves : its sensitive leaves.  units : its person.

    Records with equal quasi-identifiers are a class.  A class is safe if at most a share c of its weight visits any
    sensitive leaf; a record weighs 1 / n where its unit has n records.  The knowledge of an attacker finds whole
    classes, and the probability over several of them is at most their largest.  A part stays untouched if all classes
    of its records are safe, counting untouched records alone.

    >>> untouched([[0, 1], [2]], [(1,), (1,), (2,)], [[8], [], [8]], [0, 1, 2], Fraction(1, 2))
    [True, False]
    """
    listed = [record for part in parts for record in part]
    share = Counter(units[record] for record in listed)
    members: defaultdict[tuple[int, ...], set[int]] = defaultdict(set)
    weight: defaultdict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    visitors: defaultdict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
    part_of = {record: number for number, part in enumerate(parts) for record in part}
    for record in listed:
        of = known[record]
        members[of].add(record)
        weight[of] += Fraction(1, share[units[record]])
        visitors[of].update(set(sensitive_leaves[record]))
    kept = [True] * len(parts)
    waiting = list(members)
    while waiting:
        of = waiting.pop()
        if max(visitors[of].values(), default=0) <= c * weight[of]:
            continue
        for number in sorted({part_of[record] for record in members[of]}):
            kept[number] = False
            for record in parts[number]:
                other = known[record]
                members[other].discard(record)
                weight[other] -= Fraction(1, share[units[record]])
                visitors[other].subtract(set(sensitive_leaves[record]))
                if other != of:
                    waiting.append(other)
    return kept
