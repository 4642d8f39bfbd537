"""The visible part of a tree: open branches, some children at a time, from the root or from a node deep inside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Branch", "branch_of", "branches_of"]

CHILDREN = 200  # of a node, at a time
_LEVELS = 40  # that are shown inside each other


@dataclass(frozen=True)
class Branch:
    """A node as the page shows it.  more : how many further children it has, from `start` on."""

    name: str
    leaf: bool
    leaves: int
    opened: bool
    chosen: bool
    marked: bool
    problems: tuple[str, ...]
    level: int
    children: list[Branch] = field(default_factory=list)
    more: int = 0
    start: int = 0


def branches_of(draft: Any, chosen: str, opened: set[str]) -> list[Branch]:
    """The branches from the roots, open down to the chosen node; from a node above it where it is deep inside."""
    path = (chosen, *draft.path(chosen))
    deep = len(path) > _LEVELS
    tops = [path[_LEVELS // 2]] if deep else list(draft.tops[:CHILDREN])
    visible = opened | set(path[1:]) | ({tops[0]} if len(tops) == 1 else set())
    return [branch_of(draft, top, chosen, visible) for top in tops]


def branch_of(
    draft: Any, node: str, chosen: str, opened: set[str], *, start: int = 0, level: int = 1, above: tuple[str, ...] = ()
) -> Branch:
    """A node with the children that are shown; a node that is above itself, on a cycle, stays closed."""
    below = draft.children(node)
    is_open = node in opened and bool(below) and level <= _LEVELS and node not in above
    children: list[Branch] = []
    last = start
    if is_open:
        last = start + CHILDREN
        names = list(below[start:last])
        if not start and (wanted := next((name for name in below[last:] if name in opened or name == chosen), None)):
            names.append(wanted)
        children = [branch_of(draft, name, chosen, opened, level=level + 1, above=(*above, node)) for name in names]
    return Branch(
        name=node,
        leaf=not below,
        leaves=draft.leaf_count(node),
        opened=is_open,
        chosen=node == chosen,
        marked=node in draft.marked,
        problems=draft.problems.get(node, ()),
        level=level,
        children=children,
        more=max(0, len(below) - last) if is_open else 0,
        start=last,
    )
