"""The base class of miners of subgraphs: support, sizes, labels and limits of the search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from sfumato.data.graphs.graph import Graph
from sfumato.errors import ParameterError
from sfumato.mining.subgraphs.constraints import PatternConstraints
from sfumato.mining.subgraphs.graph_index import Index
from sfumato.mining.subgraphs.level_search import Decider, LevelSearch, Progress
from sfumato.mining.subgraphs.near_nodes import Metric
from sfumato.mining.subgraphs.results import Pattern, Subgraphs
from sfumato.mining.subgraphs.search_limits import Clock
from sfumato.params import Declared, param

__all__ = ["SubgraphMining"]


@dataclass(frozen=True, kw_only=True)
class SubgraphMining(Declared, ABC):
    """Find the connected patterns of labels that occur often in one large graph."""

    name: ClassVar[str]
    kind: ClassVar[str] = "graph"  # the kind of data it reads

    support: int = param(at_least=1, help="smallest support of a pattern")
    exact: bool = param(
        False, help="compute the exact support of every pattern; otherwise only that it reaches the smallest support"
    )
    keep: str = param(
        "all",
        choices=("all", "closed", "maximal"),
        help="closed: only patterns that no larger result with the same support contains (with exact); maximal: only "
        "patterns that no larger result contains",
    )
    ignore_edge_labels: bool = param(False, help="treat all edges as if they had the same label")
    distance: float | None = param(None, above=0, help="largest distance between the two nodes of an edge of a pattern")
    metric: str = param(
        "hops", choices=("hops", "weights"), help="unit of distance along a path: edges or the sum of weights"
    )
    max_nodes: int | None = param(None, at_least=2, help="largest number of nodes in a pattern")
    max_edges: int | None = param(None, at_least=1, help="largest number of edges in a pattern")
    max_degree: int | None = param(None, at_least=1, help="largest number of edges at a node of a pattern")
    max_same_label: int | None = param(
        None, at_least=1, help="largest number of nodes of a pattern with the same label"
    )
    time_limit: float | None = param(
        None, above=0, help="seconds after which the search stops and returns the patterns found so far"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.keep == "closed" and not self.exact:
            raise ParameterError(f"{type(self).__name__}: wanted exact=True with keep='closed', found exact=False")
        if self.metric != "hops" and self.distance is None:
            raise ParameterError(f"{type(self).__name__}: wanted a distance for metric={self.metric!r}, found none")

    def mine(
        self,
        graph: Graph,
        *,
        metric: Metric | None = None,
        only_labels: Iterable[str] | None = None,
        without_labels: Iterable[str] = (),
        only_edges: Iterable[str] | None = None,
        without_edges: Iterable[str] = (),
        without_subgraphs: Iterable[Pattern] = (),
        progress: Progress | None = None,
    ) -> Subgraphs:
        """The frequent patterns of a graph, with at least one edge.

        metric : a function of the graph and a node (its position in `graph.nodes`) that returns the distance to every
            node.  only_labels, without_labels, only_edges, without_edges : labels of nodes and of edges that a pattern
            may have, or must not have.  without_subgraphs : patterns that no result may contain.
            progress : called with the number of patterns, of candidates, and of edges of the latest candidate.
        """
        owner = type(self).__name__
        constraints = PatternConstraints.of(only_labels, without_labels, only_edges, without_edges, without_subgraphs)
        if metric is not None and self.distance is None:
            raise ParameterError(f"{owner}: wanted a distance for the metric, found none")
        if self.distance is not None and constraints.about_edges:
            raise ParameterError(
                f"{owner}: wanted no constraints on labels of edges together with a distance, found some; leave "
                "them out"
            )
        if not isinstance(graph, Graph):
            raise ParameterError(f"{owner}: wanted a Graph, found {type(graph).__name__}")
        return LevelSearch(self, graph, constraints, metric, progress).run()

    @abstractmethod
    def decider(self, index: Index, clock: Clock) -> Decider:
        """The function that decides whether a candidate is frequent."""
