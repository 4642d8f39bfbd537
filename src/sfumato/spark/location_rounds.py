"""Locations merged in rounds: patterns are counted on the cluster, and the driver chooses labels from the counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.methods.base import Run
from sfumato.methods.trajectories.seqanon.labelled_records import (
    location_visits,
    pattern_supports,
)
from sfumato.methods.trajectories.seqanon.location_merging import LocationMerging
from sfumato.methods.trajectories.seqanon.rounds import Counted, Rounds
from sfumato.spark.patterns import label_columns, pattern_batches
from sfumato.spark.records import Records, dataset_of
from sfumato.spark.unit_counts import units_added_up

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ClusterCounts", "recode_in_rounds"]

Codes = npt.NDArray[np.int32]


def recode_in_rounds(method: LocationMerging, records: Records, run: Run) -> tuple[Records, dict[str, int]]:
    """The records under the labels that one machine chooses in rounds, and what was lost."""
    from pyspark.sql import functions as F  # noqa: N812

    side = records.side
    assert isinstance(side, Trajectories)
    labels = method.labels(lambda: Rounds(side, ClusterCounts(records)), run)
    if labels.visits_allowed == 0:  # no label is left
        labels = replace(labels, names=(), members={}, code_of=np.full_like(labels.code_of, -1))
    known = labels.side_of(side).with_public_knowledge()
    published = records.recoded(labels.code_of, known, labels.visits_allowed)
    published = published.with_frame(published.frame.persist())
    kept, empty = published.frame.agg(F.sum(F.size("codes")), F.count_if(F.size("codes") == 0)).first()
    counts = {
        "suppressed_visits": records.sizes["elements"] - int(kept or 0),
        "suppressed_records": int(empty),
        "merged_locations": labels.merged_locations,
    }
    return published, counts | labels.counts


class ClusterCounts:
    """What `sfumato.methods.trajectories.seqanon.rounds.Counts` knows of records on a cluster."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self.longest = records.sizes["longest"]

    def count(self, label_of: Codes, smallest: int, largest: int, k: int, most: int) -> Counted:
        """Only supports of labels and rare patterns reach the driver, which takes at most so many of these."""
        from pyspark.sql import functions as F  # noqa: N812

        def work(data: Any) -> Iterator[pa.RecordBatch]:
            patterns, supports = pattern_supports(data, label_of, smallest, largest)
            yield from pattern_batches(patterns, units=supports.astype(np.int64))

        columns = label_columns(largest)
        single = F.col("label2") < 0 if largest > 1 else F.lit(True)
        rare = (F.col("units") < k) & (F.col(f"label{smallest}") >= 0)
        table = units_added_up(self._records, work, dict.fromkeys(columns, "int")).filter(single | rare).persist()
        try:
            labels = table.filter(single).select("label1", "units").toArrow()
            found = table.filter(rare).orderBy("units", *columns).limit(most).select(*columns).toArrow()
        finally:
            table.unpersist()
        patterns = [column.to_numpy() for column in found.columns]
        support = _dense(labels, len(label_of))
        return Counted(support, np.ascontiguousarray(np.stack(patterns, axis=1), dtype=np.int32))

    def longest_of_units(self, label_of: Codes) -> Ints:
        from pyspark.sql import functions as F  # noqa: N812

        left = self._records.recoded(label_of, self._records.side)
        longest = left.frame.select(F.size("codes").alias("longest"), *(["person"] if left.by_person else []))
        if left.by_person:
            longest = longest.groupBy("person").agg(F.max("longest").alias("longest"))
        return _dense(longest.groupBy("longest").agg(F.count(F.lit(1))).toArrow(), self.longest + 1)

    def location_visits(self, label_of: Codes, visits_allowed: int | None) -> Ints:
        from pyspark.sql import functions as F  # noqa: N812

        side = self._records.side

        def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            import pyarrow as pa

            visits = np.zeros(len(label_of), dtype=np.int64)
            for batch in batches:
                data: Any = dataset_of([batch], side)
                visits += location_visits(data, label_of, visits_allowed)
            place = np.flatnonzero(visits)
            yield pa.RecordBatch.from_pydict({"place": pa.array(place), "visits": pa.array(visits[place])})

        parts = self._records.frame.select("codes").mapInArrow(count, "place long, visits long")
        return _dense(parts.groupBy("place").agg(F.sum("visits")).toArrow(), len(label_of))


def _dense(table: pa.Table, size: int) -> Ints:
    """The second column, at the positions in the first one."""
    dense = np.zeros(size, dtype=np.int64)
    dense[table.column(0).to_numpy()] = table.column(1).to_numpy()
    return dense
