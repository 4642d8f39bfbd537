"""Projection safety on a cluster: how many trajectories and persons have each projection, alone and with each place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import Trajectories
from sfumato.params import JsonObject
from sfumato.privacy.base import CheckedFrom, Verdict
from sfumato.privacy.checks.owner_views import Sightings, most_allowed
from sfumato.privacy.checks.place_owners import Adversaries
from sfumato.privacy.projection import GENERALIZED, ProjectionSafety
from sfumato.spark.records import Records, in_partitions

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["check_projection"]

_WITNESSES = 5
_ROWS = 1 << 16  # of a batch
_ALONE = -1  # stands for the label where a row counts a projection alone
_COUNTED = "projection array<int>, label int, records long, units long"
_JUDGED = f"{_COUNTED}, of_records long, of_units long, bad boolean"


def check_projection(model: ProjectionSafety, records: Records) -> Verdict:
    """The verdict of `ProjectionSafety.check`."""
    from pyspark.sql import functions as F  # noqa: N812

    side = records.side
    assert isinstance(side, Trajectories)
    n_names = len(side.names)
    every_label = replace(side, offsets=np.array([0, n_names]), codes=np.arange(n_names, dtype=np.int32))
    adversaries = Adversaries.of(every_label, model.collude, who=model.name)
    source: CheckedFrom = "original" if records.by_person else "files"
    unclear = next((label for label, members in side.members.items() if members != (label,)), None)
    if unclear is not None:
        return Verdict("not checkable", source, {"unit": records.unit}, reason=GENERALIZED.format(unclear))
    counted = _counted(records, adversaries).persist()
    judged = _judged(counted, model.threshold).persist()
    try:
        n_projections = counted.filter(F.col("label") == _ALONE).count()
        n_pairs, n_problems = judged.agg(F.count_if("bad"), F.sum(F.when(F.col("bad"), F.col("records")))).first()
        worst_places = _worst_places(judged)
        by_record, by_any = worst_places.agg(F.max("share_of_records"), F.max("probability")).first()
        ranked = worst_places.filter("bad").orderBy(F.desc("probability"), F.size("projection"), "projection")
        worst = ranked.limit(_WITNESSES).collect() if n_pairs else []
    finally:
        judged.unpersist()
        counted.unpersist()
    measured: JsonObject = {
        "unit": records.unit,
        "adversaries": len(adversaries),
        "projections": n_projections,
        "problematic_pairs": n_pairs,
        "problems": n_problems or 0,
        "worst_probability": by_any or 0.0,
    }
    if records.by_person:
        measured["worst_unit"] = "record" if (by_record or 0.0) >= (by_any or 0.0) else "person"
    witnesses = tuple(_witness(side, adversaries, row) for row in worst)
    return Verdict(n_pairs == 0, source, measured, witnesses, adversaries.nothing_to_protect(every_label))


def _counted(records: Records, adversaries: Adversaries) -> Any:
    """How many records and units have a projection, alone and together with each place of others."""
    from pyspark.sql import functions as F  # noqa: N812

    parts = in_partitions(records.frame, records.side, partial(_counts_of_partition, adversaries=adversaries), _COUNTED)
    sums = (F.sum("records").alias("records"), F.sum("units").alias("units"))
    return parts.groupBy("projection", "label").agg(*sums)


def _counts_of_partition(data: Any, adversaries: Adversaries) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    seen = Sightings.of(data, adversaries)
    pairs = seen.threats(0, rows=seen.threats(0).n_pairs).pairs  # of a share above 0: all that occur
    whole = np.flatnonzero(seen.sizes > 0)
    alone = np.column_stack((whole, np.full(len(whole), _ALONE), seen.sizes[whole], seen.unit_counts[whole]))
    rows = np.concatenate((alone, pairs)).astype(np.int64)
    for start in range(0, len(rows), _ROWS):
        nodes, labels, sizes, units = rows[start : start + _ROWS].T
        codes, offsets = seen.paths(nodes)
        paths = pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), pa.array(codes.astype(np.int32)))
        columns = {"projection": paths, "label": pa.array(labels.astype(np.int32))}
        yield pa.RecordBatch.from_pydict(columns | {"records": pa.array(sizes), "units": pa.array(units)})


def _judged(counted: Any, threshold: float) -> Any:
    """Every projection with a place of others, how many have the projection, and whether the share is too large."""
    from pyspark.sql import functions as F  # noqa: N812

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            figures = {name: batch.column(name).to_numpy() for name in ("records", "units", "of_records", "of_units")}
            bad = figures["records"] > most_allowed(threshold, figures["of_records"])
            bad |= figures["units"] > most_allowed(threshold, figures["of_units"])
            columns = {name: batch.column(name) for name in batch.schema.names}
            yield pa.RecordBatch.from_pydict(columns | {"bad": pa.array(bad)})

    alone = counted.filter(F.col("label") == _ALONE)
    alone = alone.select("projection", F.col("records").alias("of_records"), F.col("units").alias("of_units"))
    pairs = counted.filter(F.col("label") != _ALONE).join(alone, "projection")
    columns = ("projection", "label", "records", "units", "of_records", "of_units")
    return pairs.select(*columns).mapInArrow(work, _JUDGED)


def _worst_places(judged: Any) -> Any:
    """For each projection the place that most records visit, and the one that most units visit."""
    from pyspark.sql import functions as F  # noqa: N812

    first = (-F.col("label")).alias("label")  # of equally frequent places, the first in name order
    table = judged.groupBy("projection", "of_records", "of_units").agg(
        F.max(F.struct("records", first)).alias("by_record"),
        F.max(F.struct("units", first)).alias("by_unit"),
        F.max("bad").alias("bad"),
    )
    share = F.col("by_record.records") / F.col("of_records")
    share_of_units = F.col("by_unit.units") / F.col("of_units")
    return table.withColumns({"share_of_records": share, "probability": F.greatest(share, share_of_units)})


def _witness(side: Trajectories, adversaries: Adversaries, row: Any) -> JsonObject:
    count, label = row["by_record"]
    units, by_unit = row["by_unit"]
    size, unit = row["of_records"], "record"
    if units * size > count * row["of_units"]:
        unit, count, label, size = "person", units, by_unit, row["of_units"]
    return {
        "owner": adversaries.names[int(adversaries.of_label[row["projection"][0]])],
        "projection": [side.names[code] for code in row["projection"]],
        "location": side.names[-label],
        "count": count,
        "of": size,
        "unit": unit,
        "probability": count / size,
    }
