"""Hierarchies in which a node may have several parents: ancestors, levels and distinct counts.

Classes with their superclasses and places with the larger places around them are not trees: a stadium is a venue and a
sport facility.  A thing that reaches a node along two ways counts once there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from sfumato.errors import DataError
from sfumato.semantics.ontology.names import prefixed

__all__ = ["Hierarchy"]

_CYCLE_NAMES = 8


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Nodes with any number of parents, without cycles.

    Attributes
    ----------
    nodes : tuple of str
        Every node, in order of its name.
    edges : polars.DataFrame
        Columns child and parent, distinct, no node is its own parent.

    Examples
    --------
    >>> stadium = [("stadium", "venue"), ("stadium", "facility"), ("venue", "place"), ("facility", "place")]
    >>> places = Hierarchy.of(stadium)
    >>> sorted(places.ancestors("stadium"))
    ['facility', 'place', 'venue']
    >>> visits = pl.DataFrame({"node": ["stadium", "venue"], "stop": [1, 2]})
    >>> places.roll_up(visits, ["stop"]).rows()
    [('facility', 1), ('place', 2), ('stadium', 1), ('venue', 2)]
    """

    nodes: tuple[str, ...]
    edges: pl.DataFrame

    @classmethod
    def of(
        cls,
        edges: pl.DataFrame | Iterable[tuple[str, str]],
        nodes: Iterable[str] = (),
        *,
        who: str = "Hierarchy",
        relation: str = "under",
    ) -> Hierarchy:
        """The hierarchy of pairs (child, parent) and of nodes without any; a cycle is refused by its names."""
        pairs = _pairs(edges)
        pairs = pairs.filter(pl.col("child") != pl.col("parent")).unique().sort("child", "parent")
        names = sorted({*pairs["child"].to_list(), *pairs["parent"].to_list(), *nodes})
        hierarchy = cls(tuple(names), pairs)
        cycle = _cycle(hierarchy)
        if cycle:
            raise DataError(f"{who}: wanted no cycle, found {_chain(cycle, relation)}")
        return hierarchy

    @cached_property
    def _above(self) -> dict[str, tuple[str, ...]]:
        return _grouped(self.edges, "child", "parent")

    @cached_property
    def _below(self) -> dict[str, tuple[str, ...]]:
        return _grouped(self.edges, "parent", "child")

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.nodes)

    def __contains__(self, node: object) -> bool:
        return node in self._known

    def __len__(self) -> int:
        return len(self.nodes)

    def parents(self, node: str) -> tuple[str, ...]:
        """The nodes directly above a node, in order of their names."""
        return self._above.get(self._require(node), ())

    def children(self, node: str) -> tuple[str, ...]:
        """The nodes directly below a node, in order of their names."""
        return self._below.get(self._require(node), ())

    def ancestors(self, node: str) -> frozenset[str]:
        """Every node above a node, without itself."""
        return _reached(self._require(node), self._above)

    def descendants(self, node: str) -> frozenset[str]:
        """Every node below a node, without itself."""
        return _reached(self._require(node), self._below)

    @property
    def roots(self) -> tuple[str, ...]:
        """The nodes without parents, in order of their names."""
        return tuple(node for node in self.nodes if node not in self._above)

    def under(self, root: str) -> Hierarchy:
        """The part of the hierarchy that consists of a node and everything below it."""
        kept = {root, *self.descendants(root)}
        inside = pl.col("child").is_in(list(kept)) & pl.col("parent").is_in(list(kept))
        return Hierarchy(tuple(node for node in self.nodes if node in kept), self.edges.filter(inside))

    @cached_property
    def closure(self) -> pl.DataFrame:
        """Every pair (node, ancestor), each node also with itself; columns node and ancestor."""
        schema = {"node": pl.String, "ancestor": pl.String}
        itself = pl.DataFrame({"node": self.nodes, "ancestor": self.nodes}, schema=schema)
        parents = self.edges.rename({"child": "ancestor", "parent": "above"})
        frames, step = [itself], self.edges.rename({"child": "node", "parent": "ancestor"})
        while step.height:
            frames.append(step)
            step = step.join(parents, on="ancestor").select("node", ancestor="above").unique()
        return pl.concat(frames).unique().sort("node", "ancestor")

    def levels(self) -> pl.DataFrame:
        """Per node its level: 0 for roots, else one more than the deepest of its parents; columns node and level."""
        level: dict[str, int] = {}
        for node in _parents_first(self):
            level[node] = 1 + max((level[parent] for parent in self._above.get(node, ())), default=-1)
        schema = {"node": pl.String, "level": pl.Int32}
        return pl.DataFrame({"node": self.nodes, "level": [level[node] for node in self.nodes]}, schema=schema)

    def roll_up(self, members: pl.DataFrame, count: list[str]) -> pl.DataFrame:
        """Per node, how many different values each column in `count` has in the rows of the node and of all below it.

        members : frame with a column node and the columns in `count`; rows of unknown nodes are left out.
        Nodes without rows are left out; a missing value is not counted.
        """
        reached = members.select("node", *count).unique().join(self.closure, on="node")
        counts = [pl.col(name).drop_nulls().n_unique().alias(name) for name in count]
        return reached.group_by("ancestor").agg(*counts).rename({"ancestor": "node"}).sort("node")

    def _require(self, node: str) -> str:
        if node not in self._known:
            raise DataError(f"Hierarchy: wanted one of its {len(self.nodes):,} nodes, found {prefixed(node)}")
        return node


