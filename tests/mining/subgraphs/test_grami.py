"""Frequent subgraphs: by hand, beside the definition on hundreds of graphs; switches, variants, limits, refusals."""

from __future__ import annotations

import threading
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from sfumato.data.graphs.graph import Graph
from sfumato.errors import DataError, ParameterError
from sfumato.mining import FrequentSubgraphs, Pattern, Subgraphs, frequent_subgraphs
from sfumato.mining.subgraphs import constraint_problem as subgraph_csp
from sfumato.mining.subgraphs import frequency as subgraph_frequency
from sfumato.mining.subgraphs import independent_sets as subgraph_independent
from sfumato.mining.subgraphs import level_search as subgraph_levels
from sfumato.mining.subgraphs import near_nodes as subgraph_distance
from sfumato.mining.subgraphs.baselines import CountIsomorphisms, GrowStore
from sfumato.mining.subgraphs.grami import DEPARTURES, OF_THE_PAPER
from sfumato.threads import use_threads
from twins.subgraphs import Plain, all_frequent, form, holds, maps, max_degree, max_same_label, mis, random_graphs

SWITCHES = OF_THE_PAPER + DEPARTURES
ABLATIONS = [
    {},
    *({switch: False} for switch in SWITCHES),
    dict.fromkeys(OF_THE_PAPER, False),
    dict.fromkeys(DEPARTURES, False),
    dict.fromkeys(SWITCHES, False),
]
SOLUTIONS = [
    {"search": "solutions"},
    {"search": "solutions", "push_down": False, "automorphisms": False},
    {"search": "solutions", **dict.fromkeys(SWITCHES, False)},
]
LARGEST = 4


def forms(found: Subgraphs) -> dict:
    """The patterns as the twin writes them; each must have been found once."""
    assert found.complete
    written = {form(p.labels, p.edges, p.directed): p.support for p in found}
    assert len(written) == len(found)
    return written


@cache
def graphs() -> list[Graph]:
    return random_graphs(26, seed=11)  # of each of eight kinds


@cache
def expected(number: int, support: int) -> dict:
    return all_frequent(graphs()[number], support, LARGEST)


@pytest.fixture
def impatient(monkeypatch) -> None:
    """Searches wait after a few steps, so that small graphs see what large ones do."""
    monkeypatch.setattr(subgraph_frequency, "_PATIENCE", 2)
    monkeypatch.setattr(subgraph_frequency, "_GROWTH", 2)


def support_of(number: int) -> int:
    return 1 + number % 3


def combination(number: int) -> dict:
    """A random combination of all switches."""
    rng = np.random.default_rng(number)
    switches = {switch: bool(on) for switch, on in zip(SWITCHES, rng.integers(2, size=len(SWITCHES)), strict=True)}
    return {"search": "solutions" if number % 8 == 0 else "images", **switches}


def test_every_boolean_parameter_is_a_switch() -> None:
    booleans = {parameter.name for parameter in FrequentSubgraphs.parameters() if parameter.default is True}
    assert booleans == set(SWITCHES)


def test_by_hand() -> None:
    town = Graph.from_edges([(0, 1), (1, 2), (3, 4)], ["bar", "shop", "bar", "bar", "shop"])
    found = FrequentSubgraphs(support=2, exact=True).mine(town)
    assert found.patterns == (Pattern(("bar", "shop"), ((0, 1, ""),), 2),)
    found = FrequentSubgraphs(support=1, exact=True).mine(town)
    assert found.patterns[1] == Pattern(("bar", "shop", "bar"), ((0, 1, ""), (1, 2, "")), 1)
    assert (len(found), found.complete, found.stopped, found.exact, found.threshold) == (2, True, None, True, 1)


def test_the_example_of_the_paper() -> None:
    """Fig. 1 as far as the text tells it: S_1 has the isomorphisms u1-u3-u4, u5-u4-u3 and u6-u8-u9."""
    labels = {"u1": "DB", "u5": "DB", "u6": "DB", "u3": "IR", "u4": "IR", "u8": "IR", "u9": "IR"}
    edges = [("u1", "u3", 4), ("u3", "u4", 10), ("u5", "u4", 4), ("u6", "u8", 4), ("u8", "u9", 10)]
    graph = Graph.from_edges(edges, labels)
    path = form(("DB", "IR", "IR"), ((0, 1, "4"), (1, 2, "10")), directed=False)
    assert forms(frequent_subgraphs(graph, 3, exact=True))[path] == 3
    assert path not in forms(frequent_subgraphs(graph, 4))
    assert forms(frequent_subgraphs(graph, 2, exact=True, measure="mis"))[path] == 2


