"""What is in records on a cluster."""

from __future__ import annotations

from sfumato.params import JsonObject
from sfumato.spark.records import Records

__all__ = ["describe"]


def describe(records: Records) -> JsonObject:
    """Sizes of the records, exactly: records, persons, visits or items, distinct names, lengths."""
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
