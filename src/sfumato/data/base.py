"""The base class of datasets (a kind, records, persons), and functions on columns that all datasets share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.queries import Query, require_estimate
from sfumato.errors import DataError
from sfumato.html import card_html

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = [
    "Dataset",
    "Frame",
    "Ints",
    "Members",
    "Persons",
    "Progress",
    "Tabular",
    "frozen_array",
    "missing",
    "numbered",
    "one_spelling",
    "read_only",
]

_SHOWN = 10  # rows in a notebook

Ints = npt.NDArray[np.integer[Any]]
Progress = Callable[[str, int, int], None]
"""What long work calls while it runs: with the phase, how much is done, and of how much."""

Members = dict[str, tuple[str, ...]]
"""The members of each generalized label; a label that is not a key stands for itself."""


class Columns(Protocol):
    """What frames of all makes have in common: columns of one length, by their names."""

    def __len__(self) -> int: ...

    def __getitem__(self, column: Any, /) -> Any: ...


Frame = Columns | pl.LazyFrame
"""A frame of any make: polars, pandas, geopandas, Arrow, or a mapping of columns."""


@dataclass(frozen=True, eq=False)
class Persons:
    """The person of each record: a number per record, and the private name of each number.

    >>> persons = Persons.of(["ann", "bob", "ann"])
    >>> persons.codes.tolist(), len(persons)
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
            raise DataError("persons: wanted a person for every record, found a record without one")
        codes, names = numbered(column)
        return cls(frozen_array(codes, np.int32), names.rename("person"))

    def __len__(self) -> int:
        return len(self.names)

    def take(self, rows: Ints) -> Self:
        """The persons of some of the records; row -1 is a dummy record, which gets a person of its own."""
        dummies = np.flatnonzero(np.asarray(rows) < 0)
        if len(dummies) == 0:
            return type(self)(frozen_array(self.codes[rows], np.int32), self.names)
        codes = self.codes[rows].copy()
        codes[dummies] = len(self.names) + np.arange(len(dummies))
        dummy_names = pl.Series([f"dummy {number}" for number in range(1, len(dummies) + 1)])
        return type(self)(frozen_array(codes, np.int32), self.names.cast(pl.String).append(dummy_names))


class Tabular(ABC):
    """Something with rows, which go out as a frame of any make."""

    @abstractmethod
    def to_polars(self) -> pl.DataFrame:
        """The rows as a polars frame."""

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a pandas frame."""
        from sfumato.data import frames

        return frames.to_pandas(self.to_polars())

    def to_arrow(self) -> pa.Table:
        """The rows as an Arrow table."""
        from sfumato.data import frames

        return frames.to_arrow(self.to_polars())

    def _repr_html_(self) -> str:
        frame = self.to_polars()
        return card_html(repr(self), frame.columns, frame.head(_SHOWN).rows(), len(frame), self._remarks())

    def _remarks(self) -> Iterable[str]:
        """The sentences below the table, in a notebook."""
        return ()


class Dataset(Tabular):
    """Records about people.  A dataset never changes; methods return new ones."""

    kind: ClassVar[str]
    persons: Persons | None

    @abstractmethod
    def __len__(self) -> int:
        """The number of records."""

    @property
    def unit(self) -> str:
        """What support counts: 'person' where persons are known, otherwise 'record'."""
        return "record" if self.persons is None else "person"

    @property
    def units(self) -> Ints:
        """The person behind each record, or the record itself where persons are unknown."""
        if self.persons is not None:
            return self.persons.codes
        records = np.arange(len(self), dtype=np.int32)
        records.flags.writeable = False  # as codes of persons: kernels are compiled once for both
        return records

    def to_geopandas(self) -> Any:
        """A frame with a geometry; only data with places, roads or positions have one."""
        raise DataError(f"to_geopandas: wanted trajectories with places that have coordinates, found {self.kind}")

    @abstractmethod
    def published(self) -> tuple[Self, Ints]:
        """The dataset as it may be published, and the original record of each published record.

        Soundness rule 1: no ids, no persons, records sorted by their published content.
        """

    @abstractmethod
    def chances(self, query: Query, estimate: str = "share") -> npt.NDArray[np.float64]:
        """The probability that each record answers a query, given what its labels may stand for.

        estimate : how generalized items are counted, ``share`` or ``subsets``; see ``Transactions.chances``.  It makes
            no difference where no items are generalized: in trajectories, tables and chunks.
        """

    def expected_count(self, query: Query, estimate: str = "share") -> float:
        """The expected number of records that answer a query: the exact count where nothing is generalized.

        It counts records, also where persons are known.  estimate : how generalized items are counted.
        """
        return float(self.chances(query, estimate).sum())

    def expected_counts(self, queries: Iterable[Query], estimate: str = "share") -> npt.NDArray[np.float64]:
        """The expected count of each of several queries.  estimate : how generalized items are counted."""
        require_estimate(estimate)
        return np.array([self.expected_count(query, estimate) for query in queries], dtype=np.float64)

    @abstractmethod
    def with_persons(self, persons: Persons | None) -> Self:
        """The same records with other persons."""


def distinct_rows(rows: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Ints]:
    """The distinct rows of a matrix of whole numbers, sorted, and the position of each row among them.

    >>> rows, position = distinct_rows(np.array([[2, 1], [0, 3], [2, 1]]))
    >>> rows.tolist(), position.tolist()
    ([[0, 3], [2, 1]], [1, 0, 1])
    """
    order = np.lexsort(rows.T[::-1]) if rows.shape[1] else np.arange(len(rows))
    ordered = rows[order]
    is_first = np.ones(len(rows), dtype=bool)
    is_first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    position = np.empty(len(rows), dtype=np.int64)
    position[order] = np.cumsum(is_first) - 1
    return ordered[is_first], position


def missing(column: pl.Series) -> pl.Series:
    """Which values are missing: null, an empty text or not a number."""
    if column.dtype == pl.String:
        return column.is_null() | (column == "")
    return column.is_null() | column.is_nan() if column.dtype.is_float() else column.is_null()


def one_spelling(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with one spelling for equal values: None for every missing value, 0.0 for -0.0.

    A file does not distinguish an empty text, not-a-number and None, so a count of values must not either.

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
    """The number of each value, by first appearance, and the distinct values in that order.

    >>> codes, values = numbered(pl.Series(["b", "a", "b"]))
    >>> codes.tolist(), values.to_list()
    ([0, 1, 0], ['b', 'a'])
    """
    values = column.unique(maintain_order=True)
    if len(values) == len(column):
        return np.arange(len(column), dtype=np.int32), values
    codes = column.cast(pl.String).cast(pl.Enum(values.cast(pl.String))).to_physical()
    return codes.to_numpy().astype(np.int32), values


def read_only(array: Any) -> Any:
    """An array that has one owner, locked, so that a dataset takes it over without a copy."""
    array.flags.writeable = False
    return array


def frozen_array(values: Any, dtype: Any) -> Any:
    """A read-only contiguous array; a writable input is copied, never locked."""
    array = np.ascontiguousarray(values, dtype=dtype)
    if array.flags.writeable and array is values:
        array = array.copy()
    array.flags.writeable = False
    return array
