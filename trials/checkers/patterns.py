"""What the checkers of promises about visits and items share: patterns, units, labels with common members."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from trials.files import Behind

__all__ = ["by_count", "by_ratio", "overlapping", "patterns_of", "rare_patterns", "supporters"]

Pattern = tuple[str, ...]


def by_count(n: int, behind: Behind) -> Sequence[Any]:
    """What a promise about counts counts: persons where they are known, otherwise records."""
    return range(n) if behind.persons is None else behind.persons


def by_ratio(n: int, behind: Behind) -> list[tuple[str, Sequence[Any]]]:
    """What a promise about ratios counts: records and, where they are known, persons as well."""
    records: list[tuple[str, Sequence[Any]]] = [("records", range(n))]
    return records if behind.persons is None else [*records, ("persons", behind.persons)]


def patterns_of(record: Sequence[str], most: int) -> set[Pattern]:
    """Every subsequence of 1 to `most` labels; of a sorted set of items, every subset."""
    return {
        tuple(record[at] for at in places)
        for size in range(1, min(most, len(record)) + 1)
        for places in combinations(range(len(record)), size)
    }


def supporters(records: Sequence[Sequence[str]], units: Sequence[Any], most: int) -> dict[Pattern, set[Any]]:
    """Who supports each pattern."""
    found: dict[Pattern, set[Any]] = {}
    for record, unit in zip(records, units, strict=True):
        for pattern in patterns_of(record, most):
            found.setdefault(pattern, set()).add(unit)
    return found


def rare_patterns(records: Sequence[Sequence[str]], units: Sequence[Any], most: int, k: int) -> Iterator[str]:
    """A sentence for each pattern that fewer than k support."""
    for pattern, who in supporters(records, units, most).items():
        if len(who) < k:
            yield f"{pattern} has the support {len(who)}, below k={k}"


def overlapping(records: Iterable[Sequence[str]], members: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """A sentence for each record in which two different labels share a member."""
    for number, record in enumerate(records, start=1):
        for one, other in combinations(sorted(set(record)), 2):
            if set(members.get(one, (one,))) & set(members.get(other, (other,))):
                yield f"record {number} holds {one!r} and {other!r}, which share a member"
