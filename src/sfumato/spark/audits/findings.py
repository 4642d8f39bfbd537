"""The findings of an audit on a cluster: sums over all units, and nothing about a single one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import fsum
from typing import Any, Self

import numpy as np
import polars as pl

from sfumato.attacks import Audit, Findings
from sfumato.attacks.audit.findings import Bounded
from sfumato.attacks.audit.known_points import KnowablePoints
from sfumato.attacks.audit.risks import Risks
from sfumato.data import Persons, Trajectories
from sfumato.data.base import Ints
from sfumato.errors import DataError
from sfumato.spark.records import Records

__all__ = ["ClusterFindings", "CountedRisks"]


@dataclass(frozen=True, eq=False)
class CountedRisks:
    """What so many known visits or items reveal, summed up.

    sizes : the sizes of the smallest anonymity sets that occur, rising.  units : how many units have each.
    lone, chances : the sums over all units of the share of patterns no one else has, and of the mean of 1 / set size.
    """

    known: int
    sizes: Ints
    units: Ints
    lone: float
    chances: float

    def figure(self, name: str) -> float:
        """One of the figures of an audit."""
        n = int(self.units.sum())
        if n == 0:
            return 0.0
        if name in ("unique_random", "risk_random"):
            return (self.lone if name == "unique_random" else self.chances) / n
        return (int(self.units[self.sizes == 1].sum()) if name == "unique_worst" else fsum(self.units / self.sizes)) / n

    def median(self) -> float:
        """The median size of a smallest anonymity set."""
        ends, n = np.cumsum(self.units), int(self.units.sum())
        middle = np.searchsorted(ends, [(n - 1) // 2, n // 2], side="right")
        return float(self.sizes[middle].mean())


@dataclass(frozen=True, eq=False)
class ClusterFindings(Findings):
    """The result of an audit on a cluster, where all patterns of everybody are counted.

    counted : for 1, 2, ... known visits or items.  counts : how many units and records there are.
    remarks : sentences about what was left out.
    """

    counted: tuple[CountedRisks, ...] = ()
    counts: tuple[int, int] = (0, 0)
    remarks: tuple[str, ...] = ()

    @classmethod
    def about(
        cls, records: Records, audit: Audit, ordered: bool, counted: list[CountedRisks], remarks: list[str]
    ) -> Self:
        """The findings about all records."""
        side = records.side
        data = replace(side, persons=Persons.of(pl.Series([], dtype=pl.String)) if records.by_person else None)
        none = KnowablePoints.of(data, ordered=ordered)
        counts = records.sizes["units"], records.sizes["records"]
        risks = tuple(_no_rows(part.known) for part in counted)
        return cls(audit, data, none, ordered, risks, tuple(counted), counts, (*remarks, *_left_out(side)))

    @property
    def n_units(self) -> int:
        return self.counts[0]

    @property
    def n_records(self) -> int:
        return self.counts[1]

    def examined(self, known: int) -> int:  # noqa: ARG002
        return self.n_units

    @property
    def people(self) -> pl.DataFrame:
        raise DataError("audit: the risk of each person is not there on Spark; use one machine")

    @property
    def notes(self) -> list[str]:
        return [*super().notes, *self.remarks]

    def _figure(self, risks: Risks, name: str) -> Bounded:
        return self.counted[risks.known - 1].figure(name), None, None

    def _shares(self, risks: Risks, starts: list[int]) -> list[Bounded]:
        counted = self.counted[risks.known - 1]
        of_class = np.searchsorted(starts, counted.sizes, side="right") - 1
        inside = np.zeros(len(starts), dtype=np.int64)
        np.add.at(inside, of_class, counted.units)
        return [(count / max(1, self.n_units), None, None) for count in inside.tolist()]

    def _extent(self, risks: Risks) -> tuple[int, int, int | None, float | None]:
        counted = self.counted[risks.known - 1]
        if not self.n_units:
            return 0, 0, None, None
        return self.n_units, self.n_units, int(counted.sizes[0]), counted.median()


def _no_rows(known: int) -> Risks:
    """The rows behind figures that were counted elsewhere: none."""
    none: Any = np.empty(0)
    return Risks(known, True, none.astype(int), none.astype(bool), none.astype(int), none, none, none)


def _left_out(side: Any) -> list[str]:
    """What one machine's audit has besides, as far as these data have it."""
    if not isinstance(side, Trajectories):
        return []
    parts = ["what owners of places can conclude"] if side.owners else []
    if side.taxonomy is not None and side.taxonomy.sensitive:
        parts.append("how well attackers guess a sensitive place")
    return [f"Not computed on Spark: {' and '.join(parts)}."] if parts else []
