"""Measures of what rows lose in clusters: norms of NCP, and sizes of equivalence classes.

All lie between 0 and 1.  None falls when equivalence classes are merged, so that each can be bounded (Property 2 of
Poulis et al., ECML PKDD 2013); a merge of one of several clusters with equal labels may lower the last two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints

__all__ = ["ROW_LOSSES", "Grouped", "RowLoss"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Grouped:
    """The clusters that there are.

    sizes : int64[clusters].  ncp : float64[clusters], of each row.  labels : int64[clusters, ...], what each cluster is
    published under, where the measure needs that; clusters with equal labels are one equivalence class.
    n_rows : of the original, rows in no cluster among them.
    """

    sizes: Ints
    ncp: Floats
    labels: Ints
    n_rows: int

    @property
    def suppressed(self) -> int:
        return self.n_rows - int(self.sizes.sum())


class RowLoss(ABC):
    """A measure of the loss of rows: of one cluster, and of all rows before and after a merge."""

    title: str
    by_class: bool = False  # whether labels matter, and not only NCP

    @abstractmethod
    def of_clusters(self, sizes: Ints, ncp: Floats) -> Floats:
        """The loss of each cluster by itself, in any unit that keeps their order."""

    @abstractmethod
    def total(self, grouped: Grouped) -> float:
        """The loss of all rows."""

    @abstractmethod
    def totals_with(self, grouped: Grouped, seed: int, others: Ints, merged: Grouped) -> Floats:
        """The loss of all rows if a cluster were merged with each of others.

        merged : what the cluster and each of the others would be together.
        """


class MeanNcp(RowLoss):
    """NCP of a row, averaged over rows."""

    title = "NCP"

    def of_clusters(self, sizes: Ints, ncp: Floats) -> Floats:  # noqa: ARG002
        return ncp

    def total(self, grouped: Grouped) -> float:
        lost = float((grouped.sizes * self._power(grouped.ncp)).sum()) + grouped.suppressed
        return float(self._root(np.array(lost / grouped.n_rows))) if grouped.n_rows else 0.0

    def totals_with(self, grouped: Grouped, seed: int, others: Ints, merged: Grouped) -> Floats:
        lost = grouped.sizes * self._power(grouped.ncp)
        change = merged.sizes * self._power(merged.ncp) - (lost[seed] + lost[others])
        before = float(lost.sum() + grouped.suppressed) / grouped.n_rows
        return self._root(before + change / grouped.n_rows)

    def _power(self, ncp: Floats) -> Floats:
        return ncp

    def _root(self, mean: Floats) -> Floats:
        return mean


class QuadraticNcp(MeanNcp):
    """The Minkowski norm of order 2 of the NCP of rows, as a mean: large losses of few rows weigh more."""

    title = "quadratic mean of NCP"

    def _power(self, ncp: Floats) -> Floats:
        return ncp**2

    def _root(self, mean: Floats) -> Floats:
        return np.asarray(np.sqrt(np.maximum(mean, 0.0)))


class LargestNcp(MeanNcp):
    """The Minkowski norm of infinite order of the NCP of rows: the largest loss of a row."""

    title = "largest NCP of a row"

    def total(self, grouped: Grouped) -> float:
        return 1.0 if grouped.suppressed else float(grouped.ncp.max(initial=0.0))

    def totals_with(self, grouped: Grouped, seed: int, others: Ints, merged: Grouped) -> Floats:  # noqa: ARG002
        return np.maximum(self.total(grouped), merged.ncp)  # a merge lowers no loss


class Discernibility(RowLoss):
    """The discernibility metric over its largest value, the square of the number of rows."""

    title = "discernibility over the square of the number of rows"
    by_class = True

    def of_clusters(self, sizes: Ints, ncp: Floats) -> Floats:  # noqa: ARG002
        return sizes.astype(np.float64)

    def total(self, grouped: Grouped) -> float:
        sizes = np.bincount(_class_numbers(grouped.labels), weights=grouped.sizes)
        return float(self._value(np.array(len(sizes)), np.array((sizes**2).sum()), grouped))

    def totals_with(self, grouped: Grouped, seed: int, others: Ints, merged: Grouped) -> Floats:
        classes = _class_numbers(np.concatenate((grouped.labels, merged.labels)))
        own, joined = classes[: len(grouped.sizes)], classes[len(grouped.sizes) :]
        sizes = np.bincount(own, weights=grouped.sizes, minlength=int(classes.max(initial=-1)) + 1)
        n_classes, squares = np.count_nonzero(sizes), (sizes**2).sum()
        changes = [(np.broadcast_to(own[seed], len(others)), np.broadcast_to(-grouped.sizes[seed], len(others)))]
        changes += [(own[others], -grouped.sizes[others]), (joined, merged.sizes)]
        more_classes, more_squares = np.zeros(len(others)), np.zeros(len(others))
        for place, (changed, _) in enumerate(changes):
            is_new = np.all([changed != earlier for earlier, _ in changes[:place]], axis=0)  # each class once
            before = sizes[changed]
            after = before + sum(np.where(other == changed, change, 0) for other, change in changes)
            more_classes += is_new * (np.sign(after) - np.sign(before))
            more_squares += is_new * (after**2 - before**2)
        return self._value(n_classes + more_classes, squares + more_squares, grouped)

    def _value(self, n_classes: Floats, squares: Floats, grouped: Grouped) -> Floats:  # noqa: ARG002
        return (squares + grouped.suppressed * grouped.n_rows) / max(1, grouped.n_rows) ** 2


class AverageClassSize(Discernibility):
    """The average size of equivalence classes over its largest value, the number of rows; 1 if there is no class."""

    title = "average class size over the number of rows"

    def _value(self, n_classes: Floats, squares: Floats, grouped: Grouped) -> Floats:  # noqa: ARG002
        published = grouped.n_rows - grouped.suppressed
        return np.where(n_classes > 0, published / np.maximum(n_classes, 1) / max(1, grouped.n_rows), 1.0)


def _class_numbers(labels: Ints) -> Ints:
    """The number of the equivalence class of each cluster."""
    _, numbers = np.unique(labels, axis=0, return_inverse=True)
    return numbers.ravel()


ROW_LOSSES: dict[str, RowLoss] = {
    "ncp": MeanNcp(),
    "norm-2": QuadraticNcp(),
    "norm-max": LargestNcp(),
    "discernibility": Discernibility(),
    "class-size": AverageClassSize(),
}
"""The measures by name."""
