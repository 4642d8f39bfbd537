"""Policies kept (Loukides et al. 2011, Definitions 3 and 4)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

from trials.checkers.km import check_km
from trials.checkers.patterns import by_count
from trials.files import Behind, Seen

__all__ = ["check_policy"]


def check_policy(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """Protected sets and their subsets lead to nobody or to k; labels stay within one utility constraint."""
    policy = behind.policies.get("privacy_policy", seen.policies.get("privacy_policy"))
    if policy is None:
        return ["nobody knows the privacy policy"]
    k, found = parameters["k"], []
    if policy["size"]:
        found += check_km(seen, {"k": k, "m": policy["size"]}, behind)
    units = by_count(len(seen.records), behind)
    holds = [{item for label in record for item in seen.stands_for("item", label)} for record in seen.records]
    protected = {
        frozenset(part)
        for one in policy["sets"]
        for n in range(1, len(one) + 1)
        for part in combinations(sorted(one), n)
    }
    for items in sorted(protected, key=sorted):
        who = {unit for unit, record in zip(units, holds, strict=True) if items <= record}
        if 0 < len(who) < k:
            found.append(f"{sorted(items)} leads to {len(who)}, below k={k}")
    utility = seen.policies.get("utility_policy")
    labels = sorted({label for record in seen.records for label in record})
    for label in labels:
        members = set(seen.stands_for("item", label))
        if utility is not None and len(members) > 1 and not any(members <= one for one in utility["sets"]):
            found.append(f"{label!r} stands for items of several utility constraints")
    if behind.original is not None:
        everything = {item for record in behind.original for item in record}
        gone = everything.difference(*holds)
        if Fraction(len(gone)) > Fraction(str(parameters["suppression"])) * len(everything):
            found.append(f"{len(gone)} of {len(everything)} items are suppressed")
    return found
