"""Published directories checked on a cluster: their digests, and every guarantee that has a verifier there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sfumato.errors import CallerError, DataError
from sfumato.io.published.chunks import CLUSTERS
from sfumato.io.published.row_files import row_file
from sfumato.privacy.base import PrivacyModel, Verdict
from sfumato.remedies import keep_remedy
from sfumato.spark.itemsets.chunk_rows import ChunkRows
from sfumato.spark.published_data import every_label, inspected, number_of_records, published_data
from sfumato.spark.records import Records
from sfumato.spark.table_methods import TableRows
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

_LEAKS = (
    "what the order of the records, their numbers, the context and the figures of the certificate reveal is not "
    "searched on Spark; check it on one machine"
)
_NO_VERIFIER = "this promise has no verifier on Spark; check it on one machine"


def verify_directory(spark: Any, folder: str | Path) -> Check:
    """Check a published directory of trajectories, transactions, chunks or a table in Parquet, by its files alone.

    Leaks are not searched, so that the check is incomplete even where every promise holds.
    """
    published = inspected(folder)
    certificate = published.certificate
    path = row_file(published.folder, CLUSTERS if certificate.kind == "chunks" else "data")
    problems = [*published.problems, *stated_problems(certificate)]
    unchecked = [*unknown_names(certificate), _LEAKS]
    if not published.files.trusted:
        return Check(tuple(problems), (), certificate, (), tuple(unchecked))
    try:
        data = published_data(spark, published)
    except DataError as error:
        return Check((*problems, str(error)), (), certificate, (), tuple(unchecked))
    stated, found = certificate.records.get("published"), number_of_records(data)
    if stated is not None and stated != found:
        problems.append(f"the certificate states {stated} records, {path.name} holds {found}")
    models = installed_models(published)
    verdicts = tuple((model, as_far_as_files_show(model, _checked(model, data), certificate)) for model in models)
    side: Any = data.side
    known_data = every_label(side) if certificate.kind in ("trajectories", "transactions") else side
    known = claimed_knowledge(known_data, {fact for model in models for fact in model.context}, certificate.unit)
    return Check(tuple(problems), verdicts, certificate, tuple(known.counted), tuple(unchecked))


def _checked(model: PrivacyModel, data: Records | TableRows | ChunkRows) -> Verdict:
    if model.name not in ON_SPARK:
        return Verdict("not checkable", "files", reason=_NO_VERIFIER)
    try:
        return verify(model, data)
    except CallerError as error:  # side knowledge is missing, or is not what these data can be read by
        return Verdict("not checkable", "files", reason=keep_remedy(str(error), error))
