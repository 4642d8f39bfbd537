"""Clusters of rows that are published under common labels, and what merging two of them would lose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.tables.cell_loss import CellLoss
from sfumato.data.tables.encoding import Coding
from sfumato.methods.mixed.row_losses import ROW_LOSSES, Grouped
from sfumato.methods.relational.group_costs import label_nodes

__all__ = ["Clusters"]

Floats = npt.NDArray[np.float64]


class Clusters:
    """Disjoint sets of rows; in each, every column is published as the lowest node, or the range, over all its values.

    Clusters are numbered by content: by their lowest and highest values.  `ncp` is NCP(r) of each cluster's rows; rows
    in no cluster are suppressed and lose everything.  `row_loss` names the measure of `ROW_LOSSES` by which clusters
    are compared.
    """

    def __init__(self, coding: Coding, groups: Sequence[Ints], weights: Floats, row_loss: str = "ncp") -> None:
        self._coding, self._weights, self._n_rows = coding, weights, len(coding)
        self._row_loss = ROW_LOSSES[row_loss]
        self._cell_losses = [CellLoss(attribute) for attribute in coding.attributes]
        columns = len(coding.attributes)
        low, high = np.zeros((columns, len(groups)), dtype=np.int64), np.zeros((columns, len(groups)), dtype=np.int64)
        for number, rows in enumerate(groups):
            low[:, number], high[:, number] = coding.codes[:, rows].min(axis=1), coding.codes[:, rows].max(axis=1)
        order = np.lexsort(([int(rows.min()) for rows in groups], *high[::-1], *low[::-1]))
        self.rows = [np.sort(groups[number]) for number in order]
        self._low, self._high = low[:, order], high[:, order]
        self.sizes = np.array([len(rows) for rows in self.rows], dtype=np.int64)
        self.alive = np.ones(len(self.rows), dtype=bool)
        self.ncp = self._ncp_over(self._low, self._high)
        self.merges = 0

    def __len__(self) -> int:
        return int(np.count_nonzero(self.alive))

    @property
    def numbers(self) -> Ints:
        """The clusters there are."""
        return np.flatnonzero(self.alive)

    @property
    def total(self) -> float:
        """The loss of all rows."""
        return self._row_loss.total(self._grouped)

    @property
    def _grouped(self) -> Grouped:
        numbers = self.numbers
        return self._grouped_over(self.sizes[numbers], self._low[:, numbers], self._high[:, numbers], self.ncp[numbers])

    def _grouped_over(self, sizes: Ints, low: Ints, high: Ints, ncp: Floats) -> Grouped:
        by_class = self._row_loss.by_class
        labels = _label_numbers(self._coding, low, high) if by_class else np.empty((len(sizes), 0), dtype=np.int64)
        return Grouped(sizes, ncp, labels, self._n_rows)

    def seed(self) -> int:
        """The cluster that has lost least."""
        numbers = self.numbers
        losses = self._row_loss.of_clusters(self.sizes[numbers], self.ncp[numbers])
        return int(numbers[np.argmin(np.round(losses, 12))])

    def with_each(self, cluster: int, others: Ints) -> tuple[Floats, Floats]:
        """The loss of one cluster merged with each of others, and of all rows then, by what changes."""
        low = np.minimum(self._low[:, [cluster]], self._low[:, others])
        high = np.maximum(self._high[:, [cluster]], self._high[:, others])
        merged = self._grouped_over(self.sizes[cluster] + self.sizes[others], low, high, self._ncp_over(low, high))
        place = np.cumsum(self.alive) - 1  # of each cluster among those that there are
        total = self._row_loss.totals_with(self._grouped, int(place[cluster]), place[others], merged)
        return self._row_loss.of_clusters(merged.sizes, merged.ncp), total

    def merge(self, first: int, second: int) -> int:
        """Put two clusters together, under the number of the earlier one, which is returned."""
        kept, gone = min(first, second), max(first, second)
        self.rows[kept] = np.sort(np.concatenate((self.rows[kept], self.rows[gone])))
        self._low[:, kept] = np.minimum(self._low[:, kept], self._low[:, gone])
        self._high[:, kept] = np.maximum(self._high[:, kept], self._high[:, gone])
        self.sizes[kept] += self.sizes[gone]
        self.alive[gone] = False
        self.ncp[kept] = self._ncp_over(self._low[:, [kept]], self._high[:, [kept]])[0]
        self.merges += 1
        return kept

    def labelled(self) -> tuple[Coding, Ints, Ints]:
        """The coding with a node for each label, the rows of all clusters, rising, and by column the node of each."""
        numbers = self.numbers
        rows = np.concatenate([self.rows[number] for number in numbers] or [np.empty(0, dtype=np.int64)])
        coding, nodes = label_nodes(self._coding, self._low[:, numbers], self._high[:, numbers])
        order = np.argsort(rows, kind="stable")
        place = np.repeat(np.arange(len(numbers)), self.sizes[numbers])[order]
        return coding, rows[order], nodes[:, place]

    def _ncp_over(self, low: Ints, high: Ints) -> Floats:
        """The weighted NCP of rows whose leaves span these."""
        losses = np.zeros(low.shape[1])
        for index, cell_loss in enumerate(self._cell_losses):
            losses += self._weights[index] * cell_loss.of_leaf_ranges(low[index], high[index])
        return losses


def _label_numbers(coding: Coding, low: Ints, high: Ints) -> Ints:
    """Numbers for each label over the leaves low to high, int64[labels, ...]; equal labels have equal numbers."""
    columns: list[Ints] = [np.zeros(low.shape[1], dtype=np.int64)]
    for attribute, lowest, highest in zip(coding.attributes, low, high, strict=True):
        if attribute.ranges:
            has_no_range = (highest == attribute.missing) & (lowest < highest)
            columns += [np.where(has_no_range, 0, lowest), highest]
        else:
            columns.append(attribute.lowest_nodes(lowest, highest).astype(np.int64))
    return np.column_stack(columns)
