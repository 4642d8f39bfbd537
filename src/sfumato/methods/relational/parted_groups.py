"""Groups of many rows: made part by part, then improved in other parts, so that time grows with the rows alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sfumato.data.base import Ints
from sfumato.methods.relational.group_costs import group_labels
from sfumato.methods.relational.grouping import Grouping
from sfumato.methods.relational.row_parts import row_parts

__all__ = ["parted_groups"]

_PART = 4_000  # rows
_SHARES = (0.3, 0.7)  # of the rows before a cut, in the rounds after the first: other borders each time


def parted_groups(grouping: Grouping, advance: Callable[[int, int], None] | None = None) -> Ints | None:
    """Greedy groups and exchange in parts of the rows, then exchange in parts with other borders.

    Returns groups that meet the requirement; None where all rows together do not meet it.
    """
    group: Ints | None = _grown_in_parts(grouping)
    for number, share in enumerate(_SHARES, start=1):
        if advance is not None:
            advance(number, 1 + len(_SHARES))
        group = grouping.met(group) if group is not None else None
        group = _exchanged_in_parts(grouping, group, share) if group is not None else None
    return group


def _grown_in_parts(grouping: Grouping) -> Ints:
    """The groups of every part; a part that cannot meet the requirement is one group."""
    group, n_groups = np.empty(len(grouping.codes), dtype=np.int64), 0
    for rows in row_parts(grouping.codes, np.ones(len(group), dtype=np.int64), grouping.spans, _PART):
        part = grouping.part(rows)
        start = part.met(part.grown())
        own = np.zeros(len(rows), dtype=np.int64) if start is None else part.exchanged(start)
        group[rows] = own + n_groups
        n_groups += int(own.max()) + 1
    return group


def _exchanged_in_parts(grouping: Grouping, group: Ints, share: float) -> Ints:
    """The groups after exchange in parts that hold them whole."""
    low, _ = group_labels(grouping.codes, group, int(group.max()) + 1)
    sizes = np.bincount(group)
    by_group, starts = np.argsort(group, kind="stable"), np.concatenate(([0], np.cumsum(sizes)))
    result, n_groups = np.empty(len(group), dtype=np.int64), 0
    for numbers in row_parts(low, sizes, grouping.spans, _PART, share):
        rows = np.sort(np.concatenate([by_group[starts[number] : starts[number + 1]] for number in numbers]))
        number_of = np.searchsorted(np.sort(numbers), group[rows])
        own = grouping.part(rows).exchanged(number_of)
        result[rows] = own + n_groups
        n_groups += int(own.max()) + 1
    return result
