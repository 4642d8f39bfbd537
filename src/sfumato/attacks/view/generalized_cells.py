"""The generalized cells of a release, what they may stand for, and what they really were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sfumato.attacks.view.published_view import PublishedView
from sfumato.attacks.view.setting import AttackSetting
from sfumato.data import Mixed
from sfumato.data.base import Ints

__all__ = ["Cells", "Truth", "generalized_parts", "is_generalized"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Cells:
    """The generalized cells of one column (or of the places or items): label, record, and which leaves were there.

    left : float64[leaves], how often each leaf must hide behind generalized labels.
    """

    labels: Ints
    records: Ints
    members: Sequence[Ints]
    left: Floats
    total: int


def is_generalized(setting: AttackSetting) -> bool:
    seen = setting.seen
    if seen.labels is not None and np.any(_sizes(seen) > 1):
        return True
    return seen.rows is not None and any(
        _generalized_labels(seen, column).any() for column in range(len(seen.rows.leaves))
    )


def _generalized_labels(seen: PublishedView, column: int) -> npt.NDArray[np.bool_]:
    """Which labels of a column are not the name of the one value that they stand for."""
    assert seen.rows is not None
    assert seen.rows.coding is not None
    attribute = seen.rows.coding.attributes[column]
    pairs = zip(seen.rows.leaves[column], seen.rows.texts[column], strict=True)
    return np.array(
        [
            len(group) != 1 or (text is not None and text != attribute.names[attribute.leaf_node[group[0]]])
            for group, text in pairs
        ],
        dtype=bool,
    )


def _sizes(seen: PublishedView) -> Ints:
    """How many members each published label has, known to occur or not."""
    assert seen.labels is not None
    data = seen.labels.data
    return np.array([len(data.members.get(label, (label,))) for label in data.names], dtype=np.int64)


def generalized_parts(
    original: Any, seen: PublishedView, correspondence: Ints | None, origin: Ints | None = None
) -> list[tuple[Cells, Truth | None]]:
    """The cells of each column, and of places or items, with their truth where the correspondence is known.

    origin : the private visit or item behind each published one, where it is known.
    """
    parts: list[tuple[Cells, Truth | None]] = []
    if seen.labels is not None:
        part = original.items if isinstance(original, Mixed) else original
        labels = seen.labels
        data = labels.data
        wide = _sizes(seen) > 1
        plain = labels.members[labels.starts[:-1][~wide & (np.diff(labels.starts) > 0)]]
        names = np.flatnonzero(~wide & (np.diff(labels.starts) > 0))
        counts = np.bincount(part.codes, minlength=labels.n_leaves).astype(np.float64)
        np.subtract.at(counts, plain, np.bincount(data.codes, minlength=len(data.names))[names])
        positions = np.flatnonzero(wide[data.codes]) if len(data.codes) else np.empty(0, dtype=np.int64)
        members = [labels.members[labels.starts[i] : labels.starts[i + 1]] for i in range(len(data.names))]
        cells = Cells(data.codes[positions], data.record_of_element()[positions], members, counts, len(data.codes))
        truth: Truth | None = None
        if correspondence is not None:
            ordered = part.kind == "trajectories"
            truth = _Elements(part, data, correspondence, positions, ordered, origin if ordered else None)
        parts.append((cells, truth))
    if seen.rows is not None and seen.rows.coding is not None:
        for column, groups in enumerate(seen.rows.leaves):
            leaf = seen.rows.coding.codes[column]
            label = seen.rows.cells[seen.rows.class_of, column]
            wide = _generalized_labels(seen, column)
            counts = np.bincount(leaf, minlength=seen.rows.coding.attributes[column].n_leaves).astype(np.float64)
            shown = np.bincount(label, minlength=len(groups))
            for i in np.flatnonzero(~wide).tolist():
                counts[groups[i]] -= shown[i]
            positions = np.flatnonzero(wide[label])
            cells = Cells(label[positions], positions, [np.asarray(group) for group in groups], counts, len(label))
            parts.append((cells, None if correspondence is None else _Values(leaf, correspondence)))
    return parts


@dataclass(frozen=True, eq=False)
class _Values:
    """The truth of a column."""

    leaf: Ints
    correspondence: Ints

    def known(self, cells: Cells) -> npt.NDArray[np.bool_]:
        return np.asarray(self.correspondence[cells.records] >= 0)

    def right(self, cells: Cells, chosen: Ints, guess: Ints) -> Floats:
        true = self.leaf[self.correspondence[cells.records[chosen]]]
        return np.asarray(guess[cells.labels[chosen]] == true, dtype=np.float64)

    def uniform(self, cells: Cells, chosen: Ints) -> Floats:
        sizes = np.array([max(1, len(members)) for members in cells.members])
        return 1.0 / sizes[cells.labels[chosen]]


@dataclass(frozen=True, eq=False)
class _Elements:
    """The truth of visits or items: the private record behind a published one, and the place in it.

    origin : the private visit behind each published one; where it is not known, records of the same length are compared
    visit by visit.
    """

    original: Any
    data: Any
    correspondence: Ints
    at: Ints
    ordered: bool
    origin: Ints | None

    def known(self, cells: Cells) -> npt.NDArray[np.bool_]:
        if self.origin is not None:
            return np.asarray(self.origin[self.at] >= 0)
        behind = self.correspondence[cells.records]
        known = behind >= 0
        if self.ordered:
            known &= self.data.lengths[cells.records] == self.original.lengths[behind]
        return np.asarray(known)

    def _true(self, cells: Cells, chosen: Ints) -> Ints:
        if self.origin is not None:
            return np.asarray(self.original.codes[self.origin[self.at[chosen]]])
        behind = self.correspondence[cells.records[chosen]]
        step = self.at[chosen] - self.data.offsets[:-1][cells.records[chosen]]
        return np.asarray(self.original.codes[self.original.offsets[:-1][behind] + step])

    def right(self, cells: Cells, chosen: Ints, guess: Ints) -> Floats:
        if self.ordered:
            return np.asarray(guess[cells.labels[chosen]] == self._true(cells, chosen), dtype=np.float64)
        n = max(1, len(self.original.names))
        have = np.unique(self.original.record_of_element() * n + self.original.codes)
        return np.isin(self.correspondence[cells.records[chosen]] * n + guess[cells.labels[chosen]], have).astype(
            np.float64
        )

    def uniform(self, cells: Cells, chosen: Ints) -> Floats:
        """For a set, the share of the label's members that the person has."""
        sizes = np.array([max(1, len(members)) for members in cells.members])[cells.labels[chosen]]
        if self.ordered:
            return 1.0 / sizes
        n = max(1, len(self.original.names))
        have = np.unique(self.original.record_of_element() * n + self.original.codes)
        lengths = np.array([len(members) for members in cells.members])[cells.labels[chosen]]
        flat = np.concatenate([np.empty(0, dtype=np.int64), *(cells.members[i] for i in cells.labels[chosen].tolist())])
        owner = np.repeat(np.arange(len(chosen)), lengths)
        held = np.isin(np.repeat(self.correspondence[cells.records[chosen]], lengths) * n + flat, have)
        return np.asarray(np.bincount(owner[held], minlength=len(chosen)) / sizes)


Truth = _Values | _Elements
