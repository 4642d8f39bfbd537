"""A table: one row a record, columns with roles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
import polars as pl

from sfumato.data import frames
from sfumato.data.base import Dataset, Ints, Members, Persons
from sfumato.data.taxonomy import Taxonomy
from sfumato.errors import DataError, did_you_mean

__all__ = ["Table"]


@dataclass(frozen=True, eq=False)
class Table(Dataset):
    """Columns of values; some are quasi-identifiers, some sensitive.

    Where nobody says which columns are quasi-identifiers, all but the sensitive ones are.  A missing value
    is a value like any other: it matches other missing values only.

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

    def __post_init__(self) -> None:
        frame = frames.to_polars(self.frame)
        object.__setattr__(self, "frame", frame)
        for column in (*self.quasi_identifiers, *self.sensitive, *self.hierarchies):
            if column not in frame.columns:
                raise DataError(f"the table has no column {column!r}; {did_you_mean(column, frame.columns)}")
        both = set(self.quasi_identifiers) & set(self.sensitive)
        if both:
            raise DataError(f"the table: a column has one role, found two for {min(both)!r}")
        if not self.quasi_identifiers:
            rest = tuple(column for column in frame.columns if column not in self.sensitive)
            object.__setattr__(self, "quasi_identifiers", rest)
        if self.persons is not None and len(self.persons.codes) != len(frame):
            raise DataError(f"the table: {len(frame)} rows, but {len(self.persons.codes)} persons")

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        columns: Mapping[str, str] | None = None,
        source: frames.Source | None = None,
        **roles: Any,
    ) -> Self:
        """Any frame; ``columns={"person": "patient"}`` names the column that says who is behind a row."""
        found = frames.to_polars(frame)
        source = source or frames.Source()
        for role, column in (columns or {}).items():
            if role != "person":
                raise source.error(f"a table knows the column role 'person', got {role!r}")
            if column not in found.columns:
                raise source.error(f"wanted a column {column!r}; {did_you_mean(column, found.columns)}")
        if len(found) == 0:
            raise source.error("wanted at least one row, found none")
        who = (columns or {}).get("person")
        persons = None if who is None else Persons.of(found[who])
        return cls(found if who is None else found.drop(who), persons=persons, **roles)

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
        numbered = self.frame.with_row_index("__row").sort(self.frame.columns, nulls_last=False, maintain_order=True)
        order = numbered["__row"].to_numpy().astype(np.int64)
        return replace(self.take(order), persons=None), order

    def to_polars(self) -> pl.DataFrame:
        frame: pl.DataFrame = self.frame
        return frame

    def to_pandas(self) -> Any:
        return frames.to_pandas(self.frame)

    def to_arrow(self) -> Any:
        return frames.to_arrow(self.frame)
