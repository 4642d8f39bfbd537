"""Ragged arrays: records of different length in flat arrays, the base of trajectories and transactions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Dataset, Ints, Members, Persons, frozen_array, read_only
from sfumato.data.labels.flat_members import require_flat
from sfumato.data.rows.sequence_order import row_order
from sfumato.errors import Bug, DataError
from sfumato.kernels.recoding.row_copies import copy_rows, differ_from_row_before, first_unordered_row
from sfumato.threads import side_by_side, spans

__all__ = ["Ragged", "encode", "from_sequences", "id_texts", "row_order", "rows_copied", "run_starts", "sequence_order"]

_ROWS = 100_000  # that one thread copies at least


@dataclass(frozen=True, eq=False, kw_only=True)
class Ragged(Dataset):
    """Record r holds the labels ``names[codes[offsets[r]:offsets[r + 1]]]``.

    offsets : int64[n + 1], from 0 upwards.  codes : int32[total].
    names : distinct labels in name order, so that code order is name order.
    ids : the private name of each record, or None.
    members : the members of the generalized labels among the names; they are values, not labels with members.
    """

    element: ClassVar[str]  # what a record consists of, such as visit
    attribute: ClassVar[str]  # the column with the name of an element
    record: ClassVar[str]  # the column that numbers the records

    offsets: Ints
    codes: Ints
    names: tuple[str, ...]
    ids: pl.Series | None = None
    persons: Persons | None = None
    members: Members = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", frozen_array(self.offsets, np.int64))
        object.__setattr__(self, "codes", frozen_array(self.codes, np.int32))
        names = self.names
        if any(a >= b for a, b in pairwise(names)):
            raise Bug(f"{type(self).__name__}: names must be distinct and in order")
        if len(self.offsets) == 0 or self.offsets[0] != 0 or self.offsets[-1] != len(self.codes):
            raise Bug(f"{type(self).__name__}: offsets do not match codes")
        if np.any(np.diff(self.offsets) < 0):
            raise Bug(f"{type(self).__name__}: offsets must not fall")
        if len(self.codes) and not 0 <= int(self.codes.min()) <= int(self.codes.max()) < len(names):
            raise Bug(f"{type(self).__name__}: a code has no name")
        for column in (self.ids, None if self.persons is None else self.persons.codes):
            if column is not None and len(column) != len(self):
                raise DataError(f"{type(self).__name__}: {len(self)} records, but {len(column)} ids or persons")
        require_flat(self.members, f"the {self.attribute}s")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        persons = "" if self.persons is None else f" of {len(self.persons):,} persons"
        return (
            f"<{type(self).__name__}: {len(self):,} records{persons}, {len(self.codes):,} {self.element}s, "
            f"{len(self.names):,} distinct>"
        )

    @property
    def lengths(self) -> Ints:
        """The number of elements of each record."""
        return np.diff(self.offsets)

    def _lengths_of(self, records: Ints) -> Ints:
        """The number of elements of each of these records."""
        return np.asarray(self.offsets[1:][records] - self.offsets[:-1][records])

    def labels(self, record: int) -> tuple[str, ...]:
        """The labels of one record."""
        return tuple(self.names[code] for code in self.codes[self.offsets[record] : self.offsets[record + 1]])

    def to_lists(self) -> list[list[str]]:
        """The labels of every record; for small data and tests."""
        return [list(self.labels(record)) for record in range(len(self))]

    def record_of_element(self) -> Ints:
        """The record that each element belongs to."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.lengths)

    def elements_of(self, records: Ints) -> Ints:
        """The positions in `codes` of these records' elements, record by record."""
        lengths = self._lengths_of(records)
        ends = np.cumsum(lengths)
        shift = np.repeat(self.offsets[:-1][records] - (ends - lengths), lengths)
        return np.asarray(np.arange(ends[-1] if len(ends) else 0, dtype=np.int64) + shift)

    def by_record(self, values: npt.NDArray[Any], records: Ints) -> npt.NDArray[Any]:
        """The values, one an element, of these records' elements, record by record."""
        return rows_copied(values, self.offsets, records)

    def take(self, records: Ints) -> Self:
        """Some of the records, in the given order."""
        return replace(
            self,
            offsets=read_only(np.concatenate(([0], np.cumsum(self._lengths_of(records))))),
            codes=read_only(self.by_record(self.codes, records)),
            ids=None if self.ids is None else self.ids.gather(records),
            persons=None if self.persons is None else self.persons.take(records),
        )

    def run_starts(self) -> npt.NDArray[np.bool_]:
        """Whether each record differs from the record before it: in sorted data, where a run of equal ones starts."""
        return run_starts(self.offsets, self.codes)

    def by_unit(self) -> tuple[Self, Ints]:
        """The records sorted by unit (person or record), and the offsets of the units."""
        if self.persons is None:
            return self, np.arange(len(self) + 1, dtype=np.int64)
        order = np.argsort(self.persons.codes, kind="stable")
        counts = np.bincount(self.persons.codes, minlength=len(self.persons))
        return self.take(order), np.concatenate(([0], np.cumsum(counts))).astype(np.int64)

    def with_persons(self, persons: Persons | None) -> Self:
        return replace(self, persons=persons)

    def with_used_names(self) -> Self:
        """The same records without the names, and their members, that no record uses."""
        used = np.zeros(len(self.names), dtype=bool)
        used[self.codes] = True
        names = tuple(name for name, keep in zip(self.names, used, strict=True) if keep)
        if used.all() and self.members.keys() <= set(self.names):
            return self
        return replace(
            self,
            codes=read_only((np.cumsum(used) - 1).astype(np.int32)[self.codes]),
            names=names,
            members={name: self.members[name] for name in names if name in self.members},
        )

    def published(self) -> tuple[Self, Ints]:
        bare = replace(self, ids=None, persons=None)
        filled = np.flatnonzero(self.lengths > 0)
        order = filled[sequence_order(bare.take(filled))] if len(filled) < len(self) else sequence_order(bare)
        return bare.take(order).with_used_names().with_public_knowledge(), order

    @property
    def in_content_order(self) -> bool:
        """Whether no record is empty and the records are sorted as sequences of codes."""
        return bool(self.lengths.all()) and int(first_unordered_row(self.offsets, self.codes)) == len(self)

    def with_public_knowledge(self) -> Self:
        """Published records without the context that was computed from the private data (soundness rule 2).

        Computed context stays for published values only; context that the caller gave stays unchanged.
        """
        return self

    def published_members(self) -> set[str]:
        """The members of all labels."""
        return {member for label in self.names for member in self.members.get(label, (label,))}

    def to_polars(self) -> pl.DataFrame:
        """A tidy frame, one row an element, in the column names of the input format."""
        record = self.record_of_element()
        ids = pl.Series(np.arange(1, len(self) + 1)) if self.ids is None else self.ids
        columns = {self.record: ids.gather(record)}
        if self.persons is not None:
            columns["person"] = self.persons.names.gather(self.persons.codes[record])
        columns[self.attribute] = pl.Series(self.names, dtype=pl.String).gather(self.codes)
        return pl.DataFrame(columns)


