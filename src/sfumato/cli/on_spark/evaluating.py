"""`sfumato evaluate --engine spark`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.cli.engine_options import load_on_spark, load_rows_on_spark

if TYPE_CHECKING:
    from sfumato.spark.measures.evaluating import ClusterEvaluation
    from sfumato.utility.base import Measure

__all__ = ["evaluate_on_spark"]


def evaluate_on_spark(
    started: dict[str, Any], original: Path, release: Path, measures: list[Measure], options: dict[str, Any]
) -> ClusterEvaluation:
    """Compare a published directory with a directory of Parquet files; the release says what the columns are."""
    from sfumato.spark.measures.evaluating import evaluate_directory, measures_on_spark
    from sfumato.spark.parquet import parquet_files
    from sfumato.spark.published_data import inspected
    from sfumato.spark.session import start

    kind = inspected(release).certificate.kind
    measures_on_spark(kind, measures)  # a wrong name or path is said before a session is started
    parquet_files(original)

    def read(_: Any, published: Any) -> Any:
        if kind != "table":
            return load_on_spark(started, original, options, kind)
        if not options.get("quasi_identifiers"):
            options["quasi_identifiers"] = ",".join(f'"{name}"' for name in published.quasi_identifiers)
        return load_rows_on_spark(started, original, options)

    return evaluate_directory(start(**started), release, read, measures)
