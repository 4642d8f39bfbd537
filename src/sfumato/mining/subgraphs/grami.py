"""Frequent subgraphs of one large graph (GraMi)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.data.graphs.graph import Graph
from sfumato.errors import ParameterError
from sfumato.mining.subgraphs.base import SubgraphMining
from sfumato.mining.subgraphs.decision import Decision
from sfumato.mining.subgraphs.graph_index import Index
from sfumato.mining.subgraphs.results import Pattern, Subgraphs
from sfumato.mining.subgraphs.search_limits import Clock
from sfumato.params import param

__all__ = ["FrequentSubgraphs", "Pattern", "Subgraphs", "frequent_subgraphs"]


@dataclass(frozen=True, kw_only=True)
class FrequentSubgraphs(SubgraphMining):
    """Find the connected patterns of labels that occur often in one large graph.

    The support of a pattern is its minimum-image support: over all its occurrences (injective maps of its nodes that
    keep labels and edges), each node of the pattern falls on so many different nodes of the graph, and the smallest of
    these numbers counts.  A node or edge of the graph with several labels matches any of them.

    Notes
    -----
    GraMi [1]_ with its variants: patterns of near nodes (`distance`, the paper's GraMi(delta)), constraints (CGraMi)
    and approximation (`alpha`, AGraMi, which loses patterns but never reports a wrong one).  Departures: candidates
    are taken level by level, so that everything a pattern is made of has been decided before it; arc consistency also
    asks that the neighbours of a node can lie at *different* nodes; a search that fails goes back to what is to blame,
    and a node that fails by itself leaves its domain; a search that waits gets more steps in every round.

    References
    ----------
    .. [1] M. Elseidy, E. Abdelhamid, S. Skiadopoulos, P. Kalnis, "GraMi: frequent subgraph and pattern mining in a
       single large graph", PVLDB 7(7), 2014.

    Examples
    --------
    >>> town = Graph.from_edges([(0, 1), (1, 2), (3, 4), (4, 5)], ["bar", "shop", "bar", "bar", "shop", "bar"])
    >>> for pattern in FrequentSubgraphs(support=2, exact=True).mine(town):
    ...     print(pattern)
    <Pattern: bar, shop; 0-1; support 2>
    <Pattern: bar, shop, bar; 0-1, 1-2; support 2>
    """

    measure: str = param(
        "mni", choices=("mni", "mis"), help="mni: smallest number of images of a node; mis: most occurrences apart"
    )
    alpha: float = param(1.0, above=0, at_most=1, help="approximation: the share of each domain to search; 1 is exact")
    beta: int = param(1_000, at_least=0, help="approximation: assignments that every search may try anyway")
    search: str = param(
        "images", choices=("images", "solutions"), help="look for images node by node, or go through all solutions"
    )
    push_down: bool = param(True, help="what is invalid for a part of a pattern is so for the pattern")
    unique_labels: bool = param(True, help="do not search where labels are unique and there is no cycle")
    automorphisms: bool = param(True, help="nodes that a symmetry exchanges share what is known")
    lazy: bool = param(True, help="searches that take long wait")
    decomposition: bool = param(True, help="before searches go on, look at smaller patterns with the newest edge")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.exact and self.alpha < 1:
            raise ParameterError(f"FrequentSubgraphs: exact=True wants alpha=1, got {self.alpha}")
        if self.measure == "mis" and self.alpha < 1:
            raise ParameterError(f"FrequentSubgraphs: measure='mis' wants alpha=1, got {self.alpha}")

    def decider(self, index: Index, clock: Clock) -> Decision:
        return Decision(self, index, clock)


def frequent_subgraphs(graph: Graph, support: int, **asked: Any) -> Subgraphs:
    """`FrequentSubgraphs` in one call: parameters of the class and of `mine` together.

    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> frequent_subgraphs(path, 2, max_nodes=3)
    <Subgraphs: 2 with a support of at least 2>
    """
    names = {parameter.name for parameter in FrequentSubgraphs.parameters()}
    declared = {name: value for name, value in asked.items() if name in names and not callable(value)}
    others = {name: value for name, value in asked.items() if name not in declared}
    return FrequentSubgraphs(support=support, **declared).mine(graph, **others)
