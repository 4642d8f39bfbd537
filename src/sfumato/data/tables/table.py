"""Tables: one row a record, with quasi-identifiers, sensitive columns and other columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import frames
from sfumato.data.base import Dataset, Frame, Ints, Members, Persons, one_spelling
from sfumato.data.labels.calendar_labels import days_of
from sfumato.data.labels.flat_members import require_flat
from sfumato.data.queries import Between, OneOf, Query, require_estimate, span_of
from sfumato.data.tables.content_order import content_order
from sfumato.data.tables.dates import HIERARCHIES, as_dates, date_texts, is_temporal
from sfumato.data.tables.numeric_leaves import whole_numbers, with_plain_numbers
from sfumato.data.taxonomy import Taxonomy
from sfumato.errors import DataError, did_you_mean, either

__all__ = ["Table"]


@dataclass(frozen=True, eq=False)
class Table(Dataset):
    """Columns of values; some are quasi-identifiers, some sensitive.

    Without a list of quasi-identifiers, all columns but the sensitive ones are.  A missing value is a value like any
    other: it matches other missing values only.

    >>> people = Table({"age": [31, 44], "job": ["cook", None]}, sensitive=("job",))
    >>> people.quasi_identifiers, people["age"].to_list()
    (('age',), [31, 44])
    """

    kind: ClassVar[str] = "table"

    frame: Any
    quasi_identifiers: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    hierarchies: Mapping[str, Taxonomy] = field(default_factory=dict)
    persons: Persons | None = None
    members: Mapping[str, Members] = field(default_factory=dict)
    dates: str = "month"  # the hierarchy of dates without one of their own: days in months, or in weeks

    def __post_init__(self) -> None:
        if self.dates not in HIERARCHIES:
            raise DataError(f"the table: wanted dates in {either(list(HIERARCHIES))}, found {self.dates!r}")
        frame = one_spelling(as_dates(frames.to_polars(self.frame)))
        frames.refuse_names(frame.columns, frames.Source("the table"))
        object.__setattr__(self, "frame", frame)
        _require_columns(
            frame, (*self.quasi_identifiers, *self.sensitive, *self.hierarchies), frames.Source("the table")
        )
        trees = {column: _hierarchy(frame[column], tree) for column, tree in self.hierarchies.items()}
        object.__setattr__(self, "hierarchies", trees)
        for names in (self.quasi_identifiers, self.sensitive):
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise DataError(f"the table: wanted every column once, found {twice!r} twice in one role")
        doubled = set(self.quasi_identifiers) & set(self.sensitive)
        if doubled:
            raise DataError(
                f"the table: wanted one role for a column, found {min(doubled)!r} as quasi-identifier and as sensitive"
            )
        if not self.quasi_identifiers:
            not_sensitive = tuple(column for column in frame.columns if column not in self.sensitive)
            object.__setattr__(self, "quasi_identifiers", not_sensitive)
        if self.persons is not None and len(self.persons.codes) != len(frame):
            raise DataError(f"the table: {len(frame)} rows, but {len(self.persons.codes)} persons")
        for column, labels in self.members.items():
            require_flat(labels, f"the column {column!r}")

    @classmethod
    def from_frame(
        cls,
        frame: Frame,
        *,
        columns: Mapping[str, str] | None = None,
        source: frames.Source | None = None,
        dates: str = "month",
        **roles: Any,
    ) -> Self:
        """A table from any frame; ``columns={"person": "patient"}`` names the column with the person of each row.

        dates : the hierarchy of dates, "month" or "week".
        """
        polars_frame = frames.to_polars(frame)
        source = source or frames.Source()
        frames.refuse_names(polars_frame.columns, source)
        for role, column in (columns or {}).items():
            if role != "person":
                raise source.error(f"wanted the column role 'person', found {role!r}")
            _require_columns(polars_frame, (column,), source)
        if len(polars_frame) == 0:
            raise source.error("wanted at least one row, found none")
        person_column = (columns or {}).get("person")
        persons = None
        if person_column is not None:
            frames.refuse_missing(polars_frame[person_column], "person", source)
            persons = Persons.of(polars_frame[person_column])
            polars_frame = polars_frame.drop(person_column)
        _require_columns(polars_frame, [column for names in roles.values() for column in names], source)
        return cls(polars_frame, persons=persons, dates=dates, **roles)

    def __len__(self) -> int:
        return len(self.frame)

    def __getitem__(self, column: str) -> pl.Series:
        series: pl.Series = self.frame[column]
        return series

    def __repr__(self) -> str:
        return f"<Table: {len(self):,} rows, columns {', '.join(self.frame.columns)}>"

    def role(self, column: str) -> str:
        if column in self.quasi_identifiers:
            return "quasi-identifier"
        return "sensitive" if column in self.sensitive else "other"

    def with_persons(self, persons: Persons | None) -> Self:
        return replace(self, persons=persons)

    def take(self, rows: Ints) -> Self:
        persons = None if self.persons is None else self.persons.take(rows)
        return replace(self, frame=self.frame[rows], persons=persons)

    def published(self) -> tuple[Self, Ints]:
        order = content_order(self.frame)
        public = self.take(order)
        return replace(public, frame=whole_numbers(public.frame), persons=None), order

    def chances(self, query: Query, estimate: str = "share") -> npt.NDArray[np.float64]:
        """Each leaf under a cell's label, or each number in its range, is equally probable.

        >>> people = Table({"age": ["[30:39]", "[20:29]"]})
        >>> people.expected_count(Query(where={"age": Between(25, 34)}))
        1.0
        """
        require_estimate(estimate)
        chances = np.ones(len(self))
        for column, condition in query.where.items():
            if column not in self.frame.columns:
                raise DataError(f"the table has no column {column!r}; {did_you_mean(column, self.frame.columns)}")
            cells = date_texts(self[column]) if is_temporal(self[column].dtype) else self[column]
            values = cells.to_list()
            shares = {cell: self._share(column, cell, condition) for cell in set(values)}
            chances *= np.array([shares[cell] for cell in values])
        return chances

    def _share(self, column: str, cell: Any, condition: Between | OneOf) -> float:
        if cell is None:
            return 0.0
        leaves = self.members.get(column, {}).get(str(cell))
        tree = self.hierarchies.get(column)
        if leaves is None and tree is not None and str(cell) in tree:
            leaves = tree.leaves_below(str(cell))
        if leaves is None:
            return condition.share(cell)
        weights = _weights(leaves, days=condition.asks_days)
        return sum(condition.share(leaf) * weight for leaf, weight in zip(leaves, weights, strict=True)) / sum(weights)

    def to_polars(self) -> pl.DataFrame:
        frame: pl.DataFrame = self.frame
        return frame


def _weights(members: tuple[str, ...], *, days: bool) -> list[float]:
    """The number of values of each member: a range in brackets holds all its whole numbers, or infinitely many.

    days : whether the members are dates, so that a year counts its days.
    """
    if days:
        ranges = [days_of(member) for member in members]
        return [1.0 if span is None else float(len(span)) for span in ranges]
    spans = [span_of(member) if member.startswith("[") else None for member in members]
    sizes = [1.0 if span is None else (span[1] - span[0] + 1 if span[2] else float("inf")) for span in spans]
    return [float(size == float("inf")) for size in sizes] if float("inf") in sizes else sizes


def _hierarchy(column: pl.Series, tree: Taxonomy) -> Taxonomy:
    """The hierarchy of a column; for a column of numbers, its leaves are renamed to plain numbers."""
    return with_plain_numbers(tree) if column.dtype.is_float() or column.dtype.is_integer() else tree


def _require_columns(frame: pl.DataFrame, columns: Iterable[str], source: frames.Source) -> None:
    for column in columns:
        if column not in frame.columns:
            raise source.error(f"wanted a column {column!r}, found none; {did_you_mean(column, frame.columns)}")
