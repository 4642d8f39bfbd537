"""Equivalence classes of people by what others may know, counted as the library's audit counts them."""

from __future__ import annotations

import polars as pl

from sfumato.attacks.audit.coded_columns import CodedColumns, class_sizes
from sfumato.data import Table
from sfumato.data.base import Ints

__all__ = ["classes_in"]


def classes_in(frame: pl.DataFrame) -> Ints:
    """The size of each equivalence class of the rows; a missing value equals other missing values only.

    >>> classes_in(pl.DataFrame({"age": [30, 30, None], "sex": ["f", "f", "f"]})).tolist()
    [2, 1]
    """
    coded = CodedColumns.of(Table(frame), frame.columns)
    classes, count = coded.classes()
    return class_sizes(classes, count, coded.units, coded.n_units)
