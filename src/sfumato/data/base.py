"""What every dataset has in common: a kind, records, and the persons behind them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.queries import Query
from sfumato.errors import DataError

__all__ = ["Dataset", "Ints", "Members", "Persons", "frozen_array", "missing", "numbered", "one_spelling"]

Ints = npt.NDArray[np.integer[Any]]
Members = dict[str, tuple[str, ...]]
"""What each generalized label stands for; a label that is not a key stands for itself."""


@dataclass(frozen=True, eq=False)
class Persons:
    """Who is behind each record: a number per record, and the private names behind the numbers.

    >>> someone = Persons.of(["ann", "bob", "ann"])
    >>> someone.codes.tolist(), len(someone)
    ([0, 1, 0], 2)
    """

    codes: Ints
    names: pl.Series

    @classmethod
    def of(cls, values: Any) -> Self:
        """Number the distinct values in the order of their first appearance."""
        try:
            column = values if isinstance(values, pl.Series) else pl.Series("person", list(values))
        except TypeError:
            raise DataError("persons: wanted all texts or all numbers, found a mixture") from None
        if missing(column).any():
            raise DataError("persons: every record needs a person, found a missing one")
        codes, names = numbered(column)
        return cls(frozen_array(codes, np.int32), names.rename("person"))

    def __len__(self) -> int:
        return len(self.names)

    def take(self, rows: Ints) -> Self:
        """The persons of some of the records; row -1 is a dummy, and each of these is somebody of its own."""
        dummies = np.flatnonzero(np.asarray(rows) < 0)
        if len(dummies) == 0:
            return type(self)(frozen_array(self.codes[rows], np.int32), self.names)
        codes = self.codes[rows].copy()
        codes[dummies] = len(self.names) + np.arange(len(dummies))
        invented = pl.Series([f"dummy {number}" for number in range(1, len(dummies) + 1)])
        return type(self)(frozen_array(codes, np.int32), self.names.cast(pl.String).append(invented))


class Dataset(ABC):
    """Records about people.  Datasets are never changed; methods make new ones."""

    kind: ClassVar[str]
    persons: Persons | None

    @abstractmethod
    def __len__(self) -> int:
        """How many records there are."""

    @property
    def unit(self) -> str:
        """What support counts: distinct persons where they are known, otherwise records."""
        return "record" if self.persons is None else "person"

    @property
    def units(self) -> Ints:
        """The person behind each record, or the record itself where persons are unknown."""
        return np.arange(len(self), dtype=np.int32) if self.persons is None else self.persons.codes

    @abstractmethod
    def published(self) -> tuple[Self, Ints]:
        """The dataset as it may be seen, and which record each of its records was.

        Soundness rule 1: no ids, no persons, records sorted by their published content.
        """

    @abstractmethod
    def chances(self, query: Query) -> npt.NDArray[np.float64]:
        """How likely each record answers a query, given what its labels may stand for."""

    def expected_count(self, query: Query) -> float:
        """The expected number of records that answer a query: the exact count where nothing is generalized."""
        return float(self.chances(query).sum())

    def expected_counts(self, queries: Iterable[Query]) -> npt.NDArray[np.float64]:
        """The expected count of each of several queries."""
        return np.array([self.expected_count(query) for query in queries], dtype=np.float64)

    @abstractmethod
    def with_persons(self, persons: Persons | None) -> Self:
        """The same records with other persons behind them."""


def distinct_rows(rows: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Ints]:
    """The different rows of a matrix of whole numbers, sorted, and for each row the number of its own.

    >>> rows, number = distinct_rows(np.array([[2, 1], [0, 3], [2, 1]]))
    >>> rows.tolist(), number.tolist()
    ([[0, 3], [2, 1]], [1, 0, 1])
    """
    order = np.lexsort(rows.T[::-1]) if rows.shape[1] else np.arange(len(rows))
    ordered = rows[order]
    fresh = np.ones(len(rows), dtype=bool)
    fresh[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    number = np.empty(len(rows), dtype=np.int64)
    number[order] = np.cumsum(fresh) - 1
    return ordered[fresh], number


def missing(column: pl.Series) -> pl.Series:
    """Which values are missing: null, an empty text or not a number."""
    if column.dtype == pl.String:
        return column.is_null() | (column == "")
    return column.is_null() | column.is_nan() if column.dtype.is_float() else column.is_null()


def one_spelling(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with one spelling for values that are the same: nothing for a missing one, 0.0 for -0.0.

    A file does not tell an empty text, not-a-number and nothing apart, so neither may whoever counts values.

    >>> one_spelling(pl.DataFrame({"x": [-0.0, float("nan"), None], "y": ["", "a", None]})).rows()
    [(0.0, None), (None, 'a'), (None, None)]
    """
    floats = [name for name, dtype in frame.schema.items() if dtype.is_float()]
    texts = [name for name, dtype in frame.schema.items() if dtype == pl.String]
    return frame.with_columns(
        *(
            pl.when(pl.col(name) == 0)
            .then(0.0)
            .otherwise(pl.col(name).fill_nan(None))
            .cast(frame.schema[name])
            .alias(name)
            for name in floats
        ),
        *(pl.when(pl.col(name) != "").then(pl.col(name)).alias(name) for name in texts if (frame[name] == "").any()),
    )


def numbered(column: pl.Series) -> tuple[Ints, pl.Series]:
    """The number of each value, by first appearance, and the values behind the numbers.

    >>> codes, values = numbered(pl.Series(["b", "a", "b"]))
    >>> codes.tolist(), values.to_list()
    ([0, 1, 0], ['b', 'a'])
    """
    values = column.unique(maintain_order=True)
    if len(values) == len(column):
        return np.arange(len(column), dtype=np.int32), values
    codes = column.cast(pl.String).cast(pl.Enum(values.cast(pl.String))).to_physical()
    return codes.to_numpy().astype(np.int32), values


def frozen_array(values: Any, dtype: Any) -> Any:
    """A read-only contiguous array; a writable input is copied, never locked."""
    array = np.ascontiguousarray(values, dtype=dtype)
    if array.flags.writeable and array is values:
        array = array.copy()
    array.flags.writeable = False
    return array
