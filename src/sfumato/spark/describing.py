"""What is in records or in the rows of a table on a cluster."""

from __future__ import annotations

from typing import Any

from sfumato.params import JsonObject
from sfumato.spark.records import Records
from sfumato.spark.tables import Rows

__all__ = ["describe"]


def describe(data: Records | Rows) -> JsonObject:
    """Sizes, exactly: records, persons, visits or items, distinct names, lengths; of a table its rows and columns."""
    return _columns(data) if isinstance(data, Rows) else _sizes(data)


def _sizes(records: Records) -> JsonObject:
    sizes, side = records.sizes, records.side
    return {
        "kind": side.kind,
        "records": sizes["records"],
        "persons": sizes["units"] if records.by_person else None,
        f"{side.element}s": sizes["elements"],
        f"distinct_{side.attribute}s": len(side.names),
        "longest_record": sizes["longest"],
        "mean_length": round(sizes["elements"] / max(1, sizes["records"]), 4),
    }


def _columns(rows: Rows) -> JsonObject:
    """Of each column its type, its role, and how many values are distinct and how many are missing."""
    from pyspark.sql import functions as F  # noqa: N812

    names = [name for name in rows.frame.columns if name != rows.person]
    figures: list[Any] = [F.count(F.lit(1))]
    for name in names:
        value = rows.column(name)
        figures += [F.count_distinct(value), F.count_if(value.isNull())]
    persons = [] if rows.person is None else [F.count_distinct(F.col(f"`{rows.person}`"))]
    n_rows, *counts = rows.frame.agg(*figures, *persons).first()
    return {
        "kind": "table",
        "records": int(n_rows),
        "persons": int(counts[-1]) if persons else None,
        "columns": [
            {
                "column": name,
                "type": rows.type_of(name),
                "role": _role(rows, name),
                "distinct": int(counts[2 * place]),
                "missing": int(counts[2 * place + 1]),
            }
            for place, name in enumerate(names)
        ],
    }


def _role(rows: Rows, name: str) -> str:
    if name in rows.quasi_identifiers:
        return "quasi-identifier"
    return "sensitive" if name in rows.sensitive else "other"
