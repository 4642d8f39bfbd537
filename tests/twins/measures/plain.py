"""Published data as plain lists, and how probably a record holds what is wanted: the ground of all other twins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from typing import Any

Row = list[str]


def rows_of(data: Any) -> list[Row]:
    """The labels of every record."""
    return [
        [data.names[code] for code in data.codes[a:b]] for a, b in zip(data.offsets, data.offsets[1:], strict=False)
    ]


def members_of(data: Any, label: str) -> tuple[str, ...]:
    """What a label may stand for: itself, unless it is generalized."""
    return tuple(sorted(set(data.members.get(label, (label,)))))


def meanings(data: Any) -> list[list[tuple[str, ...]]]:
    """Every record as a list of the members of its labels."""
    return [[members_of(data, label) for label in row] for row in rows_of(data)]


def generalized(data: Any) -> set[str]:
    """The labels in use that stand for several values."""
    return {label for row in rows_of(data) for label in row if len(members_of(data, label)) > 1}


def mean(values: Iterable[float], empty: float = 0.0) -> float:
    found = list(values)
    return sum(found) / len(found) if found else empty


def contains(row: Sequence[Any], wanted: Sequence[Any]) -> bool:
    """Whether the row has the wanted labels in this order, with others between them or not."""
    return any(list(chosen) == list(wanted) for chosen in combinations(row, len(wanted)))


def sequence_chance(row: Sequence[tuple[str, ...]], wanted: Sequence[str]) -> float:
    """Each location of a label is equally probable, independently of other visits: the first that fits is taken."""
    if not wanted:
        return 1.0
    if not row:
        return 0.0
    fits = row[0].count(wanted[0]) / len(row[0])
    taken = fits * sequence_chance(row[1:], wanted[1:]) if fits else 0.0
    return taken + (1 - fits) * sequence_chance(row[1:], wanted)


def itemset_chance(row: Sequence[tuple[str, ...]], wanted: Iterable[str], estimate: str = "share") -> float:
    """The estimate that a record with these labels has all wanted items.

    share : every member of a label is there with probability 1 / size.  subsets : every non-empty subset of a label is
    equally probable.
    """
    target = set(wanted)
    if estimate == "share":
        result = 1.0
        for item in target:
            absent = 1.0
            for label in row:
                if item in label:
                    absent *= 1 - 1 / len(label)
            result *= 1 - absent
        return result
    worlds = []
    for label in row:
        subsets = [set(chosen) for size in range(1, len(label) + 1) for chosen in combinations(label, size)]
        held = [frozenset(subset & target) for subset in subsets]
        worlds.append([(kind, held.count(kind) / len(held)) for kind in set(held)])
    total = 0.0
    for world in product(*worlds):
        if set().union(*(kind for kind, _ in world)) >= target:
            chance = 1.0
            for _, share in world:
                chance *= share
            total += chance
    return total
