"""Local recoding of sets of items on a cluster: each part of similar records under its own cut, by one task."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.data import Transactions
from sfumato.data.base import Ints
from sfumato.errors import CallerError, Infeasible, a_or_an
from sfumato.methods.base import Run
from sfumato.methods.transactions.hierarchy import Hierarchy
from sfumato.methods.transactions.hierarchy_cut import Cut
from sfumato.methods.transactions.lra import Lra
from sfumato.spark.itemsets.gray_parts import in_gray_parts
from sfumato.spark.itemsets.repeated import repeated
from sfumato.spark.records import Records, batch_of

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["recode_locally", "require_units"]

MOST_ITEMS = 20_000_000
"""How many items one task takes; a part is recoded as a whole."""


def recode_locally(method: Lra, records: Records, run: Run, most_elements: int) -> tuple[Records, dict[str, int]]:  # noqa: ARG001
    """The output of one machine: the same parts of the records in Gray order, each recoded by its code."""
    from pyspark.sql import functions as F  # noqa: N812

    side = records.side
    assert isinstance(side, Transactions)
    assert side.taxonomy is not None
    if side.taxonomy.rule:
        raise CallerError("lra: on Spark, the hierarchy of the items has to be given; found one derived from the data")
    require_units(method.name, method.k, records)
    side.taxonomy.require(side.names, "item")
    tree = Hierarchy.of(side.taxonomy)
    nodes = tree.nodes_of(side.names)
    parts = in_gray_parts(records, nodes, method.parts, method.k).persist()
    items = parts.groupBy("part").agg(F.sum(F.col("times") * F.size("codes")).alias("items"))
    most = int(items.agg(F.max("items")).first()[0] or 0)
    if most > MOST_ITEMS:
        raise Infeasible(
            f"lra: on Spark a part has at most {MOST_ITEMS:,} items, the largest of these {method.parts} parts has "
            f"{most:,}; raise parts"
        )
    by_person = records.by_person

    def work(rows: pa.Table) -> pa.Table:
        return _recoded(rows, method, tree, nodes, side, by_person)

    schema = "codes array<int>" + (", person string" if records.by_person else "")
    recoded = parts.groupBy("part").applyInArrow(work, schema)
    if records.by_person:
        recoded = recoded.repartition("person")  # all records of a person in one partition
    recoded = recoded.persist()
    labels = recoded.select(F.explode("codes").alias("label")).groupBy("label").count()
    counts = {row["label"]: int(row["count"]) for row in labels.collect()}
    parts.unpersist()
    return _published(records.with_frame(recoded), tree, counts)


def require_units(name: str, k: int, records: Records) -> None:
    """Refuse a k above the number of persons (or records) that have anything to hide."""
    present = records.sizes["units_with_elements"]
    if present < k:
        wanted = f"{records.unit}s with {a_or_an(records.side.element)}"
        raise Infeasible(f"{name}: k={k} needs at least {k} {wanted}, these data have {present}")


def _recoded(
    rows: pa.Table, method: Lra, tree: Hierarchy, nodes: Ints, side: Transactions, by_person: bool
) -> pa.Table:
    """The records of a part under its cut; labels are numbered in the order of their names."""
    import pyarrow as pa

    data = repeated(rows, side)
    cut = Cut(data, tree, nodes, method.k)
    cut.repair(method.m, Run())
    record, label, _ = cut.published()
    rank = tree.rank[label]
    order = np.lexsort((rank, record))
    lengths = np.bincount(record, minlength=len(data))
    batch = batch_of(rank[order], lengths, data.persons if by_person else None)
    return pa.Table.from_batches([batch])


def _published(records: Records, tree: Hierarchy, counts: dict[int, int]) -> tuple[Records, dict[str, int]]:
    """The records with the labels that are used, and what the certificate counts."""
    from pyspark.sql import functions as F  # noqa: N812

    private = records.side
    assert isinstance(private, Transactions)
    names = sorted(tree.names)
    used = sorted(counts)
    inner = {rank for rank in used if not tree.tree.is_leaf(names[rank])}
    node_of = {name: node for node, name in enumerate(tree.names)}
    code_of = np.full(len(names), -1, dtype=np.int32)
    code_of[used] = np.arange(len(used))
    side = replace(
        private,
        names=tuple(names[rank] for rank in used),
        members={names[rank]: tree.members(node_of[names[rank]]) for rank in used if rank in inner},
        taxonomy=None,
    ).with_public_knowledge()
    figures = {
        "empty_records": int(records.frame.filter(F.size("codes") == 0).count()),
        "generalized_items": sum(counts[rank] for rank in inner),
        "labels": len(used),
    }
    every_name = replace(private, names=tuple(names), members={}, taxonomy=None)
    return replace(records, side=every_name).recoded(code_of, side), figures