def encode(column: pl.Series) -> tuple[Ints, tuple[str, ...]]:
    """The codes of a column's values, and the distinct values in name order.

    >>> codes, names = encode(pl.Series(["b", "a", "b"]))
    >>> codes.tolist(), names
    ([1, 0, 1], ('a', 'b'))
    """
    names = column.unique().sort()
    if len(names) == 0:
        return np.empty(0, dtype=np.int32), ()
    codes = column.cast(pl.Enum(names)).to_physical().to_numpy().astype(np.int32)
    return codes, tuple(names.to_list())


def sequence_order(data: Ragged) -> Ints:
    """The order that sorts the records as sequences of codes.

    >>> from sfumato.data.trajectories import Trajectories
    >>> sequence_order(Trajectories.from_lists([["b", "a"], ["b"], ["a", "c"], []])).tolist()
    [3, 2, 1, 0]
    """
    return row_order(data.offsets, data.codes)


def rows_copied(values: npt.NDArray[Any], offsets: Ints, rows: Ints) -> npt.NDArray[Any]:
    """The values of these rows, one row after the other.

    >>> rows_copied(np.array([5, 6, 7]), np.array([0, 2, 3]), np.array([-1, 0])).tolist()
    [7, 5, 6]
    """
    numbers = np.ascontiguousarray(rows, dtype=np.int64)
    if np.any(numbers < 0):  # counted from the end
        numbers = np.where(numbers < 0, numbers + len(offsets) - 1, numbers)
    ends = np.cumsum(offsets[1:][numbers] - offsets[:-1][numbers])
    copied = np.empty(int(ends[-1]) if len(ends) else 0, dtype=values.dtype)
    # one type of each argument, so that it is compiled once
    values, offsets, numbers = (read_only(np.ascontiguousarray(array).view()) for array in (values, offsets, numbers))

    def copy(span: tuple[int, int]) -> None:
        first, end = span
        copy_rows(values, offsets, numbers[first:end], copied[ends[first - 1] if first else 0 : ends[end - 1]])

    list(side_by_side(copy, spans(len(numbers), _ROWS)))
    return copied


def run_starts(offsets: Ints, codes: Ints) -> npt.NDArray[np.bool_]:
    """Whether each row differs from the row before it.

    >>> run_starts(np.array([0, 2, 4, 5]), np.array([1, 2, 1, 2, 1])).tolist()
    [True, False, True]
    """
    offsets, codes = (read_only(np.ascontiguousarray(array).view()) for array in (offsets, codes))  # compiled once
    starts = np.empty(len(offsets) - 1, dtype=bool)
    differ_from_row_before(offsets, codes, starts)
    return starts


def id_texts(name: str, ids: Sequence[Any] | None, count: int) -> pl.Series:
    """A column of ids as texts; without ids, numbers from 1."""
    values = range(1, count + 1) if ids is None else ids
    return pl.Series(name, [str(value) for value in values], dtype=pl.String)


def from_sequences(rows: Sequence[Sequence[str]]) -> tuple[Ints, Ints, tuple[str, ...]]:
    """The offsets, codes and names of a list of lists."""
    flat = [str(label) for row in rows for label in row]
    codes, names = encode(pl.Series(flat, dtype=pl.String))
    return np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64), codes, names
