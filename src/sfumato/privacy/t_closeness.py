"""t-closeness of a table: sensitive values are distributed in every equivalence class as in the whole table, within t.

N. Li, T. Li, S. Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity", IEEE ICDE, 2007.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data import Table
from sfumato.errors import DataError
from sfumato.params import JsonObject, exact, param
from sfumato.privacy.base import CheckedFrom, PrivacyModel, Verdict
from sfumato.privacy.checks.equivalence_classes import Classes, sensitive_columns
from sfumato.privacy.checks.persons_and_records import by_both, checked_by_rows
from sfumato.privacy.not_covered import COMPOSITION, LEARNED, MINIMALITY, PRESENCE, Limit

__all__ = ["TCloseness"]

_WITNESSES = 5


@dataclass(frozen=True, kw_only=True)
class TCloseness(PrivacyModel):
    """In every equivalence class of the quasi-identifiers, sensitive values are within t of the whole table's.

    Notes
    -----
    The distance is the earth mover's.  With ``distance="equal"`` any two values are 1 apart, and it is half the sum of
    the differences between shares.  With ``distance="ordered"``, for columns of numbers, the values that occur stand in
    a row, first and last 1 apart, missing ones before all others.  The comparison is exact: t is read as the decimal
    number that it is written as, and shares are compared in whole numbers.  Where there are several sensitive columns,
    each of them is close.  Where persons are known, it must be close counting rows and counting every person once for
    each of their values, in a class as in the whole table.

    Examples
    --------
    >>> table = Table({"age": [30, 30, 31, 31], "ill": ["flu", "hiv", "flu", "flu"]}, sensitive=("ill",))
    >>> TCloseness(t=0.25).check(table).holds
    True
    >>> TCloseness(t=0.2).check(table).witnesses[0]
    {'values': {'age': 30}, 'column': 'ill', 'distance': 0.25}
    """

    name: ClassVar[str] = "t-closeness"
    title: ClassVar[str] = "t-closeness"
    kinds: ClassVar[tuple[str, ...]] = ("table",)
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit("whole-distribution", "the distribution of the sensitive values in the whole table, which is published"),
        Limit(
            "rare-value",
            "a rare value: its share in an equivalence class may differ by t from its share in the whole table, which "
            "is much for a rare value",
            rank=3,
        ),
        Limit(
            "closeness-in-meaning",
            "similar meaning that the distance ignores: with equal distances, three diseases of the stomach are as "
            "far apart as any three values",
        ),
        Limit(
            "two-sensitive-columns",
            "an attacker who knows one sensitive column and infers another, or infers two of them together",
            rank=3,
        ),
        Limit("ruled-out-rows", "an attacker who can rule out some rows of an equivalence class"),
        Limit(
            "who-is-who-classes",
            "re-identification: an equivalence class may be small, unless k-anonymity is promised too",
            rank=2,
        ),
        COMPOSITION,
        LEARNED,
        MINIMALITY,
        PRESENCE,
    )
    by_record: ClassVar[Limit] = Limit(
        "persons-unknown-closeness",
        "several records of one person: persons are not known here, so a person with many records counts several "
        "times in the distribution of an equivalence class",
        rank=2,
    )

    t: float = param(
        at_least=0,
        at_most=1,
        stronger="lower",
        help="largest distance of an equivalence class from the whole table; the paper's t",
    )
    distance: str = param(
        "equal", choices=("equal", "ordered"), help="whether any two values are equally far apart, or numbers by rank"
    )

    def check(self, published: Table, original: Table | None = None) -> Verdict:
        self._require_kind(published)
        table: Table = published
        columns = sensitive_columns(self.name, table, original)
        source: CheckedFrom = "files" if table.persons is None else "original"
        if len(table) == 0:
            return Verdict(True, source, {"unit": table.unit, "groups": 0, "largest_distance": None})

        def counted(counted_table: Table) -> Verdict:
            return self._counted(counted_table, columns, source)

        ratios = ("largest_distance", "violating_groups")
        verdict = by_both(counted, table, ratios=ratios, worst=lambda measured: float(measured["largest_distance"]))
        return checked_by_rows(verdict, table, original)

    def _counted(self, table: Table, columns: tuple[str, ...], source: CheckedFrom) -> Verdict:
        limit = exact(self.t)
        violating: list[tuple[Fraction, int, str, JsonObject]] = []
        largest, n_groups = Fraction(0), 0
        for column in columns:
            classes = Classes.of(table, column)
            n_groups = max(n_groups, len(classes))
            above, below = self._distances(table, column, classes)
            quotients = above / below
            for number in np.argsort(-quotients, kind="stable").tolist():
                distance = Fraction(int(above[number]), int(below[number]))
                largest = max(largest, distance)
                if distance <= limit and float(distance) < float(limit) - 1e-9:
                    break  # all that follow are smaller
                if distance > limit:
                    violating.append((-distance, len(violating), column, classes.label(number)))
        measured = {
            "unit": table.unit,
            "groups": n_groups,
            "largest_distance": round(float(largest), 6),
            "violating_groups": len(violating),
        }
        violating.sort(key=lambda entry: entry[:2])
        witnesses = tuple(
            {"values": label, "column": column, "distance": round(float(-minus), 6)}
            for minus, _, column, label in violating[:_WITNESSES]
        )
        return Verdict(not violating, source, measured, witnesses)

    def _distances(
        self, table: Table, column: str, classes: Classes
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The distance of each class, as a fraction of whole numbers."""
        whole = np.unique(np.column_stack((classes.values, classes.units)), axis=0)[:, 0]
        totals = np.bincount(whole, minlength=classes.n_values).astype(np.int64)
        if self.distance == "equal":
            return _equal(classes, totals)
        if not table[column].dtype.is_numeric():
            raise DataError(
                f"t-closeness: the ordered distance needs numbers, the column {column!r} holds other values",
                remedy="equal-distance",
            )
        return _ordered(classes, totals)


def _equal(classes: Classes, totals: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Half the sum of |a/n - b/N| over all values: (sum of |a N - b n|) / (2 n N)."""
    ids, values, sizes = classes.pairs()
    total = int(totals.sum())
    starts = np.searchsorted(ids, np.arange(len(classes)))
    n = np.add.reduceat(sizes, starts)
    expected = totals[values] * n[ids]
    present = np.add.reduceat(np.abs(sizes * total - expected) - expected, starts)  # the others add b n each
    return present + n * total, 2 * n * total


def _ordered(classes: Classes, totals: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The sum over ranks of |A/n - B/N|, cumulated, over the number of steps from the first value to the last."""
    ids, values, sizes = classes.pairs()
    total, steps = int(totals.sum()), max(1, classes.n_values - 1)
    starts = np.searchsorted(ids, np.arange(len(classes) + 1))
    cumulated = np.cumsum(totals)
    above, below = np.empty(len(classes), dtype=np.int64), np.empty(len(classes), dtype=np.int64)
    here = np.zeros(classes.n_values, dtype=np.int64)
    for number in range(len(classes)):
        part = slice(starts[number], starts[number + 1])
        here[:] = 0
        here[values[part]] = sizes[part]
        n = int(sizes[part].sum())
        above[number] = np.abs(np.cumsum(here) * total - cumulated * n).sum()
        below[number] = n * total * steps
    return above, below
