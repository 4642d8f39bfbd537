"""Answers to the queries of a workload on a cluster: expected counts, added up over partitions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from sfumato.data import Table
from sfumato.errors import CallerError
from sfumato.spark.measures.sums import FIGURES, Floats, Pair, added_up, collected_sums, figures_batch
from sfumato.spark.published_data import every_label
from sfumato.spark.records import Records
from sfumato.spark.table_methods import TableRows
from sfumato.utility.base import Score
from sfumato.utility.queries import Are
from sfumato.utility.supports import KlDivergence, supports_of
from sfumato.utility.workload import Workload

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["query_errors", "support_divergence"]

_FILE = "{}: on Spark it reads its {} from a file; name one as in {}:workload=queries.json"


def query_errors(measure: Are, pair: Pair) -> Score:
    """The value of `are`, for the queries of a file."""
    if measure.workload is None:
        raise CallerError(_FILE.format("are", "queries", "are"))
    workload = Workload.load(measure.workload)
    workload.require(pair.original.side)
    true, estimate = _answers(pair.original, workload, "share"), _answers(pair.published, workload, measure.estimate)
    return measure.of_counts(true, estimate)


def _answers(data: Records | TableRows, workload: Workload, estimate: str) -> Floats:
    if isinstance(data, Records):
        return added_up(data, partial(workload.counts, estimate=estimate), len(workload))
    return _answers_of_rows(data, workload, estimate)


def _answers_of_rows(rows: TableRows, workload: Workload, estimate: str) -> Floats:
    """The answers of a table, whose rows with equal values in the columns of the queries are counted before."""
    from pyspark.sql import functions as F  # noqa: N812

    side = rows.side
    asked = {name for query in workload for name in query.where}
    names = [name for name in side.frame.columns if name in asked] or list(side.frame.columns[:1])
    schema = {name: side.frame.schema[name] for name in names}
    trees = {name: tree for name, tree in side.hierarchies.items() if name in names}
    members = {name: labels for name, labels in side.members.items() if name in names}
    counted = rows.frame.groupBy(*(f"`{name}`" for name in names)).agg(F.count(F.lit(1)).alias("\1times"))

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            frame = pl.DataFrame(pa.Table.from_batches([batch]))
            cells, times = frame.select(names).cast(schema), frame["\1times"].to_numpy()
            table = Table(cells, quasi_identifiers=tuple(names), hierarchies=trees, members=members)
            yield figures_batch([table.chances(query, estimate) @ times for query in workload])

    return collected_sums(counted.mapInArrow(work, FIGURES), len(workload))


def support_divergence(measure: KlDivergence, pair: Pair) -> Score:
    """The value of `kl`, for all single labels or the queries of a file."""
    if measure.workload is None and measure.patterns is not None:
        raise CallerError(_FILE.format("kl", "patterns", "kl"))
    workload = measure.workload_for(every_label(pair.original.side))
    supports = [
        added_up(data, partial(supports_of, workload=workload), len(workload))
        for data in (pair.original, pair.published)
    ]
    return measure.of_supports(*(np.rint(counts) for counts in supports))
