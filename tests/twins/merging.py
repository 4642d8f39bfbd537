"""Cluster merging of mixed data as the paper's listings say it: everything computed anew in every step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
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
    if tree is None:  # numbers: the length of the range over that of the domain; numbers or none is no range
        domain = [value for value in everything if value is not None]
        return 1.0 if None in inside else (max(inside) - min(inside)) / (max(domain) - min(domain))
    leaves = [str(leaf) for leaf in tree.leaves] + ([None] if None in everything else [])
    if None in inside:
        return 1.0
    node = tree.common_ancestor(sorted(set(inside)))
    return (len(leaves) if node == tree.root else len(tree.leaves_below(node))) / len(leaves)


def btd(data: Mixed, rows: list[int]) -> float:
    """The largest (ones(XOR) + 1) / (ones(AND) + 1) * ones(OR) of two records."""
    sets = [set(data.items.labels(row)) for row in rows]
    return max((len(a ^ b) + 1) / (len(a & b) + 1) * len(a | b) for a, b in product(sets, sets))


def label_of(data: Mixed, rows: list[int]) -> tuple[Any, ...]:
    """The labels that these rows are published under."""
    labels: list[Any] = []
    for column in data.table.quasi_identifiers:
        inside, tree = [data.table[column][row] for row in rows], data.table.hierarchies.get(column)
        if len(set(inside)) == 1:
            labels.append(inside[0])
        elif None in inside:
            labels.append("*")
        else:
            labels.append((min(inside), max(inside)) if tree is None else tree.common_ancestor(sorted(set(inside))))
    return tuple(labels)


def row_loss(data: Mixed, clusters: list[list[int]], measure: str = "ncp") -> float:
    """The loss of all rows, as a share of what they can lose."""
    n, kept = len(data), sum(map(len, clusters))
    each = [ncp_of_rows(data, rows) for rows in clusters for _ in rows] + [1.0] * (n - kept)
    sizes = Counter(label_of(data, rows) for rows in clusters for _ in rows)
    if measure == "discernibility":
        return (sum(size**2 for size in sizes.values()) + (n - kept) * n) / n**2
    if measure == "class-size":
        return kept / len(sizes) / n
    return {"ncp": sum(each) / n, "norm-2": (sum(x**2 for x in each) / n) ** 0.5, "norm-max": max(each)}[measure]


def loss_of_cluster(data: Mixed, rows: list[int], measure: str) -> float:
    return len(rows) if measure in ("discernibility", "class-size") else round(ncp_of_rows(data, rows), 9)


def rmerge(data: Mixed, clusters: list[list[int]], delta: float, merge: str, measure: str = "ncp") -> list[list[int]]:
    """RMERGE_R, RMERGE_T or RMERGE_RT; clusters are numbered by their first place in the list."""
    return list(rmerge_steps(data, clusters, delta, merge, measure))[-1]


def rmerge_steps(
    data: Mixed, clusters: list[list[int]], delta: float, merge: str, measure: str = "ncp"
) -> Iterator[list[list[int]]]:
    """The clusters at first, and after each merge."""
    current = {number: list(rows) for number, rows in enumerate(clusters)}
    yield list(current.values())
    while len(current) > 1:
        seed = min(current, key=lambda number: (loss_of_cluster(data, current[number], measure), number))
        others = [number for number in current if number != seed]
        by_rows = sorted(others, key=lambda o: (loss_of_cluster(data, current[seed] + current[o], measure), o))
        by_items = sorted(others, key=lambda o: (round(btd(data, current[seed] + current[o]), 9), o))
        if merge == "r":
            order = by_rows[:1]
        elif merge == "t":
            order = by_items
        else:
            order = sorted(others, key=lambda o: (by_rows.index(o) + by_items.index(o), by_rows.index(o)))
        for other in order:
            rest = [rows for number, rows in current.items() if number not in (seed, other)]
            if row_loss(data, [*rest, current[seed] + current[other]], measure) <= delta + 1e-9:
                current[min(seed, other)] = current[seed] + current[other]
                del current[max(seed, other)]
                yield list(current.values())
                break
        else:
            break


def utility_loss(records: list[list[int]], *, printed: bool = False) -> float:
    """UL of records, each given by the sizes of its labels; a label of one item is free unless as printed."""
    total = 0.0
    for sizes in records:
        charged = [size for size in sizes if size > 1 or printed]
        total += sum(2**size - 1 for size in charged) / (2 ** sum(sizes) - 1) if sizes else 0.0
    return total / len(records) if records else 0.0
