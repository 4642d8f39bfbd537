"""Frequent subgraphs of a small graph, literally: all connected sets of edges, all injective maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

import numpy as np

from sfumato.data import Graph

Edge = tuple[int, int, str]
Form = tuple[tuple[str, ...], tuple[Edge, ...]]
"""The labels of the nodes of a pattern and its edges, numbered so that both are the smallest possible."""


@dataclass(frozen=True)
class Plain:
    """A graph as sets: the labels of each node, and edges (from, to, label), undirected ones both ways."""

    labels: tuple[frozenset[str], ...]
    edges: frozenset[Edge]
    directed: bool

    @classmethod
    def of(cls, graph: Graph) -> Plain:
        names, edge_names = graph.label_names, graph.edge_label_names
        bounds = graph.label_offsets
        labels = [frozenset(names[code] for code in graph.labels[bounds[n] : bounds[n + 1]]) for n in range(len(graph))]
        arcs = graph.out
        edges = {
            (node, int(arcs.neighbours[at]), edge_names[arcs.labels[at]])
            for node in range(len(graph))
            for at in range(arcs.offsets[node], arcs.offsets[node + 1])
        }
        return cls(tuple(labels), frozenset(edges), graph.directed)

    def within(self, distance: float, lengths: dict[tuple[int, int], float] | None = None) -> Plain:
        """The graph of GraMi(delta): an unlabelled edge wherever one node reaches another within the distance.

        lengths : of the edges by their ends; 1 without them.
        """
        n = len(self.labels)
        far = np.full((n, n), np.inf)
        for start, end, _ in self.edges:
            far[start, end] = min(far[start, end], 1 if lengths is None else lengths[start, end])
        for middle in range(n):  # Floyd and Warshall
            far = np.minimum(far, far[:, middle, None] + far[None, middle, :])
        near = {(a, b, "") for a in range(n) for b in range(n) if a != b and far[a, b] <= distance + 1e-12}
        return Plain(self.labels, frozenset(near), self.directed)


def form(labels: Sequence[str], edges: Sequence[Edge], directed: bool) -> Form:
    """The same pattern, numbered the smallest way: equal for equal patterns only."""
    numberings = []
    for new in permutations(range(len(labels))):
        ordered = tuple(labels[new.index(at)] for at in range(len(labels)))
        numberings.append((ordered, tuple(sorted(_turned(new[i], new[j], name, directed) for i, j, name in edges))))
    return min(numberings)


def _turned(start: int, end: int, name: str, directed: bool) -> Edge:
    return (start, end, name) if directed or start < end else (end, start, name)


def maps(graph: Plain, labels: Sequence[str], edges: Sequence[Edge]) -> Iterator[tuple[int, ...]]:
    """Definition 1: every injective map that keeps the labels and the edges."""

    def extend(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        at = len(chosen)
        if at == len(labels):
            yield chosen
            return
        for node, carried in enumerate(graph.labels):
            if node in chosen or labels[at] not in carried:
                continue
            image = (*chosen, node)
            if all((image[i], image[j], name) in graph.edges for i, j, name in edges if max(i, j) == at):
                yield from extend(image)

    return extend(())


def mni(graph: Graph | Plain, labels: Sequence[str], edges: Sequence[Edge]) -> int:
    """Definition 2: the fewest distinct images that a node of the pattern has."""
    plain = Plain.of(graph) if isinstance(graph, Graph) else graph
    found = list(maps(plain, labels, edges))
    return min(len({image[at] for image in found}) for at in range(len(labels)))


def mis(graph: Graph | Plain, labels: Sequence[str], edges: Sequence[Edge]) -> int:
    """The most images of the pattern of which no two share a node."""
    plain = Plain.of(graph) if isinstance(graph, Graph) else graph
    sets = sorted({frozenset(image) for image in maps(plain, labels, edges)}, key=sorted)

    def most(left: list[frozenset[int]]) -> int:
        if not left:
            return 0
        first, rest = left[0], left[1:]
        return max(1 + most([other for other in rest if not other & first]), most(rest))

    return most(sets)


def all_patterns(graph: Graph | Plain, max_edges: int) -> set[Form]:
    """Every connected pattern of at most so many edges that occurs at all."""
    plain = Plain.of(graph) if isinstance(graph, Graph) else graph
    once = sorted(edge for edge in plain.edges if plain.directed or edge[0] < edge[1])
    found = set()
    for size in range(1, max_edges + 1):
        for chosen in combinations(once, size):
            nodes = sorted({end for edge in chosen for end in edge[:2]})
            if _connected(nodes, chosen):
                numbered = [(nodes.index(i), nodes.index(j), name) for i, j, name in chosen]
                for labels in product(*(sorted(plain.labels[node]) for node in nodes)):
                    found.add(form(labels, numbered, plain.directed))
    return found


def _connected(nodes: Sequence[int], edges: Sequence[Edge]) -> bool:
    reached = {nodes[0]}
    while more := {j if i in reached else i for i, j, _ in edges if (i in reached) != (j in reached)}:
        reached |= more
    return len(reached) == len(nodes)


def all_frequent(
    graph: Graph | Plain, support: int, max_edges: int, measure: Callable[..., int] = mni
) -> dict[Form, int]:
    """Every pattern of at most so many edges with at least that support, and its support."""
    plain = Plain.of(graph) if isinstance(graph, Graph) else graph
    counted = {pattern: measure(plain, *pattern) for pattern in all_patterns(plain, max_edges)}
    return {pattern: count for pattern, count in counted.items() if count >= support}


def max_degree(pattern: Form) -> int:
    """The most edges at one node."""
    ends = [end for edge in pattern[1] for end in edge[:2]]
    return max(ends.count(node) for node in range(len(pattern[0])))


def max_same_label(pattern: Form) -> int:
    """How often the commonest label occurs."""
    return max(pattern[0].count(label) for label in pattern[0])


def holds(pattern: Form, part: Form, directed: bool) -> bool:
    """Whether one pattern contains another."""
    ways = set(pattern[1]) | (set() if directed else {(j, i, name) for i, j, name in pattern[1]})
    whole = Plain(tuple(frozenset([label]) for label in pattern[0]), frozenset(ways), directed)
    return any(True for _ in maps(whole, *part))


def random_graph(
    rng: np.random.Generator,
    *,
    directed: bool = False,
    n_labels: int = 2,
    n_edge_labels: int = 1,
    several: bool = False,
    max_nodes: int = 7,
    max_edges: int = 9,
) -> Graph:
    """A small graph; 0 labels for none.

    several : some nodes with two labels or none, and edges with several labels.
    """
    n = int(rng.integers(2, max_nodes + 1))
    pairs = [(a, b) for a in range(n) for b in range(n) if (a != b if directed else a < b)]
    chosen = rng.permutation(len(pairs))[: int(rng.integers(1, max_edges + 1))]
    edges = []
    for at in chosen:
        codes = rng.integers(max(1, n_edge_labels), size=1 + int(several and rng.random() < 0.3))
        edges += [(*pairs[at], f"e{code}" if n_edge_labels else "") for code in codes]
    if not n_labels:
        return Graph.from_edges(edges, dict.fromkeys(range(n), ""), directed=directed)
    counts = [int(rng.integers(0, 3)) if several else 1 for _ in range(n)]
    labels = {node: [f"l{code}" for code in rng.integers(n_labels, size=count)] for node, count in enumerate(counts)}
    return Graph.from_edges(edges, labels, directed=directed)


KINDS = [
    {"directed": directed, "n_labels": n_labels, "n_edge_labels": n_edge_labels, "several": several}
    for directed in (False, True)
    for n_labels, n_edge_labels, several in ((0, 0, False), (2, 0, False), (3, 2, False), (2, 2, True))
]
"""Directed and not, without labels, with labels on nodes, on nodes and edges, with several on each."""


def random_graphs(count: int, seed: int = 0) -> list[Graph]:
    """So many graphs of every kind."""
    rng = np.random.default_rng(seed)
    return [random_graph(rng, **kind) for kind in KINDS for _ in range(count)]
