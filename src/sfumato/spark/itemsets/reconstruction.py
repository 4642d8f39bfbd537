"""Reconstruction anonymity on a cluster: conditions are checked cluster by cluster, and what is broken is put together
as on one machine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.privacy.base import Verdict
from sfumato.privacy.checks.chunk_conditions import Violation, broken_conditions, first_witnesses, rarest_in_chunks
from sfumato.privacy.reconstruction import ReconstructionAnonymity, more_than_persons
from sfumato.spark.itemsets.chunk_blocks import ChunkBlocks, NumberedChunks, numbered_chunks
from sfumato.spark.itemsets.chunk_rows import ChunkRows
from sfumato.spark.records import Records

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["check_reconstruction"]

_REPETITIONS = 5  # of equal clusters that are checked: more would not change the witnesses
_FIGURES = ("simple", "joint", "smallest_cluster", "smallest_support")
_SCHEMA = "simple long, joint long, smallest_cluster long, smallest_support long, violation string"


def check_reconstruction(model: ReconstructionAnonymity, data: ChunkBlocks | ChunkRows) -> Verdict:
    """The verdict of `ReconstructionAnonymity.check`."""
    from pyspark.sql import functions as F  # noqa: N812

    found = (_of_blocks(model, data) if isinstance(data, ChunkBlocks) else _of_rows(model, data)).persist()
    try:
        sums, smallest = [F.sum(name) for name in _FIGURES[:2]], [F.min(name) for name in _FIGURES[2:]]
        simple, joint, cluster, support = found.agg(*sums, *smallest).first()
        texts = found.filter("violation is not null").select("violation").collect()
    finally:
        found.unpersist()
    broken = [_read_violation(row["violation"]) for row in texts]
    if isinstance(data, ChunkBlocks) and data.original is not None:
        broken += _beyond_persons(data, data.original)
    measured = {
        "unit": data.unit,
        "clusters": int(simple or 0),
        "joint_clusters": int(joint or 0),
        "smallest_cluster": cluster,
        "smallest_support": support,
    }
    witnesses = first_witnesses(broken)
    return Verdict(not witnesses, "original" if data.by_person else "files", measured, witnesses)


def _of_blocks(model: ReconstructionAnonymity, data: ChunkBlocks) -> Any:
    side = data.side

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from _checked(model, (part for batch in batches for part in numbered_chunks(batch, side, _REPETITIONS)))

    return data.numbered.mapInArrow(work, _SCHEMA)


def _of_rows(model: ReconstructionAnonymity, data: ChunkRows) -> Any:
    def work(part: NumberedChunks) -> Iterator[pa.RecordBatch]:
        yield from _checked(model, [part])

    return data.in_partitions(work, _SCHEMA)


def _checked(model: ReconstructionAnonymity, parts: Iterable[NumberedChunks]) -> Iterator[pa.RecordBatch]:
    """The figures of some clusters in one row, and a row for each violation."""
    import pyarrow as pa

    for chunks, numbers, weights in parts:
        rarest = rarest_in_chunks(chunks, model.m)
        broken = broken_conditions(chunks, rarest, model.k, model.m, model.l, numbers)
        figures = (
            int(weights[~chunks.joint].sum()),
            int(weights[chunks.joint].sum()),
            _smallest(chunks.sizes[~chunks.joint]),
            _smallest(rarest[0]),
        )
        nothing = [None] * len(broken)
        columns = {name: pa.array([value, *nothing], pa.int64()) for name, value in zip(_FIGURES, figures, strict=True)}
        texts = [json.dumps(violation) for violation in broken]
        yield pa.RecordBatch.from_pydict(columns | {"violation": pa.array([None, *texts], pa.string())})


def _smallest(values: Any) -> int | None:
    return int(values.min()) if len(values) else None


def _read_violation(text: str) -> Violation:
    condition, order, witness = json.loads(text)
    return Violation(condition, tuple(order), witness)


def _beyond_persons(data: ChunkBlocks, original: Records) -> list[Violation]:
    """Where the chunks hold more than the persons of the original do."""
    from pyspark.sql import functions as F  # noqa: N812

    side = data.side

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            listed = np.zeros(len(side.names), dtype=np.int64)
            for chunks, _, weights in numbered_chunks(batch, side, 1):
                of_code = np.repeat(chunks.chunk_clusters[chunks.chunk_of_subrecord], chunks.lengths)
                of_term = np.repeat(np.arange(len(chunks.sizes)), np.diff(chunks.term_offsets))
                np.add.at(listed, chunks.codes, weights[of_code])
                np.add.at(listed, chunks.term_codes, weights[of_term])
            met = np.flatnonzero(listed)
            yield pa.RecordBatch.from_pydict({"code": pa.array(met.astype(np.int32)), "times": pa.array(listed[met])})

    listed = data.numbered.mapInArrow(work, "code int, times long").groupBy("code").agg(F.sum("times"))
    pairs = original.frame.select("person", F.explode("codes").alias("code")).distinct()
    persons_with = {original.side.names[code]: int(n) for code, n in pairs.groupBy("code").count().collect()}
    times = {side.names[code]: int(n) for code, n in listed.collect()}
    persons = int(original.frame.select("person").distinct().count())
    return more_than_persons(len(data), persons, times, persons_with)