def test_a_homomorphism_is_not_enough() -> None:
    """Proposition 3's remark: A, B, C, A, B, C in a ring holds no triangle, though domains stay as large as 2."""
    ring = Graph.from_edges([(i, (i + 1) % 6) for i in range(6)], list("ABCABC"))
    assert all(pattern.n_edges < 3 or pattern.n_nodes > 3 for pattern in frequent_subgraphs(ring, 2))


def test_two_directions_between_two_nodes_are_a_cycle() -> None:
    """Unique labels do not decide A<->B: here each has both neighbours, but none both ways."""
    edges = [("a1", "b1"), ("b1", "a2"), ("a2", "b2"), ("b2", "a1")]
    graph = Graph.from_edges(edges, {"a1": "A", "a2": "A", "b1": "B", "b2": "B"}, directed=True)
    assert form(("A", "B"), ((0, 1, ""), (1, 0, "")), directed=True) not in forms(frequent_subgraphs(graph, 1))


@pytest.mark.parametrize("number", range(208))
@pytest.mark.usefixtures("impatient")
def test_the_definition_finds_the_same(number: int) -> None:
    support = support_of(number)
    asked = FrequentSubgraphs(support=support, exact=True, max_edges=LARGEST, **combination(number))
    assert forms(asked.mine(graphs()[number])) == expected(number, support)


@pytest.mark.parametrize("number", range(3, 208, 19))
@pytest.mark.usefixtures("impatient")
def test_every_switch_finds_the_same(number: int) -> None:
    support = support_of(number)
    for ablation in ABLATIONS + SOLUTIONS:
        found = frequent_subgraphs(graphs()[number], support, max_edges=LARGEST, **ablation)
        assert forms(found).keys() == expected(number, support).keys()
        assert {pattern.support for pattern in found} <= {support}


@pytest.mark.parametrize("miner", [GrowStore, CountIsomorphisms])
def test_the_baselines_find_the_same(miner) -> None:
    for number in range(1, 208, 8):
        support = support_of(number)
        found = miner(support=support, exact=True, max_edges=LARGEST).mine(graphs()[number])
        assert forms(found) == expected(number, support)


def crowd(seed: int, directed: bool = False) -> Graph:
    """A graph with hubs, too large for the twin: many equal labels, many searches that fail late."""
    rng = np.random.default_rng(seed)
    edges = 130 if directed else 75
    weights = rng.random(50) ** 3
    ends = zip(rng.choice(50, edges, p=weights / weights.sum()), rng.integers(50, size=edges), strict=True)
    labels = [str(label) for label in rng.integers(2, size=50)]
    return Graph.from_edges([(int(a), int(b)) for a, b in ends], labels, directed=directed)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.usefixtures("impatient")
def test_larger_graphs_and_every_switch(directed: bool) -> None:
    largest = 4 if directed else 5
    for seed in range(2):
        graph = crowd(seed, directed)
        everything = CountIsomorphisms(support=9, exact=True, max_edges=largest).mine(graph)
        wanted = {(p.labels, p.edges): p.support for p in everything}
        assert max(p.n_edges for p in everything) >= 3
        for ablation in [*ABLATIONS, combination(seed + 1)]:
            found = frequent_subgraphs(graph, 9, exact=True, max_edges=largest, **ablation)
            assert {(p.labels, p.edges): p.support for p in found} == wanted
            assert [(p.labels, p.edges) for p in found] == list(wanted)


