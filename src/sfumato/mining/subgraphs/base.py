"""What every miner of subgraphs is asked: how frequent, of what size, with which labels, for how long."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

from sfumato.data.graphs.graph import Graph
from sfumato.errors import ParameterError
from sfumato.mining.subgraphs.constraints import Wanted
from sfumato.mining.subgraphs.graph_index import Index
from sfumato.mining.subgraphs.level_search import Decider, Levels, Progress
from sfumato.mining.subgraphs.near_nodes import Metric
from sfumato.mining.subgraphs.results import Pattern, Subgraphs
from sfumato.mining.subgraphs.search_limits import Clock
from sfumato.params import Declared, param

__all__ = ["SubgraphMining"]


@dataclass(frozen=True, kw_only=True)
class SubgraphMining(Declared, ABC):
    """Find the connected patterns of labels that occur often in one large graph."""

    support: int = param(at_least=1, help="smallest support of a pattern")
    exact: bool = param(False, help="count the support of every pattern found; otherwise only that it is reached")
    ignore_edge_labels: bool = param(False, help="treat all edges alike")
    distance: float | None = param(None, above=0, help="an edge of a pattern stands for nodes within this distance")
    metric: str = param("hops", choices=("hops", "weights"), help="how a distance is measured along a path")
    max_nodes: int | None = param(None, at_least=2, help="most nodes of a pattern")
    max_edges: int | None = param(None, at_least=1, help="most edges of a pattern")
    max_degree: int | None = param(None, at_least=1, help="most edges at a node of a pattern")
    max_same_label: int | None = param(None, at_least=1, help="most nodes of a pattern with the same label")
    time_limit: float | None = param(None, above=0, help="seconds after which what was found is returned")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.metric != "hops" and self.distance is None:
            raise ParameterError(f"{type(self).__name__}: metric={self.metric!r} wants a distance, got none")

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

        metric : a distance of your own: called with the graph and a node (its place in `graph.nodes`), it gives the
            distance to every node.  only_labels, without_labels, only_edges, without_edges : labels of nodes and of
            edges that a pattern may have, or not.  without_subgraphs : patterns that none may hold.
            progress : called with the number of patterns, of candidates, and the edges of the latest.
        """
        who = type(self).__name__
        wanted = Wanted.of(only_labels, without_labels, only_edges, without_edges, without_subgraphs)
        if metric is not None and self.distance is None:
            raise ParameterError(f"{who}: a metric wants a distance, got none")
        if self.distance is not None and wanted.about_edges:
            raise ParameterError(
                f"{who}: with a distance, edges of a pattern have no labels; leave out constraints on them"
            )
        if not isinstance(graph, Graph):
            raise ParameterError(f"{who}: wanted a Graph, got {type(graph).__name__}")
        return Levels(self, graph, wanted, metric, progress).found()

    @abstractmethod
    def decider(self, index: Index, clock: Clock) -> Decider:
        """What decides whether a candidate is frequent."""
