"""t-closeness of a table: the sensitive values of a class are spread as those of the whole table, within t.

N. Li, T. Li, S. Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity", IEEE ICDE, 2007.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data import Table
from sfumato.errors import DataError
from sfumato.params import exact, param
from sfumato.privacy.base import CheckedFrom, PrivacyModel, Verdict
from sfumato.privacy.checks.equivalence_classes import Classes, sensitive_columns
from sfumato.privacy.checks.persons_and_records import by_both, checked_by_rows
from sfumato.privacy.not_covered import COMPOSITION, LEARNED, MINIMALITY, PRESENCE, Limit

__all__ = ["TCloseness"]

_WITNESSES = 5


@dataclass(frozen=True, kw_only=True)
class TCloseness(PrivacyModel):
    """In every class of rows that share their quasi-identifiers, sensitive values are within t of the whole table's.

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
        Limit(
            "whole-distribution", "how the sensitive values are spread over the whole table, which everybody may see"
        ),
        Limit("rare-value", "a rare value: its share may rise or fall by t in a class, which for a rare value is much"),
        Limit(
            "closeness-in-meaning",
            "how close values are in meaning, beyond what the distance knows: with equal distances, three "
            "illnesses of the "
            "stomach are as far apart as any",
        ),
        Limit(
            "two-sensitive-columns",
            "an attacker who knows one sensitive column and asks for another, or asks for two of them together",
        ),
        Limit("ruled-out-rows", "an attacker who can rule out some of the rows of a class"),
        Limit("who-is-who-classes", "who is who: a class may be small, unless k-anonymity is promised too"),
        COMPOSITION,
        LEARNED,
        MINIMALITY,
        PRESENCE,
    )
    by_record: ClassVar[Limit] = Limit(
        "persons-unknown-closeness",
        "several records of one person: persons are not known here, so a person with many records counts many times in "
        "the distribution of a class",
    )

    t: float = param(
        at_least=0, at_most=1, stronger="lower", help="how far a class may be from the whole table; the paper's t"
    )
    distance: str = param(
        "equal", choices=("equal", "ordered"), help="whether any two values are equally far apart, or numbers by rank"
    )

    def check(self, published: Any, original: Any = None) -> Verdict:
        self._require_kind(published)
        table: Table = published
        columns = sensitive_columns(self.name, table, original)
        source: CheckedFrom = "files" if table.persons is None else "original"
        if len(table) == 0:
            return Verdict(True, source, {"unit": table.unit, "groups": 0, "largest_distance": None})

        def counted(some: Table) -> Verdict:
            return self._counted(some, columns, source)

        ratios = ("largest_distance", "violating_groups")
        verdict = by_both(counted, table, ratios=ratios, worst=lambda measured: float(measured["largest_distance"]))
        return checked_by_rows(verdict, table, original)

    def _counted(self, table: Table, columns: tuple[str, ...], source: CheckedFrom) -> Verdict:
        limit = exact(self.t)
        violating: list[tuple[Fraction, int, str, dict[str, Any]]] = []
        largest, n_groups = Fraction(0), 0
        for column in columns:
            classes = Classes.of(table, column)
            n_groups = max(n_groups, len(classes))
            above, below = self._distances(table, column, classes)
            quotients = above / below
            for one in np.argsort(-quotients, kind="stable").tolist():
                distance = Fraction(int(above[one]), int(below[one]))
                largest = max(largest, distance)
                if distance <= limit and float(distance) < float(limit) - 1e-9:
                    break  # all that follow are smaller
                if distance > limit:
                    violating.append((-distance, len(violating), column, classes.label(one)))
        measured = {
            "unit": table.unit,
            "groups": n_groups,
            "largest_distance": round(float(largest), 6),
            "violating_groups": len(violating),
        }
        violating.sort(key=lambda found: found[:2])
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
        everybody = np.bincount(whole, minlength=classes.n_values).astype(np.int64)
        if self.distance == "equal":
            return _equal(classes, everybody)
        if not table[column].dtype.is_numeric():
            raise DataError(
                f"t-closeness: the ordered distance wants numbers, the column {column!r} holds others; "
                "use the equal distance (--distance equal)"
            )
        return _ordered(classes, everybody)


def _equal(classes: Classes, everybody: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Half the sum of |a/n - b/N| over all values: (sum of |a N - b n|) / (2 n N)."""
    ids, values, sizes = classes.pairs()
    total = int(everybody.sum())
    starts = np.searchsorted(ids, np.arange(len(classes)))
    n = np.add.reduceat(sizes, starts)
    expected = everybody[values] * n[ids]
    present = np.add.reduceat(np.abs(sizes * total - expected) - expected, starts)  # the others add b n each
    return present + n * total, 2 * n * total


def _ordered(classes: Classes, everybody: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The sum over ranks of |A/n - B/N|, cumulated, over the number of steps from the first value to the last."""
    ids, values, sizes = classes.pairs()
    total, steps = int(everybody.sum()), max(1, classes.n_values - 1)
    starts = np.searchsorted(ids, np.arange(len(classes) + 1))
    cumulated = np.cumsum(everybody)
    above, below = np.empty(len(classes), dtype=np.int64), np.empty(len(classes), dtype=np.int64)
    here = np.zeros(classes.n_values, dtype=np.int64)
    for one in range(len(classes)):
        part = slice(starts[one], starts[one + 1])
        here[:] = 0
        here[values[part]] = sizes[part]
        n = int(sizes[part].sum())
        above[one] = np.abs(np.cumsum(here) * total - cumulated * n).sum()
        below[one] = n * total * steps
    return above, below
