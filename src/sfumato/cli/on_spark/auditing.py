"""`sfumato audit --engine spark`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.cli.engine_options import refuse_others
from sfumato.cli.on_spark.kinds import kind_of_files, load_any_on_spark
from sfumato.cli.shared.options import names_of
from sfumato.cli.shared.table_audit import refuse_table_options, refuse_visit_options
from sfumato.errors import FileError
from sfumato.remedies import with_remedy

if TYPE_CHECKING:
    from sfumato.api.data_audit import DataAudit
    from sfumato.attacks import Audit, TableAudit

__all__ = ["audit_on_spark"]


def audit_on_spark(
    started: dict[str, Any], path: Path, audit: Audit, table_audit: TableAudit, options: dict[str, Any]
) -> DataAudit:
    """Audit a directory of Parquet files, or a published directory."""
    from sfumato.spark.audits.auditing import audit as on_cluster
    from sfumato.spark.audits.auditing import audit_directory
    from sfumato.spark.session import start

    if (path / "certificate.json").is_file():
        refuse_others(options)
        return audit_directory(start(**started), path, audit=audit, table=table_audit)
    if kind_of_files(path, options) == "table":
        refuse_visit_options("table")
        _require_quasi_identifiers(path, options)
        return on_cluster(load_any_on_spark(started, path, options), **table_audit.to_json())
    refuse_table_options("data with visits or items")
    return on_cluster(load_any_on_spark(started, path, options), **audit.to_json())


def _require_quasi_identifiers(path: Path, options: dict[str, Any]) -> None:
    """Refuse a table of which it is not said what an attacker may know; `all` stands for every other column."""
    from sfumato.api.table_roles import ALL
    from sfumato.io.published.row_files import read_schema
    from sfumato.spark.parquet import parquet_files

    named = names_of(options.get("quasi_identifiers"))
    if not named:
        columns = ", ".join(read_schema(parquet_files(path)[0]))
        problem = f"the audit of a table needs quasi-identifiers, and this one has the columns {columns}"
        raise FileError(path, with_remedy(problem, "name-quasi-identifiers"))
    if named == (ALL,):
        options["quasi_identifiers"] = None
        options["kind"] = "table"
