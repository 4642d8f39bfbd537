"""Strict k-anonymity on a cluster: how many persons or records have each road trajectory, as a whole."""

from __future__ import annotations

from typing import Any

from sfumato.errors import CallerError
from sfumato.params import JsonObject
from sfumato.privacy.base import CheckedFrom, Verdict
from sfumato.privacy.strict_k import StrictKAnonymity
from sfumato.spark.roads.records import RoadRecords

__all__ = ["check_strict_k"]

_WITNESSES = 5


def check_strict_k(model: StrictKAnonymity, records: RoadRecords) -> Verdict:
    """The verdict of `StrictKAnonymity.check`; records that are no paths are refused when they are read."""
    from pyspark.sql import functions as F  # noqa: N812

    if not isinstance(records, RoadRecords):
        raise CallerError("spark: wanted road trajectories as RoadRecords, which know the network, got others")
    source: CheckedFrom = "original" if records.by_person else "files"
    support = F.count_distinct("person") if records.by_person else F.count(F.lit(1))
    filled = records.frame.filter(F.size("codes") > 0)
    table = filled.groupBy("interval", "codes").agg(support.alias("support")).persist()
    try:
        rare = F.col("support") < model.k
        n_trajectories, smallest, n_rare = table.agg(F.count(F.lit(1)), F.min("support"), F.count_if(rare)).first()
        rarest = table.filter(rare).orderBy("support", "interval", "codes").limit(_WITNESSES).collect()
    finally:
        table.unpersist()
    measured = {
        "unit": records.unit,
        "trajectories": int(n_trajectories),
        "smallest_support": None if smallest is None else int(smallest),
        "rare_trajectories": int(n_rare),
        "broken_paths": 0,
    }
    return Verdict(n_rare == 0, source, measured, tuple(_witness(records.side, row) for row in rarest))


def _witness(side: Any, row: Any) -> JsonObject:
    name = side.interval_names[row["interval"]] if side.interval_names else "all"
    roads = [side.names[code] for code in row["codes"]]
    return {"interval": name, "trajectory": roads, "occurrences": int(row["support"])}
