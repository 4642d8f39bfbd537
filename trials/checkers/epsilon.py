"""Differential privacy: what was spent, and what must not stand in the files (soundness rule 3)."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from trials.files import Behind, Seen

__all__ = ["check_epsilon"]

_WHOLE = 1 << 40


def check_epsilon(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """Along no path do the spends exceed epsilon; the certificate states no exact figure; names are public ones."""
    found = []
    if behind.spends is not None:
        found += _spent(behind.spends, Fraction(parameters["epsilon"]))
    if behind.public is not None:
        names = {label for record in seen.records for label in record}
        names |= {member for labels in seen.members.values() for members in labels.values() for member in members}
        strange = {name for name in names if name not in behind.public and name not in seen.members.get("item", {})}
        found += [f"{name!r} is published and no public name" for name in sorted(strange)]
    if seen.certificate:
        if set(seen.certificate["records"]) != {"published"}:
            found.append("the certificate says how many records were lost")
        for guarantee in seen.certificate["guarantees"]:
            if guarantee["verdict"]["measured"] or guarantee["verdict"]["witnesses"] or "beyond" in guarantee:
                found.append("the certificate states exact figures")
        if any(word in json.dumps(seen.certificate) for word in ('"seed"', '"seconds"')):
            found.append("the certificate names a seed or seconds")
    return found


def _spent(spends: Any, epsilon: Fraction) -> list[str]:
    own = [0] * len(spends.parents)
    for branch, share in zip(spends.branches, spends.shares, strict=True):
        if share <= 0:
            return ["a split spent nothing"]
        own[int(branch)] += int(share)
    found = []
    if spends.largest > spends.at_most:
        found.append(f"a unit contributes {spends.largest}, the noise was reckoned with {spends.at_most}")
    for branch in range(len(own)):
        total, at = 0, branch
        while at >= 0:
            total += own[at]
            at = int(spends.parents[at])
        if Fraction(spends.epsilon) * total / _WHOLE > epsilon:
            found.append(f"the path to branch {branch} spends {float(Fraction(spends.epsilon) * total / _WHOLE)}")
    return found
