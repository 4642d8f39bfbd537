"""The information loss of a published cell: NCP and granularity, defined once for measures and for methods.

A label over n of the N leaves of a hierarchy costs n / N by NCP and (n - 1) / (N - 1) by granularity, and 0 if n is 1.
In a column of numbers without a hierarchy, a label is a range, and by both it costs the length of this range over the
length of the domain, from the smallest to the largest number of the original; the part of a range outside the domain
does not count.  A label that stands for numbers and for the missing value costs 1.  In a column of dates without a
hierarchy, n and N count days from the first to the last date of the original, or seconds where there are times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.queries import span_of
from sfumato.data.tables.encoding import Attribute

__all__ = ["CellLoss", "Range"]

Floats = npt.NDArray[np.float64]
Range = tuple[float, float]
_GRID = 1 << 31  # lengths that are not whole numbers are counted in this many steps of the domain


@dataclass(frozen=True, eq=False)
class CellLoss:
    """What a cell of one column costs under any label, from 0 to 1.

    measure : "ncp" or "granularity".

    >>> from sfumato.data.tables.encoding import Coding
    >>> from sfumato.data.tables.table import Table
    >>> income = CellLoss(Coding.of(Table({"income": [10, 11, 12, 13, 500, 1000]})).attributes[0])
    >>> income.of_leaf_ranges(np.array([1, 0]), np.array([3, 5])).round(4).tolist()  # [11:13] and [10:1000]
    [0.002, 1.0]
    """

    attribute: Attribute
    measure: str = "ncp"

    @cached_property
    def numbers(self) -> Floats:
        """The number of each leaf of a column of numbers; the missing value, which is the last leaf, has none."""
        known = self.attribute.leaf_node if self.attribute.missing < 0 else self.attribute.leaf_node[:-1]
        return np.array([float(self.attribute.names[node]) for node in known])

    def places(self, numbers: Floats) -> Floats:
        """Where numbers lie in the domain: 0 for its smallest number, 1 for its largest."""
        low, high = self.numbers[0], self.numbers[-1]
        return np.asarray(np.clip((numbers - low) / ((high - low) or 1.0), 0.0, 1.0 if high > low else 0.0))

    def of_ranges(self, ranges: Sequence[Range | None]) -> Floats:
        """The cost of ranges of numbers; None for numbers and the missing value together."""
        ends = np.array([(np.nan, np.nan) if pair is None else pair for pair in ranges]).reshape(-1, 2)
        return np.nan_to_num(self.places(ends[:, 1]) - self.places(ends[:, 0]), nan=1.0)

    def of_counts(self, leaves: Ints) -> Floats:
        """The cost of labels over so many leaves of a hierarchy, or so many days or seconds in a column of dates."""
        n, domain = np.asarray(leaves, dtype=np.float64), int(self.attribute.n_values[0])
        if self.measure == "granularity":
            return (n - 1) / max(1, domain - 1)
        return np.where(n > 1, n / domain, 0.0)

    @cached_property
    def of_nodes(self) -> Floats:
        """The cost of each node of the attribute."""
        if self.attribute.ranges:
            return self.of_ranges(self._node_ranges)
        return self.of_counts(self.attribute.n_values)

    def of_leaf_ranges(self, low: Ints, high: Ints) -> Floats:
        """The cost of the closest label over the leaves low to high: a range of numbers, or a node of the hierarchy."""
        if self.attribute.ranges:
            return np.minimum(self._leaf_places[high] - self._leaf_places[low], 1.0)
        return np.asarray(self.of_nodes[self.attribute.lowest_nodes(low, high)])

    @cached_property
    def in_steps(self) -> tuple[npt.NDArray[np.int64], int]:
        """The cost of each node as a whole number of steps, and how many steps cost 1.

        Sums of whole numbers are exact, so that equal costs are equal.
        """
        tree = self.attribute
        if tree.ranges:
            length = self.numbers[-1] - self.numbers[0]
            ends = np.array([pair for pair in self._node_ranges if pair is not None])
            is_whole = np.array_equal(ends, np.rint(ends)) and 0 < length <= _GRID
            steps = int(length) if is_whole else _GRID
            return np.rint(self.of_nodes * steps).astype(np.int64), steps
        values = tree.n_values
        if self.measure == "granularity":
            return values - 1, max(1, int(values[0]) - 1)
        return np.where(values > 1, values, 0), int(values[0])

    @cached_property
    def _leaf_places(self) -> Floats:
        """Where each leaf lies in the domain, the missing value beyond it."""
        return np.concatenate((self.places(self.numbers), [] if self.attribute.missing < 0 else [2.0]))

    @cached_property
    def _node_ranges(self) -> list[Range | None]:
        """The range that each node of a column of numbers is published as."""
        tree, ranges = self.attribute, []
        for name, first, stop in zip(tree.names, tree.first.tolist(), tree.stop.tolist(), strict=True):
            if tree.missing >= 0 and stop == tree.n_leaves:
                ranges.append((0.0, 0.0) if stop - first == 1 else None)
                continue
            span = span_of(name)
            ranges.append((self.numbers[first], self.numbers[stop - 1]) if span is None else span[:2])
        return ranges
