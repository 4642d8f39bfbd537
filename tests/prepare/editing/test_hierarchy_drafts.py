"""Drafts of hierarchies: mistakes are named by node, and edits correct them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Taxonomy
from sfumato.errors import DataError
from sfumato.prepare.editing.hierarchy_drafts import HierarchyDraft

NAMES = st.sampled_from("abcdef")


def draft(**parents: str) -> HierarchyDraft:
    inner = set("".join(parents.values()))
    return HierarchyDraft(
        {node: tuple(above) for node, above in parents.items()}, leaves=[node for node in parents if node not in inner]
    )


def test_each_mistake_is_named_at_its_node() -> None:
    broken = draft(r="", a="r", b="ar", s="", c="s", x="y", y="x", z="y")
    assert broken.problems == {
        "s": ("is a second root: move it below the first one",),
        "b": ("has 2 parents: each node may have one",),
        "x": ("is on a cycle: the parents above it lead back to it",),
        "y": ("is on a cycle: the parents above it lead back to it",),
    }
    assert broken.tops == ("r", "s", "x")
    with pytest.raises(DataError, match=r"wanted a tree, found 4 nodes with mistakes; the first one is a second root"):
        broken.taxonomy()
    mended = broken.edited([("move", "x", "r"), ("move", "s", "r"), ("move", "b", "a")])
    assert mended.taxonomy().to_paths() == [("b", "a", "r"), ("c", "s", "r"), ("z", "y", "x", "r")]


def test_nodes_that_lost_their_leaves_and_values_above_others() -> None:
    lost = HierarchyDraft({"r": (), "a": ("r",), "b": ("r",), "c": ("b",)}, leaves=["b", "c"])
    assert lost.problems == {"a": ("has no leaf below it",), "b": ("is a value, and other nodes are below it",)}
    assert lost.missing(["b", "d"]) == ["d"]


def test_browsing() -> None:
    food = HierarchyDraft.of(
        Taxonomy({"food": None, "fruit": "food", "fig": "fruit", "rye": "food"}, sensitive=["fruit"])
    )
    assert (food.children("food"), food.leaf_count("food"), food.path("fig")) == (
        ("fruit", "rye"),
        2,
        ("fruit", "food"),
    )
    assert [food.is_sensitive(node) for node in food] == [False, True, True, False]
    assert food.find("F") == ["food", "fruit", "fig"]
    assert food.find("fig") == ["fig"]


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True), min_size=1))
def test_every_graph_can_be_browsed_and_is_a_tree_if_no_problem_is_named(parents: dict[str, list[str]]) -> None:
    inner = {name for above in parents.values() for name in above}
    graph = HierarchyDraft(parents, leaves=[node for node in parents if node not in inner])
    reached: set[str] = set()
    stack = list(graph.tops)
    while stack:
        node = stack.pop()
        if node not in reached:
            reached.add(node)
            stack.extend(graph.children(node))
    assert reached == set(graph)
    on_cycle = {node for node in graph if _leads_back(graph, node)}
    named = {node for node, lines in graph.problems.items() if any("cycle" in line for line in lines)}
    assert on_cycle <= named
    assert bool(named) == bool(on_cycle)
    if not graph.problems:
        assert len(graph.taxonomy()) == len(graph)


def _leads_back(graph: HierarchyDraft, start: str) -> bool:
    seen, stack = set(), list(graph.parents(start))
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(graph.parents(node))
    return start in seen


def test_marks_and_subtrees() -> None:
    tree = draft(r="", a="r", b="a", c="a", d="r")
    changed = tree.edited([("mark", "a"), ("insert", "n", "b", "c"), ("prune", "d")]).taxonomy()
    assert changed.to_parents() == [
        ("r", None, False),
        ("a", "r", True),
        ("n", "a", False),
        ("b", "n", False),
        ("c", "n", False),
    ]
    assert tree.edited([("mark", "a"), ("unmark", "a")]).marked == frozenset()
    with pytest.raises(DataError, match="unmark the one above it"):
        tree.edited([("mark", "a"), ("unmark", "b")])
    with pytest.raises(DataError, match="found the root"):
        tree.edited([("prune", "r")])
