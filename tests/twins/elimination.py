"""Elimination, literally: every way to put everybody behind a published trajectory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from oracles import contains
from twins.threats import projection


def placed_for_sure(
    original: Sequence[Sequence[str]],
    published: Sequence[Sequence[str]],
    owners: Mapping[str, str],
    adversary: str,
) -> set[int] | None:
    """The original trajectories that must have been somewhere the adversary does not own; nothing if none fits."""
    walked = [row for row, record in enumerate(original) if record]
    left = [record for record in published if record]
    left += [[]] * (len(walked) - len(left))  # not published, because nothing was left
    secrets: dict[int, set[str]] = {}
    seen = [projection(record, owners, adversary) for record in left]
    known = {row: projection(original[row], owners, adversary) for row in walked}
    for behind in permutations(range(len(left))):
        if all(contains(known[row], seen[at]) for row, at in zip(walked, behind, strict=True)):
            for row, at in zip(walked, behind, strict=True):
                there = {place for place in left[at] if owners.get(place) != adversary}
                secrets[row] = secrets.get(row, there) & there
    if walked and not secrets:
        return None
    return {row for row in walked if known[row] and secrets[row]}
