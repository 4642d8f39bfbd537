"""The splits that lead to parts of records: who has a term goes one way, and who has it not the other."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged

__all__ = ["PartTree"]


@dataclass
class PartTree:
    """The splits so far: of each node its term (-1 for a part), and the nodes of the records with and without it."""

    terms: list[int] = field(default_factory=lambda: [-1])
    with_term: list[int] = field(default_factory=lambda: [-1])
    without: list[int] = field(default_factory=lambda: [-1])
    sizes: dict[int, int] = field(default_factory=dict)  # of the parts that are final

    def split(self, node: int, term: int) -> tuple[int, int]:
        self.terms[node], self.with_term[node], self.without[node] = term, len(self.terms), len(self.terms) + 1
        for column in (self.terms, self.with_term, self.without):
            column += [-1, -1]
        return self.with_term[node], self.without[node]

    def parts(self) -> list[int]:
        """The final parts in the order of `horpart`: records with a term before those without it."""
        found, stack = [], [0]
        while stack:
            node = stack.pop()
            if self.terms[node] < 0:
                found.append(node)
            else:
                stack += [self.without[node], self.with_term[node]]
        return found

    def nodes_of(self, data: Ragged) -> Ints:
        """The node that each record ends in."""
        by_code = np.argsort(data.codes, kind="stable")
        holders = data.record_of_element()[by_code]
        starts = np.searchsorted(data.codes[by_code], np.arange(len(data.names) + 1))
        nodes, has = np.zeros(len(data), dtype=np.int64), np.zeros(len(data), dtype=bool)
        stack = [(0, np.arange(len(data)))]
        while stack:
            node, records = stack.pop()
            term = self.terms[node]
            if term < 0:
                nodes[records] = node
                continue
            having = holders[starts[term] : starts[term + 1]]
            has[having] = True
            chosen = has[records]
            has[having] = False
            branches = ((self.with_term[node], records[chosen]), (self.without[node], records[~chosen]))
            stack += [branch for branch in branches if len(branch[1])]
        return nodes
