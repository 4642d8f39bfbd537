"""(k,l)^m-anonymity of trajectories (Poulis et al. 2013) and l^m-diversity of items (Terrovitis et al. 2011).

For every sequence (or set) s of 1 to m nonsensitive original places and every sensitive place x: the support of s is at
least k, and l times the support of x among the records that contain s is at most the support of s.  A record contains s
if its labels stand, in order, for the places of s: all published images of s are counted together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

from trials.checkers.patterns import by_count, by_ratio, overlapping
from trials.files import Behind, Seen

__all__ = ["check_klm", "check_lm", "disclosed", "knowable", "rare"]

Members = dict[str, tuple[str, ...]]
Known = tuple[tuple[str, ...], ...]  # of each known name the labels that stand for it


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
    known_by = knowable(known, members, m, ordered)
    found += rare(known_by, by_count(len(known), behind), k)
    secrets = [
        {name for label in record for name in members.get(label, (label,)) if name in hidden} for record in seen.records
    ]
    for name, units in by_ratio(len(known), behind):
        found += (f"{one}, counting {name}" for one in disclosed(known_by, secrets, units, l))
    return found


def _with_slots(secret: set[str], seen: Seen, attribute: str) -> set[str]:
    names = {member for record in seen.records for label in record for member in seen.stands_for(attribute, label)}
    places = seen.places or {}
    return secret | {name for name in names if name not in places and name.rpartition("@")[0] in secret}


def knowable(records: Sequence[Sequence[str]], members: Members, m: int, ordered: bool) -> dict[Known, set[int]]:
    """Every sequence (or set) of 1 to m original names that some record may hold, and the rows of all these records.

    Names that the same labels stand for lead to the same records: they are one, known by their labels.
    """
    images: dict[str, set[str]] = {}
    for label in {label for record in records for label in record}:
        for member in members.get(label, (label,)):
            images.setdefault(member, set()).add(label)
    alike = sorted({tuple(sorted(labels)) for labels in images.values()})
    rows: dict[Known, set[int]] = {}
    for number, record in enumerate(records):
        behind = [[image for image in alike if label in image] for label in record]
        steps = behind if ordered else [[image] for image in sorted({image for several in behind for image in several})]
        for size in range(1, min(m, len(steps)) + 1):
            for chosen in combinations(steps, size):
                for known in product(*chosen):
                    rows.setdefault(known, set()).add(number)
    return rows


def disclosed(
    known_by: dict[Known, set[int]],
    secrets: Sequence[set[str]],
    units: Sequence[Any],
    l: int,  # noqa: E741
) -> Iterator[str]:
    """A sentence for each knowledge and sensitive name that come together too often."""
    for known, rows in known_by.items():
        yield from _too_often(_in_words(known), rows, secrets, units, l)


def rare(known_by: dict[Known, set[int]], units: Sequence[Any], k: int) -> Iterator[str]:
    """A sentence for each knowledge that fewer than k support."""
    for known, rows in known_by.items():
        support = len({units[row] for row in rows})
        if support < k:
            yield f"{_in_words(known)} has the support {support}, below k={k}"


def _in_words(known: Known) -> str:
    return " ".join("|".join(labels) for labels in known)


def _too_often(what: str, rows: Any, secrets: Sequence[set[str]], units: Sequence[Any], l: int) -> Iterator[str]:  # noqa: E741
    crowd = {units[row] for row in rows}
    for name in sorted({one for row in rows for one in secrets[row]}):
        together = {units[row] for row in rows if name in secrets[row]}
        if l * len(together) > len(crowd):
            yield f"{what} leads to {name!r} with {len(together)} of {len(crowd)}, above 1/{l}"
