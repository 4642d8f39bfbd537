"""Who fits what, by trying everything: the slow twins of the attacks' crowds and links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, product

Members = Mapping[str, Sequence[str]]


def stands_for(label: str, members: Members) -> set[str]:
    return set(members.get(label, (label,)))


def fits_known(record: Sequence[str], members: Members, known: Sequence[str], *, ordered: bool) -> bool:
    """Whether a published record may be of somebody with these pieces."""
    if not ordered:
        return all(any(piece in stands_for(label, members) for label in record) for piece in known)
    return any(
        all(piece in stands_for(record[at], members) for piece, at in zip(known, places, strict=True))
        for places in combinations(range(len(record)), len(known))
    )


def fit_score(record: Sequence[str], members: Members, private: Sequence[str], *, ordered: bool) -> int:
    """How much of a private record a published one explains, -1 where it does not fit."""
    if ordered:
        found = any(
            all(private[at] in stands_for(label, members) for label, at in zip(record, places, strict=True))
            for places in combinations(range(len(private)), len(record))
        )
        return len(record) if found else -1
    if any(not stands_for(label, members) & set(private) for label in record):
        return -1
    return sum(len(stands_for(label, members) & set(private)) for label in record)


def link_chances(
    private: Sequence[Sequence[str]],
    published: Sequence[Sequence[str]],
    members: Members,
    behind: Sequence[int],
    units: Sequence[int],
    *,
    ordered: bool,
) -> list[float]:
    """For each private record the probability that a best fitting published one is of the same unit."""
    chances = []
    for number, record in enumerate(private):
        scores = [fit_score(seen, members, record, ordered=ordered) for seen in published]
        best = max((score for score in scores if score >= 0), default=None)
        if best is None or not record:
            chances.append(0.0)
            continue
        tied = [at for at, score in enumerate(scores) if score == best]
        own = [at for at in tied if behind[at] >= 0 and units[behind[at]] == units[number]]
        chances.append(len(own) / len(tied))
    return chances


def twins(one: Sequence[str], members: Members, other: Sequence[str], others: Members, *, ordered: bool) -> bool:
    """Whether two published records can be of one private record."""
    if ordered:
        return len(one) == len(other) and all(
            stands_for(a, members) & stands_for(b, others) for a, b in zip(one, other, strict=True)
        )
    left = all(any(stands_for(a, members) & stands_for(b, others) for b in other) for a in one)
    return left and all(any(stands_for(a, members) & stands_for(b, others) for a in one) for b in other)


def top_places(rows: Sequence[Sequence[str]], units: Sequence[int], n: int) -> list[float]:
    """1 / how many have the same n most visited places, person by person."""
    of = {
        unit: Counter(p for row, owner in zip(rows, units, strict=True) if owner == unit for p in row) for unit in units
    }
    top = {unit: tuple(sorted(sorted(count, key=lambda p, c=count: (-c[p], p))[:n])) for unit, count in of.items()}
    return [1 / sum(top[other] == top[unit] for other in top) for unit in sorted(top)]


def covering_rows(
    row: Sequence[str], table: Sequence[Sequence[str]], covers: Sequence[Mapping[str, set[str]]]
) -> list[int]:
    """The published rows whose labels cover a private row."""
    return [
        at
        for at, cells in enumerate(table)
        if all(
            value in covers[column].get(cell, {cell})
            for column, (value, cell) in enumerate(zip(row, cells, strict=True))
        )
    ]


def all_patterns(record: Sequence[str], known: int, *, ordered: bool) -> set[tuple[str, ...]]:
    """Every choice of so many pieces of a record; all of it where it has fewer."""
    size = min(known, len(record))
    if ordered:
        return {tuple(record[at] for at in places) for places in combinations(range(len(record)), size)}
    distinct = sorted(set(record))
    return set(combinations(distinct, min(known, len(distinct))))


def crowd_after_composition(
    known: Sequence[str],
    first: tuple[Sequence[Sequence[str]], Members],
    second: tuple[Sequence[Sequence[str]], Members],
    *,
    ordered: bool,
) -> int:
    """How many records of the release with fewer are left when only those with a twin in the other are kept."""
    here = [r for r in first[0] if fits_known(r, first[1], known, ordered=ordered)]
    there = [r for r in second[0] if fits_known(r, second[1], known, ordered=ordered)]
    pairs = [
        (a, b)
        for (a, one), (b, other) in product(enumerate(here), enumerate(there))
        if twins(one, first[1], other, second[1], ordered=ordered)
    ]
    return min(len({a for a, _ in pairs}), len({b for _, b in pairs}))


def sets_of_everyone(
    rows: Sequence[Sequence[str]],
    published: Sequence[Sequence[str]],
    members: Members,
    behind: Sequence[int],
    units: Sequence[int],
    known: int,
    *,
    ordered: bool,
) -> tuple[list[float], list[float], int | None]:
    """For each unit the success with the worst and with a random choice; the smallest set of all, by trying all."""
    worst, random, sizes = [], [], []
    for unit in sorted(set(units)):
        successes, means = [0.0], []
        for row in (row for row, owner in zip(rows, units, strict=True) if owner == unit and row):
            longest = []
            for size in range(1, min(known, len(row)) + 1):
                for places in combinations(range(len(row)), size):
                    piece = [row[at] for at in places]
                    who = {
                        units[behind[at]]
                        for at, one in enumerate(published)
                        if fits_known(one, members, piece, ordered=ordered)
                    }
                    sizes += [len(who)] if who else []
                    successes.append(1 / len(who) if unit in who else 0.0)
                    longest += [successes[-1]] if size == min(known, len(row)) else []
            means.append(sum(longest) / len(longest))
        worst.append(max(successes))
        random.append(sum(means) / len(means) if means else 0.0)
    return worst, random, min(sizes, default=None)


def smallest_crowds(rows: Sequence[Sequence[str]], known: int, *, ordered: bool) -> list[int]:
    """For each row among how many it is found by whoever knows its worst pieces."""
    return [
        min(
            sum(fits_known(other, {}, pattern, ordered=ordered) for other in rows)
            for pattern in all_patterns(row, known, ordered=ordered)
        )
        for row in rows
    ]
