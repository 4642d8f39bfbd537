"""KM-SUPPRESS and KM-SPLIT word by word: every subsequence of every record or piece is listed, at every step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from oracles import contains, subsequences, supports

Rows = list[list[int]]
Numbers = list[list[int]]
"""The piece of each visit inside its record, or -1."""


def cut(rows: Rows, units: Sequence[Any], k: int, m: int, most: Sequence[int], least: int) -> Numbers:
    """Records cut into pieces of at least so many visits in which no subsequence of up to m labels is rare."""
    held = supports(rows, units, 2)
    forbidden = {pattern for pattern, count in held.items() if count < k and len(pattern) <= m}
    numbers = [cut_record(row, forbidden, most[at], least) for at, row in enumerate(rows)]
    while rare := _rare_inside(rows, units, numbers, k, m):
        forbidden |= rare
        for at, row in enumerate(rows):
            if any(contains(piece, pattern) for piece in pieces_of(row, numbers[at]) for pattern in rare):
                numbers[at] = cut_record(row, forbidden, most[at], least)
    return numbers


def _rare_inside(rows: Rows, units: Sequence[Any], numbers: Numbers, k: int, m: int) -> set[tuple[int, ...]]:
    """What fewer than k units hold: larger subsequences only where no label or pair is rare."""
    pieces = [piece for row, number in zip(rows, numbers, strict=True) for piece in pieces_of(row, number)]
    whose = [
        unit for row, number, unit in zip(rows, numbers, units, strict=True) for _ in range(len(pieces_of(row, number)))
    ]
    rare = {pattern for pattern, count in supports(pieces, whose, m).items() if count < k}
    return {pattern for pattern in rare if len(pattern) <= 2} or rare


def pieces_of(row: Sequence[Any], number: Sequence[int]) -> list[list[Any]]:
    """The pieces of a record, in the order of their numbers."""
    return [
        [label for label, own in zip(row, number, strict=True) if own == piece] for piece in sorted({*number} - {-1})
    ]


def cut_record(row: Sequence[int], forbidden: Iterable[tuple[int, ...]], most: int, least: int) -> list[int]:
    """Greedy pieces: the next label is the one with which most of the visits that still fit can stand together."""
    refused = set(forbidden)
    pairs = {(row[first], row[second]) for second in range(len(row)) for first in range(second)}
    number = [-1] * len(row)

    def together(one: int, other: int) -> bool:
        return not {(one, other), (other, one)} & pairs & refused

    for piece in range(most):
        free = [at for at, label in enumerate(row) if number[at] < 0 and (label,) not in refused]
        if len(free) < least:
            return number
        placed: list[int] = []
        waiting = {row[at] for at in free}
        while waiting:
            fitting = [at for at in free if all(together(row[at], row[other]) for other in placed)]
            degree = {label: sum(together(label, row[at]) for at in fitting) for label in waiting}
            label = min(waiting, key=lambda one: (-degree[one] if one in {row[at] for at in fitting} else 1, one))
            waiting.remove(label)
            for at in free:
                joined = sorted([*placed, at])
                if row[at] == label and not any(
                    pattern in refused
                    for size in range(2, max(map(len, refused), default=0) + 1)
                    for pattern in subsequences([row[each] for each in joined], size, size)
                ):
                    placed = joined
        if len(placed) < least:
            return number
        for at in placed:
            number[at] = piece
    return number


def specialize(rows: Rows, places: Rows, units: Sequence[Any], tree: Any, k: int, m: int) -> Rows:
    """Labels of pieces replaced by their children in as many pieces as no subsequence of up to m labels allows."""
    for group, children in tree.children.items():
        child = {int(place): int(label) for label in children for place in tree.members[label]}
        finer = [
            [child[place] if label == group else label for label, place in zip(row, where, strict=True)]
            for row, where in zip(rows, places, strict=True)
        ]
        chosen = {at for at, row in enumerate(rows) if group in row}
        while True:
            now = [finer[at] if at in chosen else rows[at] for at in range(len(rows))]
            rare = [pattern for pattern, count in supports(now, units, m).items() if count < k]
            out = {at for at in chosen if any(contains(rows[at], one) or contains(finer[at], one) for one in rare)}
            if not out:
                break
            chosen -= out
        rows = now
    return rows


def single_visits(rows: Rows, places: Rows, units: Sequence[Any], tree: Any, k: int, wanted: int) -> Rows:
    """The label of each visit that becomes a piece of its own; rows : labels in pieces; both -1 for all others."""
    single = [[-1] * len(row) for row in rows]
    for label_at in tree.label_at:
        holders: dict[int, set[Any]] = {}
        candidate = [
            [-1 if label >= 0 else chosen if chosen >= 0 else int(label_at[place])
             for label, chosen, place in zip(*parts, strict=True)]
            for parts in zip(rows, single, places, strict=True)
        ]  # fmt: skip
        for row, extra, unit in zip(rows, candidate, units, strict=True):
            for label in {*row, *extra} - {-1}:
                holders.setdefault(label, set()).add(unit)
        single = [[label if label >= 0 and len(holders[label]) >= k else -1 for label in extra] for extra in candidate]
    again = []
    for at, (row, extra) in enumerate(zip(rows, single, strict=True)):
        shown = {*row} - {-1}
        for visit, label in enumerate(extra):
            if label in shown:
                again.append((-len({u for r, s, u in zip(rows, single, units, strict=True) if label in {*r, *s}}),
                              label, at, visit))  # fmt: skip
            if label >= 0:
                shown.add(label)
    published = sum(label >= 0 for part in (rows, single) for row in part for label in row) - len(again)
    for _, _, at, visit in sorted(again)[max(0, wanted - published) :]:
        single[at][visit] = -1
    return single


def km_split(
    places: Rows, units: Sequence[Any], tree: Any, k: int, m: int, pieces: int | None, wanted: int
) -> list[list[tuple[int, int]]]:
    """The published pieces as (label, place) of each visit, records grouped by unit."""
    labels = [[-1] * len(row) for row in places]
    numbers = [[-1] * len(row) for row in places]
    for label_at in tree.label_at:
        free = [[at for at, number in enumerate(row) if number < 0] for row in numbers]
        rows = [[int(label_at[row[at]]) for at in spots] for row, spots in zip(places, free, strict=True)]
        used = [max(row, default=-1) + 1 for row in numbers]
        most = [len(row) if pieces is None else pieces - count for row, count in zip(rows, used, strict=True)]
        for record, number in enumerate(cut(rows, units, k, m, most, 2)):
            for at, label, piece in zip(free[record], rows[record], number, strict=True):
                if piece >= 0:
                    labels[record][at], numbers[record][at] = label, used[record] + piece
    labels = specialized(labels, places, numbers, units, tree, k, m)
    single = single_visits(labels, places, units, tree, k, wanted)
    published = shown(labels, places, numbers)
    return published + [
        [(label, place)]
        for row, where in zip(single, places, strict=True)
        for label, place in zip(row, where, strict=True)
        if label >= 0
    ]


def km_suppress(places: Rows, units: Sequence[Any], tree: Any, k: int, m: int) -> list[list[tuple[int, int]]]:
    """The published records as (label, place) of each visit, with the coarsest labels of a tree to start from."""
    rows = [[int(tree.label_at[-1][place]) for place in row] for row in places]
    numbers = cut(rows, units, k, m, [1] * len(rows), 1)
    labels = [
        [label if number >= 0 else -1 for label, number in zip(row, own, strict=True)]
        for row, own in zip(rows, numbers, strict=True)
    ]
    return shown(specialized(labels, places, numbers, units, tree, k, m), places, numbers)


def specialized(labels: Rows, places: Rows, numbers: Numbers, units: Sequence[Any], tree: Any, k: int, m: int) -> Rows:
    """The labels of visits after `specialize` of their pieces."""
    parts = [(at, piece) for at, number in enumerate(numbers) for piece in sorted({*number} - {-1})]
    spots = [[at for at, number in enumerate(numbers[record]) if number == piece] for record, piece in parts]
    rows = [[labels[record][at] for at in each] for (record, _), each in zip(parts, spots, strict=True)]
    where = [[places[record][at] for at in each] for (record, _), each in zip(parts, spots, strict=True)]
    labels = [list(row) for row in labels]
    finer = specialize(rows, where, [units[record] for record, _ in parts], tree, k, m)
    for (record, _), each, row in zip(parts, spots, finer, strict=True):
        for at, label in zip(each, row, strict=True):
            labels[record][at] = label
    return labels


def shown(labels: Rows, places: Rows, numbers: Numbers) -> list[list[tuple[int, int]]]:
    """The pieces, each visit with its label and its place."""
    return [
        piece
        for row, where, number in zip(labels, places, numbers, strict=True)
        for piece in pieces_of(list(zip(row, where, strict=True)), number)
    ]
