"""Specializing the labels of a table, one node of a hierarchy after the other, as long as every class stays safe."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.tables.encoding import Attribute
from sfumato.methods.base import Run
from sfumato.methods.relational.class_column import ClassColumn
from sfumato.methods.relational.hierarchy_cuts import Cuts

__all__ = ["specialize"]

_NOISE = 1e-9  # of sums of logarithms


def specialize(cuts: Cuts, limit: int, run: Run, classes: ClassColumn | None = None) -> None:
    """Replace labels by their children, the best ratio of gain to loss first, while at most `limit` rows are unsafe.

    classes : the class column that labels are to tell about; without one, what is gained is NCP.
    """
    search = _Specializing(cuts, limit, classes)
    while (best := search.best()) is not None:
        search.step(*best)
        run.advance(search.steps, search.nodes)


class _Specializing:
    """The labels that may still be specialized, and what each would gain and give up."""

    def __init__(self, cuts: Cuts, limit: int, classes: ClassColumn | None) -> None:
        self._cuts, self._limit, self._classes = cuts, limit, classes
        self._attributes = cuts.coding.attributes
        self._open: list[set[int]] = [
            set(cut.tolist()) - set(attribute.leaf_node.tolist())
            for attribute, cut in zip(self._attributes, cuts.node_of_leaf, strict=True)
        ]
        self.steps = 0
        self.nodes = sum(len(attribute.names) - attribute.n_leaves for attribute in self._attributes)

    def best(self) -> tuple[int, int] | None:
        """The attribute and the node to specialize next, if there is one."""
        now = self._cuts.classes()
        safe = self._cuts.requirement.safe(now)
        support = self._cuts.requirement.support(now)
        smallest = int(support[safe].min(initial=self._cuts.coding.total))
        unsafe = int(now.counts[~safe].sum())
        best: tuple[Fraction | float, int, int] | None = None
        for index, attribute in enumerate(self._attributes):
            if not self._open[index]:
                continue
            before = self._cuts.unsafe_by_node(index, self._cuts.node_of_leaf[index], now, safe)
            new_unsafe, least = self._after(index, attribute)
            for node in sorted(self._open[index]):
                lost = int(new_unsafe[node] - before[node])
                if unsafe + lost > self._limit:  # finer classes will not be larger
                    self._open[index].remove(node)
                    self._cuts.forget(index, node)
                    continue
                gain = self._gain(index, node, lost)
                if gain is None:
                    continue
                score = gain / (1 + max(0, smallest - int(least[node])) + lost)
                if best is None or score > best[0] + (_NOISE if self._classes else 0):
                    best = (score, index, node)
        return None if best is None else best[1:]

    def _gain(self, column: int, node: int, lost: int) -> Fraction | float | None:
        """What specializing a label gains; None where that is less than suppressing so many rows loses."""
        if self._classes is None:
            saved = self._cuts.saved(column, node)
            return saved if saved >= lost * len(self._attributes) else None
        if not self._classes.is_mixed(column, node):  # nothing can be gained below it
            return None
        gain = self._classes.gain(column, node)
        in_bits = gain * int(self._cuts.rows_below[column][node])
        return gain if in_bits >= lost * self._classes.entropy_of_all - _NOISE else None

    def step(self, column: int, node: int) -> None:
        attribute = self._attributes[column]
        cut = self._cuts.node_of_leaf[column]
        self._cuts.move(column, np.where(cut == node, _child_above(attribute, cut), cut))
        self._open[column].remove(node)
        inner = set(attribute.children(node).tolist()) - set(attribute.leaf_node.tolist())
        self._open[column] |= {child for child in inner if self._cuts.rows_below[column][child]}
        self.steps += 1

    def _after(self, column: int, attribute: Attribute) -> tuple[Ints, Ints]:
        """By node of the cut: the unsafe rows and the smallest safe class below it, were it specialized."""
        cut = self._cuts.node_of_leaf[column]
        classes = self._cuts.classes(column, _child_above(attribute, cut))
        safe = self._cuts.requirement.safe(classes)
        node = cut[self._cuts.labels(classes, column)]
        least = np.full(len(attribute.names), np.iinfo(np.int64).max)
        np.minimum.at(least, node[safe], self._cuts.requirement.support(classes)[safe])
        return self._cuts.unsafe_by_node(column, cut, classes, safe), least


def _child_above(attribute: Attribute, cut: Ints) -> Ints:
    """For each leaf the child of its node in the cut that lies above it, or the leaf where that is the node."""
    node = attribute.leaf_node.copy()
    while True:
        above = attribute.parent[node]
        climbing = (node != cut) & (above != cut)
        if not climbing.any():
            return node
        node = np.where(climbing, above, node)
