"""Mixed records in classes that share their quasi-identifiers, and what sets of items reveal in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from sfumato.data import Mixed, Table, Transactions
from sfumato.data.base import Ints
from sfumato.kernels.verify import itemsets_in_classes as kernel
from sfumato.kernels.verify.prefixes.associations import SensitiveValues
from sfumato.params import JsonObject
from sfumato.privacy.checks.beyond_m import SECRETS, figures_beyond
from sfumato.privacy.checks.fitting_classes import classes_together
from sfumato.privacy.checks.sensitive_associations import (
    Associations,
    associations,
    knowable_lengths,
    nonsensitive_images,
    sensitive_of_labels,
    sensitive_of_records,
)

__all__ = ["PERSONS_UNKNOWN", "MixedClasses", "class_of_rows", "classes_beyond", "rows_together"]

PERSONS_UNKNOWN = (
    "counted in records, the promise holds; the persons behind the records of a published table cannot be determined"
)
_CLASSES = 3  # whose violations are shown


def classes_beyond(data: Mixed, k: int, l: int, known: int) -> JsonObject:  # noqa: E741
    """The smallest anonymity set for the quasi-identifiers and so many items, and the highest probability in it."""
    names = ("smallest_anonymity_set", "highest_probability") if data.sensitive else ("smallest_anonymity_set",)

    def measured() -> tuple[Any, ...]:
        classes = MixedClasses(data, k, l, known)
        figures = (classes.measured["smallest_support"], round(classes.disclosure["highest_probability"], 6))
        return figures[: len(names)]

    lengths = knowable_lengths(data.items, nonsensitive_images(data.items)) if l > 1 else data.items.lengths
    return figures_beyond(known, lengths, names, measured, price=SECRETS)


def rows_together(data: Mixed, original: Mixed) -> list[Ints]:
    """The rows of classes that fit the same original record, where there are several that share a person."""
    number = class_of_rows(data.table)
    together = classes_together(data.table, number, data.units, original.table)
    return [np.flatnonzero(np.isin(number, classes)) for classes in together]


class MixedClasses:
    """The verifier's result, in words.

    `violating` are the numbers of the classes that violate; they do not depend on the persons behind the records.
    together : rows of several classes that an attacker cannot tell apart, each checked as if it were a class.
    `witnesses` are of the classes with the smallest anonymity sets, in each the smallest sets of items that violate.
    """

    def __init__(
        self,
        data: Mixed,
        k: int,
        l: int,  # noqa: E741
        m: int,
        together: Sequence[Ints] = (),
    ) -> None:
        self._data, self._k, self._l, self._m = data, k, l, m
        number = class_of_rows(data.table)
        order = np.lexsort((data.units, number))
        starts = np.searchsorted(number[order], np.arange(int(number.max(initial=-1)) + 2))
        self._rows: list[Ints] = [*np.split(order, starts[1:-1]), *together]
        figures = self._class_figures(order, starts)
        for index in self._classes_with_overlaps(number).tolist():
            figures[index] = self._image_figures(self._rows[index])
        n_classes = len(figures)
        figures = np.concatenate([figures, *(np.array([self._image_figures(rows)]) for rows in together)])
        rare, disclosing = figures[:, kernel.TOO_RARE], figures[:, kernel.NOT_DIVERSE]
        self.violating = np.flatnonzero((rare > 0) | (disclosing > 0))
        self.holds = len(self.violating) == 0
        self.measured = {
            "classes": n_classes,
            "smallest_class": int(figures[:, kernel.UNITS].min()) if len(figures) else None,
            "patterns": int(figures[:, kernel.PATTERNS].sum()),
            "smallest_support": int(figures[:, kernel.SMALLEST].min()) if len(figures) else None,
            "violating_classes": len(self.violating),
            "violating_patterns": int(rare.sum()),
        }
        shares = figures[:, kernel.TOGETHER] / np.maximum(figures[:, kernel.OUT_OF], 1)
        self.disclosure = {
            "violating_associations": int(disclosing.sum()),
            "highest_probability": float(shares.max(initial=0.0)),
        }
        self.witnesses = self._witnesses(self.violating, figures[:, kernel.SMALLEST])

    @property
    def _counts_images(self) -> bool:
        """Whether all labels of an item count together; a promise without a share takes labels as opaque symbols."""
        return self._l > 1

    def _class_figures(self, order: Ints, starts: Ints) -> Any:
        items = self._data.items.take(order)
        names, secret_codes, secret_starts = sensitive_of_labels(items)
        hidden = np.diff(secret_starts)[items.codes] > 0
        record = items.record_of_element()
        lengths = np.bincount(record[~hidden], minlength=len(items))
        sensitive_codes, holders = sensitive_of_records(
            record[hidden], items.codes[hidden], secret_codes, secret_starts, items
        )
        return kernel.class_associations(
            items.codes[~hidden],
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            self._data.units[order].astype(np.int32),
            starts.astype(np.int64),
            len(items.names),
            SensitiveValues(holders, sensitive_codes, len(names)),
            max(1, min(self._m, int(lengths.max(initial=0)))),
            self._k,
            self._l,
        )

    def _classes_with_overlaps(self, number: Ints) -> Ints:
        """The classes in which an item has different labels, so that labels as opaque symbols do not decide."""
        items = self._data.items
        images = nonsensitive_images(items) if self._counts_images else None
        if images is None:
            return np.empty(0, dtype=np.int64)
        ranks = images.rank[items.codes]
        pairs = np.unique(np.column_stack((number[items.record_of_element()], ranks))[ranks >= 0], axis=0)
        starts, of_labels, n = images.profiles
        sizes = np.diff(starts)[pairs[:, 1]]
        places = np.arange(sizes.sum()) + np.repeat(starts[pairs[:, 1]] - (np.cumsum(sizes) - sizes), sizes)
        keys, counts = np.unique(np.repeat(pairs[:, 0], sizes) * n + of_labels[places], return_counts=True)
        return np.unique(keys[counts > 1] // n)

    def _image_figures(self, rows: Ints) -> list[int]:
        """The kernel's figures of a class, over all images of its items."""
        items = self._items_of(rows).with_used_names()
        n_units = len(np.unique(self._data.units[rows]))
        most = max(self._holders(items, rows).values(), default=0)
        found = Associations(items, self._k, self._l, self._m, nonsensitive_images(items)).measured
        worst = found["worst_association"]
        together, out_of = (0, 1) if worst is None else (worst["together"], worst["support"])
        if most * out_of >= together * n_units:
            together, out_of = most, n_units
        return [
            n_units,
            found["patterns"] + 1,
            found["violating_patterns"] + (n_units < self._k),
            found["violating_associations"] + (self._l * most > n_units),
            n_units if found["smallest_support"] is None else min(n_units, found["smallest_support"]),
            together,
            out_of,
        ]

    def _items_of(self, rows: Ints) -> Transactions:
        persons = self._data.persons
        return self._data.take(rows).items.with_persons(None if persons is None else persons.take(rows))

    def _holders(self, items: Transactions, rows: Ints) -> dict[str, int]:
        """How many units of these rows have each sensitive item."""
        return {
            sensitive: len(np.unique(self._data.units[rows[_records_with(items, sensitive)]]))
            for sensitive in sorted(self._data.sensitive)
        }

    def _witnesses(self, violating: Ints, smallest: Ints) -> tuple[JsonObject, ...]:
        known = list(self._data.table.quasi_identifiers)
        frame = self._data.table.frame.select(known)
        classes = []
        for number in violating[np.argsort(smallest[violating], kind="stable")].tolist()[:1000]:
            values = _values_of(frame[self._rows[number]])
            classes.append((int(smallest[number]), [str(value) for value in values.values()], number, values))
        classes.sort(key=lambda entry: entry[:2])
        return tuple(
            {"values": values, **witness}
            for _, _, number, values in classes[:_CLASSES]
            for witness in self._witnesses_in_class(self._rows[number])
        )

    def _witnesses_in_class(self, rows: Ints) -> tuple[JsonObject, ...]:
        """The smallest sets that violate in a class, the empty one before all others."""
        n_units = len(np.unique(self._data.units[rows]))
        if n_units < self._k:
            return ({"pattern": [], "support": n_units},)
        items = self._items_of(rows)
        holders = self._holders(items, rows)
        disclosed = [sensitive for sensitive in holders if self._l * holders[sensitive] > n_units]
        if disclosed:
            return tuple(
                {
                    "pattern": [],
                    "sensitive": sensitive,
                    "support": n_units,
                    "together": holders[sensitive],
                    "probability": holders[sensitive] / n_units,
                }
                for sensitive in disclosed
            )
        for size in range(1, self._m + 1):
            found = (associations if self._counts_images else Associations)(items, self._k, self._l, size)
            if not found.holds:
                return found.witnesses
        return ()


def _records_with(items: Any, sensitive: str) -> Ints:
    """Which records have a label that stands for a sensitive item."""
    labels = [code for code, name in enumerate(items.names) if sensitive in items.members.get(name, (name,))]
    return np.unique(items.record_of_element()[np.isin(items.codes, labels)])


def class_of_rows(table: Table) -> Ints:
    """The number of the class of each row; a missing value matches missing values only."""
    known = list(table.quasi_identifiers)
    if not known:
        return np.zeros(len(table), dtype=np.int64)
    groups = table.frame.select(known).with_row_index("\0row").group_by(known, maintain_order=True).agg("\0row")
    rows = groups["\0row"].explode().to_numpy()
    number = np.empty(len(table), dtype=np.int64)
    number[rows] = np.repeat(np.arange(len(groups)), groups["\0row"].list.len().to_numpy())
    return number


def _values_of(rows: pl.DataFrame) -> JsonObject:
    """The value of each column; all values, as a text, where the rows are of several classes."""
    distinct = {column: rows[column].unique(maintain_order=True).to_list() for column in rows.columns}
    return {
        column: _plain(values[0]) if len(values) == 1 else " or ".join(map(str, values))
        for column, values in distinct.items()
    }


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
