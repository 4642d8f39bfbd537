"""Published labels of a table's column, and the leaves of its hierarchy that each label may stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.queries import span_of
from sfumato.data.tables.cell_loss import CellLoss, Range
from sfumato.data.tables.encoding import Attribute, texts_of
from sfumato.data.tables.table import Table
from sfumato.errors import DataError

__all__ = ["Labels"]


@dataclass(frozen=True, eq=False)
class Labels:
    """The distinct labels of a published column, how often each occurs, and the leaves that it stands for.

    counts : int64[labels].  leaves : for each label the numbers of its leaves.  texts : the labels themselves, None
    for a missing value.  ranges : in a column of numbers without a hierarchy, the range that each label is, None for
    one that also stands for the missing value; otherwise empty.

    >>> from sfumato.data.tables.encoding import Coding
    >>> age = Coding.of(Table({"age": [30, 31, 52]})).attributes[0]
    >>> labels = Labels.of(age, Table({"age": ["[30:31]", "[30:31]", "52"]}))
    >>> labels.expected().tolist()
    [1.0, 1.0, 1.0]
    """

    attribute: Attribute
    counts: npt.NDArray[np.int64]
    leaves: tuple[Ints, ...]
    texts: tuple[str | None, ...]
    ranges: tuple[Range | None, ...] = ()

    @classmethod
    def of(cls, attribute: Attribute, published: Table) -> Self:
        """The labels of a column: nodes of the hierarchy, names in the release's members, or ranges of numbers."""
        if attribute.name not in published.frame.columns:
            raise DataError(f"the release has no column {attribute.name!r}")
        counts = texts_of(published[attribute.name]).alias("label").value_counts(name="rows").sort("label")
        reader = _Reader(attribute, published)
        texts = tuple(counts["label"].to_list())
        leaves = tuple(reader.leaves(label) for label in texts)
        ranges = tuple(map(reader.range, texts, leaves)) if attribute.ranges else ()
        return cls(attribute, counts["rows"].to_numpy().astype(np.int64), leaves, texts, ranges)

    def expected(self) -> npt.NDArray[np.float64]:
        """The expected number of rows with each leaf, if every leaf of a label is equally probable."""
        rows = np.zeros(self.attribute.n_leaves)
        for count, leaves in zip(self.counts.tolist(), self.leaves, strict=True):
            rows[leaves] += count / len(leaves)
        return rows

    def losses(self, measure: str) -> npt.NDArray[np.float64]:
        """What a cell under each label costs by "ncp" or "granularity"."""
        cell_loss = CellLoss(self.attribute, measure)
        if self.attribute.ranges:
            return cell_loss.of_ranges(self.ranges)
        return cell_loss.of_counts(np.array([len(leaves) for leaves in self.leaves], dtype=np.int64))


class _Reader:
    """Translates the labels of a column into leaves."""

    def __init__(self, attribute: Attribute, published: Table) -> None:
        self._attribute = attribute
        self._members = published.members.get(attribute.name, {})
        self._node = {name: node for node, name in enumerate(attribute.names)}
        self._numbers = [span_of(attribute.names[node]) for node in attribute.leaf_node]

    def leaves(self, label: str | None) -> Ints:
        attribute = self._attribute
        if label is None and attribute.missing >= 0:
            return np.array([attribute.missing])
        if label in self._node:
            node = self._node[label]
            return np.arange(attribute.first[node], attribute.stop[node])
        if label in self._members:
            return np.unique(
                np.concatenate([self.leaves(member) for member in self._members[label] if member != label])
            )
        span = None if label is None else span_of(label)
        inside = [span is not None and number is not None and _within(number, span) for number in self._numbers]
        leaves = np.flatnonzero(inside)
        if not len(leaves):
            raise DataError(
                f"the release has a label in the column {attribute.name!r} that stands for no value of the original; "
                "check that this is its original, with its hierarchies"
            )
        return leaves

    def range(self, label: str | None, leaves: Ints) -> Range | None:
        """The range of a label that stands for these leaves; None for numbers and the missing value together.

        A label without ends of its own, such as a name of members, has those of its smallest and largest number.
        """
        known = leaves[leaves != self._attribute.missing]
        if len(known) < len(leaves):
            return None if len(known) else (0.0, 0.0)
        span = None if label is None else span_of(label)
        if span is not None:
            return span[:2]
        spans = [self._numbers[leaf] for leaf in (known.min(), known.max())]  # leaves are in the order of numbers
        low, high = (number[0] for number in spans if number is not None)
        return low, high


def _within(inner: tuple[float, float, bool], outer: tuple[float, float, bool]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]
