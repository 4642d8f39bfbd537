"""The lattice of full-domain generalizations, searched from below and a-priori over subsets of the attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.tables.encoding import Coding
from sfumato.methods.base import Run
from sfumato.methods.relational.frequency_sets import FrequencySet, Packing
from sfumato.methods.relational.information_loss import LeastLoss
from sfumato.methods.relational.safe_classes import ClassRequirement

__all__ = ["Flags", "Known", "Lattice", "Node"]

Node = tuple[int, ...]
Which = tuple[int, ...]
_HELD = 20_000_000  # numbers in frequency sets that are kept for rolling up
Flags = npt.NDArray[np.bool_]


@dataclass(eq=False)
class Lattice:
    """All combinations of levels, one level for each attribute.

    A combination is safe when at most `limit` rows lie in classes that are not.  What is safe stays safe under higher
    levels and with fewer attributes, which is all that the search relies on.
    """

    coding: Coding
    requirement: ClassRequirement
    limit: int
    checks: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.packing = Packing.of(self.coding)
        self.images: list[list[Ints]] = [
            [attribute.first[nodes] for nodes in attribute.levels] for attribute in self.coding.attributes
        ]
        self.rows = self.packing.rows(self.coding, with_ids=True)
        self.base = self.rows if self.requirement.by_row else replace(self.rows, ids=None)
        self._bases = {tuple(range(len(self.images))): self.base}

    def search(self, run: Run, least: LeastLoss | None = None) -> Flags:
        """Which combinations are safe: bool[levels of the first attribute, levels of the second, ...].

        Subsets of one attribute first, then of two, and so on: what is not safe there cannot be safe with more.  Once
        the next size has more candidates than all attributes together, it cannot pay, and all of them come next.

        least : where it is given, combinations that cannot lose least are left out, and count as not safe.  So few
        remain that all attributes come at once.
        """
        whole = tuple(range(len(self.images)))
        if not self.requirement.lasting:
            return self._each_checked()
        if least is not None:
            return self._safe_among(whole, np.ones(least.bounds.shape, dtype=bool), run, least)
        safe: dict[Which, Flags] = {(): np.array(True)}
        for size in range(1, len(whole) + 1):
            subsets = list(combinations(whole, size))
            candidates = {which: self._candidates(which, safe) for which in subsets}
            rest = self._candidates(whole, safe)
            if np.count_nonzero(rest) <= sum(np.count_nonzero(candidate) for candidate in candidates.values()):
                return self._safe_among(whole, rest, run)
            safe = {which: self._safe_among(which, candidates.pop(which), run) for which in subsets}
        return safe[whole]

    def minimal(self, safe: Flags) -> list[Node]:
        """The safe combinations below which none is safe."""
        least = safe.copy()
        for axis in range(safe.ndim):
            above = [slice(None)] * safe.ndim
            below = [slice(None)] * safe.ndim
            above[axis], below[axis] = slice(1, None), slice(None, -1)
            least[tuple(above)] &= ~safe[tuple(below)]
        return [tuple(int(level) for level in node) for node in np.argwhere(least)]

    def at(self, node: Sequence[int], source: FrequencySet | None = None) -> FrequencySet:
        """The classes at a combination of all levels, rolled up from finer ones where some are available."""
        everything = range(len(self.images))
        return self._rolled(source or self.base, everything, node)

    def _rolled(self, source: FrequencySet, which: Sequence[int], node: Sequence[int]) -> FrequencySet:
        images = [self.images[attribute][level] for attribute, level in zip(which, node, strict=True)]
        return self.packing.roll_up(source, which, images)

    def _base_of(self, which: Which) -> FrequencySet:
        """The classes by the leaves of these attributes, counted from those with one attribute more.

        The attribute with the fewest leaves comes back first: what is counted for one subset then serves many.
        """
        if which not in self._bases:
            absent = set(range(len(self.images))) - set(which)
            smallest = min(absent, key=lambda attribute: (self.coding.attributes[attribute].n_leaves, attribute))
            more = self._base_of(tuple(sorted((*which, smallest))))
            self._bases[which] = self._rolled(more, which, [0] * len(which))
        return self._bases[which]

    def _each_checked(self) -> Flags:
        """Which combinations are safe, each examined by itself."""
        safe = np.zeros([len(images) for images in self.images], dtype=bool)
        for node in np.ndindex(safe.shape):
            self.checks += 1
            safe[node] = self.requirement.unsafe_rows(self.at(node)) <= self.limit
        return safe

    def _candidates(self, which: Which, safe: dict[Which, Flags]) -> Flags:
        """The combinations of which no smaller one is known to be unsafe."""
        candidates = np.ones([len(self.images[attribute]) for attribute in which], dtype=bool)
        for fewer in safe:
            if set(fewer) <= set(which):
                absent = tuple(index for index, attribute in enumerate(which) if attribute not in fewer)
                candidates &= np.expand_dims(safe[fewer], absent)
        return candidates

    def _safe_among(self, which: Which, open_nodes: Flags, run: Run, least: LeastLoss | None = None) -> Flags:
        """The safe ones among the candidates, which are emptied."""
        bounds = np.zeros(open_nodes.shape) if least is None else least.bounds
        safe = np.zeros_like(open_nodes)
        nodes = np.argwhere(open_nodes)
        if not len(nodes):
            return safe
        known = Known(self._rolled(self._base_of(which), which, nodes.min(axis=0).tolist()), len(which))
        turn = 0.5  # the share of a path below its first safe node, on the paths so far: where to look first
        for row in nodes[np.argsort(nodes.sum(axis=1), kind="stable")].tolist():
            while open_nodes[tuple(row)]:
                chain = _chain_above(tuple(row), open_nodes, bounds)
                low, high, middle = 0, len(chain), int(turn * len(chain))
                while low < high:
                    node = chain[middle]
                    classes = self._rolled(known.below(node), which, node)
                    self.checks += 1
                    if self.requirement.unsafe_rows(classes) <= self.limit:
                        upward = tuple(slice(level, None) for level in node)
                        safe[upward], open_nodes[upward] = True, False
                        if least is not None:
                            open_nodes &= least.may_improve_on(node, classes, self.requirement.safe(classes))
                        high = middle
                    else:
                        open_nodes[tuple(slice(None, level + 1) for level in node)] = False
                        known.add(node, classes)
                        low = middle + 1
                    middle = (low + high) // 2
                turn = (turn + low / (len(chain) + 1)) / 2
            run.advance(int(np.count_nonzero(~open_nodes)), open_nodes.size)
        return safe


def _chain_above(node: Node, open_nodes: Flags, bounds: npt.NDArray[np.float64]) -> list[Node]:
    """A path upwards from an open node, as long as there is an open one a step above: the one with the least bound."""
    chain = [node]
    while True:
        above = [
            (*node[:index], level + 1, *node[index + 1 :])
            for index, level in enumerate(node)
            if level + 1 < open_nodes.shape[index]
        ]
        following = [candidate for candidate in above if open_nodes[candidate]]
        if not following:
            return chain
        node = min(following, key=bounds.__getitem__)
        chain.append(node)


class Known:
    """Frequency sets that are available, to roll up from: the smallest one below a node is the cheapest."""

    def __init__(self, lowest: FrequencySet, attributes: int) -> None:
        self._lowest = lowest
        self._levels = np.empty((0, attributes), dtype=np.int64)
        self._sets: list[FrequencySet] = []
        self._held = 0

    def below(self, node: Node) -> FrequencySet:
        fitting = np.flatnonzero((self._levels <= np.array(node)).all(axis=1))
        return min((self._sets[index] for index in fitting), key=len, default=self._lowest)

    def add(self, node: Node, classes: FrequencySet) -> None:
        size = classes.keys.size + (0 if classes.ids is None else len(classes.ids))
        if self._held + size > _HELD:  # the older ones are the finer ones
            self._levels, self._sets, self._held = self._levels[:0], [], 0
        self._levels = np.vstack((self._levels, node))
        self._sets.append(classes)
        self._held += size
