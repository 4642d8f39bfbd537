"""Rows of a cluster in a global order, with how much comes before each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["with_positions"]

_PART, _WEIGHT = "\x01part", "\x01weight"  # no columns of data


def with_positions(frame: Any, order: Sequence[Any], weight: Any, name: str = "first") -> Any:
    """The rows in this order with one more column: the sum of the weights of all rows before; persisted.

    weight : a column of whole numbers.  name : of the new column.
    """
    from pyspark.sql import functions as F  # noqa: N812
    from pyspark.sql.types import LongType, StructType

    names = list(frame.columns)
    weighed = frame.withColumn(_WEIGHT, weight.cast("long"))
    ordered = weighed.orderBy(*order).withColumn(_PART, F.spark_partition_id()).persist()
    sums = {row[0]: int(row[1]) for row in ordered.groupBy(_PART).agg(F.sum(_WEIGHT)).collect()}
    before, reached = {}, 0
    for part in sorted(sums):
        before[part] = reached
        reached += sums[part]

    def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        first = None
        for batch in batches:
            if len(batch) == 0:
                continue
            if first is None:
                first = before[batch.column(_PART)[0].as_py()]
            ends = first + np.cumsum(batch.column(_WEIGHT).to_numpy())
            columns = {column: batch.column(column) for column in names}
            starts = pa.array(ends - batch.column(_WEIGHT).to_numpy())
            yield pa.RecordBatch.from_pydict(columns | {name: starts})
            first = int(ends[-1])

    schema = StructType(list(frame.schema.fields)).add(name, LongType())
    return ordered.mapInArrow(count, schema).persist()
