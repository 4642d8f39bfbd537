"""GraMi: frequent subgraphs of one large graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from sfumato.data.graphs.graph import Graph
from sfumato.errors import ParameterError
from sfumato.mining.subgraphs.base import SubgraphMining
from sfumato.mining.subgraphs.decision import Decision
from sfumato.mining.subgraphs.graph_index import Index
from sfumato.mining.subgraphs.independent_sets import MEASURE_HELP, MEASURES
from sfumato.mining.subgraphs.results import Pattern, Subgraphs
from sfumato.mining.subgraphs.search_limits import Clock
from sfumato.params import param

__all__ = ["DEPARTURES", "OF_THE_PAPER", "FrequentSubgraphs", "Pattern", "Subgraphs", "frequent_subgraphs"]

OF_THE_PAPER = ("push_down", "unique_labels", "automorphisms", "lazy", "decomposition")
"""The switches of the optimizations that the paper describes."""
DEPARTURES = (
    *("levels", "distinct_neighbours", "blocks", "propagation", "backjumping", "failed_nodes", "lookahead"),
    *("rounds", "ordering", "witnesses"),
)
"""The switches of the optimizations beyond the paper."""


@dataclass(frozen=True, kw_only=True)
class FrequentSubgraphs(SubgraphMining):
    """Find the connected patterns of labels that occur often in one large graph.

    The support of a pattern is its minimum-image support: over all its occurrences (injective maps of its nodes that
    keep labels and edges), count the distinct images of each node of the pattern; the support is the smallest of
    these counts.  A node or edge of the graph with several labels matches each of them.

    Notes
    -----
    GraMi [1]_ with its variants: patterns of near nodes (`distance`, the paper's GraMi(delta)), constraints (CGraMi)
    and approximation (`alpha`, AGraMi, which can miss patterns but never reports a wrong one).

    Every optimization can be switched off, and the patterns are the same.  Five are those of Section 3.3 of [1]_:
    `push_down`, `unique_labels`, `automorphisms`, `lazy` and `decomposition`.  Ten are departures from it: candidates
    are decided level by level, so that all parts of a pattern are decided before it (`levels`); arc consistency
    requires *different* images for the neighbours of a node, where [1]_ asks that the node has enough neighbours
    (`distinct_neighbours`); a cycle is searched only in parts that stay connected without any one node, if they have
    enough nodes (`blocks`); consistency is restored after each search (`propagation`); a search that fails jumps back
    to the cause of the conflict (`backjumping`), and a node that fails for no fault of earlier ones is removed from its
    domain (`failed_nodes`); a long search tries only nodes that are as near to the first one as the pattern
    demands, and from which the rest of a path or cycle has room (`lookahead`); postponed searches of all nodes of
    the pattern wait together and get more steps in every round (`rounds`); small domains are searched first, and a
    search continues at the node with most edges to those placed, along the edge with fewest images (`ordering`);
    before any search, the newest edge is added to the occurrences that were found for the smaller pattern
    (`witnesses`).  With all fifteen off, this is the algorithm ISFREQUENTHEURISTIC of [1]_; with
    ``search="solutions"`` also ISFREQUENTCSP. A time-out is counted in steps of the search, not in seconds.

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

    name: ClassVar[str] = "subgraphs"

    measure: str = param("mni", choices=MEASURES, help=MEASURE_HELP)
    alpha: float = param(1.0, above=0, at_most=1, help="approximation: share of each domain to search; 1 is exact")
    beta: int = param(1_000, at_least=0, help="approximation: smallest number of assignments that a search may try")
    search: str = param(
        "images", choices=("images", "solutions"), help="search an image for each node, or enumerate all solutions"
    )
    push_down: bool = param(True, help="optimization: reuse invalid nodes of smaller patterns")
    unique_labels: bool = param(True, help="optimization: skip the search for trees with unique labels")
    automorphisms: bool = param(True, help="optimization: symmetric nodes share one domain")
    lazy: bool = param(True, help="optimization: postpone long searches")
    decomposition: bool = param(
        True, help="optimization: check smaller patterns with the newest edge before long searches"
    )
    levels: bool = param(
        True, help="optimization beyond the paper: decide patterns by number of edges, otherwise depth first"
    )
    distinct_neighbours: bool = param(
        True, help="optimization beyond the paper: arc consistency requires different images for neighbours"
    )
    blocks: bool = param(
        True,
        help="optimization beyond the paper: a cycle is searched only in blocks of the graph with enough nodes for it",
    )
    propagation: bool = param(
        True, help="optimization beyond the paper: restore arc consistency after each search, otherwise by domain"
    )
    backjumping: bool = param(
        True, help="optimization beyond the paper: a failed search goes back to the cause of the conflict"
    )
    failed_nodes: bool = param(
        True,
        help="optimization beyond the paper: remove a node from its domain if it fails for no fault of earlier ones; "
        "only with backjumping",
    )
    lookahead: bool = param(
        True,
        help="optimization beyond the paper: a long search tries only nodes that are as near to the first as the "
        "pattern demands",
    )
    rounds: bool = param(
        True,
        help="optimization beyond the paper: postponed searches get more steps in every round, otherwise each is "
        "resumed to its end before the next domain",
    )
    ordering: bool = param(
        True, help="optimization beyond the paper: search small domains first, along edges with few images"
    )
    witnesses: bool = param(
        True,
        help="optimization beyond the paper: add the newest edge to occurrences of the smaller pattern before a search",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.exact and self.alpha < 1:
            raise ParameterError(f"FrequentSubgraphs: wanted alpha=1 with exact=True, found {self.alpha}")
        if self.measure == "mis" and self.alpha < 1:
            raise ParameterError(f"FrequentSubgraphs: wanted alpha=1 with measure='mis', found {self.alpha}")

    def decider(self, index: Index, clock: Clock) -> Decision:
        return Decision(self, index, clock)


def frequent_subgraphs(graph: Graph, support: int, **options: Any) -> Subgraphs:
    """`FrequentSubgraphs` in one call: parameters of the class and of `mine` together.

    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> frequent_subgraphs(path, 2, max_nodes=3)
    <Subgraphs: 2 with a support of at least 2>
    """
    names = {parameter.name for parameter in FrequentSubgraphs.parameters()}
    declared = {name: value for name, value in options.items() if name in names and not callable(value)}
    arguments = {name: value for name, value in options.items() if name not in declared}
    return FrequentSubgraphs(support=support, **declared).mine(graph, **arguments)
