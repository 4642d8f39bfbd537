"""Published labels read back: which leaves of a hierarchy the cells of a column may stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.queries import span_of
from sfumato.data.tables.encoding import Attribute, texts_of
from sfumato.data.tables.table import Table
from sfumato.errors import DataError

__all__ = ["Labels"]


@dataclass(frozen=True, eq=False)
class Labels:
    """The distinct cells of a published column, how often each occurs, and the leaves that it stands for.

    counts : int64[labels].  leaves : for each label the numbers of its leaves.  texts : the labels themselves, nothing
    for a missing value.

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

    @classmethod
    def of(cls, attribute: Attribute, published: Table) -> Self:
        """A label is a node of the hierarchy, a name in the release's members, or a range of numbers."""
        if attribute.name not in published.frame.columns:
            raise DataError(f"the release has no column {attribute.name!r}")
        found = texts_of(published[attribute.name]).alias("label").value_counts(name="rows").sort("label")
        read = _Reader(attribute, published)
        leaves = tuple(read.leaves(label) for label in found["label"].to_list())
        return cls(attribute, found["rows"].to_numpy().astype(np.int64), leaves, tuple(found["label"].to_list()))

    def expected(self) -> npt.NDArray[np.float64]:
        """How many rows have each leaf, if every label is evenly one of its leaves."""
        rows = np.zeros(self.attribute.n_leaves)
        for count, leaves in zip(self.counts.tolist(), self.leaves, strict=True):
            rows[leaves] += count / len(leaves)
        return rows


class _Reader:
    """What the labels of a column stand for."""

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
        inside = np.flatnonzero([span is not None and one is not None and _within(one, span) for one in self._numbers])
        if not len(inside):
            raise DataError(
                f"the release has a label in the column {attribute.name!r} that no value of the original fits; "
                "is this its original, with its hierarchies?"
            )
        return inside


def _within(one: tuple[float, float, bool], span: tuple[float, float, bool]) -> bool:
    return span[0] <= one[0] and one[1] <= span[1]
