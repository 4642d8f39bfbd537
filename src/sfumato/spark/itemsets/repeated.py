"""Distinct records with the number of their repetitions, as a dataset of one machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.data import Transactions

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["repeated"]


def repeated(rows: pa.Table, side: Transactions) -> Transactions:
    """The records of a table with the columns `codes`, `times` and, where persons are known, `person`."""
    from sfumato.spark.records import dataset_of

    data = dataset_of(rows.to_batches(), side)
    assert isinstance(data, Transactions)
    return data.take(np.repeat(np.arange(len(data)), rows.column("times").to_numpy()))
