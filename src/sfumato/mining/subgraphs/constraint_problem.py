"""The constraint satisfaction problem of one pattern: the possible images of each of its nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.subgraphs.blocks import blocks, keep_in_blocks
from sfumato.kernels.subgraphs.domains import OUT, Domains, PatternArcs, Removed, count_lists, propagate, take_out
from sfumato.mining.subgraphs.graph_index import Bools, Index
from sfumato.mining.subgraphs.pattern_extension import Shape

__all__ = ["Csp"]

_MOST_LISTS = 200  # lists of nodes that one byte can count


class Csp:
    """A pattern, its domains (shared by nodes that a symmetry exchanges) and the nodes removed from them.

    known : for each node of the pattern, lists of nodes that contain all of its images.
    distinct : arc consistency requires different images for the neighbours of a node.  Otherwise one neighbour may be
    the image of several, and node consistency requires as many neighbours as the node of the pattern has.
    """

    def __init__(
        self, index: Index, shape: Shape, known: Sequence[Sequence[Ints]], *, symmetric: bool, distinct: bool = True
    ) -> None:
        self.index, self.shape, self._distinct = index, shape, distinct
        orbit = shape.orbit if symmetric else np.arange(shape.n_nodes)
        first, row = np.unique(orbit, return_inverse=True)
        self.row: Ints = row.astype(np.int64)
        self.pattern = PatternArcs(*shape.arcs(index.n_labels), self.row, distinct)
        self.inside = np.zeros((len(first), index.n_nodes), dtype=np.uint8)
        lists = [
            self._common(r, [self._nodes_like(int(node)), *_lists_of(known, self.row, r)])
            for r, node in enumerate(first)
        ]
        self.sizes = np.array([len(nodes) for nodes in lists], dtype=np.int64)
        self.valid = np.zeros(len(first), dtype=np.int64)
        self.starts = np.concatenate(([0], np.cumsum(self.sizes))).astype(np.int64)
        self.members = np.concatenate(lists).astype(np.int32)
        self.removed = self._removal_buffers()

    def _nodes_like(self, node: int) -> Ints:
        """The nodes of the graph with the label, and without `distinct` at least the neighbours, of a node."""
        nodes = self.index.nodes_of(int(self.shape.labels[node]))
        if self._distinct:
            return nodes
        begin, to = self.pattern.begin, self.pattern.to
        return nodes[self.index.degrees[nodes] >= len(np.unique(to[begin[node] : begin[node + 1]]))]

    def _common(self, row: int, lists: list[Ints]) -> Ints:
        """The nodes that all lists contain, entered into the domain."""
        inside = self.inside[row]
        if len(lists) == 1:
            inside[lists[0]] = 1
            return lists[0]
        lists.sort(key=len)
        for number, nodes in enumerate(lists[:_MOST_LISTS]):
            count_lists(inside, nodes, number)
        in_all = inside[lists[0]] == min(len(lists), _MOST_LISTS)
        inside[lists[0]] = in_all
        common: Ints = lists[0][in_all]
        return common

    def _removal_buffers(self) -> Removed:
        size = len(self.members) + 1
        return Removed(np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64), np.zeros(2, dtype=np.int64))

    @property
    def domains(self) -> Domains:
        """The arrays of the domains, as kernels take them."""
        return Domains(self.inside, self.members, self.starts, self.sizes, self.valid)

    def consistent(self, least: int) -> bool:
        """Establish node and arc consistency; whether every domain keeps at least this many nodes."""
        if self.sizes.min() < least:
            return False
        return bool(propagate(self.index.graph, self.pattern, self.domains, self.removed, least, True))

    def fits_blocks(self, least: int) -> bool:
        """Keep in the domains of a cycle only nodes of blocks with room for it; whether each keeps at least this many.

        Arc consistency is restored, and the blocks of what remains are found again, until nothing changes.
        """
        graph, changed = self.index.graph, True
        while changed:
            before = int(self.removed.used[0])
            for part in self.shape.cyclic_blocks:
                rows, needed = np.unique(self.row[part], return_counts=True)
                nodes, ends = blocks(*graph[:2], graph.n, (self.inside[rows] != OUT).any(axis=0), self._kinds(part))
                keep_in_blocks(self.domains, self.removed, rows, needed, nodes, ends)
                if self.sizes.min() < least or not propagate(
                    graph, self.pattern, self.domains, self.removed, least, False
                ):
                    return False
            changed = int(self.removed.used[0]) > before
        return True

    def _kinds(self, part: Ints) -> Bools:
        """Which kinds of arcs occur between these nodes of the pattern."""
        begin, to, kind, _, _ = self.pattern
        start = np.repeat(np.arange(self.shape.n_nodes), np.diff(begin))
        wanted = np.zeros(self.index.n_kinds, dtype=bool)
        wanted[kind[np.isin(start, part) & np.isin(to, part)]] = True
        return wanted

    def remaining(self) -> list[Ints]:
        """The nodes that are still in the domain of each node of the pattern."""
        by_row = []
        for row in range(len(self.sizes)):
            nodes = self.members[self.starts[row] : self.starts[row + 1]]
            by_row.append(nodes[self.inside[row, nodes] != OUT])
        return [by_row[row] for row in self.row]

    def part(self, shape: Shape, nodes: Ints) -> Csp:
        """A smaller pattern on copies of the domains: a node invalid for it is invalid for the whole pattern.

        nodes : the node of the whole pattern for each of its nodes.
        """
        part = object.__new__(Csp)
        part.index, part.shape, part.row, part._distinct = self.index, shape, self.row[nodes], self._distinct
        part.pattern = PatternArcs(*shape.arcs(self.index.n_labels), part.row, self._distinct)
        part.inside, part.sizes, part.valid = self.inside.copy(), self.sizes.copy(), self.valid.copy()
        part.members, part.starts = self.members, self.starts
        part.removed = self._removal_buffers()
        return part

    def without(self, part: Csp, least: int) -> bool:
        """Remove the nodes that a part removed; whether every domain keeps at least this many nodes."""
        rows, nodes, used = part.removed
        for row, node in zip(rows[: used[0]], nodes[: used[0]], strict=True):
            if self.inside[row, node] != OUT:
                take_out(self.domains, self.removed, row, node)
        return bool(propagate(self.index.graph, self.pattern, self.domains, self.removed, least, False))


def _lists_of(known: Sequence[Sequence[Ints]], row: Ints, selected_row: int) -> list[Ints]:
    """The lists of all nodes in one row, each once."""
    distinct_lists = {
        id(nodes): nodes for node, lists in enumerate(known) if row[node] == selected_row for nodes in lists
    }
    return list(distinct_lists.values())
