"""(k,l)^m-anonymity on a cluster: supports of patterns, alone and together with each sensitive place."""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.data import Trajectories
from sfumato.errors import MissingKnowledge
from sfumato.params import JsonObject
from sfumato.privacy.base import CheckedFrom, Verdict
from sfumato.privacy.checks.label_images import LabelImages
from sfumato.privacy.checks.persons_and_records import worse_of
from sfumato.privacy.checks.sensitive_associations import (
    RATIOS,
    mixed_label,
    sensitive_of_labels,
    worst_probability,
)
from sfumato.privacy.klm import KlmAnonymity
from sfumato.spark.movements.image_associations import (
    image_counts,
    label_counts,
    overlap_in_units,
    without_equal_images,
)
from sfumato.spark.patterns import first_overlap, label_columns
from sfumato.spark.records import Records

__all__ = ["check_klm"]

_WITNESSES = 5


def check_klm(model: KlmAnonymity, records: Records) -> Verdict:
    """The verdict of `KlmAnonymity.check`."""
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
    images = _nonsensitive_images(records)
    verdict = _over_all_images(model, records, images, source)
    if records.by_person and records.sizes["units"] < records.sizes["records"]:
        by_record = _over_all_images(model, records.with_frame(records.frame.drop("person")), images, source)
        verdict = worse_of(verdict, by_record, ratios=RATIOS, worst=worst_probability)
    return verdict


def _nonsensitive_images(records: Records) -> LabelImages | None:
    """What `nonsensitive_images` of one machine returns: by the labels that some record has."""
    from pyspark.sql import functions as F  # noqa: N812

    side = records.side
    assert isinstance(side, Trajectories)
    open_ones = np.diff(sensitive_of_labels(side)[2]) == 0
    if LabelImages.of(side, np.flatnonzero(open_ones).tolist()) is None:
        return None
    used = sorted(row[0] for row in records.frame.select(F.explode("codes")).distinct().collect())
    return LabelImages.of(side, [code for code in used if open_ones[code]])


def _over_all_images(model: KlmAnonymity, records: Records, images: LabelImages | None, source: CheckedFrom) -> Verdict:
    """The verdict on labels where it decides, as on one machine; otherwise on the places that they stand for."""
    if images is None or not overlap_in_units(records, images):
        of_labels = _counted(model, records, None, source)
        if images is None or of_labels.holds is True:
            return of_labels
    return _counted(model, records, images, source)


def _counted(model: KlmAnonymity, records: Records, images: LabelImages | None, source: CheckedFrom) -> Verdict:
    """The verdict by the supports of all patterns, of labels or, with images, of the places behind them."""
    from pyspark.sql import functions as F  # noqa: N812

    side, columns = records.side, label_columns(model.m)
    names = sensitive_of_labels(side)[0]  # type: ignore[arg-type]
    counted = label_counts(records, model.m) if images is None else image_counts(records, images, model.m)
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
        broken = []
        if figures[2] or figures[3]:
            shown = table if images is None else without_equal_images(table.filter(rare | disclosing), records, images)
            broken = [
                *shown.filter(rare).orderBy("support", *columns).limit(_WITNESSES).collect(),
                *shown.filter(~rare & disclosing).orderBy(*by_share).limit(_WITNESSES).collect(),
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
        known = [row[column] for column in columns if row[column] >= 0]
        if images is None:
            return {"pattern": [side.names[code] for code in known]}
        return images.pattern(known)

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
