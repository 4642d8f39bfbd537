"""Cluster merging of mixed data as the paper's listings say it: everything computed anew in every step."""

from __future__ import annotations

from itertools import product
from typing import Any

from sfumato.data import Mixed


def ncp_of_rows(data: Mixed, rows: list[int]) -> float:
    """NCP of each of these rows when they are published under common labels, all columns alike."""
    total = 0.0
    for column in data.table.quasi_identifiers:
        values = data.table[column].to_list()
        total += _penalty([values[row] for row in rows], values, data.table.hierarchies.get(column))
    return total / len(data.table.quasi_identifiers)


def _penalty(inside: list[Any], everything: list[Any], tree: Any) -> float:
    if len(set(inside)) == 1:
        return 0.0
    if tree is None:  # numbers: the share of those in the range; nothing at all beside numbers says nothing
        values = set(everything)
        known = [value for value in inside if value is not None]
        covered = [value for value in values if value is not None and min(known) <= value <= max(known)]
        return 1.0 if None in inside else len(covered) / len(values)
    leaves = [str(leaf) for leaf in tree.leaves] + ([None] if None in everything else [])
    if None in inside:
        return 1.0
    node = tree.common_ancestor(sorted(set(inside)))
    return (len(leaves) if node == tree.root else len(tree.leaves_below(node))) / len(leaves)


def ncp(data: Mixed, clusters: list[list[int]]) -> float:
    return sum(len(rows) * ncp_of_rows(data, rows) for rows in clusters) / len(data)


def btd(data: Mixed, rows: list[int]) -> float:
    """The largest (ones(XOR) + 1) / (ones(AND) + 1) * ones(OR) of two records."""
    sets = [set(data.items.labels(row)) for row in rows]
    return max((len(a ^ b) + 1) / (len(a & b) + 1) * len(a | b) for a, b in product(sets, sets))


def rmerge(data: Mixed, clusters: list[list[int]], delta: float, merge: str) -> list[list[int]]:
    """RMERGE_R, RMERGE_T or RMERGE_RT; clusters are numbered by their first place in the list."""
    current = {number: list(rows) for number, rows in enumerate(clusters)}
    while len(current) > 1:
        seed = min(current, key=lambda number: (round(ncp_of_rows(data, current[number]), 9), number))
        others = [number for number in current if number != seed]
        by_rows = sorted(others, key=lambda o: (round(ncp_of_rows(data, current[seed] + current[o]), 9), o))
        by_items = sorted(others, key=lambda o: (round(btd(data, current[seed] + current[o]), 9), o))
        if merge == "r":
            order = by_rows[:1]
        elif merge == "t":
            order = by_items
        else:
            order = sorted(others, key=lambda o: (by_rows.index(o) + by_items.index(o), by_rows.index(o)))
        for other in order:
            rest = [rows for number, rows in current.items() if number not in (seed, other)]
            if ncp(data, [*rest, current[seed] + current[other]]) <= delta + 1e-9:
                current[min(seed, other)] = current[seed] + current[other]
                del current[max(seed, other)]
                break
        else:
            break
    return list(current.values())
