"""Hierarchy files read in spite of their mistakes, so that a person can correct them."""

from __future__ import annotations

from pathlib import Path

from sfumato.data.tree_rules import unmarked_root
from sfumato.errors import FileError
from sfumato.io.taxonomies import has_header, hierarchy_rows, is_flagged
from sfumato.prepare.editing.hierarchy_drafts import HierarchyDraft

__all__ = ["read_draft"]


def read_draft(path: str | Path, *, attribute: str = "") -> tuple[HierarchyDraft, tuple[str, ...]]:
    """The draft of a file in either form, and sentences about lines that were left out.

    attribute : the column whose values are the leaves, if it is known.
    """
    rows, are_nodes = hierarchy_rows(path)
    notes: list[str] = []
    draft = _of_nodes(rows[1:], notes) if are_nodes else _of_paths(rows, attribute, notes)
    if not len(draft):
        raise FileError(path, "wanted at least one node, found none")
    return _without_mark(draft), tuple(notes)


def _of_nodes(rows: list[list[str]], notes: list[str]) -> HierarchyDraft:
    parents: dict[str, tuple[str, ...]] = {}
    marked = []
    for line, row in enumerate(rows, start=2):
        node, parent, flag = [*row, "", "", ""][:3]
        if not any(row):
            continue
        if not node:
            notes.append(f"line {line}: wanted a node, found nothing; the line is left out")
            continue
        _enter(parents, node, parent)
        if is_flagged(flag):
            marked.append(node)
    inner = {parent for above in parents.values() for parent in above}
    leaves = [node for node, above in parents.items() if node not in inner and (above or len(parents) == 1)]
    return HierarchyDraft(parents, leaves=leaves, sensitive=marked)


def _of_paths(rows: list[list[str]], attribute: str, notes: list[str]) -> HierarchyDraft:
    parents: dict[str, tuple[str, ...]] = {}
    leaves: dict[str, None] = {}
    is_headed = has_header(rows, attribute)
    if is_headed:
        notes.append("line 1: it looks like a header and is left out")
    for line, row in enumerate(rows[is_headed:], start=1 + is_headed):
        path = [node for level, node in enumerate(row) if level == 0 or node != row[level - 1]]
        if not path:
            continue
        if "" in path:
            notes.append(f"line {line}: wanted a name in every cell, found an empty one; the line is left out")
            continue
        if path[0] in leaves:
            notes.append(f"line {line}: wanted each leaf once, found this leaf for the second time")
        leaves[path[0]] = None
        for node, parent in zip(path, [*path[1:], ""], strict=True):
            _enter(parents, node, parent)
    return HierarchyDraft(parents, leaves=leaves)


def _enter(parents: dict[str, tuple[str, ...]], node: str, parent: str) -> None:
    above = parents.get(node, ())
    parents[node] = (*above, parent) if parent and parent not in above else above


def _without_mark(draft: HierarchyDraft) -> HierarchyDraft:
    """The draft with the rule that the name of its root states, under the root's own name."""
    root = draft.tops[0]
    name, rule = unmarked_root(root)
    if not rule or not name or name in draft:
        return draft
    renamed = draft.edited([("rename", root, name)])
    return HierarchyDraft(
        {node: renamed.parents(node) for node in renamed}, leaves=renamed.leaves, sensitive=renamed.marked, rule=rule
    )
