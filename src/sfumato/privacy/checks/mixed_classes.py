"""Mixed records in classes that share their quasi-identifiers, and what sets of items give away in each."""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.data import Mixed, Table
from sfumato.data.base import Ints
from sfumato.kernels.verify import itemsets_in_classes as kernel
from sfumato.kernels.verify.associations import SensitiveValues
from sfumato.privacy.checks.beyond_m import SECRETS, figures_beyond
from sfumato.privacy.checks.sensitive_associations import Associations, _secrets_of_labels, _secrets_of_records

__all__ = ["UNTOLD", "MixedClasses", "classes_beyond"]

UNTOLD = "the persons behind the records of a published table cannot be told; records suffice as far as the files show"
_CLASSES = 3  # whose violations are shown


def classes_beyond(data: Mixed, k: int, l: int, pieces: int) -> dict[str, Any]:  # noqa: E741
    """The smallest crowd around the quasi-identifiers and so many items, and how likely a secret becomes there."""
    names = ("smallest_crowd", "highest_probability") if data.sensitive else ("smallest_crowd",)

    def measured() -> tuple[Any, ...]:
        found = MixedClasses(data, k, l, pieces)
        figures = (found.measured["smallest_support"], round(found.told["highest_probability"], 6))
        return figures[: len(names)]

    return figures_beyond(pieces, data.items.lengths, names, measured, price=SECRETS)


class MixedClasses:
    """The verifier's result, in words.

    `violating` are the numbers of the classes that violate; classes are numbered alike whoever is behind the records.
    `witnesses` are of the classes with the smallest crowds, in each the smallest sets that violate.
    """

    def __init__(self, data: Mixed, k: int, l: int, m: int) -> None:  # noqa: E741
        self._data, self._k, self._l, self._m = data, k, l, m
        number = _class_of_rows(data.table)
        order = np.lexsort((data.units, number))
        starts = np.searchsorted(number[order], np.arange(int(number.max(initial=-1)) + 2))
        self._rows = np.split(order, starts[1:-1])
        found = self._looked_through(order, starts)
        rare, telling = found[:, kernel.TOO_RARE], found[:, kernel.NOT_DIVERSE]
        self.violating = np.flatnonzero((rare > 0) | (telling > 0))
        self.holds = len(self.violating) == 0
        self.measured = {
            "classes": len(found),
            "smallest_class": int(found[:, kernel.UNITS].min()) if len(found) else None,
            "patterns": int(found[:, kernel.PATTERNS].sum()),
            "smallest_support": int(found[:, kernel.SMALLEST].min()) if len(found) else None,
            "violating_classes": len(self.violating),
            "violating_patterns": int(rare.sum()),
        }
        shares = found[:, kernel.TOGETHER] / np.maximum(found[:, kernel.OUT_OF], 1)
        self.told = {
            "violating_associations": int(telling.sum()),
            "highest_probability": float(shares.max(initial=0.0)),
        }
        self.witnesses = self._shown(self.violating, found[:, kernel.SMALLEST])

    def _looked_through(self, order: Ints, starts: Ints) -> Any:
        items = self._data.items.take(order)
        names, secret_codes, secret_starts = _secrets_of_labels(items)
        hidden = np.diff(secret_starts)[items.codes] > 0
        record = items.record_of_element()
        lengths = np.bincount(record[~hidden], minlength=len(items))
        secrets, holders = _secrets_of_records(record[hidden], items.codes[hidden], secret_codes, secret_starts, items)
        return kernel.class_associations(
            items.codes[~hidden],
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            self._data.units[order].astype(np.int32),
            starts.astype(np.int64),
            len(items.names),
            SensitiveValues(holders, secrets, len(names)),
            max(1, min(self._m, int(lengths.max(initial=0)))),
            self._k,
            self._l,
        )

    def _shown(self, violating: Ints, smallest: Ints) -> tuple[dict[str, Any], ...]:
        known = list(self._data.table.quasi_identifiers)
        frame = self._data.table.frame.select(known)
        classes = []
        for number in violating[np.argsort(smallest[violating], kind="stable")].tolist()[:1000]:
            values = {column: _plain(value) for column, value in frame.row(self._rows[number][0], named=True).items()}
            classes.append((int(smallest[number]), [str(value) for value in values.values()], number, values))
        classes.sort(key=lambda one: one[:2])
        return tuple(
            {"values": values, **witness}
            for _, _, number, values in classes[:_CLASSES]
            for witness in self._in_class(self._rows[number])
        )

    def _in_class(self, rows: Ints) -> tuple[dict[str, Any], ...]:
        """The smallest sets that violate in a class, the empty one before all others."""
        crowd = len(np.unique(self._data.units[rows]))
        if crowd < self._k:
            return ({"pattern": [], "support": crowd},)
        items = self._data.take(rows).items.with_persons(None if self._data.persons is None else self._persons(rows))
        holders = {
            secret: len(np.unique(self._data.units[rows[_having(items, secret)]])) for secret in self._data.sensitive
        }
        telling = [secret for secret in sorted(holders) if self._l * holders[secret] > crowd]
        if telling:
            return tuple(
                {
                    "pattern": [],
                    "sensitive": secret,
                    "support": crowd,
                    "together": holders[secret],
                    "probability": holders[secret] / crowd,
                }
                for secret in telling
            )
        for size in range(1, self._m + 1):
            found = Associations(items, self._k, self._l, size)
            if not found.holds:
                return found.witnesses
        return ()

    def _persons(self, rows: Ints) -> Any:
        return self._data.persons.take(rows) if self._data.persons is not None else None


def _having(items: Any, secret: str) -> Ints:
    """Which records have a label that stands for a sensitive item."""
    labels = [code for code, name in enumerate(items.names) if secret in items.members.get(name, (name,))]
    return np.unique(items.record_of_element()[np.isin(items.codes, labels)])


def _class_of_rows(table: Table) -> Ints:
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
