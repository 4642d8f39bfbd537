"""Methods on a cluster: the counting on partitions, the decisions on the driver, then the verifiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sfumato.catalogue import METHODS, method_class
from sfumato.data import Dataset
from sfumato.errors import CallerError, DataError, Infeasible, a_or_an, either
from sfumato.methods.base import Method, Run
from sfumato.methods.derived_context import without_suppressed_members
from sfumato.methods.trajectories.seqanon.location_merging import LocationMerging
from sfumato.privacy.base import PrivacyModel, with_promises
from sfumato.spark.itemsets.disassociating import disassociate
from sfumato.spark.itemsets.local_recoding import recode_locally
from sfumato.spark.location_rounds import recode_in_rounds
from sfumato.spark.movements.clustered import recode_in_clusters
from sfumato.spark.movements.unified import unify_projections
from sfumato.spark.records import Records
from sfumato.spark.release import SparkRelease
from sfumato.spark.table_methods import TableRows, recode_table
from sfumato.spark.tables import Rows
from sfumato.spark.verifying import ON_SPARK as VERIFIED
from sfumato.spark.verifying import verify

__all__ = ["ON_SPARK", "anonymize"]

MOST_ELEMENTS = 500_000_000
"""How many visits or items the driver takes for a method that decides on all of them together."""


def anonymize(
    method: Method[Dataset] | str,
    data: Any,
    *,
    seed: int | None = None,
    promises: Sequence[PrivacyModel] = (),
    columns: dict[str, str] | None = None,
    most_elements: int = MOST_ELEMENTS,
    **options: Any,
) -> SparkRelease:
    """Transform records on a cluster, check every guarantee there, and return the release.

    Parameters
    ----------
    method
        A method such as ``SeqAnon(k=5, m=2)``, or the name of one.
    data
        A DataFrame of a SparkSession, `Records` or `TableRows`.
    options
        The parameters of a method that is given by name, and side knowledge such as ``places=``.
    most_elements
        How many visits, or distinct rows of a table, the driver takes.  Locations of more visits are merged in rounds,
        which the parameters of the release say; a table with more distinct rows is refused.  A task makes a cluster of
        trajectories of at most so many visits.
    """
    if isinstance(method, str):
        declared = method_class(method)
        names = {parameter.name for parameter in declared.parameters()}
        chosen = declared.from_json({name: options.pop(name) for name in list(options) if name in names})
    else:
        chosen = method
    transform = _TRANSFORMS.get(chosen.name)
    if transform is None:
        raise CallerError(
            f"spark: {chosen.name} does not run on Spark, only {either(list(_TRANSFORMS))}; use one machine"
        )
    records = data if isinstance(data, Records | Rows) else _of_frame(chosen.kind, data, columns, options)
    if not isinstance(records, Records | TableRows):
        raise CallerError("spark: wanted a table as a DataFrame or TableRows, got Rows, which know no hierarchies")
    models = with_promises(chosen.guarantees_on(records.side), promises)
    for model in models:
        require_verifier(model)
    if records.side.kind != chosen.kind:
        raise DataError(f"{chosen.name}: wanted {chosen.kind}, got {records.side.kind}")
    chosen._require(records.side)
    if isinstance(chosen, LocationMerging) and records.sizes["elements"] > most_elements:  # type: ignore[union-attr]
        chosen = replace(chosen, rounds=True)
    published, counts = transform(chosen, records, Run(seed), most_elements)
    published = published.with_frame(published.frame.persist())
    verdicts = tuple((model, verify(model, published)) for model in models)
    return SparkRelease(published, chosen, verdicts, records.side, records.unit, counts, seed)


def require_verifier(model: PrivacyModel) -> None:
    """Refuse a promise that has no verifier on Spark, before any work."""
    if model.name not in VERIFIED:
        raise CallerError(
            f"spark: {model.name} is not checked on Spark, only {either(list(VERIFIED))}; use one machine"
        )


def _of_frame(kind: str, frame: Any, columns: dict[str, str] | None, options: dict[str, Any]) -> Records | TableRows:
    if kind == "table":
        return TableRows.of_frame(frame, **{"person": (columns or {}).get("person"), **options})
    return Records.of_frame(frame, kind=kind, columns=columns, **options)


def _recode_globally(
    method: LocationMerging, records: Records, run: Run, _most_elements: int
) -> tuple[Records, dict[str, int]]:
    """Choose the label of each location by the code that one machine runs, and recode on the cluster.

    The driver has all visits, or the counts of rounds.
    """
    _require_units(method, records)
    if method.rounds:
        return recode_in_rounds(method, records, run)
    private: Any = records.collect()
    outcome = method.transform(private, run)
    data, origin = without_suppressed_members(private, outcome.data, outcome.origin, nodes=method.labels_are_nodes)
    code_of = np.full(len(private.names), -1, dtype=np.int32)
    code_of[private.codes[origin]] = data.codes
    longest = int(data.lengths.max(initial=0))
    side = replace(data, offsets=np.zeros(1, dtype=np.int64), codes=np.empty(0, dtype=np.int32), persons=None)
    used = np.zeros(len(data.names), dtype=bool)
    used[data.codes] = True
    names = tuple(name for name, keep in zip(data.names, used, strict=True) if keep)
    members = {name: group for name, group in data.members.items() if name in set(names)}
    new = (np.cumsum(used) - 1).astype(np.int32)
    code_of = np.where(code_of >= 0, new[code_of], -1).astype(np.int32)
    side = replace(side, names=names, members=members).with_public_knowledge()
    return records.recoded(code_of, side, longest), dict(outcome.counts)


def _require_units(method: Any, records: Records) -> None:
    """Refuse a k above the number of persons (or records) that have anything to hide."""
    present = records.sizes["units_with_elements"]
    if present < method.k:
        wanted = f"{records.unit}s with {a_or_an(records.side.element)}"
        raise Infeasible(f"{method.name}: k={method.k} needs at least {method.k} {wanted}, these data have {present}")


_TRANSFORMS: dict[str, Callable[..., tuple[Any, dict[str, int]]]] = {
    **dict.fromkeys(("seqanon", "seqanon-f", "sd-seqanon", "u-seqanon"), _recode_globally),
    **dict.fromkeys(("zga", "sga"), recode_in_clusters),
    "gsup": unify_projections,
    **dict.fromkeys(("incognito", "top-down"), recode_table),
    "lra": recode_locally,
    "disassociate": disassociate,
}
ON_SPARK = tuple(name for name in METHODS if name in _TRANSFORMS)
"""The methods that run on Spark."""