@pytest.mark.parametrize("number", range(0, 208, 13))
def test_closed_and_maximal_patterns_by_definition(number: int) -> None:
    """Beside the definition: a pattern lies in a larger one if this one, read as a graph, has it."""
    graph = graphs()[number]
    everything = frequent_subgraphs(graph, 2, exact=True, max_edges=3)

    def larger(pattern: Pattern) -> list[Pattern]:
        return [other for other in everything if other.n_edges > pattern.n_edges and lies_in(pattern, other, graph)]

    closed = [p for p in everything if all(other.support < p.support for other in larger(p))]
    assert list(frequent_subgraphs(graph, 2, exact=True, max_edges=3, keep="closed")) == closed
    maximal = [p for p in everything if not larger(p)]
    assert list(frequent_subgraphs(graph, 2, exact=True, max_edges=3, keep="maximal")) == maximal


def lies_in(part: Pattern, whole: Pattern, graph: Graph) -> bool:
    turned = () if graph.directed else tuple((b, a, label) for a, b, label in whole.edges)
    plain = Plain(tuple(frozenset([label]) for label in whole.labels), frozenset(whole.edges + turned), graph.directed)
    return any(True for _ in maps(plain, part.labels, part.edges))


@pytest.mark.parametrize("switch", SWITCHES)
@pytest.mark.usefixtures("impatient")
def test_every_switch_changes_the_work(switch: str, monkeypatch) -> None:
    """Recorded are the searches in their order, the steps of each, and the candidates in the order of their sizes."""

    def work(**switches: bool) -> list:
        done: list = []

        def recorded(*arguments):
            outcome = kernel(*arguments)
            done.append(
                (arguments[8].tolist(), arguments[9].steps, arguments[10].tolist(), arguments[4].sizes.tolist())
            )
            return outcome

        monkeypatch.setattr(subgraph_frequency, "sweep", recorded)
        miner = FrequentSubgraphs(support=4, max_edges=5, **switches)
        miner.mine(graph, progress=lambda _patterns, _candidates, edges: done.append(edges))
        return done

    rng = np.random.default_rng(5)
    edges = [(int(a), int(b)) for a, b in rng.integers(30, size=(55, 2))]
    graph = Graph.from_edges(edges, [str(label) for label in rng.integers(3, size=30)])
    if switch == "blocks":  # a chain of triangles, which to arc consistency has cycles of any length
        triangles = [(t + a, t + b) for t in range(0, 30, 3) for a, b in ((0, 1), (1, 2), (2, 0), (2, 3))]
        graph = Graph.from_edges(triangles[:-1])

    kernel = subgraph_frequency.sweep
    others = {"push_down": False} if switch == "failed_nodes" else {}  # push-down has removed most of these nodes
    everything = work(**others)
    assert everything == work(**others)
    assert everything != work(**others, **{switch: False})


def test_independent_occurrences() -> None:
    for number in range(2, 208, 7):
        found = forms(frequent_subgraphs(graphs()[number], 2, exact=True, measure="mis", max_edges=3))
        assert found == all_frequent(graphs()[number], 2, 3, mis)
        assert found == forms(GrowStore(support=2, exact=True, measure="mis", max_edges=3).mine(graphs()[number]))
        assert found.keys() == forms(GrowStore(support=2, measure="mis", max_edges=3).mine(graphs()[number])).keys()
        assert found.keys() == forms(frequent_subgraphs(graphs()[number], 2, measure="mis", max_edges=3)).keys()
        assert found.keys() <= expected(number, 2).keys()


def test_the_greedy_choice_is_not_the_largest() -> None:
    """Paths of three nodes in a path of nine: three apart, whatever a greedy choice would begin with."""
    path = Graph.from_edges(list(pairwise(range(9))))
    found = forms(frequent_subgraphs(path, 1, exact=True, measure="mis", max_edges=2))
    assert found[form(("", "", ""), ((0, 1, ""), (1, 2, "")), directed=False)] == 3


@pytest.mark.parametrize("delta", [1, 2, 3])
def test_near_nodes_by_hops(delta: int) -> None:
    for number in range(4, 208, 13):
        near = Plain.of(graphs()[number]).within(delta)
        found = frequent_subgraphs(graphs()[number], 2, exact=True, distance=delta, max_edges=2)
        assert forms(found) == all_frequent(near, 2, 2)


