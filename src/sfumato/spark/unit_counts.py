"""Units counted on a cluster: in each partition, then added up; a person with very many records in many partitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.spark.records import Records, in_partitions

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["MOST_RECORDS", "units_added_up"]

MOST_RECORDS = 100_000
"""Of a person: a person with more is counted by more than one task."""


def units_added_up(records: Records, work: Callable[[Any], Iterator[pa.RecordBatch]], keys: dict[str, str]) -> Any:
    """A DataFrame of keys and `units`: how many units have each key.

    work : counts the units of a dataset: rows of the keys and `units`, each key once.  keys : names and types.
    All records of a unit are in one partition, so that the counts of partitions add up.  Those of a person with very
    many are divided by their content, equal ones once, and each key is counted once for the person.
    """
    from pyspark.sql import functions as F  # noqa: N812

    schema = ", ".join(f"{name} {kind}" for name, kind in keys.items())
    frame, many = records.frame, _persons_with_many(records)
    if many:
        of_many = F.col("person").isin(list(many))
        parts = -(-sum(many.values()) // MOST_RECORDS)
        # without a number of parts, Spark may leave all of a person in one
        divided = frame.filter(of_many).select("person", "codes").distinct().repartition(parts, "codes")
        frame = frame.filter(~of_many)
    counted = in_partitions(frame, records.side, work, f"{schema}, units long")
    if many:
        each = in_partitions(divided, records.side, lambda data: _for_each(data, work), f"{schema}, person string")
        once = each.distinct().select(*keys, F.lit(1).cast("long").alias("units"))
        counted = counted.union(once)
    return counted.groupBy(*keys).agg(F.sum("units").alias("units"))


def _persons_with_many(records: Records) -> dict[Any, int]:
    """The persons with more records than one task counts, and how many each has."""
    from pyspark.sql import functions as F  # noqa: N812

    if not records.by_person or records.sizes["most_records"] <= MOST_RECORDS:
        return {}
    counted = records.frame.groupBy("person").agg(F.count(F.lit(1)).alias("records"))
    return {row["person"]: row["records"] for row in counted.filter(F.col("records") > MOST_RECORDS).collect()}


def _for_each(data: Any, work: Callable[[Any], Iterator[pa.RecordBatch]]) -> Iterator[pa.RecordBatch]:
    """The keys of each person of a dataset."""
    import pyarrow as pa

    for number in range(0 if data.persons is None else len(data.persons)):
        name = str(data.persons.names[number])
        for batch in work(data.take(np.flatnonzero(data.persons.codes == number))):
            columns = {key: batch.column(key) for key in batch.schema.names if key != "units"}
            yield pa.RecordBatch.from_pydict(columns | {"person": pa.array([name] * len(batch), pa.string())})
