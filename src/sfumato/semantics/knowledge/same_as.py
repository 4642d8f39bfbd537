"""One name for things that owl:sameAs joins, only where they are near each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sfumato.semantics.knowledge import resources
from sfumato.semantics.knowledge.generations import oxigraph
from sfumato.semantics.knowledge.geometry import shape_distance_m, shape_of
from sfumato.semantics.vocabulary import OWL

__all__ = ["REPLACED", "SameAs", "consolidate", "near_components"]

REPLACED = "http://purl.org/dc/terms/isReplacedBy"
_LINKS = f"SELECT DISTINCT ?a ?b WHERE {{ ?a <{OWL}sameAs> ?b FILTER(isIRI(?a) && isIRI(?b) && ?a != ?b) }}"
_RENAMED = f"SELECT ?a ?b WHERE {{ ?a <{REPLACED}> ?b FILTER(isIRI(?a) && isIRI(?b) && ?a != ?b) }}"
_RENAME = f"""
DELETE {{ ?alias ?p ?o }} INSERT {{ ?name ?p ?o }}
WHERE {{ ?alias <{REPLACED}> ?name . ?alias ?p ?o FILTER(?p NOT IN (<{OWL}sameAs>, <{REPLACED}>)) }} ;
DELETE {{ ?s ?p ?alias }} INSERT {{ ?s ?p ?name }}
WHERE {{ ?alias <{REPLACED}> ?name . ?s ?p ?alias FILTER(?p NOT IN (<{OWL}sameAs>, <{REPLACED}>)) }}"""


@dataclass(frozen=True)
class SameAs:
    """What consolidation did: links in total, links whose ends have one name now, and links left alone as too far."""

    links: int = 0
    joined: int = 0
    far: int = 0
    aliases: int = 0


def consolidate(store: Any, within_m: float) -> SameAs:
    """Give each group of near things that owl:sameAs joins the first of their names, in the order of code points.

    What is said of another name is said of that name afterwards.  The links stay, and `dcterms:isReplacedBy` leads
    from each other name to the name.  See `near_components` for what is near.
    """
    links = [(a.value, b.value) for a, b in store.query(_LINKS)]
    if not links:
        return SameAs()
    renamed = {a.value: b.value for a, b in store.query(_RENAMED)}
    known = {name: renamed.get(name, name) for link in links for name in link}
    shapes = _shapes(store, set(known.values()))
    group = near_components([(known[a], known[b]) for a, b in links], shapes, within_m)
    name_of = {name: group[known[name]] for name in known}
    _apply(store, {name: other for name, other in name_of.items() if other != name}, renamed)
    joined = sum(name_of[a] == name_of[b] for a, b in links)
    return SameAs(len(links), joined, len(links) - joined, sum(name != other for name, other in name_of.items()))


def near_components(links: Iterable[tuple[str, str]], shapes: dict[str, list[Any]], within_m: float) -> dict[str, str]:
    """The name of the group of each thing that is linked; it is the first name of the group.

    Two things with geometries are joined by a link if they are at most `within_m` metres apart.  Things without a
    geometry that are linked with each other are one thing, such as an entity that several places refer to: the places
    around it are joined where they are near each other, and it joins them only if they all are in one group.  A group
    has all geometries of its members, and the rule is applied to groups until nothing changes.
    """
    links = list(links)
    groups = _Groups({name for link in links for name in link})
    size = -1
    while size != (size := len(groups)):
        _join_once(groups, links, shapes, within_m)
    return groups.names()


def _join_once(groups: _Groups, links: list[tuple[str, str]], shapes: dict[str, list[Any]], within_m: float) -> None:
    """Apply the rule to the groups as they are."""
    held = {root: [shape for name in names for shape in shapes.get(name, ())] for root, names in groups.members()}
    bare = _Groups(root for root in held if not held[root])
    beside: defaultdict[str, set[str]] = defaultdict(set)
    near: list[tuple[str, str]] = []
    for a, b in {(groups.root(a), groups.root(b)) for a, b in links}:
        if held[a] and held[b]:
            near += [(a, b)] if _near(held[a], held[b], within_m) else []
        elif not held[a] and not held[b]:
            bare.join(a, b)
            near.append((a, b))
        else:
            entity, place = (b, a) if held[a] else (a, b)
            beside[entity].add(place)
    around: defaultdict[str, set[str]] = defaultdict(set)
    for entity, places in beside.items():
        around[bare.root(entity)] |= places
    for places in around.values():
        near += [pair for pair in combinations(sorted(places), 2) if _near(held[pair[0]], held[pair[1]], within_m)]
    for a, b in near:
        groups.join(a, b)
    for entity, places in around.items():
        if len({groups.root(place) for place in places}) == 1:
            groups.join(entity, next(iter(places)))


def _near(first: list[Any], second: list[Any], within_m: float) -> bool:
    return any(shape_distance_m(a, b) <= within_m for a in first for b in second)


def _shapes(store: Any, names: set[str]) -> dict[str, list[Any]]:
    shapes: defaultdict[str, list[Any]] = defaultdict(list)
    geometries = resources.geometries(store)
    for resource, wkt in geometries.select("resource", "wkt").iter_rows():
        if resource in names:
            shapes[resource].append(shape_of(wkt))
    return dict(shapes)


def _apply(store: Any, name_of: dict[str, str], renamed: dict[str, str]) -> None:
    """Record the names that are replaced, and replace them."""
    ox = oxigraph()
    predicate = ox.NamedNode(REPLACED)
    for alias in name_of.keys() & renamed.keys():
        if renamed[alias] != name_of[alias]:  # the name of a group was replaced by an earlier one
            store.remove(ox.Quad(ox.NamedNode(alias), predicate, ox.NamedNode(renamed[alias])))
    fresh = {alias: name for alias, name in name_of.items() if renamed.get(alias) != name}
    store.bulk_extend(ox.Quad(ox.NamedNode(alias), predicate, ox.NamedNode(name)) for alias, name in fresh.items())
    if name_of or renamed:  # new statements may use names that were replaced before
        store.update(_RENAME)


class _Groups:
    """Sets of names that grow together; the root of a set is its first name in the order of code points."""

    def __init__(self, names: Iterable[str]) -> None:
        self._parent = {name: name for name in names}

    def root(self, name: str) -> str:
        while self._parent[name] != name:
            self._parent[name] = self._parent[self._parent[name]]
            name = self._parent[name]
        return name

    def join(self, first: str, second: str) -> None:
        low, high = sorted((self.root(first), self.root(second)))
        self._parent[high] = low

    def names(self) -> dict[str, str]:
        """The root of each name."""
        return {name: self.root(name) for name in self._parent}

    def __len__(self) -> int:
        return sum(name == root for name, root in self._parent.items())

    def members(self) -> list[tuple[str, list[str]]]:
        """Each root with the members of its set."""
        sets: defaultdict[str, list[str]] = defaultdict(list)
        for name, root in self.names().items():
            sets[root].append(name)
        return list(sets.items())
