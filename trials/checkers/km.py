"""k^m-anonymity (Poulis et al. 2014, Definition 4; Terrovitis et al. 2008)."""

from __future__ import annotations

from typing import Any

from trials.checkers.patterns import by_count, overlapping, patterns_of, rare_patterns
from trials.files import Behind, Seen

__all__ = ["check_km", "leaf_crowds"]


def check_km(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """Every pattern of up to m published labels has the support k, and no record gives a member two images."""
    attribute = "location" if seen.kind == "trajectories" else "item"
    k, m = parameters["k"], parameters["m"]
    units = by_count(len(seen.records), behind)
    found = list(overlapping(seen.records, seen.members.get(attribute, {})))
    found += rare_patterns(seen.records, units, m, k)
    if behind.original is not None and not found:
        found += leaf_crowds(seen, attribute, behind, units, k, m)
    return found


def leaf_crowds(seen: Seen, attribute: str, behind: Behind, units: Any, k: int, m: int) -> list[str]:
    """What an attacker does who knows original visits or items: how many published records may hold them."""
    found = []
    readings = [[set(seen.stands_for(attribute, label)) for label in record] for record in seen.records]
    known = {pattern for record in behind.original or () for pattern in patterns_of(record, m)}
    ordered = seen.kind == "trajectories"
    for pattern in known:
        holds = _contains if ordered else _covers
        who = {unit for reading, unit in zip(readings, units, strict=True) if holds(reading, pattern)}
        if 0 < len(who) < k:
            found.append(f"the original {pattern} leads to {len(who)}, below k={k}")
    return found


def _contains(reading: list[set[str]], pattern: tuple[str, ...]) -> bool:
    at = 0
    for labels in reading:
        if at < len(pattern) and pattern[at] in labels:
            at += 1
    return at == len(pattern)


def _covers(reading: list[set[str]], pattern: tuple[str, ...]) -> bool:
    return all(any(item in labels for labels in reading) for item in pattern)
