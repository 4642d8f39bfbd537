"""Two releases taken together, by trying every pair of records: what is left of somebody and of their secrets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product

from twins.attacks_fits import Members, fits_known, stands_for

Row = tuple[frozenset[int], str]  # the ages that a cell stands for, and an illness


def left_of(shorter: Sequence[str], members: Members, longer: Sequence[str], others: Members, *, ordered: bool) -> bool:
    """Whether one record can be what is left of another, by trying every choice of what was left."""
    if not ordered:
        return all(any(stands_for(a, members) & stands_for(b, others) for b in longer) for a in shorter)
    return any(
        all(stands_for(a, members) & stands_for(longer[at], others) for a, at in zip(shorter, places, strict=True))
        for places in combinations(range(len(longer)), len(shorter))
    )


def crowd_with_shortened(
    known: Sequence[str],
    shortened: tuple[Sequence[Sequence[str]], Members],
    whole: tuple[Sequence[Sequence[str]], Members],
    *,
    ordered: bool,
) -> int:
    """How many records of the release with fewer are left where one of them suppressed something inside records."""
    here = [r for r in shortened[0] if fits_known(r, shortened[1], known, ordered=ordered)]
    there = [r for r in whole[0] if fits_known(r, whole[1], known, ordered=ordered)]
    pairs = [
        (a, b)
        for (a, one), (b, other) in product(enumerate(here), enumerate(there))
        if left_of(one, shortened[1], other, whole[1], ordered=ordered)
    ]
    return min(len({a for a, _ in pairs}), len({b for _, b in pairs}))


def secrets_left(ages: Sequence[int], first: Sequence[Row], second: Sequence[Row]) -> dict[str, float | int | None]:
    """The fewest values and the likeliest one over everybody, and where both together tell more than either alone."""
    told: dict[str, list[float]] = {key: [] for key in ("few", "few gained", "sure", "sure gained")}
    for age in ages:
        sides = [[ill for cell, ill in rows if age in cell] for rows in (first, second)]
        both = set(sides[0]) & set(sides[1])
        if not both:
            continue
        left = [[ill for ill in side if ill in both] for side in sides]
        few, sure = len(both), max(max(Counter(side).values()) / len(side) for side in left)
        told["few"].append(few)
        told["sure"].append(sure)
        if few < min(len(set(side)) for side in sides):
            told["few gained"].append(few)
        if sure > max(max(Counter(side).values()) / len(side) for side in sides) + 1e-9:
            told["sure gained"].append(sure)
    return {
        "fewest_sensitive_values": min(told["few"], default=None),
        "fewest_sensitive_values_gained": min(told["few gained"], default=None),
        "highest_probability": max(told["sure"], default=None),
        "highest_probability_gained": max(told["sure gained"], default=None),
    }