def test_near_nodes_by_weights_and_by_a_metric_of_ones_own() -> None:
    rng = np.random.default_rng(3)
    for number in range(5, 208, 17):
        graph = graphs()[number].without_edge_labels()
        start, end, _, _ = graph.edges()
        drawn = {(int(a), int(b)): float(rng.integers(1, 5)) / 4 for a, b in zip(start, end, strict=True)}
        lengths = drawn | ({} if graph.directed else {(b, a): length for (a, b), length in drawn.items()})
        starts = np.repeat(np.arange(len(graph)), graph.degrees)
        weights = [lengths[int(a), int(b)] for a, b in zip(starts, graph.out.neighbours, strict=True)]
        weighted = graph.with_weights(np.array(weights))
        wanted = all_frequent(Plain.of(graph).within(1.25, lengths), 2, 2)
        found = frequent_subgraphs(weighted, 2, exact=True, distance=1.25, metric="weights", max_edges=2)
        assert forms(found) == wanted

        def far(graph, node, lengths=lengths):
            distances = np.full(len(graph), np.inf)
            distances[node] = 0
            for _ in range(len(graph)):
                for (a, b), length in lengths.items():
                    distances[b] = min(distances[b], distances[a] + length)
            return distances

        assert forms(frequent_subgraphs(graph, 2, exact=True, distance=1.25, metric=far, max_edges=2)) == wanted


def test_paths_lead_through_nodes_without_a_frequent_label() -> None:
    graph = Graph.from_edges([(0, 1), (1, 2), (3, 4), (4, 5)], ["a", "x", "a", "a", "y", "a"])
    found = frequent_subgraphs(graph, 4, exact=True, distance=2)
    assert found.patterns == (Pattern(("a", "a"), ((0, 1, ""),), 4),)


@pytest.mark.parametrize("number", range(6, 208, 12))
def test_a_constraint_is_the_same_as_filtering_afterwards(number: int) -> None:
    graph, support = graphs()[number], support_of(number)
    everything = expected(number, support)

    def kept(keep, **asked) -> None:
        found = forms(frequent_subgraphs(graph, support, exact=True, **{"max_edges": LARGEST, **asked}))
        assert found == {pattern: count for pattern, count in everything.items() if keep(pattern)}

    kept(lambda p: len(p[0]) <= 3, max_nodes=3)
    kept(lambda p: len(p[1]) <= 2, max_edges=2)
    kept(lambda p: max_degree(p) <= 2, max_degree=2)
    kept(lambda p: max_same_label(p) <= 1, max_same_label=1)
    first, label = graph.label_names[0], graph.edge_label_names[0]
    kept(lambda p: set(p[0]) <= {first}, only_labels=[first])
    kept(lambda p: first not in p[0], without_labels=[first])
    kept(lambda p: all(name == label for _, _, name in p[1]), only_edges=[label])
    kept(lambda p: all(name != label for _, _, name in p[1]), without_edges=[label])
    for part in sorted(everything)[:3]:
        unwanted = Pattern(*part, directed=graph.directed)
        kept(lambda p, part=part: not holds(p, part, graph.directed), without_subgraphs=[unwanted])


@pytest.mark.usefixtures("impatient")
def test_approximation_loses_patterns_but_invents_none() -> None:
    lost = 0
    for seed in range(4):
        exact = {(p.labels, p.edges) for p in frequent_subgraphs(crowd(seed), 9, max_edges=5)}
        for alpha in (0.01, 0.2, 1.0):
            for beta in (0, 10):
                found = {
                    (p.labels, p.edges) for p in frequent_subgraphs(crowd(seed), 9, max_edges=5, alpha=alpha, beta=beta)
                }
                assert found <= exact
                assert found == exact or alpha < 1
                lost += len(exact) - len(found)
    assert lost > 0


def test_a_time_limit_gives_what_was_found() -> None:
    graph = Graph.from_edges([(a, b) for a in range(40) for b in range(a)])
    found = FrequentSubgraphs(support=2, time_limit=0.5).mine(graph)
    assert (found.complete, found.stopped, len(found) > 0) == (False, "time", True)
    assert repr(found).endswith("incomplete: stopped by time>")
    assert FrequentSubgraphs(support=2, time_limit=1e-9).mine(graph).stopped == "time"
    assert GrowStore(support=2, time_limit=0.5).mine(graph).stopped in ("time", "memory")
    assert CountIsomorphisms(support=2, time_limit=0.5).mine(graph).stopped == "time"


