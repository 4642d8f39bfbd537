"""ZGA, SGA and l^m-ANON, literally: keys are numbers, every support is counted by reading all trajectories."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import floor
from typing import Any

from oracles import contains
from sfumato.data import Places

Label = frozenset[str]
Unit = list[list[str]]  # the records of one person


class Impossible(Exception):
    """More than one in l share a sensitive place even where everything else is one label."""


def z_values(locations: Sequence[str], places: Places) -> dict[str, int]:
    """Interleaved bits of x and y, y first, to a thousandth of the unit and beyond."""
    where = {name: places.coordinates([name])[0] for name in locations}
    moved = [floor(min([0.0, *(float(point[axis]) for point in where.values())])) for axis in (0, 1)]
    found = {}
    for name, point in where.items():
        x, y = (int((float(point[axis]) - moved[axis]) * 2**20) for axis in (0, 1))
        found[name] = int("".join(b + a for a, b in zip(f"{x:060b}", f"{y:060b}", strict=True)), 2)
    return found


def gray_rank(key: int) -> int:
    """The place of a key in the Gray code: every bit is the parity of the bits at and above it."""
    width = 1
    while width < key.bit_length():  # each bit is the parity of the `width` bits from it upwards
        key ^= key >> width
        width *= 2
    return key


def subtrajectories(units: Sequence[Unit], top: int) -> list[tuple[str, ...]]:
    """The most frequent subtrajectories: by support, then by name."""
    found: dict[tuple[str, ...], int] = {}
    for unit in units:
        held = {p for record in unit for size in range(1, len(record) + 1) for p in combinations(record, size)}
        for pattern in held:
            found[pattern] = found.get(pattern, 0) + 1
    return sorted(found, key=lambda pattern: (-found[pattern], pattern))[:top]


def soa(*args: Any, **rules: Any) -> tuple[list[list[Label]], int]:
    """ZGA, or SGA with a top.  Returns the published records as sets of members, and how many visits were lost."""
    made, others, lost = soa_clusters(*args, **rules)
    published = [record for units in made for unit in units for record in unit]
    return published + others, lost


def cluster_labels(made: Sequence[Sequence[Sequence[Sequence[Label]]]]) -> int:
    """The number of labels of several locations in each cluster, added up."""
    return sum(
        len({label for unit in units for record in unit for label in record if len(label) > 1}) for units in made
    )


def soa_clusters(
    records: Sequence[Sequence[str]],
    persons: Sequence[Any],
    places: Places,
    sensitive: frozenset[str],
    k: int,
    l: int,  # noqa: E741
    m: int,
    clusters: int,
    top: int | None = None,
) -> tuple[list[list[list[list[Label]]]], list[list[Label]], int]:
    """The units of each cluster, the records that need no label, and how many visits were lost."""
    people: dict[Any, Unit] = {}
    for record, person in zip(records, persons, strict=True):
        people.setdefault(person, []).append(list(record))
    people = {who: sorted(unit) for who, unit in people.items()}
    shown = {who: [[x for x in record if x not in sensitive] for record in unit] for who, unit in people.items()}
    mine = [who for who in people if any(shown[who])]
    locations = {x for who in mine for record in shown[who] for x in record}
    if top is None:
        value = z_values(sorted(locations), places)
        selected = [(x,) for x in sorted(locations, key=lambda x: (value[x], x))]
    else:
        selected = subtrajectories([shown[who] for who in mine], top)

    def rank(who: Any) -> tuple[Any, ...]:
        inside = [any(contains(record, s) for record in shown[who]) for s in selected]
        content = sorted({x for record in people[who] for x in record})
        return gray_rank(sum(2**at for at, one in enumerate(inside) if one)), content, sorted(people[who])

    ordered = sorted(mine, key=rank)
    cuts = [at * len(ordered) // clusters for at in range(clusters + 1)]
    groups = [(at, at + 1) for at in range(clusters)]
    while True:
        parts = [[people[who] for who in ordered[cuts[start] : cuts[end]]] for start, end in groups]
        made = [lm_anon(part, places, sensitive, k, l, m) for part in parts]
        if len(groups) == 1 or all(safe for _, safe in made):
            break
        groups = _joined(groups, [safe for _, safe in made])
    lost = 0
    if not made[0][1]:
        current, lost = _suppressed(made[0][0], sensitive, k, l, m)
        made = [(current, True)]
    others = [record for who in people if who not in mine for record in people[who]]
    return [units for units, _ in made], [[frozenset([x]) for x in record] for record in others], lost


def _joined(groups: list[tuple[int, int]], safe: list[bool]) -> list[tuple[int, int]]:
    done: list[tuple[int, int]] = []
    at = 0
    while at < len(groups):
        start, end = groups[at]
        wanted = end - start if safe[at] else 2 * (end - start)
        at += 1
        while end - start < wanted and at < len(groups):
            end = groups[at][1]
            at += 1
        while end - start < wanted and done:
            start = done.pop()[0]
        done.append((start, end))
    return done


def lm_anon(
    units: Sequence[Unit],
    places: Places,
    sensitive: frozenset[str],
    k: int,
    l: int,  # noqa: E741
    m: int,
) -> tuple[list[list[list[Label]]], bool]:
    """The cluster under its labels, and whether it is safe."""
    current = [[[frozenset([x]) for x in record] for record in unit] for unit in units]
    secret = {frozenset([x]) for x in sensitive}
    clean = False
    while not clean:
        clean = True
        for size in range(1, m + 1):  # step 2
            found = {p for unit in current for record in unit for p in combinations(_open(record, secret), size)}
            unsafe = [p for p in found if _unsafe(p, current, secret, k, l)]  # steps 4 to 7
            count = {p: _count(p, None, current, secret) for p in unsafe}
            for pattern in sorted(unsafe, key=lambda p: (count[p], [min(x) for x in p])):  # steps 8 and 9
                labels = {x for unit in current for record in unit for x in _open(record, secret)}
                read = tuple(next(label for label in labels if part <= label) for part in pattern)
                while _unsafe(read, current, secret, k, l):  # step 10
                    clean = False
                    labels = {x for unit in current for record in unit for x in _open(record, secret)}
                    if len(labels) == 1:
                        return current, False
                    held = {x: _count((x,), None, current, secret) for x in labels}
                    one = min(read, key=lambda x: (held[x], min(x)))  # step 11
                    away = {x: _distance(one, x, places) for x in labels if x != one}
                    near = [x for x in away if away[x] <= min(away.values()) * (1 + 1e-9)]
                    other = min(near, key=lambda x: (held[x], min(x)))  # step 12
                    swap = {one: one | other, other: one | other}  # step 13
                    current = [[[swap.get(x, x) for x in record] for record in unit] for unit in current]
                    read = tuple(swap.get(x, x) for x in read)
    return current, True


def _open(record: list[Label], secret: set[Label]) -> list[Label]:
    return [x for x in record if x not in secret]


def _count(pattern: Any, x: Label | None, current: Any, secret: set[Label]) -> int:
    """How many units have a record that contains the pattern, and x where it is given."""
    return sum(
        any(contains(_open(record, secret), pattern) and (x is None or x in record) for record in unit)
        for unit in current
    )


def _unsafe(pattern: Any, current: Any, secret: set[Label], k: int, l: int) -> bool:  # noqa: E741
    count = _count(pattern, None, current, secret)
    records = [[record] for unit in current for record in unit]  # the ratio must hold in records, too
    return count < k or any(
        l * _count(pattern, x, some, secret) > _count(pattern, None, some, secret)
        for some in (current, records)
        for x in secret
    )


def _distance(one: Label, other: Label, places: Places) -> float:
    return sum(places.distance(a, b) for a in sorted(one) for b in sorted(other)) / (len(one) * len(other))


def _suppressed(
    current: list[list[list[Label]]],
    sensitive: frozenset[str],
    k: int,
    l: int,  # noqa: E741
    m: int,
) -> tuple[list[list[list[Label]]], int]:
    """One label is left: cut what fewer than k have, then hide each sensitive place from those it costs least."""
    secret = {frozenset([x]) for x in sensitive}
    before = sum(len(record) for unit in current for record in unit)

    def having(size: int, x: Label | None = None) -> list[int]:
        return [
            at
            for at, unit in enumerate(current)
            if any(len(_open(record, secret)) >= size and (x is None or x in record) for record in unit)
        ]

    def records(size: int, x: Label | None = None) -> list[tuple[int, int]]:
        return [
            (at, number)
            for at, unit in enumerate(current)
            for number, record in enumerate(unit)
            if len(_open(record, secret)) >= size and (x is None or x in record)
        ]

    if any(l * len(found(1, x)) > len(found(1)) for found in (having, records) for x in secret):
        raise Impossible
    for size in range(1, m + 1):
        if 0 < len(having(size)) < k:
            current = [[_first(record, secret, size - 1) for record in unit] for unit in current]
            break
    for size in range(m, 0, -1):
        for x in sorted(secret, key=min):
            held = having(size, x)
            cost = {at: sum(r.count(x) for r in current[at] if len(_open(r, secret)) >= size) for at in held}
            for at in sorted(held, key=lambda at: (cost[at], at))[: max(0, len(held) - len(having(size)) // l)]:
                current[at] = [[y for y in r if y != x] if len(_open(r, secret)) >= size else r for r in current[at]]
            rows = records(size, x)
            for at, number in sorted(rows, key=lambda row: (current[row[0]][row[1]].count(x), row))[
                : max(0, len(rows) - len(records(size)) // l)
            ]:
                current[at][number] = [y for y in current[at][number] if y != x]
    return current, before - sum(len(record) for unit in current for record in unit)


def _first(record: list[Label], secret: set[Label], allowed: int) -> list[Label]:
    kept = []
    for x in record:
        if x in secret or allowed > 0:
            kept.append(x)
            allowed -= x not in secret
    return kept
