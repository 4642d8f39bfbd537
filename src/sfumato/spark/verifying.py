"""Promises checked on a cluster, exactly: the verdict is the one of one machine.

The number of persons or records behind every pattern, projection or class is counted inside partitions and added up;
no record reaches the driver, and nothing is sampled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sfumato.errors import CallerError, DataError, either
from sfumato.params import JsonObject
from sfumato.privacy.base import CheckedFrom, PrivacyModel, Verdict
from sfumato.privacy.checks.beyond_m import UNMEASURED
from sfumato.privacy.km import KmAnonymity
from sfumato.spark.associations import check_klm
from sfumato.spark.itemsets.chunk_blocks import ChunkBlocks
from sfumato.spark.itemsets.chunk_rows import ChunkRows
from sfumato.spark.itemsets.reconstruction import check_reconstruction
from sfumato.spark.owner_projections import check_projection
from sfumato.spark.patterns import first_overlap, label_columns, subsequence_supports
from sfumato.spark.records import Records
from sfumato.spark.roads.strict_k import check_strict_k
from sfumato.spark.sensitive_values import check_l_diversity, check_t_closeness
from sfumato.spark.tables import Rows, check_k_anonymity

__all__ = ["ON_SPARK", "beyond", "checked_from", "verify"]

_WITNESSES = 5


def verify(model: PrivacyModel, data: Records | Rows | ChunkBlocks | ChunkRows) -> Verdict:
    """Check a promise on the records, rows or chunks of a cluster.

    The figure that takes one known visit or item more than the promise allows for is "not measured" here, unless it
    follows from the others.
    """
    check = _CHECKS.get(model.name)
    if check is None:
        raise CallerError(f"spark: {model.name} is not checked on Spark, only {either(list(_CHECKS))}; use one machine")
    if data.kind not in model.kinds:
        raise DataError(f"{model.name}: wanted {either(model.kinds)}, got {data.kind}")
    return check(model, data)


def beyond(model: PrivacyModel, side: Any) -> JsonObject:
    """The figures of `PrivacyModel.beyond` by name, none of them measured."""
    names = model.beyond(side)
    return {name: value if name in ("known", "unit") else UNMEASURED for name, value in names.items()}


def checked_from(data: Records) -> CheckedFrom:
    """What a check needs: anyone can count records, and only the owner of the data persons."""
    return "original" if data.by_person else "files"


def _check_km(model: KmAnonymity, records: Records) -> Verdict:
    from pyspark.sql import functions as F  # noqa: N812

    source, unit = checked_from(records), records.unit
    overlapping = first_overlap(records)
    if overlapping is not None:
        return Verdict(False, source, {"unit": unit}, (overlapping,))
    longest = records.sizes["longest"]
    if longest == 0:
        return Verdict(True, source, {"unit": unit, "smallest_support": None, "patterns": 0})
    m = min(model.m, longest)
    table = subsequence_supports(records, m).persist()
    try:
        rare = F.col("support") < model.k
        row = table.agg(F.count(F.lit(1)), F.min("support"), F.count_if(rare)).first()
        patterns, smallest, violations = (int(value) for value in row)
        rarest = table.filter(rare).orderBy("support", *label_columns(m)).limit(_WITNESSES).collect()
    finally:
        table.unpersist()
    names = records.side.names
    witnesses = tuple(
        {"pattern": [names[code] for code in row[:-1] if code >= 0], "support": int(row[-1])} for row in rarest
    )
    measured = {
        "unit": unit,
        "patterns": patterns,
        "smallest_support": smallest,
        "violating_patterns": violations,
        "k_at_m_plus_1": smallest if smallest == 1 or longest <= model.m else UNMEASURED,
    }
    return Verdict(violations == 0, source, measured, witnesses)


_CHECKS: dict[str, Callable[[Any, Any], Verdict]] = {
    "km": _check_km,
    "reconstruction": check_reconstruction,
    "klm": check_klm,
    "projection": check_projection,
    "strict-k": check_strict_k,
    "k-anonymity": check_k_anonymity,
    "l-diversity": check_l_diversity,
    "t-closeness": check_t_closeness,
}
ON_SPARK = tuple(_CHECKS)
"""The privacy models that have a verifier on Spark."""
