"""k-anonymity of sequences (Pensa et al. 2008, Definition 1)."""

from __future__ import annotations

from typing import Any

from trials.files import Behind, Seen

__all__ = ["check_sequence_k"]


def check_sequence_k(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """Every published sequence is contained in the original sequences of at least k."""
    assert behind.original is not None
    units = range(len(behind.original)) if behind.original_persons is None else behind.original_persons
    found = []
    for record in sorted(set(seen.records)):
        readings = [set(seen.stands_for("location", label)) for label in record]
        who = {unit for original, unit in zip(behind.original, units, strict=True) if _within(readings, original)}
        if record and len(who) < parameters["k"]:
            found.append(f"{record} is contained in the sequences of {len(who)}, below k={parameters['k']}")
    return found


def _within(readings: list[set[str]], original: Any) -> bool:
    at = 0
    for visit in original:
        if at < len(readings) and visit in readings[at]:
            at += 1
    return at == len(readings)