@pytest.mark.parametrize("most", [1, 3, 9, 30])
def test_what_a_limit_leaves_complete(most: int, monkeypatch) -> None:
    everything = frequent_subgraphs(crowd(2), 8, max_edges=4)
    assert everything.complete_edges is None
    monkeypatch.setattr(subgraph_levels, "_MOST_PATTERNS", most)
    found = frequent_subgraphs(crowd(2), 8, max_edges=4)
    assert found.stopped == "memory"
    complete = [p for p in everything if p.n_edges <= found.complete_edges]
    assert list(found)[: len(complete)] == complete
    assert len([p for p in everything if p.n_edges <= found.complete_edges + 1]) > most
    assert found.warning.endswith("edges.") == (found.complete_edges > 1)
    assert frequent_subgraphs(crowd(2), 8, max_edges=4, levels=False).complete_edges is None
    assert frequent_subgraphs(crowd(2), 8, max_edges=4, keep="maximal").complete_edges is None


def test_memory_is_a_limit_too(monkeypatch) -> None:
    graph = Graph.from_edges([(a, b) for a in range(9) for b in range(a)])
    monkeypatch.setattr(subgraph_levels, "_MOST_PATTERNS", 5)
    found = frequent_subgraphs(graph, 2)
    assert (len(found), found.stopped) == (5, "memory")
    monkeypatch.setattr(subgraph_distance, "_MOST_PAIRS", 10)
    assert frequent_subgraphs(graph, 2, distance=2).stopped == "memory"
    monkeypatch.setattr(subgraph_independent, "_MOST", 10)
    assert frequent_subgraphs(graph, 2, measure="mis").stopped == "memory"


@pytest.mark.usefixtures("impatient")
def test_what_does_not_fit_is_found_again(monkeypatch) -> None:
    """No room for domains of parts, for lists, or for searches that wait: slower, and the same."""
    monkeypatch.setattr(subgraph_levels, "_MOST_BYTES", 0)
    monkeypatch.setattr(subgraph_frequency, "_STATES", 0)
    monkeypatch.setattr(subgraph_csp, "_MOST_LISTS", 1)
    for number in range(7, 208, 11):
        support = support_of(number)
        found = frequent_subgraphs(graphs()[number], support, exact=True, max_edges=LARGEST)
        assert forms(found) == expected(number, support)


def test_patterns_with_many_symmetries() -> None:
    """Stars and spiders have as many symmetries as their legs have orders; they cost no more than others."""
    star = Graph.from_edges([(leg % 2, 2 + leg) for leg in range(40)])
    assert len(frequent_subgraphs(star, 2)) == 20
    legs = [(body, f"{body}{leg}a") for body in "xy" for leg in range(8)]
    legs += [(f"{body}{leg}a", f"{body}{leg}b") for body in "xy" for leg in range(8)]
    assert max(p.n_edges for p in frequent_subgraphs(Graph.from_edges(legs), 2)) == 16


@pytest.mark.parametrize("levels", [True, False])
def test_the_number_of_threads_does_not_matter(levels: bool, monkeypatch) -> None:
    found = []
    monkeypatch.setattr(subgraph_levels, "_FEWEST_ARCS", 0)
    for threads in (1, 2, 5):
        monkeypatch.setattr(subgraph_levels, "available_threads", lambda threads=threads: threads)
        found.append(frequent_subgraphs(crowd(2), 8, exact=True, max_edges=4, levels=levels))
    assert found[0].patterns == found[1].patterns == found[2].patterns
    assert found[0].counts == found[1].counts == found[2].counts


def test_as_many_threads_as_are_chosen() -> None:
    for number in (1, 3):
        with use_threads(number):
            assert subgraph_levels.available_threads() == number


def test_no_thread_goes_on_after_the_end(monkeypatch) -> None:
    before = threading.active_count()
    monkeypatch.setattr(subgraph_levels, "_FEWEST_ARCS", 0)
    monkeypatch.setattr(subgraph_levels, "available_threads", lambda: 3)
    monkeypatch.setattr(subgraph_levels, "_MOST_PATTERNS", 5)
    assert frequent_subgraphs(crowd(2), 8).stopped == "memory"
    assert threading.active_count() == before


