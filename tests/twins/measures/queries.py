"""Counting queries, and what is measured by them: are, arel, kl."""

from __future__ import annotations

import math
from typing import Any

from sfumato.data.queries import Between
from sfumato.utility.workload import Workload
from twins.measures.chunks import Plain
from twins.measures.plain import contains, itemset_chance, mean, meanings, rows_of, sequence_chance
from twins.measures.tables import cell_values


def expected_count(data: Any, query: Any, estimate: str = "share") -> float:
    """The expected number of records with all that a query asks for."""
    if data.kind == "chunks":
        return Plain(data).expected(set(query.items))
    if data.kind == "table":
        return sum(row_chance(data, row, query) for row in data.frame.rows(named=True))
    if data.kind == "mixed":
        rows, items = data.table.frame.rows(named=True), meanings(data.items)
        chances = [row_chance(data.table, row, query) for row in rows]
        return sum(c * itemset_chance(row, query.items, estimate) for c, row in zip(chances, items, strict=True))
    if data.kind == "transactions":
        return sum(itemset_chance(row, query.items, estimate) for row in meanings(data))
    return sum(sequence_chance(row, query.locations) for row in meanings(data))


def row_chance(table: Any, row: dict[str, Any], query: Any) -> float:
    """The probability that a row of a table fits all conditions."""
    result = 1.0
    for column, condition in query.where.items():
        result *= _cell_chance(table, column, row[column], condition)
    return result


def _cell_chance(table: Any, column: str, cell: Any, condition: Any) -> float:
    """Every value under a label is equally probable: every leaf, and every number of a range."""
    if cell is None:
        return 0.0
    inside = total = 0.0
    for value in cell_values(table, column, cell):
        if isinstance(value, tuple):  # a range of numbers, all of them or the whole ones
            low, high, whole = value
            if whole:
                numbers = range(int(low), int(high) + 1)
                total += len(numbers)
                if isinstance(condition, Between):
                    inside += sum(condition.low <= number <= condition.high for number in numbers)
            elif isinstance(condition, Between):
                total += high - low
                inside += max(0.0, min(high, condition.high) - max(low, condition.low))
            else:
                total += high - low
        else:
            total += 1
            inside += _fits(value, condition)
    return inside / total


def _fits(value: Any, condition: Any) -> bool:
    if isinstance(condition, Between):
        try:
            return condition.low <= float(value) <= condition.high
        except ValueError:
            return False
    return str(value) in condition.values


def are(
    original: Any,
    release: Any,
    queries: int = 100,
    largest: int = 2,
    seed: int = 0,
    about: str = "both",
    estimate: str = "share",
    **drawing: Any,
) -> float:
    workload = Workload.of(original, number=queries, largest=largest, seed=seed, about=about, **drawing)
    return mean(
        abs(true - expected_count(release.data, query, estimate)) / max(true, 1)
        for query in workload
        for true in [expected_count(original, query)]
    )


def arel(original: Any, release: Any, pairs: int = 200) -> float:
    rows = rows_of(original)
    names = sorted({name for row in rows for name in row})
    counts = {(a, b): sum(contains(row, (a, b)) for row in rows) for a in names for b in names}
    asked = sorted((pair for pair in counts if counts[pair]), key=lambda pair: (-counts[pair], pair))[:pairs]
    published = meanings(release.data)
    return mean(
        abs(counts[pair] - sum(sequence_chance(row, pair) for row in published)) / counts[pair] for pair in asked
    )


def kl(original: Any, release: Any, patterns: int | None = None, largest: int = 1, seed: int = 0) -> float:
    """The support of a pattern in the release is that of its generalized counterpart: a label that may be it."""
    if patterns is None:
        asked = [(name,) for name in sorted({name for row in rows_of(original) for name in row})]
    else:
        drawn = Workload.of(original, number=patterns, largest=largest, seed=seed)
        asked = [query.locations or query.items for query in drawn]
    if not asked:
        return 0.0
    sequential = original.kind == "trajectories"
    before = [0.5 + sum(_may_hold([(label,) for label in row], wanted, sequential) for row in rows_of(original))
              for wanted in asked]  # fmt: skip
    if release.data.kind == "chunks":
        plain = Plain(release.data)
        after = [0.5 + plain.expected(set(wanted)) for wanted in asked]
    else:
        published = meanings(release.data)
        after = [0.5 + sum(_may_hold(row, wanted, sequential) for row in published) for wanted in asked]
    p, q = [b / sum(before) for b in before], [a / sum(after) for a in after]
    return sum(one * math.log(one / other) for one, other in zip(p, q, strict=True))


def _may_hold(row: list[tuple[str, ...]], wanted: tuple[str, ...], sequential: bool) -> bool:
    """Whether labels of a record may stand for the wanted ones, in their order or in any."""
    if not sequential:
        return all(any(item in label for label in row) for item in wanted)
    if not wanted:
        return True
    return any(wanted[0] in label and _may_hold(row[at + 1 :], wanted[1:], True) for at, label in enumerate(row))


QUERIES = {"are": are, "arel": arel, "kl": kl}
