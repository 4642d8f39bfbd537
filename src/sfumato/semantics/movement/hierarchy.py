"""Hierarchies of segments by containment: father, level, previous and next sibling, and order (Definition 3)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from sfumato.errors import DataError

__all__ = ["Links", "contained", "sibling_links"]

_RANK = {"HISTORY": 0, "TRAIL": 1, "TRAJ": 1}  # which of two equal spans contains the other; then the earlier row


class Links(NamedTuple):
    """Where each segment stands; rows of segments, -1 for none."""

    father: np.ndarray
    level: np.ndarray
    prev: np.ndarray
    next: np.ndarray
    ord: np.ndarray


def contained(segments: pl.DataFrame) -> Links:
    """The hierarchy of segments (object, tree, type, begin, end): the father is the shortest segment that covers.

    Of segments with equal spans, a history contains a trail or trajectory, which contains any other; then the earlier
    row contains the later.  Spans that overlap without one covering the other are refused.
    O(n log n) for n segments.
    """
    count = len(segments)
    if not count:
        nothing = np.empty(0, np.int64)
        return Links(nothing, nothing, nothing, nothing, nothing)
    group = segments.select(pl.struct("object", "tree").rank("dense")).to_series().to_numpy()
    rank = segments["type"].replace_strict(_RANK, default=2, return_dtype=pl.Int64).to_numpy()
    begin, end = segments["begin"].to_numpy(), segments["end"].to_numpy()
    order = np.lexsort((np.arange(count), rank, -end, begin, group))
    group, begin, end = group[order], begin[order], end[order]
    level = _depths(group, begin, end)
    place = np.arange(count)
    keys = np.sort(level * count + place)
    slot = np.searchsorted(keys, (level - 1) * count + place) - 1  # the latest earlier row one level above
    father = np.where(level > 0, keys[np.maximum(slot, 0)] % count, -1)
    child = father >= 0
    above = father[child]
    covered = (group[above] == group[child]) & (begin[above] <= begin[child]) & (end[above] >= end[child])
    if not covered.all():
        row = int(order[np.flatnonzero(child)[~covered]].min())
        raise DataError(
            f"Movement: rule '06 siblings share no instant' does not hold: {int((~covered).sum()):,} segments overlap "
            f"another one that does not cover them, the first in row {row}"
        )
    fathers, levels = np.full(count, -1), np.empty(count, np.int64)
    fathers[order[child]] = order[above]
    levels[order] = level
    group_of = np.empty(count, np.int64)
    group_of[order] = group
    return Links(fathers, levels, *sibling_links(fathers, group_of, segments["begin"].to_numpy()))


def _depths(group: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """How many earlier segments of the same group are not over when each begins; spans are closed intervals."""
    count = len(group)
    place = np.arange(count)
    is_end = np.repeat([0, 1], count)
    events = np.lexsort((np.tile(place, 2), is_end, np.concatenate([begin, end]), np.tile(group, 2)))
    running = np.cumsum(np.where(is_end[events], -1, 1))
    depths = np.empty(count, np.int64)
    starts = events < count
    depths[events[starts]] = running[starts] - 1
    return depths


def sibling_links(
    father: np.ndarray, group: np.ndarray, begin: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Previous sibling, next sibling and order (from 1) of each row, by time; segments without father are siblings of
    those of their group."""
    count = len(father)
    family = np.where(father >= 0, father, -1 - group)
    order = np.lexsort((np.arange(count), begin, family))
    same = np.zeros(count, dtype=bool)
    same[1:] = family[order[1:]] == family[order[:-1]]
    previous, following = np.full(count, -1), np.full(count, -1)
    later = np.flatnonzero(same)
    previous[order[later]] = order[later - 1]
    following[order[later - 1]] = order[later]
    starts = np.maximum.accumulate(np.where(same, 0, np.arange(count)))
    number = np.empty(count, np.int64)
    number[order] = np.arange(count) - starts + 1
    return previous, following, number
