"""Disassociation on a cluster: parts of similar records, each divided and refined by one task with the same kernels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import Chunks, Transactions
from sfumato.errors import Infeasible
from sfumato.methods.base import Run
from sfumato.methods.transactions.disassociate import Disassociate, sensitive_codes
from sfumato.spark.itemsets.blocks import blocks_of
from sfumato.spark.itemsets.chunk_blocks import ChunkBlocks
from sfumato.spark.itemsets.horizontal_parts import PartRules, horizontal_parts
from sfumato.spark.itemsets.local_recoding import require_units
from sfumato.spark.itemsets.repeated import repeated
from sfumato.spark.records import Records

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["disassociate"]

MOST_RECORDS = 1_000_000
"""How many records one task takes unless the method names a number."""


def disassociate(
    method: Disassociate,
    records: Records,
    run: Run,  # noqa: ARG001
    most_elements: int,  # noqa: ARG001
) -> tuple[ChunkBlocks, dict[str, int]]:
    """The output of one machine for the same `partition`."""
    from pyspark.sql import functions as F  # noqa: N812

    smallest = max(method.k, method.l)
    require_units(method.name, smallest, records)
    whole = _one_record_each(records).persist()
    has_items = F.size("codes") > 0
    n_filled, n_empty = (int(n) for n in whole.agg(F.count_if(has_items), F.count_if(~has_items)).first())
    if method.partition is None and n_filled > MOST_RECORDS:
        raise Infeasible(
            f"disassociate: on Spark at most {MOST_RECORDS:,} records may share chunks, these data have {n_filled:,}; "
            f"give partition={MOST_RECORDS}, with which one machine has the same output"
        )
    distinct = whole.filter(has_items).groupBy("codes").agg(F.count(F.lit(1)).alias("times")).persist()
    side = records.side
    assert isinstance(side, Transactions)
    largest = max(method.partition or n_filled, method.largest_cluster)
    rules = PartRules(smallest, largest, sensitive_codes(side))
    parts, n_parts = horizontal_parts(distinct, side, rules)
    kept = n_empty if method.empty == "keep" else 0

    def work(key: Any, rows: pa.Table) -> pa.Table:
        import pyarrow as pa

        last = key[0].as_py() == n_parts - 1
        chunks, suppressed = method.chunks_of(repeated(rows, side), Run(), kept if last else 0)
        numbers, starts = blocks_of(chunks)
        column = pa.ListArray.from_arrays(pa.array(starts.astype(np.int32)), pa.array(numbers))
        once = np.zeros(len(column), dtype=np.int64)
        once[:1] = suppressed
        return pa.table({"codes": column, "suppressed": pa.array(once)})

    made = parts.groupBy("part").applyInArrow(work, "codes array<int>, suppressed long").persist()
    counts = {"merged_records": records.sizes["records"] - n_filled - n_empty} if records.by_person else {}
    counts |= {"suppressed_records": n_empty - kept}
    if method.safe:
        counts |= {"suppressed_items": int(made.agg(F.sum("suppressed")).first()[0] or 0)}
    published = replace(Chunks.of([], sensitive=side.sensitive & set(side.names)), names=side.names)
    return ChunkBlocks(made.select("codes"), published, records if records.by_person else None), counts


def _one_record_each(records: Records) -> Any:
    """All that is known of a person as one record."""
    from pyspark.sql import functions as F  # noqa: N812

    if not records.by_person:
        return records.frame.select("codes")
    together = F.array_sort(F.array_distinct(F.flatten(F.collect_list("codes"))))
    return records.frame.groupBy("person").agg(together.alias("codes")).select("codes")
