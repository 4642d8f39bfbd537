"""The quasi-identifiers of a table as numbers, its equivalence classes, and the units that are counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import Table
from sfumato.data.base import Ints, missing
from sfumato.data.tables.encoding import texts_of
from sfumato.kernels.verify.column_sets import number_keys

__all__ = ["CodedColumns", "class_sizes", "codes_of", "combined", "distinction_and_separation"]

_LARGEST = 2**62  # of keys; kernels multiply them by nothing more


@dataclass(frozen=True, eq=False)
class CodedColumns:
    """Columns of a table as codes.  A missing value is a value of its own, equal to other missing values.

    codes : int32[columns, rows].  radix : int64[columns], how many values each column has.
    units : int32[rows], the person of each row, or the row itself; numbered without gaps.  n_units : how many.
    names : who the units are; private.

    >>> table = Table({"age": [31, 31, None], "sex": ["f", "m", "f"]})
    >>> CodedColumns.of(table, ("age", "sex")).codes.tolist()
    [[0, 0, 1], [0, 1, 0]]
    """

    columns: tuple[str, ...]
    codes: Ints
    radix: Ints
    units: Ints
    n_units: int
    names: pl.Series

    @classmethod
    def of(cls, table: Table, columns: Sequence[str]) -> Self:
        codes = np.empty((len(columns), len(table)), dtype=np.int32)
        radix = np.empty(len(columns), dtype=np.int64)
        for index, column in enumerate(columns):
            codes[index], radix[index] = codes_of(table[column])
        units, n_units, names = _units(table)
        return cls(tuple(columns), codes, radix, units, n_units, names)

    def __len__(self) -> int:
        return len(self.units)

    def units_with(self, rows: npt.NDArray[np.bool_]) -> int:
        """How many units have one of these rows."""
        having = np.zeros(self.n_units, dtype=bool)
        having[self.units[rows]] = True
        return int(having.sum())

    def classes(self) -> tuple[Ints, int]:
        """The equivalence class of each row, numbered from 0, and how many classes there are."""
        keys: Ints = np.zeros(len(self), dtype=np.int64)
        largest = 1
        for codes, radix in zip(self.codes, self.radix.tolist(), strict=True):
            if largest * radix >= _LARGEST:
                keys, largest = combined(keys)
            keys = keys * radix + codes
            largest *= max(1, radix)
        return combined(keys)


def _units(table: Table) -> tuple[Ints, int, pl.Series]:
    if table.persons is None:
        numbers = np.arange(len(table), dtype=np.int32)
        return numbers, len(table), pl.Series("record", numbers + 1)
    # a table that was cut out of a larger one can name persons of whom no row is left
    present, units = np.unique(table.persons.codes, return_inverse=True)
    return units.astype(np.int32), len(present), table.persons.names.gather(present).alias("person")


def codes_of(column: pl.Series) -> tuple[Ints, int]:
    """The number of each value, by first appearance, and how many values there are."""
    cells = pl.select(pl.when(missing(column)).then(None).otherwise(column)).to_series().alias("value")
    values = cells.unique(maintain_order=True).to_frame().with_row_index("code")
    coded = cells.to_frame().join(values, on="value", how="left", nulls_equal=True, maintain_order="left")
    return coded["code"].to_numpy().astype(np.int32), len(values)


def combined(keys: Ints) -> tuple[Ints, int]:
    """Keys numbered without gaps, by first appearance, and how many there are."""
    numbers, count = number_keys(np.ascontiguousarray(keys, dtype=np.int64))
    return numbers.astype(np.int64), int(count)


def class_sizes(classes: Ints, n_classes: int, units: Ints, n_units: int) -> Ints:
    """How many different units each class has."""
    if n_units == len(units):  # no unit has two rows
        return np.bincount(classes, minlength=n_classes)
    pairs = np.unique(classes * n_units + units)
    return np.bincount(pairs // max(1, n_units), minlength=n_classes)


def sizes_in_population(table: Table, population: Table, columns: Sequence[str]) -> tuple[Ints, Ints]:
    """Of each row, how many units of the table and of the population have its values; values compare as texts."""
    texts = [pl.DataFrame({name: texts_of(part[name]) for name in columns}) for part in (table, population)]
    both = CodedColumns.of(Table(pl.concat(texts)), columns)
    classes, n_classes = both.classes()
    sizes = []
    for part, rows in ((table, classes[: len(table)]), (population, classes[len(table) :])):
        units, n_units, _ = _units(part)
        sizes.append(class_sizes(rows, n_classes, units, n_units)[classes[: len(table)]])
    return sizes[0], sizes[1]


def distinction_and_separation(sizes: Ints, times: Ints | None = None) -> tuple[float, float]:
    """Motwani and Xu: values per record, and the share of the pairs of records that have different values.

    sizes : how many records have each value.  times : how many values are that frequent; one each if not given.

    >>> distinction_and_separation(np.array([2, 1, 1]))
    (0.75, 0.8333333333333334)
    """
    sizes = sizes.astype(np.int64 if times is None else object)  # whole numbers of any size
    times = np.ones(len(sizes), dtype=np.int64) if times is None else times
    n, same = int((sizes * times).sum()), int((times * sizes * (sizes - 1)).sum()) // 2
    pairs = n * (n - 1) // 2
    return int(times.sum()) / max(1, n), (pairs - same) / pairs if pairs else 0.0
