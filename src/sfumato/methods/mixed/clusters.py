"""Clusters of rows that are published under common labels, and what merging two of them would lose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.tables.encoding import Attribute, Coding
from sfumato.methods.relational.group_costs import label_nodes

__all__ = ["Clusters"]

Floats = npt.NDArray[np.float64]


class Clusters:
    """Disjoint sets of rows; in each, every column is published as the lowest node, or the range, over all its values.

    Clusters are numbered by content: by their lowest and highest values.  `loss` is NCP(r) of each cluster's rows; rows
    in no cluster are suppressed and lose everything.
    """

    def __init__(self, coding: Coding, groups: Sequence[Ints], weights: Floats) -> None:
        self._coding, self._weights, self._n_rows = coding, weights, len(coding)
        self._penalties = [_Penalties(attribute) for attribute in coding.attributes]
        columns = len(coding.attributes)
        low, high = np.zeros((columns, len(groups)), dtype=np.int64), np.zeros((columns, len(groups)), dtype=np.int64)
        for number, rows in enumerate(groups):
            low[:, number], high[:, number] = coding.codes[:, rows].min(axis=1), coding.codes[:, rows].max(axis=1)
        order = np.lexsort(([int(rows.min()) for rows in groups], *high[::-1], *low[::-1]))
        self.rows = [np.sort(groups[number]) for number in order]
        self._low, self._high = low[:, order], high[:, order]
        self.sizes = np.array([len(rows) for rows in self.rows], dtype=np.int64)
        self.alive = np.ones(len(self.rows), dtype=bool)
        self.loss = self._losses(self._low, self._high)
        self.merges = 0

    def __len__(self) -> int:
        return int(np.count_nonzero(self.alive))

    @property
    def numbers(self) -> Ints:
        """The clusters there are."""
        return np.flatnonzero(self.alive)

    @property
    def total(self) -> float:
        """NCP of all rows."""
        lost = float((self.sizes * self.loss)[self.alive].sum()) + self._suppressed
        return lost / self._n_rows if self._n_rows else 0.0

    @property
    def _suppressed(self) -> int:
        return self._n_rows - int(self.sizes[self.alive].sum())

    def seed(self) -> int:
        """The cluster that has lost least."""
        numbers = self.numbers
        return int(numbers[np.argmin(np.round(self.loss[numbers], 12))])

    def with_each(self, cluster: int, others: Ints) -> tuple[Floats, Floats]:
        """NCP of the rows of one cluster merged with each of others, and of all rows then, by what changes."""
        low = np.minimum(self._low[:, [cluster]], self._low[:, others])
        high = np.maximum(self._high[:, [cluster]], self._high[:, others])
        merged = self._losses(low, high)
        gone = self.sizes[cluster] * self.loss[cluster] + self.sizes[others] * self.loss[others]
        total = self.total + ((self.sizes[cluster] + self.sizes[others]) * merged - gone) / self._n_rows
        return merged, total

    def merge(self, first: int, second: int) -> int:
        """Put two clusters together, under the number of the earlier one, which is returned."""
        kept, gone = min(first, second), max(first, second)
        self.rows[kept] = np.sort(np.concatenate((self.rows[kept], self.rows[gone])))
        self._low[:, kept] = np.minimum(self._low[:, kept], self._low[:, gone])
        self._high[:, kept] = np.maximum(self._high[:, kept], self._high[:, gone])
        self.sizes[kept] += self.sizes[gone]
        self.alive[gone] = False
        self.loss[kept] = self._losses(self._low[:, [kept]], self._high[:, [kept]])[0]
        self.merges += 1
        return kept

    def unite_alike(self) -> bool:
        """Join clusters with the same labels, because no one can tell them apart; whether there were any."""
        numbers = self.numbers
        _, nodes = label_nodes(self._coding, self._low[:, numbers], self._high[:, numbers])
        first: dict[bytes, int] = {}
        before = self.merges
        for number, labels in zip(numbers.tolist(), np.ascontiguousarray(nodes.T), strict=True):
            kept = first.setdefault(labels.tobytes(), number)
            if kept != number:
                self.merge(kept, number)
        return self.merges > before

    def labelled(self) -> tuple[Coding, Ints, Ints]:
        """The coding with a node for each label, the rows of all clusters, rising, and by column the node of each."""
        numbers = self.numbers
        rows = np.concatenate([self.rows[number] for number in numbers] or [np.empty(0, dtype=np.int64)])
        coding, nodes = label_nodes(self._coding, self._low[:, numbers], self._high[:, numbers])
        order = np.argsort(rows, kind="stable")
        place = np.repeat(np.arange(len(numbers)), self.sizes[numbers])[order]
        return coding, rows[order], nodes[:, place]

    def _losses(self, low: Ints, high: Ints) -> Floats:
        """The weighted NCP of rows whose leaves span these."""
        losses = np.zeros(low.shape[1])
        for index, penalties in enumerate(self._penalties):
            losses += self._weights[index] * penalties.over(low[index], high[index])
        return losses


class _Penalties:
    """NCP of the label over leaves, as the measure counts it: the share of all leaves that the label stands for."""

    def __init__(self, attribute: Attribute) -> None:
        self._attribute = attribute

    def over(self, low: Ints, high: Ints) -> Floats:
        tree = self._attribute
        if tree.ranges:  # a range of numbers; with a missing value among numbers, no range is possible
            share = np.where(high == tree.missing, 1.0, (high - low + 1) / tree.n_leaves)
            return np.where(high > low, share, 0.0)
        node = tree.leaf_node[low]
        while (short := tree.stop[node] <= high).any():
            node = np.where(short, tree.parent[node], node)
        return np.asarray(tree.penalty[node])
