"""Mixed records in classes that share their quasi-identifiers, and what sets of items reveal in each."""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.data import Mixed, Table
from sfumato.data.base import Ints
from sfumato.kernels.verify import itemsets_in_classes as kernel
from sfumato.kernels.verify.associations import SensitiveValues
from sfumato.params import JsonObject
from sfumato.privacy.checks.beyond_m import SECRETS, figures_beyond
from sfumato.privacy.checks.sensitive_associations import Associations, _sensitive_of_labels, _sensitive_of_records

__all__ = ["PERSONS_UNKNOWN", "MixedClasses", "class_of_rows", "classes_beyond"]

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

    return figures_beyond(known, data.items.lengths, names, measured, price=SECRETS)


class MixedClasses:
    """The verifier's result, in words.

    `violating` are the numbers of the classes that violate; they do not depend on the persons behind the records.
    `witnesses` are of the classes with the smallest anonymity sets, in each the smallest sets of items that violate.
    """

    def __init__(self, data: Mixed, k: int, l: int, m: int) -> None:  # noqa: E741
        self._data, self._k, self._l, self._m = data, k, l, m
        number = class_of_rows(data.table)
        order = np.lexsort((data.units, number))
        starts = np.searchsorted(number[order], np.arange(int(number.max(initial=-1)) + 2))
        self._rows = np.split(order, starts[1:-1])
        figures = self._class_figures(order, starts)
        rare, disclosing = figures[:, kernel.TOO_RARE], figures[:, kernel.NOT_DIVERSE]
        self.violating = np.flatnonzero((rare > 0) | (disclosing > 0))
        self.holds = len(self.violating) == 0
        self.measured = {
            "classes": len(figures),
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

    def _class_figures(self, order: Ints, starts: Ints) -> Any:
        items = self._data.items.take(order)
        names, secret_codes, secret_starts = _sensitive_of_labels(items)
        hidden = np.diff(secret_starts)[items.codes] > 0
        record = items.record_of_element()
        lengths = np.bincount(record[~hidden], minlength=len(items))
        sensitive_codes, holders = _sensitive_of_records(
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

    def _witnesses(self, violating: Ints, smallest: Ints) -> tuple[JsonObject, ...]:
        known = list(self._data.table.quasi_identifiers)
        frame = self._data.table.frame.select(known)
        classes = []
        for number in violating[np.argsort(smallest[violating], kind="stable")].tolist()[:1000]:
            values = {column: _plain(value) for column, value in frame.row(self._rows[number][0], named=True).items()}
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
        items = self._data.take(rows).items.with_persons(None if self._data.persons is None else self._persons(rows))
        holders = {
            sensitive: len(np.unique(self._data.units[rows[_records_with(items, sensitive)]]))
            for sensitive in self._data.sensitive
        }
        disclosed = [sensitive for sensitive in sorted(holders) if self._l * holders[sensitive] > n_units]
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
            associations = Associations(items, self._k, self._l, size)
            if not associations.holds:
                return associations.witnesses
        return ()

    def _persons(self, rows: Ints) -> Any:
        return self._data.persons.take(rows) if self._data.persons is not None else None


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


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
