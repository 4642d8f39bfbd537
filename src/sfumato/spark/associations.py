"""(k,l)^m-anonymity on a cluster: supports of patterns, alone and together with each sensitive place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.errors import MissingKnowledge
from sfumato.params import JsonObject
from sfumato.privacy.base import CheckedFrom, Verdict
from sfumato.privacy.checks.label_images import LabelImages
from sfumato.privacy.checks.pattern_tables import association_table
from sfumato.privacy.checks.persons_and_records import worse_of
from sfumato.privacy.checks.sensitive_associations import (
    RATIOS,
    mixed_label,
    sensitive_of_labels,
    worst_probability,
)
from sfumato.privacy.klm import KlmAnonymity
from sfumato.spark.patterns import first_overlap, label_columns, pattern_batches
from sfumato.spark.records import Records, in_partitions

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["check_klm"]

_WITNESSES = 5
_OVERLAPPING = (
    "labels overlap between records, and the promise has to be counted over all labels of a place together, which "
    "Spark does not do; check it on one machine"
)


def check_klm(model: KlmAnonymity, records: Records) -> Verdict:
    """The verdict of `KlmAnonymity.check`; not checkable here where labels overlap and do not decide by themselves."""
    side = records.side
    assert isinstance(side, Trajectories)
    if not side.flags_sensitive:
        raise MissingKnowledge(
            "klm: needs to know which locations are sensitive, these data do not say", remedy="give-sensitive-places"
        )
    source: CheckedFrom = "original" if records.by_person else "files"
    mixed = mixed_label(side)
    broken = {"mixed_label": mixed} if mixed is not None else first_overlap(records)
    if broken is not None:
        return Verdict(False, source, {"unit": records.unit}, (broken,))
    verdict = _counted(model, records, source)
    if records.by_person and records.sizes["units"] < records.sizes["records"]:
        by_record = _counted(model, records.with_frame(records.frame.drop("person")), source)
        verdict = worse_of(verdict, by_record, ratios=RATIOS, worst=worst_probability)
    images = LabelImages.of(side, _open_labels(side).tolist())
    if images is not None and (verdict.holds is not True or _overlap_in_units(records, images)):
        return Verdict("not checkable", source, {"unit": records.unit}, (), _OVERLAPPING)
    return verdict


def _open_labels(side: Trajectories) -> Ints:
    """The labels that stand for no sensitive place."""
    return np.flatnonzero(np.diff(sensitive_of_labels(side)[2]) == 0)


def _overlap_in_units(records: Records, images: LabelImages) -> bool:
    """Whether a person has two labels that share a member, in different records."""
    import pyarrow as pa

    def work(data: Any) -> Iterator[pa.RecordBatch]:
        if images.overlap_in_units(data):
            yield pa.RecordBatch.from_pydict({"overlap": [True]})

    if not records.by_person:
        return False
    return in_partitions(records.frame, records.side, work, "overlap boolean").first() is not None


def _counted(model: KlmAnonymity, records: Records, source: CheckedFrom) -> Verdict:
    from pyspark.sql import functions as F  # noqa: N812

    side, columns = records.side, label_columns(model.m)
    names = sensitive_of_labels(side)[0]  # type: ignore[arg-type]
    schema = ", ".join(f"{name} int" for name in columns) + ", value int, units long"
    parts = in_partitions(records.frame, side, partial(_units_of_partition, m=model.m), schema)
    counted = parts.groupBy(*columns, "value").agg(F.sum("units").alias("units"))
    of_value = F.when(F.col("value") >= 0, F.struct("units", (-F.col("value")).alias("value")))
    support = F.max(F.when(F.col("value") < 0, F.col("units"))).alias("support")
    table = counted.groupBy(*columns).agg(support, F.max(of_value).alias("most"))
    together = F.coalesce(F.col("most.units"), F.lit(0)).alias("together")
    table = table.select(*columns, "support", together, (-F.col("most.value")).alias("value")).persist()
    try:
        rare, disclosing = F.col("support") < model.k, F.col("together") * model.l > F.col("support")
        figures = table.agg(F.count(F.lit(1)), F.min("support"), F.count_if(rare), F.count_if(disclosing)).first()
        share = F.col("together") / F.col("support")
        by_share = (share.desc(), F.col("support"), *columns)
        worst = table.filter("together > 0").orderBy(*by_share).first()
        broken = [
            *table.filter(rare).orderBy("support", *columns).limit(_WITNESSES).collect(),
            *table.filter(~rare & disclosing).orderBy(*by_share).limit(_WITNESSES).collect(),
        ][:_WITNESSES]
    finally:
        table.unpersist()

    def association(row: Any) -> JsonObject:
        return {
            **pattern(row),
            "sensitive": names[row["value"]],
            "support": row["support"],
            "together": row["together"],
            "probability": row["together"] / row["support"],
        }

    def pattern(row: Any) -> JsonObject:
        return {"pattern": [side.names[code] for code in row[: model.m] if code >= 0]}

    measured = {
        "unit": records.unit,
        "patterns": figures[0],
        "smallest_support": figures[1],
        "violating_patterns": figures[2],
        "violating_associations": figures[3],
        "worst_association": None if worst is None else association(worst),
    }
    witnesses = tuple(
        {**pattern(row), "support": row["support"]} if row["support"] < model.k else association(row) for row in broken
    )
    return Verdict(not broken, source, measured, witnesses)


def _units_of_partition(data: Any, m: int) -> Iterator[pa.RecordBatch]:
    table = association_table(data, m)
    yield from pattern_batches(table.patterns, value=table.values, units=table.units)
