"""The parts of a graph: arcs in compressed sparse rows, edges and labels of nodes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints, frozen_array

__all__ = ["Arcs", "Edges", "Floats", "NodeLabels", "frozen_arcs", "sorted_arcs"]

Floats = npt.NDArray[np.float64]


class Arcs(NamedTuple):
    """The arcs that leave node n are ``offsets[n]`` to ``offsets[n + 1]``, sorted by neighbour and label."""

    offsets: Ints
    neighbours: Ints
    labels: Ints
    weights: Floats | None = None


class Edges(NamedTuple):
    """The edges of a graph: positions of the two nodes, codes of the labels, and weights or None."""

    start: Ints
    end: Ints
    label: Ints
    weight: Floats | None


class NodeLabels(NamedTuple):
    """Node n carries the labels ``names[codes[offsets[n]:offsets[n + 1]]]``."""

    offsets: Ints
    codes: Ints
    names: tuple[str, ...]


def sorted_arcs(n: int, start: Ints, end: Ints, label: Ints, weight: Floats | None, n_labels: int) -> Arcs:
    """Arcs by start, end and label, each once, with its smallest weight."""
    if float(n) * n * n_labels < 2**62:
        key = (start.astype(np.int64) * n + end) * n_labels + label
        order = np.argsort(key, kind="stable") if weight is None else np.lexsort((weight, key))
        ordered = key[order]
        first = np.concatenate(([True], ordered[1:] != ordered[:-1]))[: len(key)]
    else:
        keys = (label, end, start) if weight is None else (weight, label, end, start)
        order = np.lexsort(keys)
        changes = [column[order][1:] != column[order][:-1] for column in (label, end, start)]
        first = np.concatenate(([True], np.any(changes, axis=0)))[: len(start)]
    order = order[first]
    offsets = np.concatenate(([0], np.cumsum(np.bincount(start[order], minlength=n))))
    return frozen_arcs(Arcs(offsets, end[order], label[order], None if weight is None else weight[order]))


def frozen_arcs(arcs: Arcs) -> Arcs:
    """The same arcs in read-only arrays of their types."""
    return Arcs(
        frozen_array(arcs.offsets, np.int64),
        frozen_array(arcs.neighbours, np.int32),
        frozen_array(arcs.labels, np.int32),
        None if arcs.weights is None else frozen_array(arcs.weights, np.float64),
    )
