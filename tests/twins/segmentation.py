"""Segmentation by hand: ties merged, trails cut, fast ones dropped, stops and moves level by level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import asin, cos, dist, radians, sin, sqrt
from typing import Any, NamedTuple


class Fix(NamedTuple):
    """A position: who, from when to when, where."""

    person: str
    begin: float
    end: float
    x: float
    y: float


def plane(one: Fix, other: Fix) -> float:
    return dist((one.x, one.y), (other.x, other.y))


def globe(one: Fix, other: Fix) -> float:
    """The haversine formula, in metres."""
    north, south = radians(one.y), radians(other.y)
    half = sin((south - north) / 2) ** 2 + cos(north) * cos(south) * sin(radians(other.x - one.x) / 2) ** 2
    return 2 * 6_371_008.8 * asin(sqrt(half))


Cuts = Callable[[list[Fix], Fix], bool]
"""Whether a position begins a trail, given the positions of the trail so far."""


def by_day(trail: list[Fix], fix: Fix) -> bool:
    return trail[-1].begin // 86_400 != fix.begin // 86_400


def never(trail: list[Fix], fix: Fix) -> bool:  # noqa: ARG001
    return False


def by_gap(seconds: float) -> Cuts:
    return lambda trail, fix: fix.begin - trail[-1].end > seconds


def by_jump(metres: float, metric: Any) -> Cuts:
    return lambda trail, fix: metric(trail[-1], fix) > metres


def by_travel(metres: float, metric: Any) -> Cuts:
    def cuts(trail: list[Fix], fix: Fix) -> bool:
        way = [*trail, fix]
        return sum(metric(one, other) for one, other in pairwise(way)) > metres

    return cuts


@dataclass
class Twin:
    """The segments of some positions, as (person, type, begin, end, region), and counts."""

    metric: Any = plane
    cuts: Cuts = by_day
    fastest_mps: float = float("inf")
    radius: float = 2.0
    shortest: float = 3.0
    levels: Sequence[Callable[[Fix], Any]] = ()  # the region that holds a position on each level, or None
    segments: list[tuple[str, str, float, float, Any]] = field(default_factory=list)
    ties: int = 0
    dropped: int = 0

    def run(self, fixes: list[Fix]) -> Twin:
        for person in dict.fromkeys(fix.person for fix in fixes):
            kept = self.without_ties(sorted((fix for fix in fixes if fix.person == person), key=lambda fix: fix.begin))
            trails = [trail for trail in self.trails(kept) if not self.too_fast(trail)]
            self.add("HISTORY", [fix for trail in trails for fix in trail])
            for trail in trails:
                self.add("TRAIL", trail)
                self.divide(trail, list(self.levels), is_stop=False)
        return self

    def without_ties(self, fixes: list[Fix]) -> list[Fix]:
        kept: list[Fix] = []
        for fix in fixes:
            if kept and fix.begin <= kept[-1].end:
                self.ties += 1
            else:
                kept.append(fix)
        return kept

    def trails(self, fixes: list[Fix]) -> list[list[Fix]]:
        trails: list[list[Fix]] = []
        for fix in fixes:
            if trails and not self.cuts(trails[-1], fix):
                trails[-1].append(fix)
            else:
                trails.append([fix])
        return trails

    def too_fast(self, trail: list[Fix]) -> bool:
        steps = pairwise(trail)
        fast = any(self.metric(one, other) > self.fastest_mps * (other.begin - one.end) for one, other in steps)
        self.dropped += fast
        return fast

    def add(self, kind: str, part: list[Fix], region: Any = None) -> None:
        if part:
            self.segments.append((part[0].person, kind, part[0].begin, part[-1].end, region))

    def divide(self, part: list[Fix], levels: list[Any], *, is_stop: bool) -> None:
        stops = self.in_regions(part, levels[0]) if levels else self.near(part)
        if not levels and is_stop and stops == [(0, len(part), None)]:
            return
        pieces = self.pieces(part, stops)
        for piece, is_inner_stop, region in pieces:
            if stops:
                self.add("STOP" if is_inner_stop else "MOVE", piece, region)
            if levels:
                self.divide(piece, levels[1:], is_stop=is_inner_stop if stops else is_stop)

    def pieces(self, part: list[Fix], stops: list[tuple[int, int, Any]]) -> list[tuple[list[Fix], bool, Any]]:
        pieces, done = [], 0
        for first, end, region in stops:
            pieces += [(part[done:first], False, None), (part[first:end], True, region)]
            done = end
        return [piece for piece in (*pieces, (part[done:], False, None)) if piece[0]]

    def in_regions(self, part: list[Fix], region_of: Any) -> list[tuple[int, int, Any]]:
        stops, first = [], 0
        while first < len(part):
            end = first + 1
            while end < len(part) and region_of(part[end]) == region_of(part[first]):
                end += 1
            if region_of(part[first]) is not None and part[end - 1].end - part[first].begin >= self.shortest:
                stops.append((first, end, region_of(part[first])))
            first = end
        return stops

    def near(self, part: list[Fix]) -> list[tuple[int, int, Any]]:
        stops, first = [], 0
        while first < len(part):
            end = first + 1
            while end < len(part) and self.metric(part[first], part[end]) <= self.radius:
                end += 1
            if part[end - 1].end - part[first].begin >= self.shortest:
                stops.append((first, end, None))
            first = end
        return stops


def off_the_line(kept: list[Fix], fix: Fix, metric: Any) -> float:
    """How far a position is from movement at constant speed between the kept ones around it, at its time."""
    same = [one for one in kept if one.begin == fix.begin]
    if same:
        return min(metric(one, fix) for one in same)
    before = [one for one in kept if one.begin < fix.begin][-1]
    after = next(one for one in kept if one.begin > fix.begin)
    share = (fix.begin - before.begin) / (after.begin - before.begin)
    there = fix._replace(x=before.x + share * (after.x - before.x), y=before.y + share * (after.y - before.y))
    return metric(there, fix)
