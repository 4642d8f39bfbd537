"""The risks of a table on a cluster: counts by the size of equivalence classes, and nothing about a single row."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

from sfumato.attacks.audit.coded_columns import CodedColumns
from sfumato.attacks.audit.findings import set_size_classes
from sfumato.attacks.audit.minimal_uniques import MinimalUniques
from sfumato.attacks.audit.population_models import PopulationEstimate, estimate_population
from sfumato.attacks.audit.table_audit import TableAudit
from sfumato.attacks.audit.table_risks import AttackerRisk, TableRisks
from sfumato.data import Persons, Table
from sfumato.data.base import Ints
from sfumato.errors import DataError, ParameterError
from sfumato.params import JsonObject
from sfumato.spark.tables import Rows

__all__ = ["ClusterTableRisks", "Counted", "attackers_of", "nobody", "population_of"]

_LEFT_OUT = "Not computed on Spark: sets of columns that single out records, and the risk of each person or record."


@dataclass(frozen=True, eq=False)
class Counted:
    """How often each number occurs: int64, rising, and how many times."""

    values: Ints
    times: Ints

    @property
    def total(self) -> int:
        return int(self.times.sum())

    def times_of(self, smallest: int, largest: int) -> int:
        """How many of the numbers lie from the smallest to the largest."""
        return int(self.times[(self.values >= smallest) & (self.values <= largest)].sum())


@dataclass(frozen=True, eq=False)
class ClusterTableRisks(TableRisks):
    """The risks of a table whose rows lie on a cluster; `class_sizes` and `set_sizes` list each size once.

    classes : how many classes have each size.  units : of how many units the smallest class has each size.
    records, lacking : how many records there are, and how many of them lack the value of a quasi-identifier.
    single_columns : of each quasi-identifier, as far as it is known.
    """

    classes: Counted
    units: Counted
    records: int
    lacking: int
    single_columns: pl.DataFrame

    def __len__(self) -> int:
        return self.units.total

    @property
    def n_records(self) -> int:
        return self.records

    @property
    def n_classes(self) -> int:
        return self.classes.total

    @property
    def n_lacking(self) -> int:
        return self.lacking

    @property
    def unique(self) -> int:
        return self.units.times_of(1, 1)

    @property
    def histogram(self) -> pl.DataFrame:
        rows = [
            (*named, self.classes.times_of(*named[1:]), self.units.times_of(*named[1:]))
            for named in set_size_classes(int(self.classes.values.max(initial=0)))
        ]
        head = {"class_size": pl.String, "smallest": pl.Int64, "largest": pl.Int64}
        frame = pl.DataFrame(rows, schema={**head, "classes": pl.Int64, "units": pl.Int64}, orient="row")
        return frame.with_columns(share=pl.col("units") / max(1, len(self)))

    @property
    def columns(self) -> pl.DataFrame:
        return self.single_columns

    @property
    def singling_out(self) -> pl.DataFrame:
        row = (list(self.coded.columns), len(self.coded.columns), self.unique, self.unique / max(1, len(self)))
        schema: Any = {"columns": pl.List(pl.String), "size": pl.Int64, "units": pl.Int64, "share": pl.Float64}
        return pl.DataFrame([row], schema=schema, orient="row")

    @property
    def people(self) -> pl.DataFrame:
        raise DataError("audit: the risk of each person is not there on Spark; use one machine")

    @property
    def notes(self) -> list[str]:
        return [*super().notes, _LEFT_OUT]

    def to_json(self) -> JsonObject:
        return super().to_json() | {"column_sets": None}


def nobody(rows: Rows) -> dict[str, Any]:
    """The parts of `TableRisks` that list rows or units, without any."""
    columns = (*rows.quasi_identifiers, *rows.sensitive)
    persons = Persons.of(pl.Series([], dtype=pl.String)) if rows.by_person else None
    empty = pl.DataFrame(schema=dict.fromkeys(columns, pl.String))
    table = Table(empty, rows.quasi_identifiers, rows.sensitive, persons=persons)
    coded, none = CodedColumns.of(table, rows.quasi_identifiers), np.empty(0, dtype=np.int64)
    bits = none.astype(np.uint64)
    uniques = MinimalUniques(coded, (), none, none, none.astype(np.int8), bits, bits)
    return {"data": table, "coded": coded, "journalist_risks": none.astype(float), "uniques": uniques}


def population_of(audit: TableAudit, rows: Rows, classes: Counted, units: Counted) -> PopulationEstimate | None:
    """What is estimated about the population, where its size is given."""
    if audit.population_size is None:
        return None
    if audit.population_size < units.total:
        raise ParameterError(
            f"TableAudit: population_size must be at least the {units.total:,} {rows.unit}s of the data, "
            f"got {audit.population_size:,}"
        )
    return estimate_population(classes.values, audit.population_size, classes.times)


def attackers_of(
    audit: TableAudit, units: Counted, population: PopulationEstimate | None
) -> tuple[AttackerRisk, AttackerRisk, AttackerRisk]:
    """Prosecutor, journalist and marketer risk; see `TableAudit`."""
    prosecutor = 1 / units.values
    at_risk = units.times_of(1, audit.largest_at_risk)
    if population is None:
        journalist, above = prosecutor, at_risk
    else:
        journalist = population.risks(units.values)
        above = int(units.times[journalist > audit.threshold].sum())
    exact, mean = population is None, _mean(journalist, units)
    return (
        _attacker("prosecutor", prosecutor, units, _mean(prosecutor, units), at_risk, exact=True),
        _attacker("journalist", journalist, units, mean, above, exact=exact),
        AttackerRisk("marketer", None, mean, None, None, exact=exact),
    )


def _attacker(name: str, risks: Any, units: Counted, average: float, above: int, *, exact: bool) -> AttackerRisk:
    highest = float(risks.max(initial=0.0))
    return AttackerRisk(name, highest, average, above, int(units.times[risks == highest].sum()), exact)


def _mean(risks: Any, units: Counted) -> float:
    """The mean over all units, rounded as the exact sum of their risks is."""
    weighted = zip(np.asarray(risks, dtype=float).tolist(), units.times.tolist(), strict=True)
    exact = sum((Fraction(risk) * times for risk, times in weighted), Fraction())
    return float(exact) / units.total if units.total else 0.0
