"""Projection safety (Terrovitis et al. 2017, Definitions 8 and 9)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from trials.checkers.patterns import by_ratio
from trials.files import Behind, Seen

__all__ = ["check_projection"]


def check_projection(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """Of all trajectories with one projection, at most a share goes to any place of others."""
    if seen.places is None:
        return ["the files do not say who owns the places"]
    limit = Fraction(str(parameters["threshold"]))
    owner_of = {name: facts.get("owner") for name, facts in seen.places.items()}
    group: dict[str | None, tuple[str, ...]] = {owner: (owner,) for owner in owner_of.values() if owner}
    for part in (parameters.get("collude") or "").split(";"):
        together: tuple[str, ...] = tuple(sorted(name.strip() for name in part.split(","))) if part else ()
        group |= dict.fromkeys(together, together)

    def sees(location: str) -> tuple[str, ...] | None:
        known = location if location in owner_of else location.rpartition("@")[0]
        return group.get(owner_of.get(known))

    found = []
    for adversary in sorted(set(group.values())):
        matches: dict[tuple[str, ...], list[int]] = {}
        for row, record in enumerate(seen.records):
            projection = tuple(one for one in record if sees(one) == adversary)
            if projection:
                matches.setdefault(projection, []).append(row)
        for projection, rows in matches.items():
            others = sorted({one for row in rows for one in seen.records[row] if sees(one) != adversary})
            for name, units in by_ratio(len(seen.records), behind):
                crowd = {units[row] for row in rows}
                for place in others:
                    went = {units[row] for row in rows if place in seen.records[row]}
                    if Fraction(len(went), len(crowd)) > limit:
                        found.append(
                            f"{adversary} sees {projection}: {place!r} by {len(went)} of {len(crowd)} {name}, "
                            f"above {limit}"
                        )
    return found
