"""Published directories checked on a cluster: their digests, and every guarantee that has a verifier there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.data import Chunks
from sfumato.errors import CallerError, DataError, listed
from sfumato.io.published.chunks import CLUSTERS
from sfumato.io.published.directory import Published, inspect, with_side_files
from sfumato.io.published.row_files import row_file
from sfumato.privacy.base import PrivacyModel, Verdict
from sfumato.remedies import keep_remedy
from sfumato.spark.itemsets.chunk_rows import ChunkRows
from sfumato.spark.records import Records
from sfumato.spark.verifying import ON_SPARK, verify
from sfumato.verification.directory import (
    Check,
    as_far_as_files_show,
    installed_models,
    stated_problems,
    unknown_names,
)
from sfumato.verification.knowledge import claimed_knowledge

__all__ = ["verify_directory"]

_COLUMNS = {"trajectories": ["trajectory", "step", "location"], "transactions": ["record", "item"]}
_LEAKS = (
    "what the order of the records, their numbers, the context and the figures of the certificate reveal is not "
    "searched on Spark; check it on one machine"
)
_NO_VERIFIER = "this promise has no verifier on Spark; check it on one machine"


def verify_directory(spark: Any, folder: str | Path) -> Check:
    """Check a published directory of trajectories, transactions or chunks in Parquet, by its files alone.

    Leaks are not searched, so that the check is incomplete even where every promise holds.
    """
    published = inspect(folder, at_most=None)
    certificate = published.certificate
    path = row_file(published.folder, CLUSTERS if certificate.kind == "chunks" else "data")
    if certificate.kind not in (*_COLUMNS, "chunks"):
        raise CallerError(f"spark: a release of kind {certificate.kind} is not checked on Spark; use one machine")
    if path.suffix == ".csv":
        raise CallerError(f"spark: wanted published data in Parquet, found {path.name}; use one machine")
    problems = [*published.problems, *stated_problems(certificate)]
    unchecked = [*unknown_names(certificate), _LEAKS]
    if not published.files.trusted:
        return Check(tuple(problems), (), certificate, (), tuple(unchecked))
    try:
        records = _records(spark, published, path)
    except DataError as error:
        return Check((*problems, str(error)), (), certificate, (), tuple(unchecked))
    stated = certificate.records.get("published")
    found = len(records) if isinstance(records, ChunkRows) else records.sizes["records"]
    if stated is not None and stated != found:
        problems.append(f"the certificate states {stated} records, {path.name} holds {found}")
    models = installed_models(published)
    verdicts = tuple((model, as_far_as_files_show(model, _checked(model, records), certificate)) for model in models)
    known = claimed_knowledge(
        _with_every_label(records.side), {fact for model in models for fact in model.context}, certificate.unit
    )
    return Check(tuple(problems), verdicts, certificate, tuple(known.counted), tuple(unchecked))


def _with_every_label(side: Any) -> Any:
    """A dataset with every label of the records, as the side knowledge of a check is about them."""
    if isinstance(side, Chunks):
        return side
    every = np.arange(len(side.names), dtype=np.int32)
    return replace(side, offsets=np.array([0, len(side.names)]), codes=every)


def _records(spark: Any, published: Published, path: Path) -> Records | ChunkRows:
    """The published records with the members of their labels and the context."""
    kind = published.certificate.kind
    if kind == "chunks":
        return ChunkRows.read(spark, published.folder)
    found = spark.read.parquet(str(path)).columns
    if found != _COLUMNS[kind]:
        raise DataError(f"{path}: wanted the columns {', '.join(_COLUMNS[kind])}, found {listed(found)}")
    columns = {"time": "step"} if kind == "trajectories" else {}
    records = Records.read(spark, path, kind=kind, columns=columns)
    side = with_side_files(published.folder, records.side, published.certificate.policy)
    return records.with_frame(records.frame, side)


def _checked(model: PrivacyModel, records: Records | ChunkRows) -> Verdict:
    if model.name not in ON_SPARK:
        return Verdict("not checkable", "files", reason=_NO_VERIFIER)
    try:
        return verify(model, records)
    except CallerError as error:  # side knowledge is missing, or is not what these data can be read by
        return Verdict("not checkable", "files", reason=keep_remedy(str(error), error))
