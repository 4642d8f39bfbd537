"""Labels of several granularities: groups of places, each inside one group of the next coarser granularity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints

__all__ = ["LabelTree", "Partition"]

Partition = Callable[[Ints, int], list[Ints]]
"""Groups of some places, each visited by at least so many units as far as the places allow it."""


@dataclass
class LabelTree:
    """Groups of places; `children` are the groups into which a group is divided at the next finer granularity.

    members : the places of each group.  label_at : by granularity, from the finest to the coarsest, the group of each
    place, or -1 for a place without visits.
    """

    n_places: int
    members: list[Ints] = field(default_factory=list)
    children: dict[int, Ints] = field(default_factory=dict)
    label_at: list[npt.NDArray[np.int32]] = field(default_factory=list)

    @classmethod
    def of(cls, places: Ints, sizes: Sequence[int], partition: Partition, n_places: int) -> LabelTree:
        """sizes : the smallest number of units of a group, by granularity, rising."""
        tree = cls(n_places)
        groups = [tree._add(group) for group in partition(places, sizes[-1])]
        tree.label_at.append(tree._labels(groups))
        for size in reversed(sizes[:-1]):
            groups = [child for group in groups for child in tree._divided(group, size, partition)]
            tree.label_at.append(tree._labels(groups))
        tree.label_at.reverse()
        return tree

    def __len__(self) -> int:
        return len(self.members)

    def child_of(self, group: int, places: Ints) -> npt.NDArray[np.int32]:
        """The child of a group that each of some places of the group belongs to."""
        parts = [self.members[child] for child in self.children[group]]
        members = np.concatenate(parts)
        labels = np.repeat(self.children[group], [len(part) for part in parts]).astype(np.int32)
        order = np.argsort(members)
        return np.asarray(labels[order][np.searchsorted(members[order], places)])

    def _add(self, places: Ints) -> int:
        self.members.append(places)
        return len(self.members) - 1

    def _divided(self, group: int, size: int, partition: Partition) -> list[int]:
        parts = partition(self.members[group], size) if len(self.members[group]) > 1 else []
        if len(parts) < 2:
            return [group]
        children = [self._add(part) for part in parts]
        self.children[group] = np.array(children)
        return children

    def _labels(self, groups: Sequence[int]) -> npt.NDArray[np.int32]:
        labels = np.full(self.n_places, -1, dtype=np.int32)
        for group in groups:
            labels[self.members[group]] = group
        return labels
