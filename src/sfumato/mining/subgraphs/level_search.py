"""The search for frequent patterns: by number of edges, so that parts are decided before the whole, or depth first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.graphs.graph import Graph
from sfumato.kernels.subgraphs.extension import rows_alike
from sfumato.mining.subgraphs.constraints import Limits, PatternConstraints
from sfumato.mining.subgraphs.frequency import NO_WITNESSES, Outcome, Verdict
from sfumato.mining.subgraphs.graph_index import Index, KindsByLabel, reversed_look
from sfumato.mining.subgraphs.near_nodes import Metric, near_graph
from sfumato.mining.subgraphs.pattern_extension import Shape, columns
from sfumato.mining.subgraphs.results import Pattern, Subgraphs
from sfumato.mining.subgraphs.search_limits import Clock, Stopped
from sfumato.mining.subgraphs.threads import Threads, available_threads

if TYPE_CHECKING:
    from sfumato.mining.subgraphs.base import SubgraphMining

__all__ = ["Decider", "LevelSearch", "Progress"]

Progress = Callable[[int, int, int], None]
Known = dict[bytes, Sequence[Ints] | None]
"""Frequent patterns by name, with the domains of their nodes, or None where these are not stored."""

_MOST_BYTES = 1 << 28  # of domains stored for push-down; others are computed again
_MOST_PATTERNS = 1 << 18  # a gigabyte, with their domains
_FEWEST_ARCS = 1 << 14  # in smaller graphs, threads cost more than they save
_NO_ROWS = np.empty((0, 4), dtype=np.int32)


class Frequent(NamedTuple):
    """A frequent pattern.

    failed : rows that gave an infrequent one when added to a part of its code.  witnesses : occurrences of it.
    """

    shape: Shape
    failed: Ints
    witnesses: Ints


class Decider(Protocol):
    """Decides whether candidates are frequent on one graph."""

    push_down: bool  # whether it uses the domains of parts
    given_up: bool  # whether it may give up without a verdict
    levels: bool  # whether candidates are decided by number of edges, otherwise depth first
    side_by_side: bool  # whether several threads may ask

    def __call__(self, shape: Shape, known: Sequence[Sequence[Ints]], parents: Ints, /) -> Outcome:
        """The verdict, and what is known of a frequent pattern.

        known : for each node, its domains in parts of the pattern.  parents : occurrences of the pattern without its
        newest edge.
        """


class LevelSearch:
    """One search, level by level or depth first."""

    def __init__(
        self,
        miner: SubgraphMining,
        graph: Graph,
        constraints: PatternConstraints,
        metric: Metric | None,
        progress: Progress | None,
    ) -> None:
        self._miner, self._constraints, self._metric = miner, constraints, metric
        self._graph = graph.without_edge_labels() if miner.ignore_edge_labels else graph
        self._progress = progress
        self._clock = Clock(miner.time_limit)
        self._patterns: list[tuple[Shape, int]] = []
        self._refuted: set[bytes] = set()
        self._bytes_stored = 0
        self._complete_edges, self._finds_all_of_a_level = 0, True
        self._counts = {"candidates": 0, "pruned": 0, "searched": 0, "depth": 0}

    def run(self) -> Subgraphs:
        """All frequent patterns, or those found before a limit stopped the search."""
        stopped = None
        try:
            self._search()
        except Stopped as limit:
            stopped = str(limit)
        by_size = sorted(_kept(self._patterns, self._miner.keep), key=lambda pattern: pattern[0].n_edges)
        patterns = tuple(Pattern.of_shape(shape, self._graph, support) for shape, support in by_size)
        known = stopped is not None and self._miner.keep == "all" and self._finds_all_of_a_level
        complete_edges = self._complete_edges if known else None
        return Subgraphs(patterns, self._miner.support, self._miner.exact, stopped, complete_edges, {**self._counts})

    def _search(self) -> None:
        miner, labels = self._miner, self._constraints.labels(self._graph)
        no_edge_labels = miner.ignore_edge_labels or miner.distance is not None
        forbidden = self._constraints.shapes(self._graph, edge_labels=not no_edge_labels)
        if miner.distance is not None:
            frequent = labels & (np.bincount(self._graph.labels, minlength=len(labels)) >= miner.support)
            holders = np.repeat(np.arange(len(self._graph)), np.diff(self._graph.label_offsets))
            is_end = np.zeros(len(self._graph), dtype=bool)
            is_end[holders[frequent[self._graph.labels]]] = True
            self._graph = near_graph(self._graph, miner.distance, self._metric or miner.metric, is_end, self._clock)
        index = Index.of(self._graph, miner.support, labels, self._constraints.edge_labels(self._graph))
        self._limits = Limits(miner.max_nodes, miner.max_edges, miner.max_degree, miner.max_same_label, forbidden)
        self._decide = miner.decider(index, self._clock)
        large = len(index.keys) >= _FEWEST_ARCS
        with Threads(available_threads() if large and self._decide.side_by_side else 1) as self._threads:
            try:
                self._search_index(index)
            finally:
                self._clock.stop()

    def _search_index(self, index: Index) -> None:
        self._finds_all_of_a_level = self._all_parts_decided
        level, known = self._first_level(index)
        if not self._decide.levels:
            for first in level:
                self._search_depth_first(first, known, index.kinds)
            return
        self._complete_edges = 1
        while level and self._complete_edges != self._miner.max_edges:
            self._bytes_stored = 0
            level, known = self._extended(level, known, index.kinds)
            self._complete_edges += 1

    def _search_depth_first(self, first: Frequent, known: Known, kinds: KindsByLabel) -> None:
        """SUBGRAPHEXTENSION: all frequent patterns that extend one, each before its next sibling; they become known."""
        waiting = [[first]]
        while waiting:
            if not waiting[-1]:
                waiting.pop()
                continue
            children, frequent = self._extended([waiting[-1].pop(0)], known, kinds)
            known |= frequent
            waiting.append(children)

    def _first_level(self, index: Index) -> tuple[list[Frequent], Known]:
        """The frequent patterns with one edge."""
        level, known = [], Known()
        for near, look, far in sorted(index.supports):
            back = reversed_look(look, index.directed)
            if (near, look, far) > (far, back, near):
                continue
            edge = (1, 0, look >> 1) if index.directed and look & 1 else (0, 1, look >> index.directed)
            shape, _ = Shape.of(np.array([near, far], dtype=np.int32), *columns([edge]), index.directed)
            self._count(shape)
            if self._limits.allow(shape) and self._keep(shape, self._decide(shape, [[], []], NO_WITNESSES)[0]):
                level.append(Frequent(shape, _NO_ROWS, NO_WITNESSES))
                known[shape.name] = None
        return level, known

    def _extended(self, level: list[Frequent], known: Known, kinds: KindsByLabel) -> tuple[list[Frequent], Known]:
        """The frequent patterns that extend some patterns by one edge.

        Candidates are decided side by side, each without what is decided on the others: the number of threads cannot
        show.
        """

        def decide(candidate: tuple[int, Shape]) -> Outcome | None:
            number, shape = candidate
            part_domains = self._domains_of_parts(shape, known)
            return None if part_domains is None else self._decide(shape, part_domains, level[number].witnesses)

        children, next_known = [], Known()
        failed = [parent.failed for parent in level]
        for (number, shape), outcome in self._threads.each(decide, self._candidates(level, kinds)):
            verdict, domains, witnesses = outcome or Outcome(Verdict(False))
            self._counts["pruned" if outcome is None else "searched"] += 1
            if self._keep(shape, verdict):
                size = sum({id(nodes): nodes.nbytes for nodes in domains}.values())
                next_known[shape.name] = domains if self._decide.push_down and self._fits(size) else None
                kept = witnesses.copy() if self._fits(witnesses.nbytes) else NO_WITNESSES
                children.append((number, shape, kept))
            elif verdict.frequent is False and self._decide.push_down:
                failed[number] = np.concatenate((failed[number], shape.code[-1:]))
        frequent = [Frequent(shape, rows_alike(failed[n], shape.orbit), kept) for n, shape, kept in children]
        return frequent, next_known

    def _fits(self, size: int) -> bool:
        """Whether so many bytes more can be stored for the next level."""
        if self._bytes_stored + size > _MOST_BYTES:
            return False
        self._bytes_stored += size
        return True

    def _candidates(self, level: list[Frequent], kinds: KindsByLabel) -> Iterator[tuple[int, Shape]]:
        """The patterns that extend some patterns by one edge, each with the number of the pattern that it extends."""
        for number, parent in enumerate(level):
            for shape in parent.shape.extensions(kinds, self._limits.allow, parent.failed):
                self._count(shape)
                yield number, shape

    def _domains_of_parts(self, shape: Shape, known: Known) -> list[list[Ints]] | None:
        """Push-down: the domains of each node in parts of the pattern; None if a part is known to be infrequent."""
        part_domains: list[list[Ints]] = [[] for _ in range(shape.n_nodes)]
        if not self._decide.push_down:
            return part_domains
        for part, nodes in shape.smaller():
            if part in self._refuted or (self._all_parts_decided and part not in known):
                return None
            for node, domain in zip(nodes, known.get(part) or (), strict=False):
                part_domains[int(node)].append(domain)
        return part_domains

    def _keep(self, shape: Shape, verdict: Verdict) -> bool:
        """Store a frequent pattern.  A candidate that was given up (AGraMi) is not stored as infrequent."""
        if verdict.frequent:
            if len(self._patterns) >= _MOST_PATTERNS:
                raise Stopped("memory")
            self._patterns.append((shape, verdict.support))
            return True
        if verdict.frequent is False and not self._all_parts_decided:
            self._refuted.add(shape.name)
        return False

    @property
    def _all_parts_decided(self) -> bool:
        """Whether a part of a candidate is infrequent if it is not known to be frequent."""
        return self._decide.levels and not self._decide.given_up

    def _count(self, shape: Shape) -> None:
        self._clock.check()
        self._counts["candidates"] += 1
        self._counts["depth"] = shape.n_edges
        if self._progress is not None:
            self._progress(len(self._patterns), self._counts["candidates"], shape.n_edges)


def _kept(patterns: list[tuple[Shape, int]], keep: str) -> list[tuple[Shape, int]]:
    """The closed or the maximal ones among the patterns, or all.

    Supports never rise with an edge, so that patterns with one edge more tell.
    """
    if keep == "all":
        return patterns
    supports = {shape.name: support for shape, support in patterns}
    contained = {
        part
        for shape, support in patterns
        for part, _ in shape.smaller()
        if keep == "maximal" or supports.get(part) == support
    }
    return [(shape, support) for shape, support in patterns if shape.name not in contained]