def _pairs(edges: pl.DataFrame | Iterable[tuple[str, str]]) -> pl.DataFrame:
    if isinstance(edges, pl.DataFrame):
        return edges.select(pl.col("child").cast(pl.String), pl.col("parent").cast(pl.String)).drop_nulls()
    return pl.DataFrame(list(edges), schema={"child": pl.String, "parent": pl.String}, orient="row")


def _grouped(edges: pl.DataFrame, key: str, value: str) -> dict[str, tuple[str, ...]]:
    rows = edges.group_by(key).agg(pl.col(value).sort()).rows()
    return {name: tuple(names) for name, names in rows}


def _reached(start: str, steps: dict[str, tuple[str, ...]]) -> frozenset[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        for name in steps.get(waiting.pop(), ()):
            if name not in reached:
                reached.add(name)
                waiting.append(name)
    return frozenset(reached)


def _parents_first(hierarchy: Hierarchy) -> list[str]:
    """The nodes so that each comes after its parents; nodes of cycles and below them are missing."""
    above, below = hierarchy._above, hierarchy._below
    missing = {node: len(above.get(node, ())) for node in hierarchy.nodes}
    ready = [node for node in reversed(hierarchy.nodes) if not missing[node]]
    ordered = []
    while ready:
        node = ready.pop()
        ordered.append(node)
        for child in below.get(node, ()):
            missing[child] -= 1
            if not missing[child]:
                ready.append(child)
    return ordered


def _cycle(hierarchy: Hierarchy) -> list[str]:
    """The nodes of a cycle from child to parent, its least name first; empty without a cycle."""
    ordered = set(_parents_first(hierarchy))
    left = [node for node in hierarchy.nodes if node not in ordered]
    if not left:
        return []
    path, place, node = [left[0]], {left[0]: 0}, left[0]
    while True:  # every node that is left has a parent that is left
        node = next(parent for parent in hierarchy._above[node] if parent not in ordered)
        if node in place:
            cycle = path[place[node] :]
            first = cycle.index(min(cycle))
            return cycle[first:] + cycle[:first]
        place[node] = len(path)
        path.append(node)


def _chain(cycle: list[str], relation: str) -> str:
    """A cycle in words; of a long one the first names."""
    shown = [prefixed(name) for name in cycle[:_CYCLE_NAMES]]
    more = [f"{len(cycle) - _CYCLE_NAMES:,} more"] if len(cycle) > _CYCLE_NAMES else []
    return f" {relation} ".join([*shown, *more, shown[0]])
