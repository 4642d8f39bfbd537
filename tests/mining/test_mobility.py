"""The mobility graph: who went from where to where, and what kind of place each label is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sfumato.data import Persons, Places, Taxonomy, Trajectories
from sfumato.errors import DataError
from sfumato.mining import mobility_graph
from sfumato.mining.mobility import categories_of
from twins.subgraphs import Plain

KINDS = {"a": "bar", "b": "shop", "c": "bar", "d": "park", "e": None}
PLACES = Places.from_frame({"location": list(KINDS), "category": list(KINDS.values())})
WALKS = Trajectories.from_lists(
    ["abc", "aab", "ba", "d", "", "ae"], places=PLACES, persons=["x", "y", "y", "z", "z", "x"]
)


def edges(graph) -> set[tuple[str, str]]:
    return set(graph.to_frames()[1].rows())


def test_by_hand() -> None:
    graph = mobility_graph(WALKS)
    assert graph.directed
    assert graph.nodes.to_list() == ["a", "b", "c", "d", "e"]
    assert Plain.of(graph).labels == tuple(frozenset([kind] if kind else []) for kind in KINDS.values())
    assert edges(graph) == {("a", "b"), ("b", "c"), ("b", "a"), ("a", "e")}
    assert (graph.self_loops, graph.duplicates) == (0, 0)
    assert edges(mobility_graph(WALKS, directed=False)) == {("a", "b"), ("b", "c"), ("a", "e")}


def test_movers_are_persons_where_they_are_known() -> None:
    assert edges(mobility_graph(WALKS, movers=2)) == {("a", "b")}
    assert edges(mobility_graph(WALKS, directed=False, movers=2)) == {("a", "b")}
    one = WALKS.with_persons(Persons.of(["x"] * 6))
    assert edges(mobility_graph(one, movers=2)) == set()
    assert edges(mobility_graph(WALKS.with_persons(None), directed=False, movers=3)) == {("a", "b")}


def test_a_published_label_carries_the_category_of_all_its_members() -> None:
    members = {"g1": ("a", "c"), "g2": ("b", "d"), "g3": ("a", "e")}
    published = replace(Trajectories.from_lists([["g1", "g2", "g3", "b"]], places=PLACES), members=members)
    graph = mobility_graph(published)
    assert dict(zip(graph.nodes.to_list(), Plain.of(graph).labels, strict=True)) == {
        "b": {"shop"},
        "g1": {"bar"},
        "g2": frozenset(),
        "g3": frozenset(),
    }
    told = mobility_graph(published, {"a": "x", "c": "x", "e": "x"})
    assert Plain.of(told).labels == (frozenset(), {"x"}, frozenset(), {"x"})


def test_the_taxonomy_says_categories_where_places_do_not() -> None:
    tree = Taxonomy.from_paths([("a", "food", "town"), ("b", "food", "town"), ("c", "town")])
    walks = Trajectories.from_lists(["abcz"], taxonomy=tree)
    assert categories_of(walks) == {"a": "food", "b": "food", "c": "town"}
    assert categories_of(replace(walks, places=PLACES)) == {"a": "bar", "b": "shop", "c": "bar"}
    located = Places.planar({"a": (0, 0)})
    assert categories_of(replace(walks, places=located)) == {"a": "food", "b": "food", "c": "town"}
    slots = Trajectories.from_lists([["a@9", "b@10"]], places=PLACES)
    assert categories_of(slots) == {"a@9": "bar", "b@10": "shop"}


def test_without_categories_all_places_are_alike() -> None:
    graph = mobility_graph(Trajectories.from_lists(["ab", "ca"]))
    assert (graph.label_names, graph.labels.tolist()) == (("",), [0, 0, 0])
    lost = mobility_graph(Trajectories.from_lists(["ab"]), {"z": "bar"})  # categories, but none of these places
    assert (lost.label_names, len(lost.labels)) == ((), 0)


def test_the_order_of_records_does_not_matter() -> None:
    shuffled = WALKS.take(np.array([5, 2, 0, 1, 4, 3]))
    one, other = mobility_graph(WALKS), mobility_graph(shuffled)
    assert [part.tolist() for part in one.out[:3]] == [part.tolist() for part in other.out[:3]]


def test_nothing_visited_is_no_graph() -> None:
    with pytest.raises(DataError, match="mobility graph: wanted at least one visit"):
        mobility_graph(Trajectories.from_lists([""]))
    assert mobility_graph(Trajectories.from_lists(["a", "b"])).n_edges == 0
