"""The equivalence classes of a table: rows with the same quasi-identifiers, and the sensitive values in each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import Table
from sfumato.data.base import Ints, missing
from sfumato.errors import MissingKnowledge
from sfumato.params import JsonObject

__all__ = ["Classes", "sensitive_columns"]


def sensitive_columns(who: str, published: Table, original: Any) -> tuple[str, ...]:
    """The sensitive columns of a release, also those that only the original calls so."""
    of_original = () if original is None else original.sensitive
    columns = dict.fromkeys(
        column for column in (*published.sensitive, *of_original) if column in published.frame.columns
    )
    if not columns:
        raise MissingKnowledge(f"{who}: needs a sensitive column, these data name none", remedy="name-sensitive")
    return tuple(columns)


@dataclass(frozen=True, eq=False)
class Classes:
    """Who has which sensitive value, class by class.  A person who has a value in several rows of a class counts once.

    labels : one row of quasi-identifiers a class.
    ids, values, units : int[...], one entry for each class, sensitive value and person that come together, sorted.
    n_values : values are numbered 0, 1, ... in their order; a missing value is the first of them.

    >>> table = Table({"age": [3, 3, 4], "ill": ["flu", None, "flu"]}, sensitive=("ill",))
    >>> Classes.of(table, "ill").counts().tolist()
    [[1, 1], [0, 1]]
    """

    labels: pl.DataFrame
    ids: Ints
    values: Ints
    units: Ints
    n_values: int

    @classmethod
    def of(cls, table: Table, column: str) -> Self:
        known = [name for name in table.quasi_identifiers if name != column]
        # a constant keeps a table without quasi-identifiers one class
        keyed = table.frame.with_columns(pl.lit(0).alias("\0one")).select("\0one", *known)
        labels = keyed.unique().sort(keyed.columns, nulls_last=False).with_row_index("\0class")
        ids = keyed.join(labels, on=keyed.columns, how="left", nulls_equal=True, maintain_order="left")["\0class"]
        cells = table[column]
        if cells.dtype.is_float():
            cells = cells + 0.0
        cells = pl.select(pl.when(missing(cells)).then(None).otherwise(cells)).to_series().alias("value")
        distinct = cells.unique().sort(nulls_last=False).to_frame().with_row_index("\0code")
        codes = cells.to_frame().join(distinct, on="value", how="left", nulls_equal=True, maintain_order="left")
        triples = np.unique(
            np.column_stack((ids.to_numpy(), codes["\0code"].to_numpy(), table.units)).astype(np.int64), axis=0
        )
        return cls(labels.drop("\0class", "\0one"), triples[:, 0], triples[:, 1], triples[:, 2], len(distinct))

    def __len__(self) -> int:
        return len(self.labels)

    def pairs(self) -> tuple[Ints, Ints, npt.NDArray[np.int64]]:
        """Each class and value that come together, and how many persons (or rows) have the value there."""
        keys, sizes = np.unique(np.column_stack((self.ids, self.values)), axis=0, return_counts=True)
        return keys[:, 0], keys[:, 1], sizes.astype(np.int64)

    def counts(self) -> npt.NDArray[np.int64]:
        """int64[classes, values]; of use where there are few of them."""
        table = np.zeros((len(self), self.n_values), dtype=np.int64)
        ids, values, sizes = self.pairs()
        table[ids, values] = sizes
        return table

    def label(self, number: int) -> JsonObject:
        """The published quasi-identifiers of a class, for a witness."""
        row = self.labels.row(number, named=True)
        return {name: v if v is None or isinstance(v, str | int | float | bool) else str(v) for name, v in row.items()}
