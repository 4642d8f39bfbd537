"""Audits on a cluster: what an attacker could do to a dataset as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.api.data_audit import DataAudit, source_notes
from sfumato.attacks import Audit, TableAudit
from sfumato.errors import ParameterError, did_you_mean
from sfumato.params import Declared
from sfumato.spark.audits.anonymity_sets import audit_records
from sfumato.spark.audits.table_classes import audit_rows
from sfumato.spark.published_data import trusted_data
from sfumato.spark.records import Records
from sfumato.spark.tables import Rows

__all__ = ["audit", "audit_directory"]


def audit(
    data: Any,
    *,
    kind: str = "trajectories",
    columns: dict[str, str] | None = None,
    **options: Any,
) -> DataAudit:
    """Audit records or rows on a cluster, exactly; no record reaches the driver.

    Parameters
    ----------
    data
        A DataFrame of a SparkSession, `Records` or `Rows`.
    kind, columns
        Of a DataFrame: what it holds (trajectories, transactions or table), and other names of its columns.
    options
        The parameters of `Audit`, such as ``known=3``, or for a table those of `TableAudit`; and for a DataFrame
        side knowledge such as ``places=``, or the roles of columns.
    """
    kind = data.kind if isinstance(data, Records | Rows) else kind
    declared: type[Declared] = TableAudit if kind == "table" else Audit
    names = {parameter.name for parameter in declared.parameters()}
    chosen: Any = declared.from_json({name: options.pop(name) for name in list(options) if name in names})
    if isinstance(data, Records | Rows):
        if options:
            hint = did_you_mean(next(iter(options)), names)
            raise ParameterError(f"audit: has no parameter {next(iter(options))!r}; {hint}")
        found: Any = data
    elif kind == "table":
        found = Rows.of_frame(data, **{"person": (columns or {}).get("person"), **options})
    else:
        found = Records.of_frame(data, kind=kind, columns=columns, **options)
    return _audited(found, chosen, chosen)


def audit_directory(
    spark: Any, folder: str | Path, *, audit: Audit | None = None, table: TableAudit | None = None
) -> DataAudit:
    """Audit a published directory with data in Parquet, as anybody sees it."""
    published, data = trusted_data(spark, folder)
    notes = source_notes(published, data.side)
    return replace(_audited(data, audit or Audit(), table or TableAudit()), notes=tuple(notes))


def _audited(data: Records | Rows, audit: Audit, table: TableAudit) -> DataAudit:
    if isinstance(data, Rows):
        return DataAudit(None, table=audit_rows(table, data))
    return DataAudit(audit_records(audit, data))
