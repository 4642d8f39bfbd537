"""GSUP on a cluster: projections are counted there, and the driver chooses what is suppressed, by the method's code.

The driver takes the trajectories that can change, and only counts of the others.  A projection without a problem never
gets one, so a trajectory can change only if one of its projections has a problem, or can be unified with one that has.
Where persons are known, a person can change if one of the person's trajectories can, and all of them are taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.errors import Infeasible
from sfumato.kernels.owners.unifications import can_become
from sfumato.methods.base import Run
from sfumato.methods.trajectories.owners.gsup import Gsup
from sfumato.methods.trajectories.owners.projection_counts import Counts, allowed, counts_of, paths_of
from sfumato.methods.trajectories.owners.projections import Projections, canonical_order
from sfumato.methods.trajectories.owners.unifications import fragments_with_projections
from sfumato.privacy.checks.place_owners import Adversaries
from sfumato.spark.records import Records, batch_of, in_partitions

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["unify_projections"]

_ROWS = 1 << 16  # of a batch
_COUNTED = "projection array<int>, place int, fragments long, persons long"


def unify_projections(method: Gsup, records: Records, run: Run, most_elements: int) -> tuple[Records, dict[str, int]]:
    """The output of one machine."""
    side = records.side
    assert isinstance(side, Trajectories)
    every_label = replace(side, offsets=np.array([0, len(side.names)]), codes=np.arange(len(side.names)))
    owner_of = Adversaries.of(every_label, method.collude, who=method.name).of_label
    problems = _problems(method, records, owner_of)
    if not len(problems):
        outcome = method.changed(Projections(side, owner_of, method.threshold), "", run)
        return records.with_frame(records.frame, side.with_public_knowledge()), dict(outcome.counts)
    marked = _marked(records, owner_of, problems)
    can_change = records.with_frame(marked.filter("changes").drop("changes"))
    others = records.with_frame(marked.filter("not changes").drop("changes"))
    counted = _counted(others, owner_of).persist()
    held, rows = can_change.sizes["elements"], counted.count()
    if held + rows > most_elements:
        raise Infeasible(
            f"{method.name}: on Spark it takes at most {most_elements:,} visits and counts, of these data it would "
            f"take {held:,} visits of trajectories that can change and {rows:,} counts of the others; raise "
            "most_elements if the driver has the memory for them"
        )
    private = can_change.collect()
    assert isinstance(private, Trajectories)
    outcome = method.changed(Projections(private, owner_of, method.threshold, _counts(counted)), "", run)
    changed = _replaced(can_change, private.take(canonical_order(private)), outcome.data)
    frame = changed.frame.unionAll(others.frame.select(*changed.frame.columns)).persist()
    return _with_used_names(records.with_frame(frame)), dict(outcome.counts)


def _counted(records: Records, owner_of: Ints) -> Any:
    """How many trajectories and persons have a projection, alone (place -1) and together with each place of others."""
    from pyspark.sql import functions as F  # noqa: N812

    def work(data: Trajectories) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        codes, offsets, places, fragments, persons = counts_of(Projections(data, owner_of, 1.0))
        for start in range(0, len(places), _ROWS):
            rows = slice(start, start + _ROWS)
            ends = offsets[start : start + _ROWS + 1]
            paths = batch_of(codes[ends[0] : ends[-1]], np.diff(ends), None).column("codes")
            columns = {"projection": paths, "place": pa.array(places[rows].astype(np.int32))}
            figures = {"fragments": pa.array(fragments[rows]), "persons": pa.array(persons[rows])}
            yield pa.RecordBatch.from_pydict(columns | figures)

    sums = (F.sum("fragments").alias("fragments"), F.sum("persons").alias("persons"))
    return in_partitions(records.frame, records.side, work, _COUNTED).groupBy("projection", "place").agg(*sums)


def _problems(method: Gsup, records: Records, owner_of: Ints) -> Trajectories:
    """The projections with a problem, as records."""
    from pyspark.sql import functions as F  # noqa: N812

    threshold = method.threshold

    def judge(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            few, all_few, many, all_many = (batch.column(at).to_numpy() for at in range(1, 5))
            bad = (few > allowed(threshold, all_few)) | (many > allowed(threshold, all_many))
            yield pa.RecordBatch.from_pydict({"projection": batch.column("projection").filter(pa.array(bad))})

    counted = _counted(records, owner_of).persist()
    whole = counted.filter("place < 0").select(
        "projection", F.col("fragments").alias("all_fragments"), F.col("persons").alias("all_persons")
    )
    pairs = counted.filter("place >= 0").join(whole, "projection")
    pairs = pairs.select("projection", "persons", "all_persons", "fragments", "all_fragments")
    rows = pairs.mapInArrow(judge, "projection array<int>").distinct().collect()
    counted.unpersist()
    lists = sorted(row[0] for row in rows)
    offsets = np.concatenate(([0], np.cumsum([len(projection) for projection in lists]))).astype(np.int64)
    codes = np.array([code for projection in lists for code in projection], dtype=np.int32)
    return replace(records.side, offsets=offsets, codes=codes)  # type: ignore[return-value]


def _marked(records: Records, owner_of: Ints, problems: Trajectories) -> Any:
    """The records, and whether they or others of the same person can change."""
    by_person = records.by_person

    def work(data: Trajectories) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        here = Projections(data, owner_of, 1.0)
        fragments, nodes = fragments_with_projections(here)
        codes, offsets = paths_of(here, nodes)
        bad = can_become(Projections(problems, owner_of, 1.0).state, codes, offsets)
        units = np.zeros(int(data.units.max(initial=-1)) + 1, dtype=bool)
        units[data.units[canonical_order(data)[fragments[bad]]]] = True
        batch = batch_of(data.codes, data.lengths, data.persons if by_person else None)
        columns = {name: batch.column(name) for name in batch.schema.names}
        if len(data):
            yield pa.RecordBatch.from_pydict(columns | {"changes": pa.array(units[data.units])})

    frame = records.frame
    if by_person:
        frame = frame.select("codes", frame["person"].cast("string").alias("person"))
    schema = "codes array<int>, " + ("person string, " if by_person else "") + "changes boolean"
    return in_partitions(frame, records.side, work, schema).persist()


def _counts(counted: Any) -> Counts:
    """Counts of projections on the driver."""
    table = counted.toArrow()
    paths = table.column("projection").combine_chunks()
    offsets = np.concatenate(([0], np.cumsum(np.asarray(paths.value_lengths())))).astype(np.int64)
    figures = (table.column(name).to_numpy().astype(np.int64) for name in ("place", "fragments", "persons"))
    return Counts(np.asarray(paths.flatten()).astype(np.int64), offsets, *figures)


def _replaced(records: Records, before: Trajectories, after: Trajectories) -> Records:
    """The records with the visits that are left of each; equal records before are equal afterwards."""
    import pyarrow as pa
    from pyspark.sql import functions as F  # noqa: N812

    shorter = np.flatnonzero(before.run_starts() & (after.lengths < before.lengths))
    old, new = (data.take(shorter) for data in (before, after))
    columns = {name: batch_of(d.codes, d.lengths, None).column("codes") for name, d in (("codes", old), ("left", new))}
    pairs = records.frame.sparkSession.createDataFrame(pa.table(columns))
    joined = records.frame.join(pairs, "codes", "left").withColumn("codes", F.coalesce("left", "codes")).drop("left")
    filled = joined.filter(F.size("codes") > 0)
    return records.with_frame(filled.repartition("person") if records.by_person else filled)


def _with_used_names(records: Records) -> Records:
    """The records, and only the names of locations that are still visited."""
    from pyspark.sql import functions as F  # noqa: N812

    side = records.side
    used = np.zeros(len(side.names), dtype=bool)
    used[[row[0] for row in records.frame.select(F.explode("codes")).distinct().collect()]] = True
    names = tuple(name for name, kept in zip(side.names, used, strict=True) if kept)
    code_of: Ints = np.where(used, np.cumsum(used) - 1, -1).astype(np.int32)
    return records.recoded(code_of, replace(side, names=names).with_public_knowledge())
