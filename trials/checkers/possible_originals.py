"""Guarantee 1 of disassociation to the letter: for small chunks, possible originals are put together.

A possible original gives every subrecord of a chunk to a record of its own, below the cluster of the chunk.
A subrecord of a shared chunk cannot go to a simple cluster that lists one of its items further down: there the item
is listed whole.  An item of a term chunk belongs to any number of records from one on.  No record is empty, unless its
whole cluster is.

For every set of up to m items that some record can have at all, one possible original must have k records with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from trials.files import Cluster

__all__ = ["unprotected_sets"]

Items = frozenset[str]
Subrecord = tuple[str, ...]


def unprotected_sets(clusters: Sequence[Cluster], k: int, m: int) -> Iterator[str]:
    """A sentence for each set of items that fits some record, but never k of them at once."""
    trees = [_Tree(clusters, one) for one in clusters if one.parent is None]
    names = sorted({item for tree in trees for item in tree.items})
    for size in range(1, m + 1):
        for chosen in combinations(names, size):
            wanted = frozenset(chosen)
            able = [tree.most(wanted, k) for tree in trees if wanted <= tree.items]
            if 0 < sum(able) < k:
                yield f"{sorted(wanted)} fits {sum(able)} records of one possible original, below k={k}"


class _Tree:
    """One top cluster: its simple clusters, and for each of them the chunks around it."""

    def __init__(self, clusters: Sequence[Cluster], top: Cluster) -> None:
        parents = {one.parent for one in clusters}
        self._up: dict[int, list[Cluster]] = {}  # from each simple cluster to the top
        for one in clusters:
            path = [one]
            while path[-1].parent is not None:
                path.append(clusters[path[-1].parent - 1])
            if path[-1] is top and one.number not in parents:
                self._up[one.number] = path
        inside = {one.number: one for path in self._up.values() for one in path}
        self._chunks = [(one, rows) for one in inside.values() for rows in one.chunks]
        listed = {item for _, rows in self._chunks for row in rows for item in row}
        self.items = frozenset(listed | {item for one in inside.values() for item in one.terms})

    def most(self, wanted: Items, k: int) -> int:
        """The largest number of records, up to k, that can have these items in one possible original."""
        rooms = [min(k, self._room(simple, wanted)) for simple in self._up]
        for total in range(min(k, sum(rooms)), 0, -1):
            if any(self._possible(wanted, shares) for shares in _shares(total, rooms)):
                return total
        return 0

    def _listing(self, simple: int, item: str) -> tuple[Cluster, int] | None:
        """The lowest cluster above a simple one that lists an item, and its chunk; -1 for the term chunk."""
        for one in self._up[simple]:
            if item in one.terms:
                return one, -1
            for number, rows in enumerate(one.chunks):
                if any(item in row for row in rows):
                    return one, number
        return None

    def _parts(self, simple: int, wanted: Items) -> dict[tuple[int, int], Items] | None:
        """Which chunk around a simple cluster has which of the items."""
        found: dict[tuple[int, int], Items] = {}
        for item in wanted:
            listed = self._listing(simple, item)
            if listed is None:
                return None
            key = (listed[0].number, listed[1])
            found[key] = found.get(key, frozenset()) | {item}
        return found

    def _allowed(self, simple: int, owner: Cluster, row: Subrecord) -> bool:
        if owner not in self._up[simple]:
            return False
        lower = self._up[simple][: self._up[simple].index(owner)]
        return not any(set(row) & set(other) for one in lower for rows in one.chunks for other in rows)

    def _room(self, simple: int, wanted: Items) -> int:
        """How many records of a simple cluster can have the items, chunk by chunk."""
        parts = self._parts(simple, wanted)
        if parts is None:
            return 0
        found = self._up[simple][0].size
        for one in self._up[simple]:
            for number, rows in enumerate(one.chunks):
                part = parts.get((one.number, number))
                if part is not None:
                    found = min(found, sum(part <= set(row) and self._allowed(simple, one, row) for row in rows))
        return found

    def _possible(self, wanted: Items, shares: Sequence[int]) -> bool:
        """Whether these numbers of records of the simple clusters can have the items, and all else finds its place."""
        share = dict(zip(self._up, shares, strict=True))
        parts = {simple: self._parts(simple, wanted) or {} for simple in self._up}
        numbers: dict[int, int] = {}
        for owner, rows in self._chunks:
            number = numbers.setdefault(owner.number, 0)
            numbers[owner.number] += 1
            if not self._placed(owner, rows, {one: parts[one].get((owner.number, number)) for one in parts}, share):
                return False
        return all(self._nobody_empty(simple, parts[simple], share[simple]) for simple in self._up)

    def _placed(
        self, owner: Cluster, rows: Sequence[Subrecord], part: dict[int, Items | None], share: dict[int, int]
    ) -> bool:
        """Whether the subrecords of a chunk find records, and the records that must have wanted items get them."""
        needs, fits = [], []
        free: dict[tuple[int, bool], int] = {}
        for simple in self._up:
            if owner in self._up[simple]:
                free[simple, False] = self._up[simple][0].size - share[simple]
                free[simple, True] = share[simple]
                if part[simple] is not None:
                    needs.append((simple, True))
        for row in rows:
            places = []
            for simple, chosen in free:
                mine = part[simple]
                good = not chosen or mine is None or mine <= set(row)
                if good and self._allowed(simple, owner, row):
                    places.append((simple, chosen))
            fits.append(places)
        return _matched(fits, free, needs)

    def _nobody_empty(self, simple: int, parts: dict[tuple[int, int], Items], share: int) -> bool:
        """Whether the record chunks reach all records; terms can be given to whoever has nothing else."""
        cluster = self._up[simple][0]
        if cluster.terms or (not cluster.chunks and len(self._up[simple]) == 1):
            return True
        rest = cluster.size - share
        reached = 0
        for number, rows in enumerate(cluster.chunks):
            taken = share if share and (cluster.number, number) in parts else 0
            reached += min(len(rows) - taken, rest)
        return reached >= rest


def _shares(total: int, rooms: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to take so many from the rooms, most from the first ones first."""
    if not rooms:
        if total == 0:
            yield ()
        return
    for mine in range(min(total, rooms[0]), -1, -1):
        for rest in _shares(total - mine, rooms[1:]):
            yield (mine, *rest)


def _matched(
    fits: Sequence[list[tuple[int, bool]]], free: dict[tuple[int, bool], int], needs: Sequence[tuple[int, bool]]
) -> bool:
    """Whether every row finds a place among those it fits, and the places that need rows are full."""
    held: dict[tuple[int, bool], list[int]] = {place: [] for place in free}

    def enter(row: int, allowed: Sequence[tuple[int, bool]], tried: set[tuple[int, bool]]) -> bool:
        for place in fits[row]:
            if place in allowed and place not in tried:
                tried.add(place)
                if len(held[place]) < free[place]:
                    held[place].append(row)
                    return True
                for other in list(held[place]):
                    if enter(other, allowed, tried):
                        held[place].remove(other)
                        held[place].append(row)
                        return True
        return False

    # first those places that need rows, with whichever rows fill them; a longer path never empties them again
    placed = {row for row in range(len(fits)) if enter(row, needs, set())}
    if any(len(held[place]) < free[place] for place in needs):
        return False
    everywhere = list(free)
    return all(enter(row, everywhere, set()) for row in range(len(fits)) if row not in placed)
