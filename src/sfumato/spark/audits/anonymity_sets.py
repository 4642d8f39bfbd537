"""The audit of trajectories and transactions on a cluster: the anonymity set of every pattern of everybody, exactly.

Units (persons, or equal records where persons are unknown) are divided into buckets by their content.  Each bucket
lists its patterns and counts its own units behind them; the counts are added up over the buckets, and each bucket gets
back the totals of its own patterns.  A pattern that everybody has is so one row a bucket.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sfumato.attacks import Audit
from sfumato.attacks.audit.audit import CURVE
from sfumato.attacks.audit.known_points import KnowablePoints
from sfumato.attacks.audit.listed_patterns import ListedPatterns, listed_patterns, pattern_counts
from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.errors import Infeasible
from sfumato.spark.audits.findings import ClusterFindings, CountedRisks
from sfumato.spark.patterns import label_columns
from sfumato.spark.records import Records, dataset_of

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["audit_records"]

_PATTERNS = 2_000_000  # of a bucket, about
_STEPS = 52  # 1 / support is counted in steps of 2^-52, as on one machine
_HALF = 26
_FIGURES = "known int, size long, units long, lone double, chances double"


def audit_records(audit: Audit, records: Records) -> ClusterFindings:
    """The figures of `Audit.run`, none of them from a sample."""
    ordered = audit.ordered and isinstance(records.side, Trajectories)
    units = _units(records, ordered).persist()
    try:
        longest, counts = _pattern_counts(units, records.side, max(CURVE, audit.known))
        sizes = _within_budget(audit, counts)
        n_buckets = max(int(units.rdd.getNumPartitions()), int(sum(counts[: len(sizes)]) // _PATTERNS) + 1)
        rows = _figures(units, records.side, len(sizes), n_buckets) if sizes else []
    finally:
        units.unpersist()
    n, without = records.sizes["units"], records.sizes["units"] - records.sizes["units_with_elements"]
    counted = [_risks(known, [row for row in rows if row["known"] == known], n, without) for known in sizes]
    if not counted:  # no record has a visit or item
        counted = [_risks(1, [], n, without)]
    top = max(CURVE, audit.known)
    if len(counted) == max(1, min(top, longest)):  # with more known, every record is known completely
        counted += [replace(counted[-1], known=known) for known in range(len(counted) + 1, top + 1)]
    remarks = []
    if len(counted) < top:
        remarks.append(
            f"With {len(counted) + 1} or more known, the records have more patterns than the budget, so they were not "
            "counted."
        )
    return ClusterFindings.about(records, audit, ordered, counted, remarks)


def _units(records: Records, ordered: bool) -> Any:
    """The records that are not empty, with their person; or distinct ones, with `times`, how many records are equal."""
    from pyspark.sql import functions as F  # noqa: N812

    codes = F.col("codes") if ordered else F.array_sort(F.array_distinct("codes"))
    filled = records.frame.filter(F.size("codes") > 0)
    if records.by_person:
        return filled.select(codes.alias("codes"), F.col("person").cast("string").alias("person")).distinct()
    return filled.select(codes.alias("codes")).groupBy("codes").agg(F.count(F.lit(1)).alias("times"))


def _pattern_counts(units: Any, side: Ragged, top: int) -> tuple[int, list[float]]:
    """The length of the longest record, and how many patterns of 1, 2, ... labels the records have."""
    from pyspark.sql import functions as F  # noqa: N812

    def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        points = _points(batches, side)
        sizes = range(1, min(top, points.longest) + 1)
        found = [float(pattern_counts(points, size).sum()) for size in sizes]
        yield pa.RecordBatch.from_pydict({"size": pa.array(sizes, pa.int32()), "patterns": pa.array(found)})

    longest = int(units.agg(F.max(F.size("codes"))).first()[0] or 0)
    rows = units.mapInArrow(count, "size int, patterns double").groupBy("size").agg(F.sum("patterns")).collect()
    found = {row[0]: float(row[1]) for row in rows}
    return longest, [found.get(size, 0.0) for size in range(1, min(top, longest) + 1)]


def _within_budget(audit: Audit, counts: list[float]) -> list[int]:
    """The numbers of known visits or items whose patterns are counted; refuses an audit that exceeds the budget."""
    reached = np.cumsum(counts)
    allowed = int(np.searchsorted(reached, audit.budget, side="right"))
    needed = min(audit.known, len(counts))
    if allowed < needed:
        raise Infeasible(
            f"audit: with {audit.known} known, the records have about {int(reached[needed - 1]):,} patterns, the "
            f"budget is {audit.budget:,}; raise the budget or let the attacker know less"
        )
    return list(range(1, allowed + 1))


def _figures(units: Any, side: Ragged, largest: int, n_buckets: int) -> list[Any]:
    """For each number of known labels and each size of a smallest set: units, and sums of their figures."""
    from pyspark.sql import functions as F  # noqa: N812

    work, labels = _Bucket(side, largest), label_columns(largest)
    key = "person" if "person" in units.columns else "codes"
    bucketed = units.withColumn("bucket", F.pmod(F.xxhash64(key), F.lit(n_buckets)).cast("int")).groupBy("bucket")
    columns = ", ".join(f"{name} int" for name in labels)

    def supports(key: tuple[Any, ...], rows: pa.Table) -> pa.Table:  # Spark counts the arguments of a method wrongly
        return work.supports(key, rows)

    def figures(rows: pa.Table, totals: pa.Table) -> pa.Table:
        return work.figures(rows, totals)

    counted = bucketed.applyInArrow(supports, f"bucket int, {columns}, units long")
    totals = counted.groupBy(*labels).agg(F.sum("units").alias("support"), F.collect_list("bucket").alias("buckets"))
    returned = totals.select(*labels, "support", F.explode("buckets").alias("bucket")).groupBy("bucket")
    found = bucketed.cogroup(returned).applyInArrow(figures, _FIGURES)
    sums = [F.sum(name).alias(name) for name in ("units", "lone", "chances")]
    return list(found.groupBy("known", "size").agg(*sums).collect())


def _points(batches: Iterable[pa.RecordBatch], side: Ragged) -> KnowablePoints:
    return KnowablePoints.of(dataset_of(batches, side), ordered=True)


@dataclass(frozen=True)
class _Bucket:
    """The work on the units of a bucket; largest : how many labels a pattern has at most."""

    side: Ragged
    largest: int

    def supports(self, key: tuple[Any, ...], rows: pa.Table) -> pa.Table:
        """The patterns of the bucket, and how many of its units have each."""
        points, times = self._read(rows)
        labels, parts = label_columns(self.largest), []
        for _, batch, frame in self._listed(points):
            counted = (
                frame.with_columns(units=pl.Series(times[batch.units])).group_by(labels).agg(pl.col("units").sum())
            )
            parts.append(counted)
        together = pl.concat(parts).group_by(labels).agg(pl.col("units").sum())
        bucket = pl.lit(key[0].as_py(), pl.Int32).alias("bucket")
        return together.select(bucket, *map(pl.col, (*labels, "units"))).to_arrow()

    def figures(self, rows: pa.Table, totals: pa.Table) -> pa.Table:
        """The figures of the bucket's units, given the support of each of its patterns."""
        points, times = self._read(rows)
        n, labels = len(points), label_columns(self.largest)
        supports = pl.DataFrame(totals.select([*labels, "support"]))
        patterns, lone, high, low = np.zeros((4, self.largest, n))
        lowest = np.full((self.largest, n), np.iinfo(np.int64).max)
        for size, batch, frame in self._listed(points):
            joined = frame.join(supports, on=labels, how="left", maintain_order="left")
            support = joined["support"].to_numpy()
            shares = np.where(support > 1, np.floor(2.0**_STEPS / support), 0).astype(np.int64)
            for known in range(size, self.largest + 1):  # a record with fewer labels is known completely
                chosen = slice(None) if known == size else batch.whole
                of_unit, here = batch.units[chosen], support[chosen]
                patterns[known - 1] += np.bincount(of_unit, minlength=n)
                lone[known - 1] += np.bincount(of_unit, weights=here == 1, minlength=n)
                high[known - 1] += np.bincount(of_unit, weights=shares[chosen] >> _HALF, minlength=n)
                low[known - 1] += np.bincount(of_unit, weights=shares[chosen] & ((1 << _HALF) - 1), minlength=n)
                np.minimum.at(lowest[known - 1], of_unit, here)
        chances = (lone + _in_steps(high, low)) / patterns
        tables = [
            self._summed(at + 1, lowest[at], times, lone[at] / patterns[at], chances[at]) for at in range(len(lone))
        ]
        return pl.concat(tables).to_arrow()

    def _read(self, rows: pa.Table) -> tuple[KnowablePoints, Ints]:
        """The units of a bucket, and how many units of the data each stands for."""
        points = _points(rows.to_batches(), self.side)
        return points, rows["times"].to_numpy() if "times" in rows.column_names else np.ones(len(points), dtype=int)

    def _listed(self, points: KnowablePoints) -> Iterator[tuple[int, ListedPatterns, pl.DataFrame]]:
        for size in range(1, self.largest + 1):
            for batch in listed_patterns(points, size):
                columns = dict(zip(label_columns(size), batch.patterns.T, strict=True))
                padding = [pl.lit(-1, pl.Int32).alias(name) for name in label_columns(self.largest)[size:]]
                yield size, batch, pl.DataFrame(columns).with_columns(padding)

    def _summed(self, known: int, sizes: Ints, times: Ints, lone: Any, chances: Any) -> pl.DataFrame:
        columns = {"size": sizes, "units": times, "lone": times * lone, "chances": times * chances}
        summed = pl.DataFrame(columns).group_by("size").sum()
        return summed.select(pl.lit(known, pl.Int32).alias("known"), pl.all())


def _in_steps(high: Any, low: Any) -> Any:
    """The sum of shares that were counted in steps, rounded once at the end."""
    high, low = high.astype(np.int64), low.astype(np.int64)
    high, low = high + (low >> _HALF), low & ((1 << _HALF) - 1)
    return (high >> _HALF) + (((high & ((1 << _HALF) - 1)) << _HALF) + low) * 2.0**-_STEPS


def _risks(known: int, rows: list[Any], n_units: int, without: int) -> CountedRisks:
    """The sums over all units; those without visits or items match every record."""
    of_size = {int(row["size"]): int(row["units"]) for row in rows}
    lone, chances = (sum(row[name] for row in rows) for name in ("lone", "chances"))
    if without:
        of_size[n_units] = of_size.get(n_units, 0) + without
        lone, chances = lone + without * (n_units == 1), chances + without / n_units
    sizes = sorted(of_size)
    units = np.array([of_size[size] for size in sizes], dtype=np.int64)
    return CountedRisks(known, np.array(sizes, dtype=np.int64), units, float(lone), float(chances))
