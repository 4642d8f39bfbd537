"""Risks of a table, literally: every record is compared with every other one, every set of columns is tried."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, exp, log
from typing import Any

Rows = list[tuple[Any, ...]]


def values_of(rows: Rows, columns: tuple[int, ...]) -> Rows:
    return [tuple(row[column] for column in columns) for row in rows]


def class_size(rows: Rows, persons: list[int], number: int) -> int:
    """How many different persons have the values of this row; None equals None."""
    return len({person for row, person in zip(rows, persons, strict=True) if row == rows[number]})


def matching_rows(rows: Rows, number: int) -> int:
    """How many rows have the values of this row, where a missing value matches every value, as in sdcMicro."""
    return sum(all(None in pair or pair[0] == pair[1] for pair in zip(row, rows[number], strict=True)) for row in rows)


def smallest_classes(rows: Rows, persons: list[int]) -> dict[int, int]:
    result: dict[int, int] = {}
    for number, person in enumerate(persons):
        result[person] = min(class_size(rows, persons, number), result.get(person, len(rows)))
    return result


def is_unique(rows: Rows, persons: list[int], number: int, columns: tuple[int, ...]) -> bool:
    return class_size(values_of(rows, columns), persons, number) == 1


def minimal_sets(rows: Rows, persons: list[int], number: int, largest: int) -> list[tuple[int, ...]]:
    """The sets of columns on which the row is unique, and on no proper part of them."""
    sets = [part for size in range(1, largest + 1) for part in combinations(range(len(rows[0])), size)]
    unique = [part for part in sets if is_unique(rows, persons, number, part)]
    return [part for part in unique if not any(set(smaller) < set(part) for smaller in unique)]


def units_by_set(rows: Rows, persons: list[int], largest: int) -> dict[tuple[int, ...], tuple[int, int]]:
    """Of each set of columns, how many persons it singles out, and how many of them no smaller part does."""
    counts = {}
    for size in range(1, largest + 1):
        for part in combinations(range(len(rows[0])), size):
            unique = {persons[n] for n in range(len(rows)) if is_unique(rows, persons, n, part)}
            minimal = {persons[n] for n in range(len(rows)) if part in minimal_sets(rows, persons, n, largest)}
            counts[part] = (len(unique), len(minimal))
    return counts


def separation(column: list[Any]) -> float:
    """The share of the pairs of records with different values."""
    pairs = list(combinations(column, 2))
    return sum(first != second for first, second in pairs) / len(pairs) if pairs else 0.0


def expected_inverse(f: int, p: float, alpha: float = 0.0, terms: int = 20_000) -> float:
    """The mean of 1 / F, where F - f counts failures before f - alpha successes of probability p."""
    r, total, probability = f - alpha, 0.0, p ** (f - alpha)
    for failures in range(terms):
        total += probability / (f + failures)
        probability *= (r + failures) / (failures + 1) * (1 - p)
    return total


def zayatz(sizes: list[int], population: int) -> float:
    """Zayatz's estimate of population uniques, with the hypergeometric distribution written out."""
    n, counts = sum(sizes), Counter(sizes)
    if not counts[1]:
        return 0.0

    def drawn_once(size: int) -> float:
        return size * comb(population - size, n - 1) / comb(population, n)

    share = counts[1] * drawn_once(1) / sum(count * drawn_once(size) for size, count in counts.items())
    return counts[1] * share * population / n


def pitman_likelihood(alpha: float, theta: float, sizes: list[int]) -> float:
    """The logarithm of Pitman's sampling formula, up to a constant."""
    likelihood = sum(log(theta + i * alpha) for i in range(1, len(sizes)))
    likelihood -= sum(log(theta + i) for i in range(1, sum(sizes)))
    return likelihood + sum(log(j - alpha) for size in sizes for j in range(1, size))


def disclosure(rows: Rows, values: list[Any], persons: list[int], threshold: float) -> dict[str, Any]:
    """What classes reveal about a sensitive column; shares count persons."""
    inferred, one_value, probabilities = set(), set(), dict.fromkeys(persons, 0.0)
    for number, person in enumerate(persons):
        same = [n for n in range(len(rows)) if rows[n] == rows[number]]
        owners = {persons[n] for n in same}
        holders = {persons[n] for n in same if values[n] == values[number]}
        probability = len(holders) / len(owners)
        probabilities[person] = max(probabilities[person], probability)
        if len(holders) >= threshold * len(owners) - 1e-12:
            inferred.add(person)
        if len({values[n] for n in same}) == 1:
            one_value.add(person)
    return {"inferred": len(inferred), "one_value_units": len(one_value), "probabilities": probabilities}


def entropy_l(rows: Rows, values: list[Any]) -> float:
    """The smallest exp(entropy) of the values of a class, counting rows."""
    smallest = []
    for row in set(rows):
        counts = Counter(value for other, value in zip(rows, values, strict=True) if other == row)
        total = sum(counts.values())
        smallest.append(exp(-sum(count / total * log(count / total) for count in counts.values())))
    return min(smallest)


def items_sets(rows: Rows, items: list[frozenset[str]], persons: list[int], known: int) -> dict[int, int]:
    """Of each person the smallest number of persons with the same values and the same `known` items, or all items."""
    result: dict[int, int] = {}
    for number, person in enumerate(persons):
        for chosen in combinations(sorted(items[number]), min(known, len(items[number]))):
            match = {persons[n] for n in range(len(rows)) if rows[n] == rows[number] and set(chosen) <= items[n]}
            result[person] = min(len(match), result.get(person, len(rows)))
    return result
