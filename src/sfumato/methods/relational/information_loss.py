"""What a full-domain generalization loses, by the measure that is to be least."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.tables.cell_loss import CellLoss
from sfumato.data.tables.encoding import Coding
from sfumato.methods.relational.frequency_sets import FrequencySet, Packing

__all__ = ["EQUAL", "LOSSES", "LeastLoss", "Losses"]

LOSSES = ("ncp", "granularity", "discernibility", "class-size")
EQUAL = 1e-12  # bounds are sums of fractions


class Losses:
    """The loss of every combination of levels; a suppressed row loses all there is to lose.

    Sums are of whole numbers, so that equal losses are equal.
    """

    def __init__(self, measure: str, coding: Coding, packing: Packing) -> None:
        self.measure = measure
        self._rows = coding.total
        self._packing = packing
        in_steps = [CellLoss(attribute, measure).in_steps for attribute in coding.attributes]
        self._most = [most for _, most in in_steps]
        # for each column int64[levels, leaves]: what the label of a leaf costs at each level, in steps
        self._costs = [
            costs[attribute.levels] for attribute, (costs, _) in zip(coding.attributes, in_steps, strict=True)
        ]
        self._sums = [
            costs @ coding.count(codes, costs.shape[1]) for costs, codes in zip(self._costs, coding.codes, strict=True)
        ]

    @property
    def shape(self) -> list[int]:
        """How many levels each column has."""
        return [len(costs) for costs in self._costs]

    @property
    def by_cell(self) -> bool:
        """Whether the loss is a sum over cells, which can be bounded without looking at classes."""
        return self.measure in ("ncp", "granularity")

    def bounds(self, nodes: Ints) -> npt.NDArray[np.float64]:
        """The loss of each combination if no row were suppressed: no more than its real one."""
        if not self.by_cell:
            return np.zeros(len(nodes))
        lost = np.zeros(len(nodes))
        for sums, most, levels in zip(self._sums, self._most, np.asarray(nodes).T, strict=True):
            lost += sums[levels] / most
        return lost / (self._rows * max(1, len(self._sums)))

    def of(self, node: Sequence[int], classes: FrequencySet, safe: npt.NDArray[np.bool_]) -> float:
        """The loss when the safe classes are published under these levels."""
        counts = classes.counts[safe]
        published = int(counts.sum())
        if self.measure == "discernibility":
            return float((counts**2).sum() + (self._rows - published) * self._rows)
        if self.measure == "class-size":
            return published / len(counts) if len(counts) else np.inf
        lost = 0.0
        for index, (costs, most, level) in enumerate(zip(self._costs, self._most, node, strict=True)):
            labels = self._packing.digits(classes.keys[safe], index)
            lost += (int(costs[level][labels] @ counts) + (self._rows - published) * most) / most
        return lost / (self._rows * max(1, len(self._costs)))


class LeastLoss:
    """The least loss of the safe combinations that are known, by a measure that is a sum over cells.

    bounds : float64 by combination, its loss if no row were suppressed.
    """

    def __init__(self, losses: Losses) -> None:
        self._losses, self._least = losses, np.inf
        self.bounds = losses.bounds(np.argwhere(np.ones(losses.shape, dtype=bool))).reshape(losses.shape)

    def may_improve_on(
        self, node: Sequence[int], classes: FrequencySet, safe: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.bool_]:
        """Which combinations may lose as little as this one and all that were asked for before."""
        self._least = min(self._least, self._losses.of(node, classes, safe))
        return np.asarray(self.bounds <= self._least + EQUAL)