@pytest.mark.usefixtures("impatient")
def test_long_cycles_and_paths() -> None:
    """A ladder of squares with tails: cycles and paths whose searches fail late, beside all isomorphisms."""
    rungs = 7
    edges = [(2 * i, 2 * i + 1) for i in range(rungs)]
    edges += [(2 * i + side, 2 * i + 2 + side) for i in range(rungs - 1) for side in range(2)]
    edges += [(0, 20), (20, 21), (20, 22), (20, 23), (13, 24), (24, 25)]
    graph = Graph.from_edges(edges)
    for max_edges, support in ((9, 12), (10, 10)):
        asked = {"support": support, "exact": True, "max_edges": max_edges, "max_degree": 2}
        wanted = CountIsomorphisms(**asked).mine(graph)
        assert max(p.n_edges for p in wanted) >= 8
        assert {p.n_nodes == p.n_edges for p in wanted} == {True, False}
        for ablation in ({}, {"lookahead": False}, {"push_down": False}, {"backjumping": False}):
            assert FrequentSubgraphs(**asked, **ablation).mine(graph).patterns == wanted.patterns


def test_the_order_of_nodes_does_not_matter() -> None:
    graph = crowd(1)
    start, end, _, _ = graph.edges()
    turn = np.random.default_rng(0).permutation(len(graph))
    labels = {int(turn[node]): graph.label_names[code] for node, code in enumerate(graph.node_labels)}
    turned = Graph.from_edges([(int(turn[b]), int(turn[a])) for a, b in zip(start, end, strict=True)], labels)
    asked = FrequentSubgraphs(support=8, exact=True, max_edges=4)
    assert asked.mine(graph).patterns == asked.mine(turned).patterns
    assert asked.mine(graph).patterns == asked.mine(graph).patterns


def test_progress() -> None:
    seen: list[tuple[int, int, int]] = []
    found = FrequentSubgraphs(support=8, max_edges=3).mine(crowd(0), progress=lambda *numbers: seen.append(numbers))
    patterns, candidates, depths = zip(*seen, strict=True)
    assert candidates == tuple(range(1, found.counts["candidates"] + 1))
    assert (list(patterns), list(depths)) == (sorted(patterns), sorted(depths))
    assert found.counts["depth"] == depths[-1]


def test_nothing_to_find() -> None:
    alone = Graph.from_edges([], ["a", "b"])
    assert frequent_subgraphs(alone, 1).patterns == ()
    assert frequent_subgraphs(Graph.from_edges([(0, 0), (1, 1)]), 1).patterns == ()
    assert frequent_subgraphs(alone, 1, distance=2).patterns == ()
    assert frequent_subgraphs(Graph.from_edges([(0, 1)]), 3).to_frame().height == 0


def test_what_is_not_accepted() -> None:
    path = Graph.from_edges([(0, 1), (1, 2)], ["bar", "shop", "bar"])
    with pytest.raises(ParameterError, match="support must be a whole number of at least 1, got 0"):
        FrequentSubgraphs(support=0)
    with pytest.raises(ParameterError, match="alpha must be a number above 0 and at most 1, got 0"):
        FrequentSubgraphs(support=1, alpha=0)
    with pytest.raises(ParameterError, match=r"wanted alpha=1 with exact=True, found 0\.5"):
        FrequentSubgraphs(support=1, alpha=0.5, exact=True)
    with pytest.raises(ParameterError, match=r"wanted alpha=1 with measure='mis', found 0\.5"):
        FrequentSubgraphs(support=1, alpha=0.5, measure="mis")
    with pytest.raises(ParameterError, match="wanted a distance for the metric"):
        frequent_subgraphs(path, 1, metric=lambda *_: np.zeros(3))
    with pytest.raises(ParameterError, match="wanted a distance for metric='weights'"):
        FrequentSubgraphs(support=1, metric="weights")
    for name in ("only_labels", "without_labels", "only_edges", "without_edges"):
        with pytest.raises(ParameterError, match=rf"wanted {name} as a list of labels such as \['bar'\], found a text"):
            frequent_subgraphs(path, 1, **{name: "bar"})
    with pytest.raises(ParameterError, match="wanted no constraints on labels of edges together with a distance"):
        frequent_subgraphs(path, 1, distance=2, only_edges=[""])
    with pytest.raises(ParameterError, match="wanted a Graph, found list"):
        frequent_subgraphs([], 1)
    with pytest.raises(DataError, match=r"node label of the graph, found 'ber'$"):
        frequent_subgraphs(path, 1, only_labels=["ber"])
    with pytest.raises(DataError, match="wanted the edge label 'road'"):
        frequent_subgraphs(path, 1, only_edges=["road"])
    with pytest.raises(DataError, match="wanted a graph with weights"):
        frequent_subgraphs(path, 1, distance=2, metric="weights")
    with pytest.raises(DataError, match="without_subgraphs undirected like the graph"):
        frequent_subgraphs(path, 1, without_subgraphs=[Pattern(("bar", "shop"), ((0, 1, ""),), directed=True)])
    with pytest.raises(DataError, match="wanted a connected pattern with at least one edge"):
        frequent_subgraphs(path, 1, without_subgraphs=[Pattern(("bar", "shop"), ())])
    with pytest.raises(ParameterError, match="wanted 3 distances from the metric"):
        frequent_subgraphs(path, 1, distance=1, metric=lambda *_: np.zeros(2))
    with pytest.raises(ParameterError, match="wanted a symmetric metric"):
        frequent_subgraphs(path, 1, distance=1, metric=lambda _, node: np.arange(3.0) - node + 1)


