"""(k,l)^m-anonymity by its definition, every pattern and every sensitive place looked up in every record."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from sfumato.privacy import KlmAnonymity


def klm_holds(model: KlmAnonymity, published: Any, original: Any = None) -> bool:
    """The flags are those of the original's places where there is one."""
    places = (published if original is None else original).places.frame
    flagged = {row["location"] for row in places.iter_rows(named=True) if row["sensitive"]}
    members = {name: set(published.members.get(name, (name,))) for name in published.names}
    rows = list(zip(published.to_lists(), published.units.tolist(), strict=True))
    for row, _ in rows:
        for label in row:
            if members[label] & flagged and members[label] - flagged:
                return False
        for one, other in combinations(sorted(set(row)), 2):
            if members[one] & members[other]:
                return False
    shown = [[label for label in row if not members[label] & flagged] for row, _ in rows]
    told = [{place for label in row for place in members[label] & flagged} for row, _ in rows]
    patterns = {p for row in shown for size in range(1, model.m + 1) for p in combinations(row, size)}
    for pattern in patterns:
        matching = [at for at, row in enumerate(shown) if _contains(row, pattern)]
        crowd = {rows[at][1] for at in matching}
        if len(crowd) < model.k:
            return False
        for place in flagged:
            holding = [at for at in matching if place in told[at]]
            if model.l * len({rows[at][1] for at in holding}) > len(crowd):
                return False
            if model.l * len(holding) > len(matching):  # the ratio must hold in records, too
                return False
    return True


def _contains(row: list[str], pattern: tuple[str, ...]) -> bool:
    rest = iter(row)
    return all(label in rest for label in pattern)
