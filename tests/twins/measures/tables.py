"""Tables, cell by cell: certainty penalty, granularity, classes, frequencies."""

from __future__ import annotations

from collections import Counter
from typing import Any

from twins.measures.plain import mean

MISSING = "(missing)"


def rows_and_table(data: Any) -> tuple[list[dict[str, Any]], Any]:
    table = data.table if data.kind == "mixed" else data
    return table.frame.rows(named=True), table


def span(text: Any) -> tuple[float, float, bool] | None:
    """The ends of a published range such as [3:5], and whether it holds whole numbers only; None for other labels."""
    words = str(text)
    if not (words.startswith("[") and words.endswith("]") and ":" in words):
        return None
    low, high = words[1:-1].split(":")
    try:
        return float(low), float(high), all(end.lstrip("+-").isdigit() for end in (low, high))
    except ValueError:
        return None


def cell_values(table: Any, column: str, cell: Any) -> list[Any]:
    """What a published cell may be: texts, numbers, and ranges of numbers as (low, high, whole)."""
    named = table.members.get(column, {}).get(str(cell))
    tree = table.hierarchies.get(column)
    if named is None and tree is not None and str(cell) in tree.nodes:
        named = leaves(tree, str(cell))
    if named is None:
        named = [cell]
    return [span(member) or member for member in named]


def leaves(tree: Any, node: str) -> list[str]:
    inner = {tree.parent(other) for other in tree.nodes}
    found = []
    for leaf in tree.nodes:
        above: str | None = leaf
        while above is not None and above != node:
            above = tree.parent(above)
        if leaf not in inner and above == node:
            found.append(leaf)
    return found


def domain(original: Any, column: str) -> list[Any]:
    """All values of a column: the leaves of its hierarchy, or the original's; a missing value is one more."""
    cells = [row[column] for row in original.frame.rows(named=True)]
    tree = original.hierarchies.get(column)
    values = set(leaves(tree, root(tree))) if tree is not None else {str(cell) for cell in cells if cell is not None}
    return sorted(values) + ([MISSING] if None in cells else [])


def root(tree: Any) -> str:
    return next(node for node in tree.nodes if tree.parent(node) is None)


def possible(original: Any, published: Any, column: str, cell: Any) -> set[str]:
    """The values of the domain that a published cell may stand for."""
    if cell is None:
        return {MISSING}
    everything = domain(original, column)
    found = set()
    for value in cell_values(published, column, cell):
        if isinstance(value, tuple):
            found |= {one for one in everything if _number(one) is not None and value[0] <= _number(one) <= value[1]}
        else:
            same = [
                one
                for one in everything
                if one == str(value) or (_number(one) is not None and _number(one) == _number(value))
            ]
            found |= set(same)
    return found


def _number(text: Any) -> float | None:
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def is_number(original: Any, column: str) -> bool:
    """Whether a column has numbers and no hierarchy."""
    return column not in original.hierarchies and original.frame[column].dtype.is_numeric()


def penalty(original: Any, published: Any, column: str, cell: Any) -> float:
    """NCP of a cell: length of the range by the length of the domain, or leaves under the node by all leaves."""
    could_be = possible(original, published, column, cell)
    if len(could_be) == 1:
        return 0.0
    if MISSING in could_be or not is_number(original, column):
        return len(could_be) / len(domain(original, column))
    return range_share(original, column, cell)


def range_share(original: Any, column: str, cell: Any) -> float:
    """The length of a published range by the length of the original's domain, of which it is a part."""
    values = [float(row[column]) for row in original.frame.rows(named=True) if row[column] is not None]
    low, high, _ = span(cell)  # type: ignore[misc]
    return (min(high, max(values)) - max(low, min(values))) / (max(values) - min(values))


def _weights(words: str) -> dict[str, float]:
    return {name: float(weight) for name, weight in (pair.split("=") for pair in words.split(",") if pair)}


def _mean_cost(original: Any, release: Any, cost: Any, weights: str = "") -> float:
    rows, table = rows_and_table(release.data)
    before, plain = rows_and_table(original)
    weight = _weights(weights)
    columns = plain.quasi_identifiers
    if not before or not columns:
        return 0.0
    total = sum(weight.get(column, 1.0) * cost(plain, table, column, row[column]) for row in rows for column in columns)
    lost = max(0, len(before) - len(rows))
    whole = sum(weight.get(column, 1.0) for column in columns)
    return float(total + lost * whole) / ((len(rows) + lost) * whole) if whole else 0.0


def ncp(original: Any, release: Any, weights: str = "") -> float:
    return _mean_cost(original, release, penalty, weights)


def granularity(original: Any, release: Any) -> float:
    def cost(plain: Any, table: Any, column: str, cell: Any) -> float:
        could_be, all_values = possible(plain, table, column, cell), len(domain(plain, column))
        if len(could_be) > 1 and is_number(plain, column) and MISSING not in could_be:
            return range_share(plain, column, cell)
        return (len(could_be) - 1) / (all_values - 1) if all_values > 1 else 0.0

    return _mean_cost(original, release, cost)


def _classes(original: Any, release: Any) -> Counter[tuple[Any, ...]]:
    columns = rows_and_table(original)[1].quasi_identifiers
    return Counter(tuple(row[column] for column in columns) for row in rows_and_table(release.data)[0])


def class_size(original: Any, release: Any) -> float:
    return mean(_classes(original, release).values(), empty=float(len(original)))


def discernibility(original: Any, release: Any) -> float:
    lost = max(0, len(original) - len(release.data))
    return sum(size**2 for size in _classes(original, release).values()) + lost * len(original)


def frequencies(original: Any, release: Any, column: str | None = None) -> float:
    before, plain = rows_and_table(original)
    rows, table = rows_and_table(release.data)
    differences = []
    for name in plain.quasi_identifiers if column is None else (column,):
        shares: Counter[str] = Counter()
        for row in before:
            for value in possible(plain, plain, name, row[name]):
                shares[value] += 1 / len(before)
        for row in rows:
            could_be = possible(plain, table, name, row[name])
            for value in could_be:
                shares[value] -= 1 / len(could_be) / len(rows)
        differences.append(sum(abs(share) for share in shares.values()) / 2)
    return mean(differences)


TABLES = {
    "class-size": class_size,
    "discernibility": discernibility,
    "frequencies": frequencies,
    "granularity": granularity,
    "ncp": ncp,
}
