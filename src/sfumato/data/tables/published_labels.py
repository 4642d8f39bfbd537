"""Published labels of a table's column, and the leaves of its hierarchy that each label may stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.labels.calendar_labels import Days, days_of
from sfumato.data.queries import span_of
from sfumato.data.tables.cell_loss import CellLoss, Range
from sfumato.data.tables.encoding import Attribute, texts_of
from sfumato.data.tables.table import Table
from sfumato.errors import DataError

__all__ = ["Labels"]

_SECONDS_OF_DAY = 86_400


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
    sizes: tuple[int, ...] = ()

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
        sizes = tuple(map(reader.size, texts, leaves))
        return cls(attribute, counts["rows"].to_numpy().astype(np.int64), leaves, texts, ranges, sizes)

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
        return cell_loss.of_counts(np.array(self.sizes, dtype=np.int64))


class _Reader:
    """Translates the labels of a column into leaves."""

    def __init__(self, attribute: Attribute, published: Table) -> None:
        self._attribute = attribute
        self._members = published.members.get(attribute.name, {})
        self._node = {name: node for node, name in enumerate(attribute.names)}
        leaf_names = [attribute.names[node] for node in attribute.leaf_node]
        self._numbers = [span_of(name) for name in leaf_names]
        self._days = [] if attribute.sizes is None else [days_of(name[:10]) for name in leaf_names]

    def leaves(self, label: str | None) -> Ints:
        attribute = self._attribute
        if label is None and attribute.missing >= 0:
            return np.array([attribute.missing])
        if label in self._node and not self._is_renamed(label):
            node = self._node[label]
            return np.arange(attribute.first[node], attribute.stop[node])
        if label in self._members:
            return np.unique(
                np.concatenate([self.leaves(member) for member in self._members[label] if member != label])
            )
        leaves = np.flatnonzero(self._inside(label))
        if not len(leaves):
            raise DataError(
                f"the release has a label in the column {attribute.name!r} that stands for no value of the original; "
                "if this is its original, it was read without its hierarchies",
                remedy="give-hierarchies",
            )
        return leaves

    def _is_renamed(self, label: str) -> bool:
        """Whether a label with members is called like a value that is not published."""
        return label in self._members and self._node[label] in self._attribute.leaf_node

    def _inside(self, label: str | None) -> list[bool]:
        """Which leaves lie in a range of numbers or in a calendar label."""
        days = days_of(label) if self._days else None
        if days is not None:
            return [day is not None and day.within(days) > 0 for day in self._days]
        span = None if label is None else span_of(label)
        return [span is not None and number is not None and _within(number, span) for number in self._numbers]

    def size(self, label: str | None, leaves: Ints) -> int:
        """How many values a label stands for: leaves, or in a column of dates days or seconds of the domain."""
        sizes = self._attribute.sizes
        if sizes is None or label is None:
            return len(leaves)
        if label in self._node:
            return int(sizes[self._node[label]])
        if label in self._members:
            return sum(self.size(member, self.leaves(member)) for member in self._members[label])
        days = days_of(label)
        known = [day for day in self._days if day is not None]
        unit = 1 if len(self._attribute.names[self._attribute.leaf_node[0]]) == len("2024-03-05") else _SECONDS_OF_DAY
        return len(leaves) if days is None else unit * days.within(Days(known[0].first, known[-1].last))

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
