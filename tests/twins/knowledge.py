"""Slow reference implementations for knowledge bases: distances, groups of near things, selected statements."""

from __future__ import annotations

import math
from collections.abc import Iterable

RADIUS_M = 6_371_008.8
Point = tuple[float, float]


def metres(first: Point, second: Point) -> float:
    """The angle between two unit vectors times the radius."""
    vectors = []
    for lon, lat in (first, second):
        x, y = math.radians(lon), math.radians(lat)
        vectors.append((math.cos(y) * math.cos(x), math.cos(y) * math.sin(x), math.sin(y)))
    a, b = vectors
    cross = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    return RADIUS_M * math.atan2(math.hypot(*cross), sum(p * q for p, q in zip(a, b, strict=True)))


def near_groups(links: Iterable[tuple[str, str]], points: dict[str, Point], within_m: float) -> set[frozenset[str]]:
    """Groups of names as the rule says, by joining two groups at a time until no pair can be joined."""
    links = list(links)
    groups = {frozenset([name]) for link in links for name in link}
    while (pair := _joinable(groups, links, points, within_m)) is not None:
        groups = (groups - set(pair)) | {pair[0] | pair[1]}
    return groups


def _joinable(groups, links, points, within_m):  # type: ignore[no-untyped-def]
    located = [group for group in groups if any(name in points for name in group)]
    bare = [group for group in groups if group not in located]

    def linked(a, b):  # type: ignore[no-untyped-def]
        return any((x in a and y in b) or (x in b and y in a) for x, y in links)

    def near(a, b):  # type: ignore[no-untyped-def]
        pairs = [(points[x], points[y]) for x in a for y in b if x in points and y in points]
        return any(metres(p, q) <= within_m for p, q in pairs)

    for a in bare:  # things without a geometry first: together they are one entity
        for b in bare:
            if a != b and linked(a, b):
                return a, b
    for a in located:
        for b in located:
            if a != b and near(a, b) and (linked(a, b) or any(linked(a, c) and linked(b, c) for c in bare)):
                return a, b
    for c in bare:
        around = [a for a in located if linked(a, c)]
        if len(around) == 1:
            return c, around[0]
    return None
