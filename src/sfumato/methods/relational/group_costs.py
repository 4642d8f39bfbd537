"""A coding as kernels want it for grouping: the cost of every label, and the labels of groups to publish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.tables.cell_loss import CellLoss
from sfumato.data.tables.encoding import MISSING, Attribute, Coding
from sfumato.data.taxonomy import ROOT

__all__ = ["UNIT", "group_labels", "label_nodes", "spans_of"]

UNIT = 1 << 29
"""The cost of a cell whose label says nothing: costs are whole numbers, so that sums are exact."""

_TABLE = 512  # attributes with at most so many leaves get a table of all costs


def spans_of(attributes: Sequence[Attribute], weights: Sequence[float] | None = None) -> npt.NDArray[np.int32]:
    """The array that `sfumato.kernels.tables.group_costs` reads.

    A label costs the share of leaves below it, or of the whole range in a column of numbers, times the attribute's
    weight; a leaf costs nothing.
    """
    head, parts, position = [], [], 3 * len(attributes)
    for number, attribute in enumerate(attributes):
        kind, part = _described(attribute, UNIT * (1.0 if weights is None else weights[number]))
        head.append((kind, attribute.n_leaves, position))
        parts.append(part)
        position += len(part)
    return np.concatenate((np.array(head).ravel(), *parts)).astype(np.int32)


def _described(attribute: Attribute, unit: float) -> tuple[int, npt.NDArray[np.int64]]:
    loss = CellLoss(attribute)
    place = _places(loss, unit) if attribute.ranges else None
    if attribute.n_leaves <= _TABLE:
        return 0, _table(loss, unit, place).ravel()
    if place is not None:
        return 1, place
    cost = np.rint(loss.of_nodes * unit).astype(np.int64)
    return 2, np.concatenate((attribute.leaf_node, np.column_stack((attribute.parent, attribute.stop, cost)).ravel()))


def _places(loss: CellLoss, unit: float) -> npt.NDArray[np.int64]:
    """Where each leaf stands, a missing value beyond all; at the end, the cost of the whole range."""
    beyond = [] if loss.attribute.missing < 0 else [2 * unit]
    return np.concatenate((np.rint(loss.places(loss.numbers) * unit), beyond, [unit])).astype(np.int64)


def _table(loss: CellLoss, unit: float, place: npt.NDArray[np.int64] | None) -> npt.NDArray[np.int64]:
    """The cost of the label over each pair of a lowest and a highest leaf."""
    tree, n = loss.attribute, loss.attribute.n_leaves
    if place is not None:
        apart: npt.NDArray[np.int64] = np.minimum(np.abs(place[None, :n] - place[:n, None]), place[n])
        return apart
    table = np.zeros((n, n), dtype=np.int64)
    for first, stop, cost in zip(tree.first, tree.stop, loss.of_nodes, strict=True):
        table[first:stop, first:stop] = round(cost * unit)
    return table


def group_labels(codes: Ints, group: Ints, n_groups: int) -> tuple[Ints, Ints]:
    """The lowest and the highest leaf of each group: int32[groups, attributes], twice."""
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(n_groups))
    return np.minimum.reduceat(codes[order], starts, axis=0), np.maximum.reduceat(codes[order], starts, axis=0)


def label_nodes(coding: Coding, low: Ints, high: Ints) -> tuple[Coding, Ints]:
    """A coding in which the labels over low to high have nodes, and these nodes.

    low, high : int[columns, labels].  In a hierarchy it is the lowest node above all of them; a column of numbers is
    published as ranges of its own, from the lowest number to the highest.
    """
    attributes, nodes = [], np.empty(low.shape, dtype=np.int32)
    for index, attribute in enumerate(coding.attributes):
        if attribute.ranges:
            attribute, nodes[index] = _with_ranges(attribute, low[index], high[index])
        else:
            nodes[index] = attribute.lowest_nodes(low[index], high[index])
        attributes.append(attribute)
    return replace(coding, attributes=tuple(attributes)), nodes


def _with_ranges(attribute: Attribute, low: Ints, high: Ints) -> tuple[Attribute, Ints]:
    """The attribute with a node for each range in use, and the nodes of the labels.

    The root stands for any number or none; under it are the range of all numbers and the missing value.
    """
    names = [attribute.names[node] for node in attribute.leaf_node]
    last = len(names) - 1 if attribute.missing < 0 else len(names) - 2
    pairs, which = np.unique(np.column_stack((low, high)), axis=0, return_inverse=True)
    root, whole = 0, 1
    labels = [ROOT, f"[{names[0]}:{names[last]}]"]
    first, stop, leaf_node = [0, 0], [len(names), last + 1], np.arange(2, 2 + len(names), dtype=np.int32)
    for leaf, name in enumerate(names):
        labels.append(name)
        first.append(leaf)
        stop.append(leaf + 1)
    nodes = []
    for lowest, highest in pairs.tolist():
        if lowest == highest:
            nodes.append(int(leaf_node[lowest]))
        elif highest == attribute.missing:
            nodes.append(root)
        elif (lowest, highest) == (0, last):
            nodes.append(whole)
        else:
            nodes.append(len(labels))
            labels.append(f"[{names[lowest]}:{names[highest]}]")
            first.append(lowest)
            stop.append(highest + 1)
    parent = np.full(len(labels), whole, dtype=np.int32)
    parent[root], parent[whole] = -1, root
    if attribute.missing >= 0:
        parent[leaf_node[attribute.missing]] = root
        labels[leaf_node[attribute.missing]] = MISSING
    coded = replace(
        attribute,
        names=tuple(labels),
        parent=parent,
        depth=np.where(parent == -1, 0, np.where(parent == root, 1, 2)).astype(np.int32),
        first=np.array(first, dtype=np.int32),
        stop=np.array(stop, dtype=np.int32),
        leaf_node=leaf_node,
    )
    return coded, np.array(nodes, dtype=np.int32)[which.ravel()]
