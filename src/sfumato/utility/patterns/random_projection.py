"""Random projections: possible originals of generalized data, drawn at random."""

from __future__ import annotations

from dataclasses import replace
from typing import overload

import numpy as np

from sfumato.data import Trajectories, Transactions
from sfumato.data.ragged import Ragged

__all__ = ["projected"]


@overload
def projected(data: Trajectories, rng: np.random.Generator) -> Trajectories: ...


@overload
def projected(data: Ragged, rng: np.random.Generator) -> Ragged: ...


def projected(data: Ragged, rng: np.random.Generator) -> Ragged:
    """The records with every generalized label replaced by members of it, drawn at random.

    A projection is a possible original: a generalized location becomes one of its members, a generalized item a
    non-empty subset of its members.  Estimates of counts may divide a label otherwise; a projection may not.

    >>> walks = replace(Trajectories.from_lists([["g1", "c"]]), members={"g1": ("a", "b")})
    >>> projected(walks, np.random.default_rng(1)).to_lists() in ([["a", "c"]], [["b", "c"]])
    True
    """
    groups = [data.members.get(name, (name,)) for name in data.names]
    names = tuple(sorted({member for group in groups for member in group}))
    position = {name: code for code, name in enumerate(names)}
    members = np.array([position[member] for group in groups for member in group], dtype=np.int64)
    sizes = np.array([len(group) for group in groups], dtype=np.int64)
    starts = np.cumsum(sizes) - sizes
    if isinstance(data, Trajectories):
        drawn = (rng.random(len(data.codes)) * sizes[data.codes]).astype(np.int64)
        return replace(data, codes=members[starts[data.codes] + drawn], names=names, members={})
    record, member = _subsets(data, members, starts, sizes, rng)
    pairs = np.unique(record * max(1, len(names)) + member)
    record, member = pairs // max(1, len(names)), pairs % max(1, len(names))
    counts = np.bincount(record, minlength=len(data))
    offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return Transactions(offsets=offsets, codes=member.astype(np.int32), names=names, persons=data.persons)


def _subsets(
    data: Ragged, members: np.ndarray, starts: np.ndarray, sizes: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """For every item a non-empty subset of its members, drawn uniformly: empty subsets are drawn again."""
    undrawn = np.arange(len(data.codes))
    records, drawn_members = [], []
    owner = data.record_of_element()
    while len(undrawn):
        label = data.codes[undrawn]
        element = np.repeat(np.arange(len(undrawn)), sizes[label])
        position = np.arange(len(element)) - np.repeat(np.cumsum(sizes[label]) - sizes[label], sizes[label])
        is_drawn = rng.random(len(element)) < 0.5
        is_drawn |= sizes[label][element] == 1
        records.append(owner[undrawn[element[is_drawn]]])
        drawn_members.append(members[starts[label[element[is_drawn]]] + position[is_drawn]])
        undrawn = undrawn[np.bincount(element[is_drawn], minlength=len(undrawn)) == 0]
    empty = np.empty(0, dtype=np.int64)
    return np.concatenate([empty, *records]), np.concatenate([empty, *drawn_members])
