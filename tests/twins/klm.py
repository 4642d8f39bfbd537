"""(k,l)^m-anonymity by its definition, every sequence of places and every sensitive place looked up in every record."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from sfumato.privacy import KlmAnonymity
from twins.images import keeps_ratios


def klm_holds(model: KlmAnonymity, published: Any, original: Any = None) -> bool:
    """The flags are those of the original's places where there is one."""
    places = (published if original is None else original).places.frame
    flagged = {row["location"] for row in places.iter_rows(named=True) if row["sensitive"]}
    members = {name: set(published.members.get(name, (name,))) for name in published.names}
    rows = published.to_lists()
    for row in rows:
        for label in row:
            if members[label] & flagged and members[label] - flagged:
                return False
        for one, other in combinations(sorted(set(row)), 2):
            if members[one] & members[other]:
                return False
    return keeps_ratios(rows, members, flagged, published.units.tolist(), k=model.k, l=model.l, m=model.m, ordered=True)
