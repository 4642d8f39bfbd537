"""Measures of trajectories on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import Trajectories
from sfumato.errors import DataError
from sfumato.spark.measures.sums import Pair, added_up, visits_of
from sfumato.spark.patterns import label_columns, pattern_batches
from sfumato.spark.published_data import every_label
from sfumato.spark.records import Records, in_partitions
from sfumato.utility.base import Measure, PublishedOnly, Score
from sfumato.utility.frequent_pairs import Arel, count_pairs, pair_estimates
from sfumato.utility.places.appearance import LocationAppearance, PairsLost, VisitsKept, expected_visits
from sfumato.utility.places.dissimilarity import SemanticPenalty, dissimilarities
from sfumato.utility.places.generalization import mean_of_records
from sfumato.utility.supports import Subtrajectories, distinct_subsequences

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "appearance",
    "frequent_pair_errors",
    "of_labels",
    "pairs_lost",
    "semantic_penalty",
    "subtrajectories",
    "visits_kept",
]


def of_labels(measure: Measure, pair: Pair) -> Score:
    """The value of a measure that looks at the labels that occur, and at no record."""
    return measure.score(every_label(pair.original.side), PublishedOnly(every_label(pair.published.side)))


def appearance(measure: LocationAppearance, pair: Pair) -> Score:
    """The expected number of published visits to a location, relative to the original."""
    names = pair.original.side.names
    before, after = (expected_visits(data.side, visits_of(data), names) for data in (pair.original, pair.published))
    return measure.of_counts(before, after)


def visits_kept(measure: VisitsKept, pair: Pair) -> Score:
    """The share of the visits that are published."""
    before, after = (data.sizes["elements"] for data in (pair.original, pair.published))
    return measure.of_counts(before, min(before, after))


def pairs_lost(measure: PairsLost, pair: Pair) -> Score:
    """The share of pairs of visits that are lost."""
    return measure.of_counts(*(_pairs(data) for data in (pair.original, pair.published)))


def _pairs(records: Records) -> int:
    from pyspark.sql import functions as F  # noqa: N812

    length = F.size("codes").cast("long")
    return int(records.frame.agg(F.sum(length * (length - 1))).first()[0] or 0) // 2


def semantic_penalty(measure: SemanticPenalty, pair: Pair) -> Score:
    """The mean over trajectories of the mean dissimilarity of their labels."""
    weights = dissimilarities(measure, pair.original.side, pair.published.side)

    def work(data: Trajectories) -> tuple[float, int]:
        visited = int(np.count_nonzero(data.lengths))
        return mean_of_records(weights[data.codes], data) * visited, visited

    total, visited = added_up(pair.published, work, 2)
    return Score(float(total / visited) if visited else 0.0)


def frequent_pair_errors(measure: Arel, pair: Pair) -> Score:
    """The relative errors of the most frequent ordered pairs."""
    from pyspark.sql import functions as F  # noqa: N812

    def work(data: Any) -> Iterator[pa.RecordBatch]:
        pairs, counts = count_pairs(data)
        yield from pattern_batches(pairs.astype(np.int32), n=counts)

    columns, original = label_columns(2), pair.original
    parts = in_partitions(original.frame.select("codes"), original.side, work, "label1 int, label2 int, n long")
    counted = parts.groupBy(*columns).agg(F.sum("n").alias("n"))
    rows = counted.orderBy(F.desc("n"), *columns).limit(measure.pairs).collect()
    found = np.array([tuple(row) for row in rows], dtype=np.int64).reshape(-1, 3)
    pairs, true = found[:, :2], found[:, 2]
    names = original.side.names
    estimates = added_up(pair.published, lambda data: pair_estimates(data, pairs, names), len(pairs))
    return measure.of_counts(true, estimates)


def subtrajectories(measure: Subtrajectories, pair: Pair) -> Score:
    """The number of distinct published subtrajectories, relative to the original's."""
    if pair.release.noisy:
        raise DataError(f"{measure.name}: needs the run itself", remedy="measure-the-run", measure=measure.name)
    return measure.of_counts(*(_distinct(data, measure.size) for data in (pair.original, pair.published)))


def _distinct(records: Records, size: int) -> int:
    def work(data: Any) -> Iterator[pa.RecordBatch]:
        yield from pattern_batches(distinct_subsequences(data, size).astype(np.int32))

    schema = ", ".join(f"{name} int" for name in label_columns(size))
    return int(in_partitions(records.frame.select("codes"), records.side, work, schema).distinct().count())
