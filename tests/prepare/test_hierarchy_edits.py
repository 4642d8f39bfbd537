"""Edits of a hierarchy: each operation, its refusals, and that a private tree stays private."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Taxonomy
from sfumato.errors import DataError
from sfumato.prepare.hierarchy_edits import edited

FOOD = Taxonomy.from_paths(
    [
        ("apple", "fruit", "plants", "food"),
        ("fig", "fruit", "plants", "food"),
        ("rye", "bread", "plants", "food"),
        ("egg", "animals", "food"),
    ]
)


@pytest.mark.parametrize(
    ("edit", "path"),
    [
        (("rename", "fig", "figs"), ("figs", "fruit", "plants", "food")),
        (("rename", "food", "*"), ("fig", "fruit", "plants", "*")),
        (("move", "fig", "animals"), ("fig", "animals", "food")),
        (("move", "fruit", "food"), ("fig", "fruit", "food")),
        (("merge", "sweet", "fruit", "bread"), ("fig", "sweet", "plants", "food")),
        (("merge", "fruit", "bread", "fruit"), ("fig", "fruit", "plants", "food")),
        (("merge", "seeds", "apple", "fig"), ("fig", "seeds", "fruit", "plants", "food")),
        (("remove", "plants"), ("fig", "fruit", "food")),
        (("flatten", "2"), ("fig", "plants", "food")),
        (("flatten", "1"), ("fig", "fruit", "food")),
        (("add", "oats", "bread"), ("oats", "bread", "plants", "food")),
    ],
)
def test_operations(edit: tuple[str, ...], path: tuple[str, ...]) -> None:
    before = FOOD.to_parents()
    assert path in edited(FOOD, [edit]).to_paths()
    assert FOOD.to_parents() == before


def test_edits_are_applied_in_order_and_siblings_keep_theirs() -> None:
    tree = edited(
        FOOD, [("rename", "fruit", "f"), ("merge", "f", "f", "bread"), ("remove", "egg"), ("remove", "animals")]
    )
    assert tree.to_paths() == [(leaf, "f", "plants", "food") for leaf in ("apple", "fig", "rye")]


def test_sensitive_nodes_stay_sensitive() -> None:
    tree = Taxonomy({node: parent for node, parent, _ in FOOD.to_parents()}, sensitive=["fruit", "egg"])
    changed = edited(tree, [("rename", "egg", "eggs"), ("merge", "sweet", "fruit", "bread")])
    assert changed.sensitive == {"eggs", "sweet", "apple", "fig", "rye"}


def test_a_private_tree_stays_private() -> None:
    private = Taxonomy({"*": None, "g": "*", "a": "g", "b": "*"}, rule="balanced:4")
    once = edited(private, [("rename", "g", "h")])
    assert (once.rule, edited(once, [("rename", "h", "g")]).rule) == ("edited balanced:4", "edited balanced:4")
    assert edited(private, []).rule == "balanced:4"
    assert edited(FOOD, [("remove", "bread")]).rule == ""


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["move", "remove"]), st.sampled_from(FOOD.nodes), st.sampled_from(FOOD.nodes)),
        max_size=5,
    )
)
def test_random_moves_and_removals_give_the_tree_of_a_literal_program(steps: list[tuple[str, str, str]]) -> None:
    """The twin keeps the path of every node to the root as a list."""
    parents = {node: parent for node, parent, _ in FOOD.to_parents()}
    accepted: list[tuple[str, ...]] = []
    for name, node, other in steps:
        edit = (name, node, other) if name == "move" else (name, node)
        try:
            edited(FOOD, [*accepted, edit])
        except DataError:
            continue
        accepted.append(edit)
        if name == "move":
            parents[node] = other
        else:
            above = parents.pop(node)
            parents = {key: above if value == node else value for key, value in parents.items()}
    assert {node: parent for node, parent, _ in edited(FOOD, accepted).to_parents()} == parents


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (("renam", "a", "b"), r"edit 1: wanted an operation, found 'renam'; did you mean 'rename'\?"),
        ((), "edit 1: wanted an operation"),
        (("rename", "fig"), "edit 1: wanted rename,NODE,NEW, found 1 names"),
        (("rename", "nut", "nuts"), "found 'nut', an unknown name"),
        (("rename", "fig", "rye"), "found 'rye', which is a node already"),
        (("move", "food", "fruit"), "found the node itself or one below it"),
        (("move", "fig", "rye"), "found a leaf"),
        (("merge", "x", "fig", "rye"), "wanted distinct nodes with one parent"),
        (("merge", "x", "fig"), "wanted merge,NEW,NODE,NODE"),
        (("remove", "food"), "found the root"),
        (("flatten", "9"), "wanted a level from 1"),
        (("add", "oats", "rye"), "found a leaf"),
        (("remove", "egg"), "found none below 1; remove the node"),
    ],
)
def test_refusals(edit: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        edited(FOOD, [edit])
