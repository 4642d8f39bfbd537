"""Records whose locations have labels, and what is counted of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints, read_only
from sfumato.kernels.recoding.pattern_counts import count_patterns

__all__ = ["location_visits", "pattern_supports", "units_by_longest"]

Codes = npt.NDArray[np.int32]


def pattern_supports(data: Trajectories, label_of: Codes, smallest: int, largest: int) -> tuple[Codes, Codes]:
    """Every pattern of one label, and every one of `smallest` to `largest` labels, with its support in units.

    label_of : the label of each location, -1 where visits are left out.
    Returns int32[patterns, largest], padded with -1, and the supports.

    >>> walks = Trajectories.from_lists(["ab", "ac"])
    >>> patterns, supports = pattern_supports(walks, np.array([0, 1, 1], dtype=np.int32), 2, 2)
    >>> sorted(zip(patterns.tolist(), supports.tolist()))
    [([0, -1], 2), ([0, 1], 2), ([1, -1], 2)]
    """
    grouped, unit_offsets = _labelled(data, label_of).by_unit()
    sizes = [(smallest, largest)] if smallest == 1 else [(1, 1), (smallest, largest)]
    counted = [count_patterns(grouped.codes, grouped.offsets, unit_offsets, len(label_of), *size) for size in sizes]
    widened = [np.pad(found, ((0, 0), (0, largest - found.shape[1])), constant_values=-1) for found, _ in counted]
    return np.concatenate(widened), np.concatenate([supports for _, supports in counted])


def units_by_longest(data: Trajectories, label_of: Codes) -> Ints:
    """How many units have a longest record of 0, 1, 2, ... visits."""
    labelled = _labelled(data, label_of)
    longest = np.zeros(len(data) if data.persons is None else len(data.persons), dtype=np.int64)
    np.maximum.at(longest, labelled.units, labelled.lengths)
    return np.bincount(longest)


def location_visits(data: Trajectories, label_of: Codes, visits_allowed: int | None) -> Ints:
    """The visits of each location that are left where a record keeps at most so many."""
    kept = label_of[data.codes] >= 0
    if visits_allowed is not None:
        before = np.concatenate(([0], np.cumsum(kept)))
        kept &= before[:-1] - np.repeat(before[data.offsets[:-1]], data.lengths) < visits_allowed
    return np.bincount(data.codes[kept], minlength=len(label_of))


def _labelled(data: Trajectories, label_of: Codes) -> Trajectories:
    codes, offsets = label_of[data.codes], data.offsets
    kept = codes >= 0
    if not kept.all():
        codes, offsets = codes[kept], np.concatenate(([0], np.cumsum(kept)))[offsets]
    return replace(data, codes=read_only(codes), offsets=read_only(offsets), times=None)
