"""The classes of published rows that fit private rows, all rows at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sfumato.attacks.view.table_view import RowView
from sfumato.data.base import Ints
from sfumato.kernels.verify.record_linkage import fitting_classes

__all__ = ["classes_of_rows"]

_ROOM = 8_000_000
_ROWS = 20_000


def classes_of_rows(seen: RowView, rows: Ints) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Part by part: some of the rows, where the classes of each begin, and the classes.

    >>> from sfumato import Table
    >>> people = Table({"age": [30, 31, 52]})
    >>> seen = RowView(Table({"age": ["[30:31]", "[30:31]", "52"]}), people)
    >>> [part[2].tolist() for part in classes_of_rows(seen, np.arange(3))]
    [[1, 1, 0]]
    """
    if seen.coding is None:
        everything = np.arange(len(seen.cells))
        for row in rows.tolist():
            yield np.array([row]), np.array([0, len(everything)]), everything
        return
    fixed = _arrays(seen)
    first_leaf = fixed[6][:, 1]
    waiting = [part for part in np.array_split(rows, max(1, -(-len(rows) // _ROWS))) if len(part)]
    waiting.reverse()
    room = np.empty(_ROOM, dtype=np.int64)
    while waiting:
        part = waiting.pop()
        leaves = np.ascontiguousarray(seen.coding.codes[:, part].T.astype(np.int64) + first_leaf)
        starts = fitting_classes(leaves, *fixed, room)
        if starts[-1] >= 0:
            yield part, starts, room[: starts[-1]].copy()
        elif len(part) > 1:
            waiting += [part[len(part) // 2 :], part[: len(part) // 2]]
        else:
            room = np.empty(2 * len(room), dtype=np.int64)
            waiting.append(part)


def _arrays(seen: RowView) -> tuple[Ints, ...]:
    assert seen.coding is not None
    leaf_sizes = [attribute.n_leaves for attribute in seen.coding.attributes]
    label_sizes = [len(leaves) for leaves in seen.leaves]
    first_leaf = np.concatenate(([0], np.cumsum(leaf_sizes)))
    first_label = np.concatenate(([0], np.cumsum(label_sizes)))
    labels, values, covers, bases, widths, width = [], [], [], [], [], 0
    for column, groups in enumerate(seen.leaves):
        label = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        value = np.concatenate([np.empty(0, dtype=np.int64), *groups]).astype(np.int64)
        labels.append(label + first_label[column])
        values.append(value + first_leaf[column])
        one_label = len(np.unique(value)) == len(value)
        if one_label:
            matrix = np.full(leaf_sizes[column], -1, dtype=np.int32)
            matrix[value] = label
        else:
            matrix = np.zeros(len(groups) * leaf_sizes[column], dtype=np.int32)
            matrix[label * leaf_sizes[column] + value] = 1
        covers.append(matrix)
        bases.append((width, int(first_leaf[column]), int(first_label[column])))
        widths.append(0 if one_label else leaf_sizes[column])
        width += len(matrix)
    flat_labels, flat_values = np.concatenate(labels), np.concatenate(values)
    order = np.argsort(flat_values, kind="stable")
    leaf_starts = np.searchsorted(flat_values[order], np.arange(first_leaf[-1] + 1))
    cells = np.ascontiguousarray(seen.cells + first_label[:-1])
    by_label = np.argsort(cells.reshape(-1), kind="stable")
    class_starts = np.searchsorted(cells.reshape(-1)[by_label], np.arange(first_label[-1] + 1))
    return (
        cells.astype(np.int64),
        leaf_starts.astype(np.int64),
        flat_labels[order].astype(np.int64),
        class_starts.astype(np.int64),
        (by_label // max(1, cells.shape[1])).astype(np.int64),
        np.concatenate(covers),
        np.array(bases, dtype=np.int64),
        np.array(widths, dtype=np.int64),
    )
