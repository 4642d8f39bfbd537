"""(k,l)^m-anonymity of trajectories (Poulis et al. 2013) and l^m-diversity of items (Terrovitis et al. 2011).

For every sequence (or set) s of 1 to m nonsensitive places and every sensitive place x: the support of s is at least k,
and l times the support of x among the records that contain s is at most the support of s.  Once for published labels,
and once for original places, over all their images together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

from trials.checkers.patterns import by_count, by_ratio, overlapping, patterns_of, rare_patterns
from trials.files import Behind, Seen

__all__ = ["associated", "check_klm", "check_lm"]

Members = dict[str, tuple[str, ...]]


def check_klm(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """(k,l)^m-anonymity; which places are sensitive is said by context/places.csv, or else by the taxonomy."""
    secret = _secret_places(seen)
    if secret is None:
        return ["the files do not say which places are sensitive"]
    return _check(seen, "location", secret, parameters, behind, ordered=True)


def check_lm(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """l^m-diversity, with k where it is above 1."""
    if not seen.sensitive:
        return ["the files do not say which items are sensitive"]
    return _check(seen, "item", seen.sensitive, parameters, behind, ordered=False)


def _secret_places(seen: Seen) -> set[str] | None:
    if seen.places is not None and any("sensitive" in facts for facts in seen.places.values()):
        return {name for name, facts in seen.places.items() if facts["sensitive"] == "true"}
    if seen.parents is not None:
        return {node for node in seen.parents if _flagged_above(seen, node)}
    return None


def _flagged_above(seen: Seen, node: str | None) -> bool:
    assert seen.parents is not None
    while node is not None:
        if node in seen.flagged:
            return True
        node = seen.parents[node]
    return False


def _check(
    seen: Seen, attribute: str, secret: set[str], parameters: dict[str, Any], behind: Behind, *, ordered: bool
) -> list[str]:
    k, l, m = parameters["k"], parameters["l"], parameters["m"]  # noqa: E741
    members = seen.members.get(attribute, {})
    # a slot of a place, such as a@14, is as sensitive as the place
    hidden = _with_slots(secret, seen, attribute) if ordered else secret
    found = [
        f"{label!r} stands for sensitive and other names together"
        for label in sorted({label for record in seen.records for label in record})
        if 0 < len(hidden & set(members.get(label, (label,)))) < len(set(members.get(label, (label,))))
    ]
    found += overlapping(seen.records, members)
    if found:
        return found
    known = [tuple(one for one in record if not hidden & set(members.get(one, (one,)))) for record in seen.records]
    found += rare_patterns(known, by_count(len(known), behind), m, k)
    secrets = [
        {name for label in record for name in members.get(label, (label,)) if name in hidden} for record in seen.records
    ]
    for name, units in by_ratio(len(known), behind):
        found += (f"{one}, counting {name}" for one in associated(known, members, secrets, units, l, m, ordered))
    return found


def _with_slots(secret: set[str], seen: Seen, attribute: str) -> set[str]:
    names = {member for record in seen.records for label in record for member in seen.stands_for(attribute, label)}
    places = seen.places or {}
    return secret | {name for name in names if name not in places and name.rpartition("@")[0] in secret}


def associated(
    known: Sequence[Sequence[str]],
    members: Members,
    secrets: Sequence[set[str]],
    units: Sequence[Any],
    l: int,  # noqa: E741
    m: int,
    ordered: bool,
) -> Iterator[str]:
    """A sentence for each pattern and sensitive name that come together too often."""
    holders: dict[tuple[str, ...], list[int]] = {}
    for number, record in enumerate(known):
        for pattern in patterns_of(record, m):
            holders.setdefault(pattern, []).append(number)
    for pattern, rows in holders.items():
        yield from _too_often(f"{pattern}", rows, secrets, units, l)
    labels = {label for record in known for label in record}
    images: dict[str, set[str]] = {}
    for label in labels:
        for member in members.get(label, (label,)):
            images.setdefault(member, set()).add(label)
    alike = {frozenset(image) for image in images.values()}
    if all(len(image) == 1 for image in alike):
        return  # labels do not overlap: the patterns above are all there are
    for size in range(1, m + 1):
        chosen = product(alike, repeat=size) if ordered else combinations(alike, size)
        for pattern_of_sets in chosen:
            merged: set[int] = set()
            for labels_of in product(*pattern_of_sets):
                image = labels_of if ordered else tuple(sorted(set(labels_of)))
                merged |= set(holders.get(image, ()))
            yield from _too_often(f"all images {[sorted(one) for one in pattern_of_sets]}", merged, secrets, units, l)


def _too_often(what: str, rows: Any, secrets: Sequence[set[str]], units: Sequence[Any], l: int) -> Iterator[str]:  # noqa: E741
    crowd = {units[row] for row in rows}
    for name in sorted({one for row in rows for one in secrets[row]}):
        together = {units[row] for row in rows if name in secrets[row]}
        if l * len(together) > len(crowd):
            yield f"{what} leads to {name!r} with {len(together)} of {len(crowd)}, above 1/{l}"
