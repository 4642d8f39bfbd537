"""(k,k^m)-anonymity and (k,l^m)-diversity of mixed records (Poulis et al. 2013)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from trials.checkers.associations import disclosed, knowable, rare
from trials.checkers.patterns import by_count, by_ratio, overlapping, rare_patterns
from trials.files import Behind, Cell, Seen

__all__ = ["check_k_policy", "check_kkm", "check_klm_diversity"]


def check_kkm(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """For every record and up to m of its items, at least k agree on the quasi-identifiers and contain the items."""
    return [*overlapping(seen.items, _members(seen)), *_rare(seen, seen.items, parameters, behind)]


def check_klm_diversity(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """The same for items that are not sensitive, and at most one in l has any sensitive item."""
    if not seen.sensitive:
        return ["the files do not say which items are sensitive"]
    members, hidden = _members(seen), seen.sensitive
    found = [
        f"{label!r} stands for sensitive and other items together"
        for label in sorted({label for record in seen.items for label in record})
        if 0 < len(hidden & set(members.get(label, (label,)))) < len(set(members.get(label, (label,))))
    ]
    found += overlapping(seen.items, members)
    if found:
        return found
    known = [tuple(one for one in record if not hidden & set(members.get(one, (one,)))) for record in seen.items]
    secrets = [
        {name for label in record for name in members.get(label, (label,)) if name in hidden} for record in seen.items
    ]
    k, l, m = parameters["k"], parameters["l"], parameters["m"]  # noqa: E741
    persons = by_count(len(known), behind)
    for key, rows in [*_classes(seen).items(), *_several_classes(seen, behind)]:
        known_by = {(): set(range(len(rows))), **knowable([known[row] for row in rows], members, m, False)}
        theirs = [secrets[row] for row in rows]
        told = list(rare(known_by, [persons[row] for row in rows], k))
        for name, units in by_ratio(len(known), behind):
            here = [units[row] for row in rows]
            told += [f"{one}, counting {name}" for one in disclosed(known_by, theirs, here, l)]
        found += [f"class {key}: {one}" for one in told]
    return found


def _several_classes(seen: Seen, behind: Behind) -> list[tuple[tuple[Cell, ...], list[int]]]:
    """All rows that fit the values of an original row, whose persons are known, if they are of several classes."""
    known = [column for column, role in seen.roles.items() if role == "quasi-identifier"]
    if behind.persons is None or behind.original is None:
        return []
    found = []
    for values in sorted({tuple(row[column] for column in known) for row, _ in behind.original}, key=str):
        rows = [
            number
            for number, record in enumerate(seen.records)
            if all(_fits(seen, column, record[column], value) for column, value in zip(known, values, strict=True))
        ]
        if len({tuple(seen.records[row][column] for column in known) for row in rows}) > 1:
            found.append((values, rows))
    return found


def _fits(seen: Seen, column: str, cell: Cell, value: Cell) -> bool:
    """Whether a published cell is a value, stands for it, or is a range of numbers around it."""
    if cell is None or value is None:
        return cell is value
    if cell == value or value in seen.members.get(column, {}).get(cell, ()):
        return True
    if not (cell.startswith("[") and cell.endswith("]") and cell.count(":") == 1):
        return False
    try:
        low, high = map(float, cell[1:-1].split(":"))
        return low <= float(value) <= high
    except ValueError:
        return False


def check_k_policy(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """At least k agree on the quasi-identifiers; among them a protected set, or a part of it, leads to nobody or k."""
    policy = behind.policies.get("privacy_policy", seen.policies.get("privacy_policy"))
    if policy is None:
        return ["nobody knows the privacy policy"]
    members, k = _members(seen), parameters["k"]
    found = [*overlapping(seen.items, members)]
    found += _rare(seen, seen.items, {"k": k, "m": policy["size"]}, behind)
    holds = [{item for label in record for item in members.get(label, (label,))} for record in seen.items]
    protected = {
        frozenset(part) for one in policy["sets"] for n in range(len(one)) for part in combinations(sorted(one), n + 1)
    }
    units = by_count(len(holds), behind)
    for key, rows in _classes(seen).items():
        for items in sorted(protected, key=sorted):
            who = {units[row] for row in rows if items <= holds[row]}
            if 0 < len(who) < k:
                found.append(f"class {key}: {sorted(items)} leads to {len(who)}, below k={k}")
    utility = seen.policies.get("utility_policy")
    for label in sorted({label for record in seen.items for label in record}):
        several = set(members.get(label, (label,)))
        if utility is not None and len(several) > 1 and not any(several <= one for one in utility["sets"]):
            found.append(f"{label!r} stands for items of several utility constraints")
    return found


def _rare(seen: Seen, known: Any, parameters: dict[str, Any], behind: Behind) -> list[str]:
    units, found = by_count(len(known), behind), []
    k, m = parameters["k"], parameters["m"]
    for key, rows in _classes(seen).items():
        here = [units[row] for row in rows]
        if len(set(here)) < k:
            found.append(f"the class {key} has {len(set(here))}, below k={k}")
        found += [f"class {key}: {one}" for one in rare_patterns([known[row] for row in rows], here, m, k)]
    return found


def _members(seen: Seen) -> dict[str, tuple[str, ...]]:
    column = next(column for column, role in seen.roles.items() if role == "items")
    return seen.members.get(column, {})


def _classes(seen: Seen) -> dict[tuple[Cell, ...], list[int]]:
    known = [column for column, role in seen.roles.items() if role == "quasi-identifier"]
    found: dict[tuple[Cell, ...], list[int]] = {}
    for row, record in enumerate(seen.records):
        found.setdefault(tuple(record[column] for column in known), []).append(row)
    return found
