"""Full-subtree recoding: a cut through the hierarchy of each column, the same for all rows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from sfumato.data import Table
from sfumato.data.base import Ints
from sfumato.data.tables.cell_loss import CellLoss
from sfumato.data.tables.encoding import Coding
from sfumato.methods.base import Outcome
from sfumato.methods.relational.base import recoded
from sfumato.methods.relational.frequency_sets import FrequencySet, Packing
from sfumato.methods.relational.safe_classes import ClassRequirement

__all__ = ["Cuts", "Flags"]

Flags = npt.NDArray[np.bool_]


class Cuts:
    """The node that each leaf of each attribute is published as, and the classes that this makes.

    coding, requirement : the rows, and what an equivalence class must have.
    node_of_leaf : for each attribute int32[leaves].
    rows_below : for each attribute int64[nodes], how many rows lie under each node.
    """

    def __init__(self, coding: Coding, requirement: ClassRequirement, *, at_root: bool) -> None:
        self.coding, self.requirement = coding, requirement
        self._packing = Packing.of(coding)
        self._finest = self._packing.rows(coding, with_ids=requirement.by_row)
        self.node_of_leaf = [
            np.zeros(attribute.n_leaves, dtype=np.int32) if at_root else attribute.leaf_node.copy()
            for attribute in coding.attributes
        ]
        self.rows_below: list[npt.NDArray[np.int64]] = []
        self._saved: list[npt.NDArray[np.int64]] = []
        self._most: list[int] = []
        for attribute, codes in zip(coding.attributes, coding.codes, strict=True):
            before = np.concatenate(([0], np.cumsum(coding.count(codes, attribute.n_leaves))))
            rows = before[attribute.stop] - before[attribute.first]
            costs, most = CellLoss(attribute).in_steps
            lost = costs * rows
            saved = lost.copy()
            np.subtract.at(saved, attribute.parent[1:], lost[1:])
            self.rows_below.append(rows)
            self._saved.append(saved)
            self._most.append(most)

    def move(self, attribute: int, node_of_leaf: Ints) -> None:
        """Publish the leaves of an attribute as other nodes."""
        self.node_of_leaf[attribute] = node_of_leaf

    def forget(self, attribute: int, node: int) -> None:
        """Promise that nothing below a node will be distinguished any more, which makes counting cheaper."""
        hierarchy = self.coding.attributes[attribute]
        images = [np.arange(column.n_leaves) for column in self.coding.attributes]
        images[attribute][hierarchy.first[node] : hierarchy.stop[node]] = hierarchy.first[node]
        self._finest = self._packing.roll_up(self._finest, range(len(images)), images)

    def classes(self, attribute: int | None = None, node_of_leaf: Ints | None = None) -> FrequencySet:
        """The classes of rows now, or if the leaves of an attribute were published as other nodes."""
        images = [column.first[cut] for column, cut in zip(self.coding.attributes, self.node_of_leaf, strict=True)]
        if attribute is not None and node_of_leaf is not None:
            images[attribute] = self.coding.attributes[attribute].first[node_of_leaf]
        return self._packing.roll_up(self._finest, range(len(images)), images)

    def labels(self, classes: FrequencySet, attribute: int) -> npt.NDArray[np.int64]:
        """The first leaf below the label that each class has in an attribute."""
        return self._packing.digits(classes.keys, attribute)

    def unsafe_by_node(self, attribute: int, cut: Ints, classes: FrequencySet, safe: Flags) -> npt.NDArray[np.int64]:
        """How many unsafe rows lie under each node of a cut through an attribute that is as coarse as the classes."""
        nodes = cut[self.labels(classes, attribute)]
        size = len(self.coding.attributes[attribute].names)
        return np.bincount(nodes[~safe], weights=classes.counts[~safe], minlength=size).astype(np.int64)

    def saved(self, attribute: int, node: int) -> Fraction:
        """The loss, as rows times NCP, that lies between a node and its children; exact, so that ties are ties."""
        return Fraction(int(self._saved[attribute][node]), self._most[attribute])

    def outcome(self) -> Outcome[Table]:
        """Every row of a safe class under its labels; the others are suppressed, and counted."""
        rows = self._packing.rows(self.coding, with_ids=True)
        images = [
            attribute.first[cut] for attribute, cut in zip(self.coding.attributes, self.node_of_leaf, strict=True)
        ]
        classes = self._packing.roll_up(rows, range(len(images)), images)
        kept = np.flatnonzero(self.requirement.safe(classes)[classes.ids])
        nodes = np.empty((len(images), len(kept)), dtype=np.int32)
        for index, (cut, codes) in enumerate(zip(self.node_of_leaf, self.coding.codes, strict=True)):
            nodes[index] = cut[codes[kept]]
        return recoded(self.coding, nodes, kept)
