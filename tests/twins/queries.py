"""Counting queries on generalized items by enumerating every possible world, and re by its formula."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from math import prod

Members = Mapping[str, tuple[str, ...]]


def subsets(members: Sequence[str], smallest: int) -> list[tuple[str, ...]]:
    """The subsets of at least a size."""
    return [some for size in range(smallest, len(members) + 1) for some in combinations(members, size)]


def chance(record: Iterable[str], members: Members, wanted: Iterable[str], estimate: str) -> Fraction:
    """The probability that a record holds all wanted items: the weight of the worlds in which it does.

    share: a label of n members holds each with 1/n, independently; subsets: each non-empty subset is equally probable.
    """
    choices = []
    for label in record:
        leaves = members.get(label, (label,))
        n = len(leaves)
        if estimate == "subsets":
            choices.append([(some, Fraction(1, 2**n - 1)) for some in subsets(leaves, 1)])
        else:
            weight = {
                some: Fraction(1, n) ** len(some) * Fraction(n - 1, n) ** (n - len(some)) for some in subsets(leaves, 0)
            }
            choices.append(list(weight.items()))
    worlds = product(*choices)
    return sum(
        (
            prod((weight for _, weight in world), start=Fraction(1))
            for world in worlds
            if set(wanted) <= set(chain.from_iterable(some for some, _ in world))
        ),
        Fraction(0),
    )


def printed_share(record: Iterable[str], members: Members, wanted: Iterable[str]) -> Fraction:
    """n^-j for each label with j of the wanted items: the rule as it is printed, where no two labels share an item."""
    stands_for = {label: members.get(label, (label,)) for label in record}
    if not set(wanted) <= {member for leaves in stands_for.values() for member in leaves}:
        return Fraction(0)
    return prod(
        (Fraction(1, len(leaves)) ** len(set(wanted) & set(leaves)) for leaves in stands_for.values()),
        start=Fraction(1),
    )


def support(
    records: Sequence[Iterable[str]], units: Sequence[object], members: Members, pair: Iterable[str], estimate: str
) -> Fraction:
    """The expected number of units with a record that holds a pair; records are independent."""
    without: dict[object, Fraction] = {}
    for record, unit in zip(records, units, strict=True):
        without[unit] = without.get(unit, Fraction(1)) * (1 - chance(record, members, pair, estimate))
    return sum((1 - missing for missing in without.values()), Fraction(0))


def relative_error(supports: Iterable[tuple[float, float]]) -> float:
    """The mean of |original - published| / mean of both, over the pairs that occur in one of them."""
    errors = [abs(true - seen) / ((true + seen) / 2) for true, seen in supports if true or seen]
    return float(sum(errors) / len(errors)) if errors else 0.0
