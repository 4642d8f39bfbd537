"""THREATID, literally: who sees what of each trajectory, and which places are behind it too often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

Pair = tuple[str, tuple[str, ...], str]


def projection(record: Sequence[str], owners: Mapping[str, str], adversary: str) -> tuple[str, ...]:
    """What an adversary sees of a trajectory (Definition 4)."""
    return tuple(location for location in record if owners.get(location) == adversary)


def shares(
    records: Sequence[Sequence[str]], units: Sequence[Any], owners: Mapping[str, str]
) -> dict[Pair, tuple[int, int, int, int]]:
    """For every adversary, projection and place of others: records with it, all, units with it, all."""
    found = {}
    for adversary in sorted(set(owners.values())):
        for seen in {projection(record, owners, adversary) for record in records} - {()}:
            behind = [
                (record, unit)
                for record, unit in zip(records, units, strict=True)
                if projection(record, owners, adversary) == seen
            ]
            for place in {place for record, _ in behind for place in record if owners.get(place) != adversary}:
                there = [(record, unit) for record, unit in behind if place in record]
                found[adversary, seen, place] = (
                    len(there),
                    len(behind),
                    len({unit for _, unit in there}),
                    len({unit for _, unit in behind}),
                )
    return found


def threats(
    records: Sequence[Sequence[str]], units: Sequence[Any], owners: Mapping[str, str], threshold: float
) -> dict[Pair, tuple[int, int, int, int]]:
    """The problematic pairs (Definition 8): too large a share of records, or of units."""
    return {
        pair: (n, size, people, crowd)
        for pair, (n, size, people, crowd) in shares(records, units, owners).items()
        if max(Fraction(n, size), Fraction(people, crowd)) > Fraction(str(threshold))
    }


def merged(owners: Mapping[str, str], collude: str | None) -> dict[str, str]:
    """Owners with each coalition made one."""
    name = {}
    for group in collude.split(";") if collude else []:
        members = sorted(part.strip() for part in group.split(","))
        name |= dict.fromkeys(members, "+".join(members))
    return {place: name.get(owner, owner) for place, owner in owners.items()}


def projection_safety_holds(model: Any, published: Any, original: Any = None) -> bool:
    """No problematic pair (Definition 9)."""
    places = published.places if published.places is not None else original.places
    owners = {row["location"]: row["owner"] for row in places.frame.iter_rows(named=True) if row["owner"]}
    found = threats(published.to_lists(), published.units.tolist(), merged(owners, model.collude), model.threshold)
    return not found
