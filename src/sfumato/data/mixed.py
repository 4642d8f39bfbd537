"""Mixed records: a row of a table and a set of items about the same person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import frames
from sfumato.data.base import Dataset, Frame, Ints, Persons
from sfumato.data.policy import Policy
from sfumato.data.queries import Query
from sfumato.data.ragged import encode
from sfumato.data.tables.numeric_leaves import whole_numbers
from sfumato.data.tables.table import Table
from sfumato.data.taxonomy import Taxonomy
from sfumato.data.transactions import Transactions
from sfumato.errors import DataError, did_you_mean

__all__ = ["Mixed", "baskets"]


@dataclass(frozen=True, eq=False)
class Mixed(Dataset):
    """Row r of `table` and record r of `items` belong together; `column` is the name of the column of items.

    >>> patients = Mixed.from_frame({"age": [31, 44], "codes": ["401 250", ""]}, items="codes")
    >>> len(patients), patients.items.to_lists()
    (2, [['250', '401'], []])
    """

    kind: ClassVar[str] = "mixed"

    table: Table
    items: Transactions
    column: str = "items"

    def __post_init__(self) -> None:
        if len(self.table) != len(self.items):
            raise DataError(f"mixed data: {len(self.table)} rows, but {len(self.items)} sets of items")
        if self.column in self.table.frame.columns:
            raise DataError(f"mixed data: the items and a column are both called {self.column!r}")

    @classmethod
    def from_frame(
        cls,
        frame: Frame,
        *,
        items: str = "items",
        taxonomy: Taxonomy | None = None,
        columns: Mapping[str, str] | None = None,
        source: frames.Source | None = None,
        **roles: Any,
    ) -> Self:
        """Mixed data from a frame with one column of blank-separated items (or of lists)."""
        polars_frame = frames.to_polars(frame, lists=(items,))
        source = source or frames.Source()
        if items not in polars_frame.columns:
            raise source.error(
                f"wanted a column {items!r} of items, found none; {did_you_mean(items, polars_frame.columns)}"
            )
        table = Table.from_frame(polars_frame.drop(items), columns=columns, source=source, **roles)
        return cls(table, baskets(polars_frame[items], taxonomy), items)

    @property
    def persons(self) -> Persons | None:  # type: ignore[override]
        return self.table.persons

    @property
    def taxonomy(self) -> Taxonomy | None:
        """The hierarchy of the items."""
        return self.items.taxonomy

    @property
    def hierarchies(self) -> Mapping[str, Taxonomy]:
        """The hierarchies of the columns."""
        return self.table.hierarchies

    @property
    def sensitive(self) -> frozenset[str]:
        """The sensitive items; the sensitive columns are those of the table."""
        return self.items.sensitive

    @property
    def flags_sensitive(self) -> bool:
        """Whether sensitive items were named."""
        return self.items.flags_sensitive

    @property
    def privacy_policy(self) -> Policy | None:
        """The sets of items to protect."""
        return self.items.privacy_policy

    @property
    def utility_policy(self) -> Policy | None:
        """The items that may share a label."""
        return self.items.utility_policy

    def with_policies(self, privacy: Policy | None, utility: Policy | None = None) -> Self:
        """The same records with other policies for their items."""
        return replace(self, items=self.items.with_policies(privacy, utility))

    def with_sensitive(self, items: Iterable[str]) -> Self:
        """The same records with these items, and no others, named sensitive."""
        return replace(self, items=self.items.with_sensitive(items))

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        return f"<Mixed: {self.table!r} with {self.items!r}>"

    def with_persons(self, persons: Persons | None) -> Self:
        return replace(self, table=self.table.with_persons(persons))

    def take(self, rows: Ints) -> Self:
        return replace(self, table=self.table.take(rows), items=self.items.take(rows))

    def published(self) -> tuple[Self, Ints]:
        _, order = Table(self.to_polars()).published()
        bare = self.take(order).with_persons(None)
        table = replace(bare.table, frame=whole_numbers(bare.table.frame))
        items = replace(bare.items, ids=None).with_used_names().with_public_knowledge()
        return replace(bare, table=table, items=items), order

    def chances(self, query: Query, estimate: str = "share") -> npt.NDArray[np.float64]:
        """The probability of the conditions times that of the items, which are independent."""
        return self.table.chances(query, estimate) * self.items.chances(query, estimate)

    def to_polars(self) -> pl.DataFrame:
        """The table's columns and one of blank-separated items."""
        names = pl.Series(self.items.names, dtype=pl.String)
        flat = pl.DataFrame({"row": self.items.record_of_element(), "item": names.gather(self.items.codes)})
        texts = flat.group_by("row", maintain_order=True).agg(pl.col("item").str.join(" "))
        rows = pl.DataFrame({"row": np.arange(len(self), dtype=np.int64)})
        joined = rows.join(texts, on="row", how="left", maintain_order="left")["item"].fill_null("")
        frame: pl.DataFrame = self.table.frame.with_columns(joined.alias(self.column))
        return frame


def baskets(column: pl.Series, taxonomy: Taxonomy | None = None) -> Transactions:
    """A column of blank-separated items, or of lists, as sets; a missing value is an empty set."""
    lists = column
    if isinstance(column.dtype, pl.List):
        lists = column.cast(pl.List(pl.String)).list.eval(pl.element().filter(pl.element() != ""))
    else:
        lists = column.cast(pl.String).fill_null("").str.extract_all(r"\S+")
    lists = lists.cast(pl.List(pl.String)).list.drop_nulls().list.unique().list.sort()
    codes, names = encode(lists.explode(empty_as_null=False).drop_nulls())
    offsets = np.concatenate(([0], np.cumsum(lists.list.len().fill_null(0).to_numpy())))
    return Transactions(offsets=offsets, codes=codes, names=names, taxonomy=taxonomy)
