"""The findings of an audit: data frames, figures and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.attacks.audit.known_points import KnowablePoints
from sfumato.attacks.audit.risks import PATTERNS, Risks
from sfumato.attacks.confidence_intervals import wilson
from sfumato.data.ragged import Ragged
from sfumato.errors import ParameterError, did_you_mean
from sfumato.params import JsonObject

if TYPE_CHECKING:
    from sfumato.attacks.audit.audit import Audit

__all__ = ["FIGURES", "Findings", "set_size_classes"]

FIGURES = {
    "unique_worst": "unique, given the most identifying background knowledge",
    "unique_random": "unique, given random background knowledge",
    "risk_worst": "mean re-identification probability, given the most identifying background knowledge",
    "risk_random": "mean re-identification probability, given random background knowledge",
}
Bounded = tuple[float, float | None, float | None]
_BOUNDS = {"value": pl.Float64, "low": pl.Float64, "high": pl.Float64, "exact": pl.Boolean}


@dataclass(frozen=True, eq=False)
class Findings:
    """The result of an `Audit`; `low` and `high` of a figure are a 95% interval, and None where it is exact."""

    audit: Audit
    data: Ragged
    knowable: KnowablePoints
    ordered: bool
    risks: tuple[Risks, ...]

    def __repr__(self) -> str:
        unique = self.figure("unique_worst")
        how = "exact" if self.of(self.audit.known).exact else "sampled"
        return f"<Findings: {self.n_units:,} {self.who}, {unique:.1%} unique with {self.audit.known} known, {how}>"

    @property
    def n_units(self) -> int:
        """How many persons there are, or records where persons are unknown."""
        return len(self.knowable)

    @property
    def n_records(self) -> int:
        return len(self.data)

    def examined(self, known: int) -> int:
        """How many units were examined, for one number of known visits or items."""
        return len(self.of(known))

    @property
    def who(self) -> str:
        """Who is counted, in words: persons, or records where persons are unknown."""
        if self.data.persons is not None:
            return "persons"
        return "trajectories" if self.data.record == "trajectory" else f"{self.data.record}s"

    def of(self, known: int) -> Risks:
        """The rows behind the figures for one number of known visits or items."""
        if not 1 <= known <= len(self.risks):
            raise ParameterError(f"Findings: known must be 1 to {len(self.risks)}, got {known}")
        return self.risks[known - 1]

    def figure(self, name: str, known: int | None = None) -> float:
        """One figure of the curve, by default for the `known` of the audit."""
        if name not in FIGURES:
            raise ParameterError(f"Findings: no figure is called {name!r}; {did_you_mean(name, FIGURES)}")
        return self._figure(self.of(known or self.audit.known), name)[0]

    @property
    def curve(self) -> pl.DataFrame:
        """Every figure for every number of known visits or items: known, figure, value, low, high, exact."""
        rows = [
            (risks.known, name, *self._figure(risks, name), risks.exact) for risks in self.risks for name in FIGURES
        ]
        return pl.DataFrame(rows, schema={"known": pl.Int64, "figure": pl.String, **_BOUNDS}, orient="row")

    @cached_property
    def anonymity_sets(self) -> pl.DataFrame:
        """The shares by set size: known, anonymity_set (such as 5-9), smallest, largest, value, low, high, exact."""
        classes = set_size_classes(self.n_units)
        rows = [
            (risks.known, *named, *share, risks.exact)
            for risks in self.risks
            for named, share in zip(classes, self._shares(risks, [smallest for _, smallest, _ in classes]), strict=True)
        ]
        head = {"known": pl.Int64, "anonymity_set": pl.String, "smallest": pl.Int64, "largest": pl.Int64}
        return pl.DataFrame(rows, schema={**head, **_BOUNDS}, orient="row")

    @property
    def people(self) -> pl.DataFrame:
        """One row for each person (or record) that was examined.  Private: it names them.

        Columns: who; `patterns`; `anonymity_set`, the size of the smallest; `risk_worst`, 1 / this size; `risk_random`;
        `unique_random`, the share of patterns that no one else has; `exact`, whether all patterns were counted.
        """
        risks = self.of(self.audit.known)
        columns = {
            "patterns": risks.patterns,
            "anonymity_set": risks.set_sizes,
            "risk_worst": 1.0 / risks.set_sizes,
            "risk_random": risks.chances,
            "unique_random": risks.lone,
            "exact": risks.whole,
        }
        return pl.DataFrame(columns).insert_column(0, self.knowable.names.gather(risks.units))

    def to_json(self) -> JsonObject:
        """All figures and sentences, as JSON values; nothing about single persons."""
        return {
            "kind": self.data.kind,
            "unit": self.data.unit,
            "units": self.n_units,
            "records": self.n_records,
            "parameters": {**self.audit.to_json(), "ordered": self.ordered},
            "known": [self._known(risks) for risks in self.risks],
            "rules": self.rules,
            "notes": self.notes,
        }

    def _known(self, risks: Risks) -> JsonObject:
        shares = self.anonymity_sets.filter(pl.col("known") == risks.known)
        examined, whole, smallest, median = self._extent(risks)
        return {
            "known": risks.known,
            "exact": risks.exact,
            "examined": examined,
            "examined_whole": whole,
            **{name: _interval(*self._figure(risks, name)) for name in FIGURES},
            "smallest_anonymity_set": smallest,
            "median_anonymity_set": median,
            "anonymity_sets": {
                label: _interval(value, low, high)
                for label, value, low, high in shares.select("anonymity_set", "value", "low", "high").iter_rows()
            },
        }

    def _figure(self, risks: Risks, name: str) -> Bounded:
        """A figure of the curve and its interval."""
        return _figure(risks, name)

    def _shares(self, risks: Risks, starts: list[int]) -> list[Bounded]:
        """The shares by the class of the smallest set; starts : the smallest set of each class."""
        return _shares(risks, starts)

    def _extent(self, risks: Risks) -> tuple[int, int, int | None, float | None]:
        """How many units were examined, how many of them whole, and their smallest and median anonymity set."""
        if not len(risks):
            return 0, 0, None, None
        return len(risks), int(risks.whole.sum()), int(risks.set_sizes.min()), float(np.median(risks.set_sizes))

    @property
    def rules(self) -> list[str]:
        """What is counted, in sentences."""
        record, many = self.data.record, f"{self.data.element}s"
        target = record if self.data.persons is None else "person"
        shape = "in order, other visits may lie between" if self.ordered else "as a set"
        return [
            f"The attacker knows {many} of one {record}, {shape}; all of them where the {record} has fewer {many}.",
            f"The anonymity set is all {self.who} that match. Worst: the {many} with the smallest anonymity set.",
            f"Random: every distinct choice of {many} is equally likely. The risk is the mean of 1 / (set size).",
            f"A {target} without {many} matches every {record}.",
        ]

    @property
    def notes(self) -> list[str]:
        """What to bear in mind about this answer, in sentences."""
        notes = []
        if self.data.persons is None:
            notes.append(f"Persons are not known here: {self.who} are counted, and several may belong to one person.")
        if self.data.members:
            notes.append("Labels are compared as they are published; their members are not considered.")
        sampled = [risks for risks in self.risks if not risks.exact]
        if sampled:
            sizes = sorted({len(risks) for risks in sampled})
            drawn = " to ".join(f"{size:,}" for size in (sizes[0], *sizes[1:][-1:]))
            notes.append(
                f"With {sampled[0].known} or more known, an exact answer exceeds the budget: {drawn} of "
                f"{self.n_units:,} {self.who} were drawn at random, with up to {PATTERNS} patterns each; "
                "intervals are 95% Wilson intervals, extended for smaller anonymity sets that the sample may miss."
            )
        return notes


def set_size_classes(n: int) -> list[tuple[str, int, int]]:
    """Classes of anonymity set sizes up to n: name, smallest, largest.

    >>> [name for name, _, _ in set_size_classes(60)]
    ['1', '2', '3-4', '5-9', '10-19', '20-49', '50-99']
    """
    starts = [1, 2, 3]
    while starts[-1] <= n:
        last = starts[-1]
        starts.append(5 if last == 3 else last * 5 // 2 if str(last)[0] == "2" else last * 2)
    pairs = [(low, high - 1) for low, high in pairwise(starts) if low <= n]
    return [(f"{low}" if low == high else f"{low:,}-{high:,}", low, high) for low, high in pairs]


def _figure(risks: Risks, name: str) -> Bounded:
    """A figure of the curve and its interval."""
    if name == "unique_random":
        return _bounded(risks, risks.lone, risks.lone)
    if name == "risk_random":
        return _bounded(risks, risks.chances, risks.chances)
    values = (risks.set_sizes == 1).astype(np.float64) if name == "unique_worst" else 1.0 / risks.set_sizes
    return _bounded(risks, values, np.where(risks.settled, values, 1.0))


def _shares(risks: Risks, starts: list[int]) -> list[Bounded]:
    """The shares by the class of the smallest set; a person that is not settled may lie in any lower class.

    starts : the smallest set of each class.
    """
    n = len(risks)
    if n == 0:
        return [(0.0, None, None)] * len(starts)
    of_person = np.searchsorted(starts, risks.set_sizes, side="right") - 1
    inside, sure = (np.bincount(classes, minlength=len(starts)) for classes in (of_person, of_person[risks.settled]))
    if risks.exact:
        return [(count / n, None, None) for count in inside.tolist()]
    possible = sure + np.cumsum((inside - sure)[::-1])[::-1]
    counts = zip(inside.tolist(), sure.tolist(), possible.tolist(), strict=True)
    return [(count / n, wilson(least / n, n)[0], wilson(most / n, n)[1]) for count, least, most in counts]


def _bounded(risks: Risks, values: npt.NDArray[np.float64], at_most: npt.NDArray[np.float64]) -> Bounded:
    if len(risks) == 0:
        return 0.0, None, None
    value = float(values.mean())
    if risks.exact:
        return value, None, None
    return value, wilson(value, len(risks))[0], wilson(float(at_most.mean()), len(risks))[1]


def _interval(value: float, low: float | None, high: float | None) -> dict[str, float | None]:
    return {"value": value, "low": low, "high": high}
