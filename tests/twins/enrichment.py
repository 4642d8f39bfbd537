"""The enrichment attack by listing every sequence of places that a published record may stand for."""

from __future__ import annotations

from itertools import combinations, product
from math import dist, isclose, prod

DAY = 86_400
WEEK = 7 * DAY


def is_open(hours: dict[str, list[tuple[float, float]]], place: str, begin: float, end: float) -> bool:
    """begin, end : seconds since 1970, local time."""
    if place not in hours:
        return True
    start = (begin + 3 * DAY) % WEEK
    length = end - begin
    return any(
        opens < start + length + shift and closes > start + shift
        for opens, closes in hours[place]
        for shift in (-WEEK, 0, WEEK)
    )


def frequencies(records: list[list[str]], members: dict[str, tuple[str, ...]]) -> dict[str, float]:
    count: dict[str, float] = {}
    for label in (label for record in records for label in record):
        own = members.get(label, (label,))
        for place in own:
            count[place] = count.get(place, 0.0) + 1 / len(own)
    return count


def weights_of(own: tuple[str, ...], count: dict[str, float], popularity: dict[str, float]) -> dict[str, float]:
    stated = {place: popularity[place] for place in own if place in popularity}
    if not stated:
        return {place: count[place] for place in own}
    mean = sum(stated.values()) / len(stated)
    return {place: stated.get(place, mean) for place in own}


def filtered(weights: dict[str, float], keep) -> dict[str, float]:
    left = {place: weight for place, weight in weights.items() if keep(place)}
    return left or weights


def beliefs_of_record(
    visits: list[dict[str, float]],
    windows: list[tuple[float, float]] | None,
    points: dict[str, tuple[float, float]],
    fastest_kmh: float,
    sensitive: set[str],
) -> tuple[list[dict[str, float]], float]:
    """The probability of each place of each visit, and that of a sensitive visit."""
    sequences = list(product(*visits))

    def possible(sequence: tuple[str, ...]) -> bool:
        if windows is None:
            return True
        steps = range(len(sequence) - 1)
        return all(
            dist(points[sequence[i]], points[sequence[i + 1]])
            <= (windows[i + 1][1] - windows[i][0]) * fastest_kmh / 3.6
            for i in steps
        )

    chances = {
        sequence: prod(visit[place] for visit, place in zip(visits, sequence, strict=True))
        for sequence in [sequence for sequence in sequences if possible(sequence)] or sequences
    }
    total = sum(chances.values())
    marginals = [dict.fromkeys(visit, 0.0) for visit in visits]
    for sequence, chance in chances.items():
        for marginal, place in zip(marginals, sequence, strict=True):
            marginal[place] += chance / total
    flagged = sum(chance for sequence, chance in chances.items() if sensitive & set(sequence)) / total
    return marginals, flagged


def success(marginal: dict[str, float], truth: str) -> float:
    top = max(marginal.values())
    best = [place for place, chance in marginal.items() if isclose(chance, top, rel_tol=1e-9)]
    return (truth in best) / len(best)


def smallest_sets(targets: list[list[set[str]]], records: list[list[set[str]]], known: int) -> list[int]:
    """Of each target the fewest records, with its own, in which up to `known` of its described visits occur.

    0 where its own record matches no choice.

    targets : the places that fit each visit's description.  records : the places that each published visit may be.
    Published record r is that of target r.
    """

    def occurs(descriptions: tuple[set[str], ...], record: list[set[str]]) -> bool:
        position = 0
        for places in record:
            if position < len(descriptions) and places & descriptions[position]:
                position += 1
        return position == len(descriptions)

    smallest = []
    for number, target in enumerate(targets):
        sizes = []
        for chosen in (choice for size in range(1, known + 1) for choice in combinations(target, size)):
            fits = [index for index, record in enumerate(records) if occurs(chosen, record)]
            if number in fits:
                sizes.append(len(fits))
        smallest.append(min(sizes, default=0))
    return smallest
