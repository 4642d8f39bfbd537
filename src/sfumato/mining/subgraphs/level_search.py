"""The search for frequent patterns, by number of edges: every candidate once, its parts decided before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.graphs.graph import Graph
from sfumato.mining.subgraphs.constraints import Limits, Wanted
from sfumato.mining.subgraphs.frequency import Verdict
from sfumato.mining.subgraphs.graph_index import Index, turned
from sfumato.mining.subgraphs.near_nodes import Metric, near_graph
from sfumato.mining.subgraphs.pattern_extension import Shape, columns
from sfumato.mining.subgraphs.results import Pattern, Subgraphs
from sfumato.mining.subgraphs.search_limits import Clock, Stopped

if TYPE_CHECKING:
    from sfumato.mining.subgraphs.base import SubgraphMining

__all__ = ["Decider", "Levels", "Progress"]

Progress = Callable[[int, int, int], None]
Known = dict[bytes, list[Ints] | None]
"""Frequent patterns with so many edges, by name, and outside of which nodes each of theirs cannot lie."""

_MOST_BYTES = 1 << 28  # of domains kept for push-down; what does not fit is found again
_MOST_PATTERNS = 1 << 18  # a gigabyte, with what is known of them


class Decider(Protocol):
    """Decides candidates on one graph."""

    push_down: bool  # whether what is known of parts is of use
    given_up: bool  # whether a verdict may be open

    def __call__(self, shape: Shape, known: Sequence[Sequence[Ints]], /) -> tuple[Verdict, list[Ints]]:
        """The verdict, and outside of which nodes each node of a frequent pattern cannot lie.

        known : for each node, lists of such nodes from parts of the pattern.
        """


class Levels:
    """One search."""

    def __init__(
        self, asked: SubgraphMining, graph: Graph, wanted: Wanted, metric: Metric | None, progress: Progress | None
    ) -> None:
        self._asked, self._wanted, self._metric = asked, wanted, metric
        self._graph = graph.without_edge_labels() if asked.ignore_edge_labels else graph
        self._progress = progress
        self._clock = Clock(asked.time_limit)
        self._found: list[tuple[Shape, int]] = []
        self._refuted: set[bytes] = set()
        self._counts = {"candidates": 0, "pruned": 0, "searched": 0, "depth": 0}

    def found(self) -> Subgraphs:
        """Everything that is frequent, or what was found before a limit."""
        stopped = None
        try:
            self._search()
        except Stopped as limit:
            stopped = str(limit)
        patterns = tuple(Pattern.of_shape(shape, self._graph, support) for shape, support in self._found)
        return Subgraphs(patterns, self._asked.support, self._asked.exact, stopped, {**self._counts})

    def _search(self) -> None:
        asked, labels = self._asked, self._wanted.labels(self._graph)
        alike = asked.ignore_edge_labels or asked.distance is not None
        unwanted = self._wanted.shapes(self._graph, edge_labels=not alike)
        if asked.distance is not None:
            frequent = labels & (np.bincount(self._graph.labels, minlength=len(labels)) >= asked.support)
            holders = np.repeat(np.arange(len(self._graph)), np.diff(self._graph.label_offsets))
            ends = np.zeros(len(self._graph), dtype=bool)
            ends[holders[frequent[self._graph.labels]]] = True
            self._graph = near_graph(self._graph, asked.distance, self._metric or asked.metric, ends, self._clock)
        index = Index.of(self._graph, asked.support, labels, self._wanted.edge_labels(self._graph))
        self._limits = Limits(asked.max_nodes, asked.max_edges, asked.max_degree, asked.max_same_label, unwanted)
        self._decide = asked.decider(index, self._clock)
        level, known = self._edges(index)
        kinds: dict[int, list[tuple[int, int]]] = {}
        for near, look, far in sorted(index.supports):
            kinds.setdefault(near, []).append((look, far))
        edges = 1
        while level and edges != asked.max_edges:
            level, known = self._next(level, known, kinds)
            edges += 1

    def _edges(self, index: Index) -> tuple[list[Shape], Known]:
        """The frequent edges, each from one of its ends."""
        level, known = [], Known()
        for near, look, far in sorted(index.supports):
            back = turned(look, index.directed)
            if (near, look, far) > (far, back, near):
                continue
            edge = (1, 0, look >> 1) if index.directed and look & 1 else (0, 1, look >> index.directed)
            shape, _ = Shape.of(np.array([near, far], dtype=np.int32), *columns([edge]), index.directed)
            self._count(shape)
            if self._limits.allow(shape) and self._keep(shape, self._decide(shape, [[], []])[0]):
                level.append(shape)
                known[shape.name] = None
        return level, known

    def _next(
        self, level: list[Shape], known: Known, kinds: dict[int, list[tuple[int, int]]]
    ) -> tuple[list[Shape], Known]:
        """The frequent patterns with one edge more."""
        grown, known_now, used = [], Known(), 0
        for parent in level:
            for shape in parent.extensions(kinds, self._limits.allow):
                self._count(shape)
                outside = self._from_parts(shape, known)
                if outside is None:
                    self._counts["pruned"] += 1
                    continue
                self._counts["searched"] += 1
                verdict, domains = self._decide(shape, outside)
                if self._keep(shape, verdict):
                    grown.append(shape)
                    size = sum({id(nodes): nodes.nbytes for nodes in domains}.values())
                    fits = self._decide.push_down and used + size <= _MOST_BYTES
                    known_now[shape.name] = domains if fits else None
                    used += size if fits else 0
        return grown, known_now

    def _from_parts(self, shape: Shape, known: Known) -> list[list[Ints]] | None:
        """Push-down: lists outside of which each node cannot lie; nothing where a part is known not to be frequent."""
        outside: list[list[Ints]] = [[] for _ in range(shape.n_nodes)]
        if not self._decide.push_down:
            return outside
        for part, nodes in shape.smaller():
            if part.name in self._refuted or (not self._decide.given_up and part.name not in known):
                return None
            for node, domain in zip(nodes, known.get(part.name) or (), strict=False):
                outside[int(node)].append(domain)
        return outside

    def _keep(self, shape: Shape, verdict: Verdict) -> bool:
        """Keep what is frequent.  What was given up (AGraMi) is forgotten: nothing is known of it."""
        if verdict.frequent:
            if len(self._found) >= _MOST_PATTERNS:
                raise Stopped("memory")
            self._found.append((shape, verdict.support))
            return True
        if verdict.frequent is False and self._decide.given_up:
            self._refuted.add(shape.name)
        return False

    def _count(self, shape: Shape) -> None:
        self._clock.check()
        self._counts["candidates"] += 1
        self._counts["depth"] = shape.n_edges
        if self._progress is not None:
            self._progress(len(self._found), self._counts["candidates"], shape.n_edges)