def test_unwanted_subgraphs_lose_their_edge_labels_where_the_graph_does() -> None:
    path = Graph.from_edges([(0, 1, "x"), (1, 2, "y")], ["bar", "shop", "bar"])
    pair = Pattern(("bar", "shop"), ((0, 1, "x"), (1, 0, "y"), (0, 1, "z")))
    assert frequent_subgraphs(path, 1, ignore_edge_labels=True, without_subgraphs=[pair]).patterns == ()
    near = frequent_subgraphs(path, 1, distance=2, without_subgraphs=[pair])
    assert [found.labels for found in near] == [("bar", "bar")]
    kept = frequent_subgraphs(path, 1, without_subgraphs=[Pattern(("bar", "shop"), ((0, 1, "x"),))])
    assert [found.edges for found in kept] == [((0, 1, "y"),)]
    ways = Graph.from_edges([(0, 1, "x"), (1, 2, "y")], ["bar", "shop", "bar"], directed=True)
    there = Pattern(("bar", "shop"), ((0, 1, "z"),), directed=True)
    assert len(frequent_subgraphs(ways, 1, ignore_edge_labels=True, without_subgraphs=[there])) == 1


@pytest.mark.parametrize(
    ("labels", "edge", "problem"),
    [
        (("bra", "shop"), "x", "wanted a node label of the graph, found 'bra'"),
        (("bar", "shop"), "z", "wanted an edge label of the graph, found 'z'"),
        (("bar", "shop"), "", "wanted a graph with edges without a label, found labels on all; "
         "ignore_edge_labels=True takes all alike"),
    ],
)  # fmt: skip
def test_unwanted_subgraphs_with_unknown_labels_are_refused(labels: tuple[str, str], edge: str, problem: str) -> None:
    path = Graph.from_edges([(0, 1, "x"), (1, 2, "y")], ["bar", "shop", "bar"])
    with pytest.raises(DataError) as refused:
        frequent_subgraphs(path, 1, without_subgraphs=[Pattern(labels, ((0, 1, edge),))])
    assert str(refused.value) == f"FrequentSubgraphs: {problem}"
    plain = Graph.from_edges([(0, 1)], ["bar", "shop"])
    with pytest.raises(DataError, match="wanted the edge label 'x'"):
        frequent_subgraphs(plain, 1, without_subgraphs=[Pattern(("bar", "shop"), ((0, 1, "x"),))])


def test_every_optimization_has_its_place_in_the_lists_of_switches() -> None:
    declared = {one.name for one in FrequentSubgraphs.parameters() if one.help.startswith("optimization")}
    assert declared == set(SWITCHES)
    beyond = {one.name for one in FrequentSubgraphs.parameters() if one.help.startswith("optimization beyond")}
    assert beyond == set(DEPARTURES)
