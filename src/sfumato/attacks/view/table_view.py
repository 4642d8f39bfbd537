"""The rows of a published table as an attacker reads them: classes of rows, and which values their labels stand for."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.tables.encoding import Coding, texts_of
from sfumato.data.tables.published_labels import Labels
from sfumato.data.tables.table import Table

__all__ = ["RowView"]

Bools = npt.NDArray[np.bool_]

_KEPT = 10_000_000  # rows that are kept for those with the same values


class RowView:
    """Rows that share their quasi-identifiers are one class; a class fits a row whose values its labels cover.

    class_of : int64[rows].  cells : int64[classes, columns], the number of each label in its column.
    leaves, texts : for each column the leaves that each label stands for, and the labels.

    >>> people = Table({"age": [30, 31, 52]})
    >>> RowView(Table({"age": ["[30:31]", "[30:31]", "52"]}), people).fitting(0).tolist()
    [0, 1]
    """

    def __init__(self, table: Table, original: Table) -> None:
        self.table = table
        columns = table.quasi_identifiers
        # the release states which columns are quasi-identifiers
        asked = replace(original, quasi_identifiers=columns, sensitive=(), persons=None) if columns else original
        self.coding = Coding.of(asked) if columns else None
        codes = np.zeros((len(table), len(columns)), dtype=np.int64)
        self.leaves: list[tuple[Ints, ...]] = []
        self.texts: list[list[str | None]] = []
        for index, attribute in enumerate(self.coding.attributes if self.coding else ()):
            self.leaves.append(Labels.of(attribute, table).leaves)
            texts = texts_of(table[attribute.name])
            distinct = texts.unique().sort()  # nothing first, as Labels has it
            self.texts.append(distinct.to_list())
            number = pl.DataFrame({"label": distinct}).with_row_index("at")
            joined = texts.alias("label").to_frame().join(number, on="label", how="left", nulls_equal=True)
            codes[:, index] = joined["at"].to_numpy()
        self.cells, inverse = np.unique(codes, axis=0, return_inverse=True)
        self.class_of = inverse.reshape(-1).astype(np.int64)
        self._masks: dict[tuple[int, int], Bools] = {}
        self._found: dict[bytes, Ints] = {}

    @cached_property
    def _rows(self) -> tuple[Ints, Ints]:
        order = np.argsort(self.class_of, kind="stable")
        return np.searchsorted(self.class_of[order], np.arange(len(self.cells) + 1)), order

    @cached_property
    def sizes(self) -> Ints:
        """How many rows each class has."""
        return np.bincount(self.class_of, minlength=len(self.cells))

    def rows_of(self, classes: Ints) -> Ints:
        """The rows of some classes, rising."""
        starts, order = self._rows
        parts = [order[starts[number] : starts[number + 1]] for number in classes.tolist()]
        return np.sort(np.concatenate([np.empty(0, dtype=np.int64), *parts]))

    def mask(self, column: int, leaf: int) -> Bools:
        """Which classes have a label in this column that may stand for a value."""
        key = (column, leaf)
        if key not in self._masks:
            covering = np.array([leaf in leaves for leaves in self.leaves[column]], dtype=np.bool_)
            self._masks[key] = covering[self.cells[:, column]]
        return self._masks[key]

    def classes(self, row: int) -> Ints:
        """The classes that fit a row of the original by all quasi-identifiers."""
        if self.coding is None:
            return np.arange(len(self.cells))
        matching = np.ones(len(self.cells), dtype=np.bool_)
        for column in range(len(self.leaves)):
            matching &= self.mask(column, int(self.coding.codes[column, row]))
        return np.flatnonzero(matching)

    def fitting(self, row: int) -> Ints:
        """The published rows that fit a row of the original by all quasi-identifiers, rising."""
        key = b"" if self.coding is None else self.coding.codes[:, row].tobytes()
        if key not in self._found:
            if sum(map(len, self._found.values())) > _KEPT:
                self._found.clear()
            self._found[key] = self.rows_of(self.classes(row))
        return self._found[key]
