"""Hierarchies with several parents: agreement with a search by hand on random graphs, and cycles by their names."""

from __future__ import annotations

import random

import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.semantics.knowledge.hierarchy import Hierarchy


def random_edges(chance: random.Random) -> list[tuple[str, str]]:
    """Edges from later to earlier letters, so that there is no cycle."""
    names = "abcdefgh"[: chance.randint(1, 8)]
    return [(child, parent) for i, child in enumerate(names) for parent in names[:i] if chance.random() < 0.4]


def above(node: str, edges: list[tuple[str, str]]) -> set[str]:
    parents = {parent for child, parent in edges if child == node}
    return parents.union(*(above(parent, edges) for parent in parents))


@pytest.mark.parametrize("seed", range(20))
def test_ancestors_descendants_levels_and_counts_agree_with_a_search(seed: int) -> None:
    chance = random.Random(seed)
    edges = random_edges(chance)
    graph = Hierarchy.of(edges, "abc")
    for node in graph.nodes:
        assert graph.ancestors(node) == above(node, edges)
        assert graph.descendants(node) == {other for other in graph.nodes if node in above(other, edges)}
        assert set(graph.under(node).nodes) == {node, *graph.descendants(node)}
    depth = dict(graph.levels().rows())
    assert all(depth[child] > depth[parent] for child, parent in edges)
    assert all((depth[node] == 0) == (not above(node, edges)) for node in graph.nodes)
    rows = [(chance.choice(graph.nodes), chance.choice([1, 2, 3, None]), chance.randint(1, 3)) for _ in range(12)]
    counts = graph.roll_up(pl.DataFrame(rows, schema=["node", "stop", "person"], orient="row"), ["stop", "person"])
    expected = {}
    for node in graph.nodes:
        reached = [row for row in rows if node == row[0] or node in above(row[0], edges)]
        if reached:
            stops = {stop for _, stop, _ in reached if stop is not None}
            expected[node] = (len(stops), len({person for *_, person in reached}))
    assert {node: (stops, persons) for node, stops, persons in counts.rows()} == expected


@pytest.mark.parametrize("shuffled", range(4))
def test_a_cycle_is_named_from_its_least_name(shuffled: int) -> None:
    edges = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), ("b", "z")]
    random.Random(shuffled).shuffle(edges)
    with pytest.raises(DataError, match=r"^parts: wanted no cycle, found a is part of b is part of c is part of a$"):
        Hierarchy.of(edges, who="parts", relation="is part of")


def test_a_long_cycle_is_shortened() -> None:
    names = [f"n{number:02}" for number in range(20)]
    with pytest.raises(DataError, match=r"n07 under 12 more under n00$"):
        Hierarchy.of(zip(names, [*names[1:], names[0]], strict=True))


def test_a_node_that_is_its_own_parent_and_an_empty_hierarchy_are_no_cycle() -> None:
    assert Hierarchy.of([("a", "a")]).nodes == ()
    empty = Hierarchy.of([])
    assert empty.closure.rows() == empty.levels().rows() == []
    assert empty.roots == ()


def test_an_unknown_node_is_refused() -> None:
    with pytest.raises(DataError, match=r"wanted one of its 2 nodes, found x"):
        Hierarchy.of([("a", "b")]).ancestors("x")
