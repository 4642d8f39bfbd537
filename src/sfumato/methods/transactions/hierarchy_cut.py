"""A cut through the item hierarchy in the making: raise nodes until every small set of items is safe.

Everything below a node of the cut is published as that node (full-subtree recoding).  Shared by the methods that
generalize items over a hierarchy.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.data import Transactions
from sfumato.data.base import Ints
from sfumato.kernels.items.hierarchy_cuts import (
    UNITS,
    UNITS_WITH,
    NodeHolders,
    cheapest_safe,
    count_holders,
    is_safe,
    next_unsafe,
)
from sfumato.kernels.recoding.pattern_counts import count_patterns
from sfumato.methods.base import Run
from sfumato.methods.transactions.hierarchy import Hierarchy

__all__ = ["Cut"]


class Cut:
    """The items of some records under their current nodes.

    `current` is the node that each node is published as.  With `l` above 1 the items that stand apart in the
    hierarchy are sensitive: they are published unchanged, and no attacker is assumed to know them.
    """

    def __init__(self, data: Transactions, tree: Hierarchy, node_of_item: Ints, k: int, l: int = 1) -> None:  # noqa: E741
        self._tree, self._k, self._l = tree, k, l
        grouped, self._unit_offsets = data.by_unit()
        self._units = np.repeat(np.arange(len(self._unit_offsets) - 1, dtype=np.int32), np.diff(self._unit_offsets))
        record = grouped.record_of_element()
        nodes = node_of_item[grouped.codes]
        apart = _sensitive_items(data, tree)[grouped.codes]
        self._sensitive_starts = np.concatenate(([0], np.cumsum(np.bincount(record[apart], minlength=len(grouped)))))
        self._sensitive = grouped.codes[apart].astype(np.int64)
        order = np.lexsort((nodes[~apart], record[~apart]))  # siblings lie together, so that nodes rise with leaves
        self._nodes, self._record = nodes[~apart][order], record[~apart][order]
        self._sensitive_record = record[apart]
        moved = np.arange(len(data)) if data.persons is None else np.argsort(data.persons.codes, kind="stable")
        items = data.elements_of(moved)
        self._moved, self._items, self._sensitive_items = moved, items[~apart][order], items[apart]
        self._n_records = len(grouped)
        self.current = np.arange(len(tree), dtype=np.int64)
        self._starts, self._records = self._postings()
        occurrences = np.bincount(self._nodes, minlength=len(tree)).astype(np.float64)
        self._carried = np.zeros(len(tree))  # what is lost already by the items below each node
        for node in range(len(tree) - 1, 0, -1):
            occurrences[tree.parent[node]] += occurrences[node]
        self._full = occurrences * tree.penalty
        self._tally = np.zeros((2, len(data.names)), dtype=np.int64)
        self._last = np.full(len(data.names), -1, dtype=np.int64)

    def _postings(self) -> tuple[Ints, Ints]:
        """The records under every node, rising."""
        keys = []
        nodes, record = self._nodes, self._record
        while len(nodes):
            keys.append(np.unique(nodes * self._n_records + record))
            nodes = self._tree.parent[nodes]
            nodes, record = nodes[nodes >= 0], record[nodes >= 0]
        together = np.unique(np.concatenate(keys)) if keys else np.empty(0, dtype=np.int64)
        starts = np.searchsorted(together, np.arange(len(self._tree) + 1) * self._n_records)
        return starts, together % max(1, self._n_records)

    @property
    def _holders(self) -> NodeHolders:
        return NodeHolders(
            *(self._starts, self._records, self._units, self._k, self._l),
            *(self._sensitive_starts, self._sensitive, self._tally, self._last),
        )

    def safe_at_the_top(self) -> bool:
        """Whether everything published as the root would be safe: if not, nothing is."""
        return bool(is_safe(np.zeros(1, dtype=np.int64), 1, self._holders))

    def safe_at_the_top_in_persons(self) -> bool:
        """Whether everything published as the root would be safe if only persons were counted, and not records."""
        counts = count_holders(np.zeros(1, dtype=np.int64), 1, self._holders)
        return bool(counts[UNITS] >= self._k and self._l * counts[UNITS_WITH] <= counts[UNITS])

    def raise_to(self, node: int) -> None:
        """Publish everything below a node as that node."""
        gained = self._full[node] - self._carried[node]
        self.current[node : self._tree.end[node]] = node
        above = node
        while above >= 0:
            self._carried[above] += gained
            above = int(self._tree.parent[above])

    def repair(self, m: int, run: Run, ceiling: npt.NDArray[np.bool_] | None = None) -> bool:
        """Raise nodes until no set of up to m items is unsafe; not above a ceiling.

        The apriori principle: sets of one item first, then of two, and so on.  Raising a node can make another
        set less diverse, so sizes are gone through until a full pass finds nothing.  Returns whether all are safe.
        """
        stop = np.zeros(len(self._tree), dtype=bool) if ceiling is None else ceiling
        longest = int(np.diff(self._published_nodes()[0]).max(initial=0))  # no set of items is larger
        stuck = False
        again = True
        while again:
            again = False
            for size in range(1, min(m, longest) + 1):
                raised, stuck_here = self._pass(size, stop, run)
                again |= raised
                stuck |= stuck_here
        return not stuck

    def _pass(self, size: int, ceiling: npt.NDArray[np.bool_], run: Run) -> tuple[bool, bool]:
        sets = self._possibly_unsafe(size)
        unsafe = np.zeros(size + 1, dtype=np.int64)
        best = np.zeros(size, dtype=np.int64)
        position = 0
        raised = stuck = False
        while True:
            position = int(next_unsafe(sets, position, self.current, self._tree.end, self._holders, unsafe))
            run.advance(position, len(sets))
            if position == len(sets):
                return raised, stuck
            n = int(
                cheapest_safe(
                    *(unsafe[1:], unsafe[0], self._tree.parent, self._tree.end, ceiling, self._full - self._carried),
                    self._holders,
                    best,
                )
            )
            for node in best[:n]:
                self.raise_to(int(node))
            raised |= n > 0
            stuck |= n == 0
            position += 1

    def _possibly_unsafe(self, size: int) -> npt.NDArray[np.int32]:
        """The sets of this size that may be unsafe, as published now: smaller support first, then name order."""
        offsets, codes, _ = self._published_nodes()
        keys, counts = count_patterns(codes.astype(np.int32), offsets, self._unit_offsets, len(self._tree), size, size)
        rows = np.flatnonzero((counts < self._k) | (self._l > 1))
        ranks = self._tree.rank[keys[rows]]
        return np.ascontiguousarray(keys[rows][np.lexsort((*ranks.T[::-1], counts[rows]))])

    def _published_nodes(self) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
        """For the records grouped by unit: offsets, nodes, and which items a node was first met at."""
        nodes = self.current[self._nodes]
        fresh = np.ones(len(nodes), dtype=bool)
        fresh[1:] = (np.diff(nodes) != 0) | (np.diff(self._record) != 0)
        offsets = np.concatenate(([0], np.cumsum(np.bincount(self._record[fresh], minlength=self._n_records))))
        return offsets, nodes[fresh], fresh

    def published(self) -> tuple[Ints, Ints, Ints]:
        """Of everything to be published its record, its label and the item it was met at.

        A label is a node, or for a sensitive item its code behind all nodes.
        """
        _, nodes, fresh = self._published_nodes()
        record = np.concatenate((self._record[fresh], self._sensitive_record))
        label = np.concatenate((nodes, len(self._tree) + self._sensitive))
        return self._moved[record], label, np.concatenate((self._items[fresh], self._sensitive_items))


def _sensitive_items(data: Transactions, tree: Hierarchy) -> npt.NDArray[np.bool_]:
    return np.array([name in tree.apart for name in data.names], dtype=bool)
