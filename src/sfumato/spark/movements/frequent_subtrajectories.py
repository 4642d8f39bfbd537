"""The most frequent subtrajectories on a cluster: extensions are counted there, and the driver keeps the best."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import Trajectories
from sfumato.kernels.mining.containment import first_embeddings
from sfumato.methods.trajectories.klm.unit_order import Flags
from sfumato.mining.patterns import Patterns
from sfumato.spark.records import Records, in_partitions

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["most_frequent"]

Pattern = tuple[int, ...]


def most_frequent(records: Records, top: int, sensitive: Flags) -> Patterns:
    """The patterns that `FrequentSequences(top=top)` finds in the nonsensitive visits.

    A prefix has at least the support of the pattern and comes before it by name.  So all prefixes of the first `top`
    patterns are among these, and only prefixes that are among the first so far have to be extended.
    """
    best: list[tuple[int, Pattern]] = []
    extended: list[Pattern] = [()]
    while extended:
        for number, code, units in _extensions(records, extended, sensitive):
            best.append((-units, (*extended[number], code)))
        best = sorted(best)[:top]
        longest = len(extended[0]) + 1
        extended = [pattern for _, pattern in best if len(pattern) == longest]
    patterns = [pattern for _, pattern in best]
    offsets = np.concatenate(([0], np.cumsum([len(pattern) for pattern in patterns]))).astype(np.int64)
    codes = np.array([code for pattern in patterns for code in pattern], dtype=np.int32)
    return Patterns(offsets, codes, np.array([-units for units, _ in best], dtype=np.int64))


def _extensions(records: Records, prefixes: list[Pattern], sensitive: Flags) -> list[Any]:
    """The number of each prefix with every location that follows it somewhere, and in how many units it does."""
    from pyspark.sql import functions as F  # noqa: N812

    def work(data: Trajectories) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        kept = ~sensitive[data.codes]
        record = data.record_of_element()[kept]
        codes = data.codes[kept]
        offsets = np.concatenate(([0], np.cumsum(np.bincount(record, minlength=len(data))))).astype(np.int64)
        unit, n = data.units[record].astype(np.int64), len(sensitive)
        for number, prefix in enumerate(prefixes):
            ends = first_embeddings(codes, offsets, np.array(prefix, dtype=np.int32))
            follows = np.arange(len(codes)) >= ends[record]
            pairs = np.unique(unit[follows] * n + codes[follows])
            units = np.bincount(pairs % n, minlength=n)
            found = np.flatnonzero(units)
            columns = {"code": pa.array(found.astype(np.int32)), "units": pa.array(units[found])}
            yield pa.RecordBatch.from_pydict(
                {"prefix": pa.array(np.full(len(found), number, dtype=np.int32)), **columns}
            )

    counted = in_partitions(records.frame, records.side, work, "prefix int, code int, units long")
    return list(counted.groupBy("prefix", "code").agg(F.sum("units")).collect())
