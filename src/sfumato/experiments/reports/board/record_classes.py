"""How many published records are equal: as a whole, or in their quasi-identifiers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.attacks.audit.findings import set_size_classes
from sfumato.data import Dataset, Mixed, RoadTrajectories, Table
from sfumato.data.ragged import Ragged

__all__ = ["Sizes", "class_sizes", "row_class_sizes", "size_shares"]

Sizes = npt.NDArray[np.int64]


def class_sizes(data: Dataset) -> Sizes:
    """The sizes of the groups of equal records, in any order.

    >>> from sfumato import Transactions
    >>> sorted(class_sizes(Transactions.from_lists([["a"], ["a"], ["a", "b"]])).tolist())
    [1, 2]
    """
    if isinstance(data, Table):
        return _counted(data.frame)
    if isinstance(data, Mixed):
        return _counted(data.table.frame.with_columns(_keys(data.items)))
    if isinstance(data, RoadTrajectories):
        data = data.as_trajectories(by_interval=True)
    if not isinstance(data, Ragged):
        raise TypeError(type(data))
    return _counted(_keys(data).to_frame())


def row_class_sizes(table: Table) -> Sizes:
    """The sizes of the equivalence classes of a table.

    >>> sorted(row_class_sizes(Table({"age": [1, 1, 2], "ill": ["x", "y", "x"]}, sensitive=("ill",))).tolist())
    [1, 2]
    """
    if not table.quasi_identifiers:  # all rows are alike
        return np.array([len(table)], dtype=np.int64)
    return _counted(table.frame.select(table.quasi_identifiers))


def size_shares(sizes: Sizes) -> list[tuple[str, float]]:
    """The share of records in groups of each range of sizes.

    >>> size_shares(np.array([1, 3, 4]))
    [('1', 0.125), ('2', 0.0), ('3-4', 0.875)]
    """
    total = int(sizes.sum())
    return [
        (label, int(sizes[(sizes >= low) & (sizes <= high)].sum()) / total)
        for label, low, high in set_size_classes(int(sizes.max(initial=1)))
    ]


def _keys(data: Ragged) -> pl.Series:
    """The labels of each record, as bytes."""
    codes, offsets = data.codes, data.offsets.tolist()
    keys = [codes[start:end].tobytes() for start, end in pairwise(offsets)]
    return pl.Series("\0labels", keys, dtype=pl.Binary)


def _counted(records: pl.DataFrame) -> Sizes:
    return records.group_by(records.columns).len()["len"].to_numpy().astype(np.int64)
