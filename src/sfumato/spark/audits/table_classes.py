"""The audit of a table on a cluster: equivalence classes, single columns and sensitive values, counted exactly."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from sfumato.attacks.audit.attribute_disclosure import Disclosure
from sfumato.attacks.audit.coded_columns import distinction_and_separation
from sfumato.attacks.audit.table_audit import TableAudit
from sfumato.errors import DataError
from sfumato.params import exact
from sfumato.privacy import LDiversity
from sfumato.spark.audits.table_findings import ClusterTableRisks, Counted, attackers_of, nobody, population_of
from sfumato.spark.sensitive_values import check_l_diversity
from sfumato.spark.tables import Rows

__all__ = ["audit_rows"]


def audit_rows(audit: TableAudit, rows: Rows) -> ClusterTableRisks:
    """The figures of `TableAudit.run` that equivalence classes and single columns give."""
    cells = _Cells(rows)
    try:
        if cells.n_records == 0:
            raise DataError("audit: wanted at least one row, found none")
        classes, units = cells.class_counts(), cells.unit_counts()
        about = population_of(audit, rows, classes, units)
        return ClusterTableRisks(
            **nobody(rows),
            audit=audit,
            class_sizes=classes.values,
            set_sizes=units.values,
            attackers=attackers_of(audit, units, about),
            population=about,
            disclosures=tuple(_Sensitive(cells, column).disclosure(audit, units.total) for column in rows.sensitive),
            known_items=None,
            classes=classes,
            units=units,
            records=cells.n_records,
            lacking=cells.lacking(),
            single_columns=cells.columns(),
        )
    finally:
        cells.sizes.unpersist()


class _Cells:
    """The rows of a table with their equivalence class in one column, `class`, in which missing values are equal."""

    def __init__(self, rows: Rows) -> None:
        from pyspark.sql import functions as F  # noqa: N812

        self.rows = rows
        columns = [rows.column(name).alias(name) for name in (*rows.quasi_identifiers, *rows.sensitive)]
        persons = [] if rows.person is None else [F.col(f"`{rows.person}`").alias("\0person")]
        known = [F.col(f"`{name}`") for name in rows.quasi_identifiers]
        self.frame = rows.frame.select(*columns, *persons).withColumn("class", F.struct(*known))
        units = self.frame.select("class", "\0person").distinct() if rows.by_person else self.frame
        self.sizes = units.groupBy("class").agg(F.count(F.lit(1)).alias("size")).persist()

    @cached_property
    def n_records(self) -> int:
        return int(self.frame.count())

    @property
    def units(self) -> Any:
        """How many units a group of rows has."""
        from pyspark.sql import functions as F  # noqa: N812

        return F.count_distinct("\0person") if self.rows.by_person else F.count(F.lit(1))

    def class_counts(self) -> Counted:
        return _counted(self.sizes, "size")

    def unit_counts(self) -> Counted:
        """Of each unit, the smallest class that holds a row of it."""
        from pyspark.sql import functions as F  # noqa: N812

        if not self.rows.by_person:
            classes = self.class_counts()
            return replace(classes, times=classes.values * classes.times)
        joined = self.frame.select("class", "\0person").distinct().join(self.sizes, "class")
        return _counted(joined.groupBy("\0person").agg(F.min("size").alias("size")), "size")

    def lacking(self) -> int:
        from pyspark.sql import functions as F  # noqa: N812

        lacks = [F.col(f"`{name}`").isNull() for name in self.rows.quasi_identifiers]
        return int(self.frame.filter(F.greatest(*lacks) if len(lacks) > 1 else lacks[0]).count())

    def columns(self) -> pl.DataFrame:
        """Of each quasi-identifier: values, distinction, separation, and units that it singles out by itself."""
        figures = [self._column(name) for name in self.rows.quasi_identifiers]
        schema = {"column": pl.String, "values": pl.Int64, "distinction": pl.Float64, "separation": pl.Float64}
        return pl.DataFrame(figures, schema={**schema, "unique": pl.Int64}, orient="row")

    def _column(self, name: str) -> tuple[Any, ...]:
        from pyspark.sql import functions as F  # noqa: N812

        groups = self.frame.groupBy(f"`{name}`").agg(F.count(F.lit(1)).alias("size"))
        counted = _counted(groups, "size")
        unique = counted.times_of(1, 1)
        if self.rows.by_person:
            first, last = F.min("\0person").alias("first"), F.max("\0person").alias("last")
            alone = self.frame.groupBy(f"`{name}`").agg(first, last).filter(F.col("first") == F.col("last"))
            unique = int(alone.agg(F.count_distinct("first")).first()[0])
        return name, counted.total, *distinction_and_separation(counted.values, counted.times), unique


class _Sensitive:
    """One sensitive column, counted in the classes by units and by rows."""

    def __init__(self, cells: _Cells, column: str) -> None:
        from pyspark.sql import functions as F  # noqa: N812

        self.cells, self.column, self.by_person = cells, column, cells.rows.by_person
        value = F.struct(F.col(f"`{column}`")).alias("value")  # so that missing values are equal
        self.rows = cells.frame.select("class", value, *(["\0person"] if self.by_person else []))

    def disclosure(self, audit: TableAudit, n_units: int) -> Disclosure:
        """The figures of `disclosure_of`, without the probability of each unit."""
        from pyspark.sql import functions as F  # noqa: N812

        holders = self.rows.distinct() if self.by_person else self.rows
        pairs = holders.groupBy("class", "value").agg(F.count(F.lit(1)).alias("n")).persist()
        try:
            classes = pairs.groupBy("class").agg(F.count(F.lit(1)).alias("values"))
            alone = classes.filter(F.col("values") == 1).select("class")
            fewest, n_alone = classes.agg(F.min("values"), F.count_if(F.col("values") == 1)).first()
            limit = exact(audit.inference)
            enough = F.col("n") * F.lit(limit.denominator) >= F.col("size") * F.lit(limit.numerator)
            inferred = pairs.join(self.cells.sizes, "class").filter(enough)
            figures = [self._class_figures(pairs, self.cells.units)]
            if self.by_person:
                by_row = self.rows.groupBy("class", "value").agg(F.count(F.lit(1)).alias("n"))
                figures.append(self._class_figures(by_row, F.count(F.lit(1))))
            (values, most), *_ = [figure[2:] for figure in figures]
            return Disclosure(
                column=self.column,
                values=values,
                most_frequent=most / n_units,
                one_value_classes=int(n_alone),
                one_value_units=self._units(pairs.join(alone, "class"), ["class"]),
                distinct_l=self._distinct_l() if self.by_person else int(fewest),
                entropy_l=min(figure[0] for figure in figures),
                closeness=max(figure[1] for figure in figures),
                inferred=self._units(inferred, ["class", "value"]),
                probabilities=np.empty(0),
            )
        finally:
            pairs.unpersist()

    def _units(self, chosen: Any, keys: list[str]) -> int:
        """How many units have a row in one of these groups."""
        from pyspark.sql import functions as F  # noqa: N812

        if not self.by_person:
            return int(chosen.agg(F.sum("n")).first()[0] or 0)
        found = self.rows.join(chosen.select(*keys).distinct(), keys, "left_semi")
        return int(found.agg(F.count_distinct("\0person")).first()[0])

    def _distinct_l(self) -> int:
        """The fewest values that different persons of a class can have."""
        rows = self.cells.rows
        known = tuple(name for name in rows.quasi_identifiers if name != self.column)
        alone = replace(rows, quasi_identifiers=known, sensitive=(self.column,))
        return int(check_l_diversity(LDiversity(l=2), alone).measured["smallest_diversity"])

    def _class_figures(self, pairs: Any, units: Any) -> tuple[float, float, int, int]:
        """The smallest l by entropy, the largest distance, how many values there are and the most units of one.

        pairs : class, value and `n`, how many have both.  units : how many a group of rows has.
        """
        from pyspark.sql import functions as F  # noqa: N812

        totals = self.rows.groupBy("value").agg(units.alias("total")).persist()
        try:
            values, most, total = totals.agg(F.count(F.lit(1)), F.max("total"), F.sum("total")).first()
            joined = pairs.join(F.broadcast(totals), "value").select(
                "class",
                F.struct(F.col("n").cast("double").alias("n"), F.col("total").cast("double").alias("total")).alias(
                    "entry"
                ),
            )
            lists = joined.groupBy("class").agg(F.array_sort(F.collect_list("entry")).alias("entries"))
            zero = F.lit(0.0)
            size = F.aggregate("entries", zero, lambda sofar, entry: sofar + entry["n"])
            lists = lists.select("entries", size.alias("size"))

            def excess(sofar: Any, entry: Any) -> Any:  # a value that a class lacks adds its share of all
                expected = entry["total"] * F.col("size")
                return sofar + F.abs(entry["n"] * F.lit(float(total)) - expected) - expected

            logs = F.aggregate("entries", zero, lambda sofar, entry: sofar + entry["n"] * F.log(entry["n"]))
            entropy = F.exp(F.log("size") - logs / F.col("size"))
            distance = F.aggregate("entries", zero, excess) / F.lit(float(total)) + F.col("size")
            smallest, largest = lists.agg(F.min(entropy), F.max(distance / (2 * F.col("size")))).first()
        finally:
            totals.unpersist()
        return float(smallest), float(largest), int(values), int(most)


def _counted(frame: Any, column: str) -> Counted:
    rows = sorted((int(row[0]), int(row[1])) for row in frame.groupBy(column).count().collect())
    values, times = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    return Counted(values, times)
