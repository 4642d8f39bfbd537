"""What a label and its children tell about a class column: entropy and information gain."""

from __future__ import annotations

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.tables.encoding import Coding

__all__ = ["ClassColumn"]


class ClassColumn:
    """The class of each row, examined under the nodes of each attribute.

    classes : int64[rows], numbers of classes; a missing class is a class of its own.
    """

    def __init__(self, coding: Coding, classes: Ints) -> None:
        self._coding, self._attributes, self._classes = coding, coding.attributes, classes
        self._order = [np.argsort(codes, kind="stable") for codes in coding.codes]
        self._sorted_codes = [codes[order] for codes, order in zip(coding.codes, self._order, strict=True)]
        self._known: dict[tuple[int, int], Ints] = {}
        self.entropy_of_all = _entropy(coding.count(classes))

    def is_mixed(self, attribute: int, node: int) -> bool:
        """Whether rows of several classes lie under a node."""
        return int(np.count_nonzero(self._counts(attribute, node))) > 1

    def gain(self, attribute: int, node: int) -> float:
        """The information gain, in bits a row, of replacing a node by its children."""
        counts = self._counts(attribute, node)
        rows = max(1, int(counts.sum()))
        below = [self._counts(attribute, child) for child in self._attributes[attribute].children(node).tolist()]
        return _entropy(counts) - sum(int(part.sum()) / rows * _entropy(part) for part in below)

    def _counts(self, attribute: int, node: int) -> Ints:
        """How many rows of each class lie under a node."""
        if (attribute, node) not in self._known:
            tree = self._attributes[attribute]
            first, stop = np.searchsorted(self._sorted_codes[attribute], (tree.first[node], tree.stop[node]))
            rows = self._order[attribute][first:stop]
            self._known[attribute, node] = self._coding.count(self._classes[rows], rows=rows)
        return self._known[attribute, node]


def _entropy(counts: Ints) -> float:
    """The entropy, in bits, of rows of which so many are of each class."""
    shares = counts[counts > 0] / max(1, int(counts.sum()))
    return float(-(shares * np.log2(shares)).sum())
