"""Ratio promises over all images of what an attacker knows: every sequence or set of original names, looked up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

Row = Sequence[str]
Members = Mapping[str, Sequence[str]]


def image_figures(
    rows: Sequence[Row],
    members: Members,
    flagged: set[str],
    units: Sequence[Any],
    *,
    k: int,
    l: int,  # noqa: E741
    m: int,
    ordered: bool,
) -> dict[str, Any]:
    """What the verifier measures, one counting at a time; `worst` is the largest share that has one sensitive name.

    Counts are of names that different labels stand for: those behind the same labels count once.
    """
    rows = [[set(members.get(label, (label,))) for label in row] for row in rows]
    told = [{name for label in row for name in label & flagged} for row in rows]
    labels = {label for row in rows for label in map(frozenset, row) if not label & flagged}
    names = sorted(set().union(*labels))
    behind = {name: frozenset(label for label in labels if name in label) for name in names}
    supports, worst, rare, disclosing = {}, Fraction(0), set(), set()
    for known in _knowledge(names, m, ordered):
        matching = [at for at, row in enumerate(rows) if _matches(row, known, ordered)]
        if not matching:
            continue
        images = tuple(behind[name] for name in known) if ordered else frozenset(behind[name] for name in known)
        crowd = {units[at] for at in matching}
        most = max((len({units[at] for at in matching if name in told[at]}) for name in flagged), default=0)
        supports[images] = len(crowd)
        worst = max(worst, Fraction(most, len(crowd)))
        if len(crowd) < k:
            rare.add(images)
        if l * most > len(crowd):
            disclosing.add(images)
    return {
        "patterns": len(supports),
        "smallest_support": min(supports.values(), default=None),
        "violating_patterns": len(rare),
        "violating_associations": len(disclosing),
        "worst": worst,
    }


def keeps_ratios(
    rows: Sequence[Row], members: Members, flagged: set[str], units: Sequence[Any], **promise: Any
) -> bool:
    """Whether all that may be known leads to k units, and to no sensitive name too often, in units and in records."""
    figures = image_figures(rows, members, flagged, units, **promise)
    by_record = image_figures(rows, members, flagged, range(len(rows)), **promise)
    ratios = figures["violating_associations"] + by_record["violating_associations"]
    return figures["violating_patterns"] == 0 and ratios == 0


def _knowledge(names: Sequence[str], m: int, ordered: bool) -> Iterator[tuple[str, ...]]:
    for size in range(1, m + 1):
        yield from product(names, repeat=size) if ordered else combinations(names, size)


def _matches(row: list[set[str]], known: tuple[str, ...], ordered: bool) -> bool:
    if not ordered:
        return all(any(name in label for label in row) for name in known)
    rest = iter(row)
    return all(any(name in label for label in rest) for name in known)
