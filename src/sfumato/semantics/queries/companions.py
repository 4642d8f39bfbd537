"""Pairs of segments that are near each other and share time, for many segments at once.

SPARQL would compare every segment with every other one.  Here time is cut into slices, and within a slice a tree of
boxes finds the segments that can be near.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.data.places import EARTH_RADIUS_M
from sfumato.semantics.knowledge.geometry import shape_distance_m, shapely
from sfumato.semantics.queries.pattern_category import Companion

__all__ = ["Members", "pairs_of"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_SLICE_S = 1_800.0
_SLACK = 1.001  # boxes are a little larger than the distance, which is then computed exactly


@dataclass(frozen=True)
class Members:
    """Segments with what pairs are made by.

    begin, end : seconds since 1970.  person : a number of each person.  shape : geometries, or None where not needed.
    """

    begin: Floats
    end: Floats
    person: Ints
    shape: npt.NDArray[np.object_] | None


def pairs_of(first: Members, second: Members, companion: Companion) -> tuple[Ints, Ints]:
    """The rows of the pairs that fulfil the conditions of a companion."""
    if companion.least_shared_minutes is None and companion.begins_within_minutes is None:
        rows = _candidates(first, second, companion, np.arange(len(first.begin)), np.arange(len(second.begin)))
    else:
        rows = _by_time(first, second, companion)
    return _exact(first, second, companion, *rows)


def _by_time(first: Members, second: Members, companion: Companion) -> tuple[Ints, Ints]:
    """Candidates, slice by slice; a pair belongs to the slice in which its shared time, or its second one, begins."""
    window = first.begin, first.end
    if companion.begins_within_minutes is not None:
        window = first.end, first.end + companion.begins_within_minutes * 60
    starts = second.begin, second.end if companion.begins_within_minutes is None else second.begin
    if not len(window[0]) or not len(starts[0]):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    slices_1 = [np.floor(edge / _SLICE_S).astype(np.int64) for edge in window]
    slices_2 = [np.floor(edge / _SLICE_S).astype(np.int64) for edge in starts]
    rows_1, numbers_1 = _spread(*slices_1)
    rows_2, numbers_2 = _spread(*slices_2)
    parts: list[tuple[Ints, Ints]] = []
    for number in np.intersect1d(numbers_1, numbers_2):
        own = rows_1[np.searchsorted(numbers_1, number) : np.searchsorted(numbers_1, number, side="right")]
        other = rows_2[np.searchsorted(numbers_2, number) : np.searchsorted(numbers_2, number, side="right")]
        left, right = _candidates(first, second, companion, own, other)
        later = np.maximum(slices_1[0][left], slices_2[0][right]) == number
        parts.append((left[later], right[later]))
    columns = zip(*parts, strict=True) if parts else ((), ())
    left, right = (np.concatenate([np.empty(0, np.int64), *column]) for column in columns)
    return left, right


def _spread(begin: Ints, end: Ints) -> tuple[Ints, Ints]:
    """A row for each slice that an interval touches, ordered by slice: the interval and the number of the slice."""
    counts = np.maximum(end - begin + 1, 0)
    rows = np.repeat(np.arange(len(begin)), counts)
    numbers = np.repeat(begin, counts) + np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    order = np.argsort(numbers, kind="stable")
    return rows[order], numbers[order]


def _candidates(first: Members, second: Members, companion: Companion, own: Ints, other: Ints) -> tuple[Ints, Ints]:
    """Pairs among some rows that can be near enough; all of them where the distance does not matter."""
    if companion.at_most_m is None or first.shape is None or second.shape is None:
        return np.repeat(own, len(other)), np.tile(other, len(own))
    library = shapely()
    bounds = library.bounds(first.shape[own])
    north = np.degrees(companion.at_most_m * _SLACK / EARTH_RADIUS_M) + 1e-9
    widest = np.clip(np.maximum(np.abs(bounds[:, 1]), np.abs(bounds[:, 3])) + north, 0, 89.9)
    east = north / np.cos(np.radians(widest))
    edges = bounds + np.column_stack((-east, np.full(len(own), -north), east, np.full(len(own), north)))
    tree = library.STRtree(second.shape[other])
    left, right = tree.query(library.box(*edges.T))
    for turn in (-360.0, 360.0):  # a box that reaches across the date line
        over = np.flatnonzero((edges[:, 0] + turn < 180) & (edges[:, 2] + turn > -180))
        rows, more = tree.query(library.box(*(edges[over] + [turn, 0, turn, 0]).T))
        left, right = np.append(left, over[rows]), np.append(right, more)
    if len(left) and (np.abs(edges[:, [0, 2]]) > 180).any():
        left, right = np.unique((left, right), axis=1)
    return own[left], other[right]


def _exact(first: Members, second: Members, companion: Companion, left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """The candidates that fulfil every condition."""
    keep = np.ones(len(left), bool)
    if companion.person != "any":
        own, theirs = first.person[left], second.person[right]
        keep &= (own < theirs) if companion.once else (own == theirs) if companion.person == "same" else (own != theirs)
    if companion.least_shared_minutes is not None:
        b1, e1, b2, e2 = first.begin[left], first.end[left], second.begin[right], second.end[right]
        shared = np.minimum(e1, e2) - np.maximum(b1, b2)
        keep &= (b1 < e2) & (b2 < e1) & (shared >= companion.least_shared_minutes * 60)
    if companion.begins_within_minutes is not None:
        gap = second.begin[right] - first.end[left]
        keep &= (gap >= 0) & (gap <= companion.begins_within_minutes * 60)
    left, right = left[keep], right[keep]
    if companion.at_most_m is not None and first.shape is not None and second.shape is not None:
        near = _metres(first.shape[left], second.shape[right]) <= companion.at_most_m
        left, right = left[near], right[near]
    return left, right


def _metres(first: npt.NDArray[np.object_], second: npt.NDArray[np.object_]) -> Floats:
    """The distances of pairs of geometries; points are compared all at once."""
    library = shapely()
    metres = np.empty(len(first))
    points = (library.get_type_id(first) == 0) & (library.get_type_id(second) == 0)
    x1, y1, x2, y2 = (
        np.radians(part(shapes[points])) for shapes in (first, second) for part in (library.get_x, library.get_y)
    )
    half = np.sin((y1 - y2) / 2) ** 2 + np.cos(y1) * np.cos(y2) * np.sin((x1 - x2) / 2) ** 2
    metres[points] = 2 * EARTH_RADIUS_M * np.arcsin(np.sqrt(np.minimum(half, 1.0)))
    others = np.flatnonzero(~points)
    metres[others] = [shape_distance_m(first[row], second[row]) for row in others]
    return metres
