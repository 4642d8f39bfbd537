"""Reconstruction anonymity of chunks (Terrovitis et al. 2012, Guarantee 1, Lemma 2, Property 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from trials.checkers.possible_originals import unprotected_sets
from trials.files import Behind, Cluster, Seen

__all__ = ["check_reconstruction"]


def check_reconstruction(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """Whatever m items fit a record at all, one possible original has k records with them."""
    tree = _Tree(seen.clusters)
    found = [*_shapes(tree, parameters["k"], parameters["m"])]
    if not found:
        found += _possible(tree, parameters["k"], parameters["m"])
    if not found:
        found += unprotected_sets(seen.clusters, parameters["k"], parameters["m"])
    found += _secrets(tree, seen.sensitive or set(), parameters["l"])
    if behind.original_persons is not None:
        found += _persons(tree, behind)
    return found


class _Tree:
    """Clusters with their children, the simple ones below each, and what each lists."""

    def __init__(self, clusters: list[Cluster]) -> None:
        self.clusters = clusters
        self.children: dict[int, list[Cluster]] = {}
        for cluster in clusters:
            if cluster.parent is not None:
                self.children.setdefault(cluster.parent, []).append(cluster)

    def joint(self, cluster: Cluster) -> bool:
        return cluster.number in self.children

    def below(self, cluster: Cluster) -> list[Cluster]:
        """All clusters inside one, without itself."""
        found = list(self.children.get(cluster.number, ()))
        for child in list(found):
            found += self.below(child)
        return found

    def simple_below(self, cluster: Cluster) -> list[Cluster]:
        return [cluster] if not self.joint(cluster) else [one for one in self.below(cluster) if not self.joint(one)]

    def path(self, low: Cluster, high: Cluster) -> list[Cluster]:
        """From a simple cluster up to, and without, one around it."""
        found = []
        while low.number != high.number:
            found.append(low)
            assert low.parent is not None
            low = self.clusters[low.parent - 1]
        return found


def _shapes(tree: _Tree, k: int, m: int) -> Iterator[str]:
    for cluster in tree.clusters:
        where = f"cluster {cluster.number}"
        inside = tree.simple_below(cluster)
        if tree.joint(cluster) and sum(one.size for one in inside) != cluster.size:
            yield f"{where} has not the size of its children"
        if not tree.joint(cluster) and cluster.size < k:
            yield f"{where} has {cluster.size} records, below k={k}"
        if tree.joint(cluster) and cluster.terms:
            yield f"{where} is joint and has a term chunk"
        for rows in cluster.chunks:
            if len(rows) > cluster.size:
                yield f"{where} has more subrecords than records"
            if any(len(set(row)) < len(row) for row in rows):
                yield f"{where} lists an item twice in a subrecord"
            support: Counter[Any] = Counter()
            for row in rows:
                for size in range(1, min(m, len(row)) + 1):
                    support.update(combinations(row, size))
            yield from (f"{where} lists {items} {times} times" for items, times in support.items() if times < k)
        listed = [{item for row in rows for item in row} for rows in cluster.chunks]
        once = Counter(item for items in (*listed, set(cluster.terms)) for item in items)
        yield from (f"{where} lists {item!r} in two chunks" for item, times in once.items() if times > 1)
        shared = set().union(*listed) if tree.joint(cluster) else set()
        for lower in tree.below(cluster):
            yield from (f"{where} shares {item!r}, a term below" for item in shared & set(lower.terms))


def _possible(tree: _Tree, k: int, m: int) -> Iterator[str]:
    for cluster in tree.clusters:
        v = len(cluster.chunks)
        if not tree.joint(cluster) and not cluster.terms:
            alone = v == 0 and cluster.parent is None  # a cluster of empty records
            enough = cluster.size + k * (min(m, v) - 1)
            if not alone and (v == 0 or sum(map(len, cluster.chunks)) < enough):
                yield f"cluster {cluster.number} has no term chunk and too few subrecords (Lemma 2)"
        if not tree.joint(cluster):
            continue
        for rows in cluster.chunks:
            room = [_room(tree, cluster, row) for row in rows]
            blocked = [records for records in room if records < cluster.size]
            if not blocked:
                continue
            if min(Counter(rows).values()) < k:
                yield f"cluster {cluster.number} shares a rare subrecord with items from below (Property 1)"
            if len(blocked) + k > min(blocked):
                yield f"cluster {cluster.number} has too little room for its shared subrecords"


def _room(tree: _Tree, cluster: Cluster, row: tuple[str, ...]) -> int:
    """How many records may have a shared subrecord: those whose clusters list none of its items further down."""
    records = 0
    for simple in tree.simple_below(cluster):
        lower = {item for one in tree.path(simple, cluster) for rows in one.chunks for found in rows for item in found}
        records += 0 if lower & set(row) else simple.size
    return records


def _secrets(tree: _Tree, secret: set[str], l: int) -> Iterator[str]:  # noqa: E741
    for cluster in tree.clusters:
        outside = {item for rows in cluster.chunks for row in rows for item in row} & secret
        yield from (f"cluster {cluster.number} lists the sensitive {item!r} in a chunk" for item in outside)
        if secret & set(cluster.terms) and cluster.size < l:
            yield f"cluster {cluster.number} lists a sensitive item and has {cluster.size} records, below l={l}"


def _persons(tree: _Tree, behind: Behind) -> Iterator[str]:
    assert behind.original is not None
    assert behind.original_persons is not None
    records = sum(one.size for one in tree.clusters if not tree.joint(one))
    if records > len(set(behind.original_persons)):
        yield f"{records} records of {len(set(behind.original_persons))} persons"
    have: dict[str, set[Any]] = {}
    for items, who in zip(behind.original, behind.original_persons, strict=True):
        for item in items:
            have.setdefault(item, set()).add(who)
    listed = Counter(item for cluster in tree.clusters for rows in cluster.chunks for row in rows for item in row)
    listed.update(item for cluster in tree.clusters for item in cluster.terms)
    for item, times in listed.items():
        if times > len(have.get(item, ())):
            yield f"{item!r} is listed {times} times and {len(have.get(item, ()))} persons have it"
