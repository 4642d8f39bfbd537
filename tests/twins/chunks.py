"""Disassociation once more, literally: HORPART, the conditions on chunks, and Guarantee 1 by trying everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

from sfumato.data import Chunks
from sfumato.privacy import ReconstructionAnonymity

Cluster = dict[str, Any]


def horpart(
    records: list[Any],
    k: int,
    largest: int,
    skipped: frozenset[Any] = frozenset(),
    ignore: frozenset[Any] = frozenset(),
) -> list[list[Any]]:
    """Clusters of records (sorted by content), by recursion as in the listing."""
    if len(records) <= largest:
        return [records]
    counts = Counter(term for record in records for term in record if term not in ignore | skipped)
    term = min(counts, key=lambda t: (-counts[t], t), default=None)
    if term is None or counts[term] < k:
        pieces = -(-len(records) // largest)
        cuts = [len(records) * piece // pieces for piece in range(pieces + 1)]
        return [records[a:b] for a, b in pairwise(cuts)]
    having = [record for record in records if term in record]
    rest = [record for record in records if term not in record]
    if len(rest) < k:
        return horpart(records, k, largest, skipped, ignore | {term})
    return horpart(having, k, largest, skipped, ignore | {term}) + horpart(rest, k, largest, skipped, ignore)


def verpart(
    records: list[set[str]], k: int, m: int, skipped: frozenset[str] = frozenset()
) -> tuple[list[set[str]], set[str]]:
    """The terms of each record chunk, and those of the term chunk, with the repair of Lemma 2."""
    counts = Counter(term for record in records for term in record)
    left = sorted((t for t in counts if counts[t] >= k and t not in skipped), key=lambda t: (-counts[t], t))
    in_terms = set(counts) - set(left)
    chunks: list[set[str]] = []
    while left:
        chunk: set[str] = set()
        for term in left:
            if is_km(project(records, chunk | {term}), k, m):
                chunk.add(term)
        chunks.append(chunk)
        left = [term for term in left if term not in chunk]
    subrecords = sum(len(project(records, chunk)) for chunk in chunks)
    if chunks and not in_terms and subrecords < len(records) + k * (min(m, len(chunks)) - 1):
        rarest = min((t for chunk in chunks for t in chunk), key=lambda t: (counts[t], t))
        chunks = [chunk - {rarest} for chunk in chunks if chunk != {rarest}]
        in_terms = {rarest}
    return chunks, in_terms


def project(records: list[set[str]], terms: set[str]) -> list[set[str]]:
    return [record & terms for record in records if record & terms]


def is_km(subrecords: list[Any], k: int, m: int) -> bool:
    """Whether every set of up to m items that occurs does so k times."""
    counts = Counter(s for row in subrecords for size in range(1, m + 1) for s in combinations(sorted(row), size))
    return all(count >= k for count in counts.values())


def walk(clusters: list[Cluster], around: tuple[Cluster, ...] = ()) -> Iterator[tuple[Cluster, tuple[Cluster, ...]]]:
    """Every cluster with the joint clusters around it, the outermost first."""
    for cluster in clusters:
        yield cluster, around
        yield from walk(cluster.get("children", []), (*around, cluster))


def leaves(cluster: Cluster) -> list[Cluster]:
    children = cluster.get("children")
    return [cluster] if children is None else [leaf for child in children for leaf in leaves(child)]


def domain(chunk: list[list[str]]) -> set[str]:
    return {item for row in chunk for item in row}


def listed_below(joint: Cluster, leaf: Cluster) -> set[str]:
    """The items that a leaf has in record chunks, or in shared chunks further down than the joint cluster."""
    found = {item for chunk in leaf["chunks"] for item in domain(chunk)}
    for cluster, _ in walk(joint["children"]):
        if "children" in cluster and any(one is leaf for one in leaves(cluster)):
            found |= {item for chunk in cluster["chunks"] for item in domain(chunk)}
    return found


def reconstruction_holds(model: ReconstructionAnonymity, published: Chunks, original: Any = None) -> bool:
    """The conditions of the model, one after the other."""
    k, m, nested = model.k, model.m, published.to_nested()
    for cluster, around in walk(nested):
        chunks = cluster["chunks"]
        if any(not is_km(chunk, k, m) or any(len(set(row)) < len(row) or not row for row in chunk) for chunk in chunks):
            return False
        domains = [domain(chunk) for chunk in chunks] + ([set(cluster["terms"])] if "terms" in cluster else [])
        if sum(map(len, domains)) > len(set().union(*domains)):
            return False
        if any(len(chunk) > cluster["size"] for chunk in chunks) or any(not chunk for chunk in chunks):
            return False
        if "children" in cluster:
            if cluster["size"] != sum(leaf["size"] for leaf in leaves(cluster)) or not _shared_fine(cluster, k):
                return False
        else:
            subrecords = sum(map(len, chunks))
            enough = chunks and subrecords >= cluster["size"] + k * (min(m, len(chunks)) - 1)
            nothing = not chunks and not cluster["terms"] and not around
            if cluster["size"] < k or not (cluster["terms"] or enough or nothing):
                return False
            if set(cluster["terms"]) & published.sensitive and cluster["size"] < model.l:
                return False
        if any(domain(chunk) & published.sensitive for chunk in chunks):
            return False
    return original is None or original.persons is None or _persons_fine(nested, original)


def _shared_fine(joint: Cluster, k: int) -> bool:
    below = leaves(joint)
    for chunk in joint["chunks"]:
        if any(domain(chunk) & set(leaf["terms"]) for leaf in below):
            return False
        room = [sum(leaf["size"] for leaf in below if not set(row) & listed_below(joint, leaf)) for row in chunk]
        narrow = [space for space in room if space < joint["size"]]
        if narrow and (min(Counter(map(tuple, chunk)).values()) < k or len(narrow) + k > min(narrow)):
            return False
    return True


def _persons_fine(nested: list[Cluster], original: Any) -> bool:
    who = original.persons.codes.tolist()
    records = sum(cluster["size"] for cluster, _ in walk(nested) if "children" not in cluster)
    have: dict[str, set[int]] = {}
    for person, items in zip(who, original.to_lists(), strict=True):
        for item in items:
            have.setdefault(item, set()).add(person)
    said = Counter(item for cluster, _ in walk(nested) for chunk in cluster["chunks"] for row in chunk for item in row)
    said += Counter(item for cluster, _ in walk(nested) for item in cluster.get("terms", []))
    return records <= len(set(who)) and all(count <= len(have.get(item, ())) for item, count in said.items())


# --- Guarantee 1, by trying every way to deal the subrecords ---------------------------------------------------------

State = tuple[tuple[tuple[int, frozenset[str], bool], int], ...]


def most_together(nested: list[Cluster], items: frozenset[str]) -> int:
    """In how many records of one possible original these items can be together, at most; 0 if in none."""
    return sum(_best(tree, items) for tree in nested)


def _best(tree: Cluster, items: frozenset[str]) -> int:
    """The trees of clusters do not touch each other.

    A state says of how many records of each leaf which of the items they hold so far, and whether they hold anything.
    """
    below = leaves(tree)
    state: Counter[Any] = Counter()
    for number, leaf in enumerate(below):
        state[(number, frozenset(), False)] += leaf["size"]
    reached = {_frozen(state)}
    for cluster, _ in walk([tree]):
        for chunk in cluster["chunks"]:
            rows = []
            for row in chunk:
                allowed = [
                    number
                    for number, leaf in enumerate(below)
                    if any(leaf is one for one in leaves(cluster))
                    and ("children" not in cluster or not set(row) & listed_below(cluster, leaf))
                ]
                rows.append((tuple(allowed), items & set(row)))
            reached = {after for before in reached for after in _dealt(before, Counter(rows))}
    best = 0
    for state_ in reached:
        empty_leaves = {number for (number, _, filled), _ in state_ if not filled}
        if any(not below[number]["terms"] and not _hollow(tree) for number in empty_leaves):
            continue  # a record would be empty
        full = 0
        for (number, held, _), count in state_:
            full += count * (items <= held | set(below[number]["terms"]))
        best = max(best, full)
    return best


def _hollow(tree: Cluster) -> bool:
    return "children" not in tree and not tree["chunks"] and not tree["terms"]


def _frozen(state: Counter[Any]) -> State:
    return tuple(sorted(((key, n) for key, n in state.items() if n), key=repr))


def _dealt(before: State, rows: Counter[Any]) -> set[State]:
    """Every state that dealing the rows of a chunk can lead to; a record gets one of them at most."""
    kinds = sorted(rows.items(), key=repr)
    found: set[State] = set()

    def place(at: int, free: Counter[Any], taken: Counter[Any]) -> None:
        if at == len(kinds):
            found.add(_frozen(free + taken))
            return
        (allowed, gained), count = kinds[at]
        spots = sorted((key for key, n in free.items() if n and key[0] in allowed), key=repr)

        def spread(spot: int, left: int, rest: Counter[Any], got: Counter[Any]) -> None:
            if left == 0:
                place(at + 1, rest, got)
                return
            if spot == len(spots):
                return
            key = spots[spot]
            for some in range(min(left, rest[key]) + 1):
                fewer, more = rest.copy(), got.copy()
                fewer[key] -= some
                more[(key[0], key[1] | gained, True)] += some
                spread(spot + 1, left - some, fewer, more)

        spread(0, count, free, taken)

    place(0, Counter(dict(before)), Counter())
    return found


def guarantee_1_holds(nested: list[Cluster], k: int, m: int) -> bool:
    """Whether any up to m items that can be together at all can be so in k records of one possible original.

    Tree by tree: the records of one tree suffice.
    """
    for tree in nested:
        everything = {item for cluster, _ in walk([tree]) for chunk in cluster["chunks"] for item in domain(chunk)}
        everything |= {item for leaf in leaves(tree) for item in leaf["terms"]}
        for size in range(1, m + 1):
            for items in combinations(sorted(everything), size):
                if 0 < _best(tree, frozenset(items)) < k:
                    return False
    return True
