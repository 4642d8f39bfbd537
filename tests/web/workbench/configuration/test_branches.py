"""The visible part of a tree: large, deep and broken ones stay small on the page."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time

from sfumato.data import Taxonomy
from sfumato.prepare.editing.hierarchy_drafts import HierarchyDraft
from sfumato.web.workbench.configuration.branches import CHILDREN, Branch, branch_of, branches_of


def names(branches: Sequence[Branch]) -> list[str]:
    return [name for branch in branches for name in (branch.name, *names(branch.children))]


def test_a_node_with_many_children_shows_some_at_a_time() -> None:
    draft = HierarchyDraft.of(Taxonomy({"*": None, **{str(number): "*" for number in range(1000)}}))
    (root,) = branches_of(draft, "*", set())
    assert (len(root.children), root.more, root.start) == (CHILDREN, 1000 - CHILDREN, CHILDREN)
    following = branch_of(draft, "*", "", {"*"}, start=CHILDREN)
    assert following.children[0].name == str(CHILDREN)
    assert "777" in names(branches_of(draft, "777", set()))


def test_a_deep_tree_begins_above_the_chosen_node() -> None:
    chain: dict[str, str | None] = {"0": None} | {str(number): str(number - 1) for number in range(1, 3000)}
    draft = HierarchyDraft.of(Taxonomy(chain))
    shown = names(branches_of(draft, "2999", set(chain)))
    assert shown[-1] == "2999"
    assert len(shown) < 50


def test_a_cycle_is_shown_once() -> None:
    draft = HierarchyDraft({"r": (), "a": ("b",), "b": ("a",), "c": ("r",)}, leaves=["c"])
    assert names(branches_of(draft, "a", {"a", "b", "r"})) == ["r", "c", "a", "b", "a"]


def test_100_000_leaves_are_edited_in_a_moment() -> None:
    parents: dict[str, str | None] = {"*": None}
    for group in range(1000):
        parents[f"g{group}"] = "*"
        parents |= {f"{group}.{leaf}": f"g{group}" for leaf in range(100)}
    draft = HierarchyDraft.of(Taxonomy(parents))
    begun = process_time()
    changed = draft.edited([("rename", "g500", "five hundred"), ("move", "7.7", "g8")])
    shown = branches_of(changed, "7.7", set())
    assert process_time() - begun < 5
    assert shown[0].leaves == 100_000
