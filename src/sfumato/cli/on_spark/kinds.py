"""What a directory of Parquet files holds, as its columns and the options say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.cli.engine_options import load_on_spark, load_table_on_spark
from sfumato.cli.shared.options import columns_of

if TYPE_CHECKING:
    from sfumato.spark.records import Records
    from sfumato.spark.tables import Rows

__all__ = ["kind_of_files", "load_any_on_spark"]

_OF_TABLES = ("quasi_identifiers", "hierarchies")


def kind_of_files(path: Path, options: dict[str, Any]) -> str:
    """The kind that was named, or else the one that the columns of the first file have; a table where none fits."""
    from sfumato.io.inputs.column_roles import guessed_kind
    from sfumato.io.published.row_files import read_schema
    from sfumato.spark.parquet import parquet_files

    if options.get("kind"):
        return str(options["kind"])
    if any(options.get(name) for name in _OF_TABLES):
        return "table"
    names = list(read_schema(parquet_files(path)[0]))
    return guessed_kind(names, columns_of(options.get("columns"))) or "table"


def load_any_on_spark(started: dict[str, Any], path: Path, options: dict[str, Any]) -> Records | Rows:
    """Read trajectories, transactions or a table on Spark."""
    kind = kind_of_files(path, options)
    if kind == "table":
        return load_table_on_spark(started, path, options)
    return load_on_spark(started, path, options, kind)
