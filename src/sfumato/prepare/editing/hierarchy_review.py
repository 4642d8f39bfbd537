"""All mistakes in a hierarchy file, not only the first one, and which values of a column it covers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from sfumato.errors import counted
from sfumato.io.taxonomies import HEADER, has_header, hierarchy_rows
from sfumato.params import JsonObject

__all__ = ["Coverage", "HierarchyReview", "review_hierarchy"]

_SHOWN = 3  # lines that a sentence names


@dataclass(frozen=True)
class Coverage:
    """How many values of a column are leaves, of how many; and how many leaves do not occur in the data."""

    values: int
    covered: int
    unused_leaves: int


@dataclass(frozen=True)
class HierarchyReview:
    """The mistakes in a file, which readers refuse, and what is allowed but may be a mistake.

    problems, notes : sentences that name lines and no values.
    """

    leaves: int
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    coverage: Coverage | None = None

    def to_json(self) -> JsonObject:
        coverage = self.coverage
        figures = {} if coverage is None else {"coverage": dict(vars(coverage))}
        return {"leaves": self.leaves, "problems": list(self.problems), "notes": list(self.notes), **figures}


@dataclass
class _Edges:
    """The parents of each node, with the lines that state them."""

    parents: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    roots: dict[str, list[int]] = field(default_factory=dict)
    lines_of_leaf: dict[str, list[int]] = field(default_factory=dict)
    lengths: dict[int, int] = field(default_factory=dict)
    empty: list[int] = field(default_factory=list)
    nodes_twice: list[int] = field(default_factory=list)

    @property
    def inner(self) -> set[str]:
        return {parent for parents in self.parents.values() for parent in parents}


def review_hierarchy(
    path: str | Path, values: Collection[str] | None = None, *, attribute: str = ""
) -> HierarchyReview:
    """The mistakes of a file.

    values : of the column that the hierarchy is for, to see which of them it covers.  attribute : the column's name.
    """
    rows, are_nodes = hierarchy_rows(path)
    is_headed = not are_nodes and has_header(rows, attribute)
    rows = [[], *rows[1:]] if is_headed else rows  # the other lines keep their numbers
    edges = _edges_of_nodes(rows[1:]) if are_nodes else _edges_of_paths(rows)
    leaves = [name for name in edges.lines_of_leaf if name not in edges.inner]
    problems = [*([f"line 1: {HEADER}"] if is_headed else []), *_problems(edges, are_nodes=are_nodes)]
    notes = []
    if not are_nodes and len(edges.lengths) > 1:
        lengths = " and ".join(map(str, sorted(edges.lengths)))
        notes.append(f"the rows have different lengths ({lengths} levels), which some other programs refuse")
    coverage = None
    if values is not None:
        known = set(leaves)
        coverage = Coverage(len(values), sum(value in known for value in values), len(known - set(values)))
        lacking = coverage.values - coverage.covered
        if lacking:
            problems.append(f"{counted(lacking, 'value')} of the data {'is' if lacking == 1 else 'are'} no leaf")
        if not are_nodes and _is_header(rows, values):
            notes.append("line 1: neither its leaf nor its root occurs elsewhere; remove the line if it is a header")
    return HierarchyReview(len(leaves), tuple(problems), tuple(notes), coverage)


def _is_header(rows: list[list[str]], values: Collection[str]) -> bool:
    """Whether the first line looks like names of levels: its leaf is no value, and no other line has its root."""
    roots = {row[-1] for row in rows[1:] if row}
    return bool(rows[0] and roots) and rows[0][0] not in values and rows[0][-1] not in roots


def _edges_of_paths(rows: list[list[str]]) -> _Edges:
    edges = _Edges()
    for line, row in enumerate(rows, start=1):
        if not row:
            continue
        edges.lengths[len(row)] = edges.lengths.get(len(row), 0) + 1
        path = [node for level, node in enumerate(row) if level == 0 or node != row[level - 1]]
        if "" in path:
            edges.empty.append(line)
            continue
        edges.lines_of_leaf.setdefault(path[0], []).append(line)
        for node, parent in pairwise(path):
            edges.parents.setdefault(node, {}).setdefault(parent, []).append(line)
        edges.roots.setdefault(path[-1], []).append(line)
    return edges


def _edges_of_nodes(rows: list[list[str]]) -> _Edges:
    edges = _Edges()
    seen: set[str] = set()
    for line, row in enumerate(rows, start=2):
        node, parent = [*row, "", ""][:2]
        if not any(row):
            continue
        if not node:
            edges.empty.append(line)
            continue
        if node in seen:
            edges.nodes_twice.append(line)
        seen.add(node)
        edges.lines_of_leaf.setdefault(node, []).append(line)
        if parent:
            edges.parents.setdefault(node, {}).setdefault(parent, []).append(line)
        else:
            edges.roots.setdefault(node, []).append(line)
    return edges


def _problems(edges: _Edges, *, are_nodes: bool) -> list[str]:
    problems = []
    if edges.empty:
        problems.append(f"{_lines(edges.empty)}: wanted a name in every cell, found an empty one")
    several = {node: parents for node, parents in edges.parents.items() if len(parents) > 1}
    if several:
        lines = [min(lines) for parents in several.values() for lines in list(parents.values())[1:]]
        what = "node has several parents" if len(several) == 1 else "nodes have several parents"
        problems.append(f"{_lines(lines)}: {len(several):,} {what}, and each may have one")
    twice = (
        [line for lines in edges.lines_of_leaf.values() for line in lines[1:]] if not are_nodes else edges.nodes_twice
    )
    if twice:
        problems.append(f"{_lines(twice)}: wanted each {'node' if are_nodes else 'leaf'} once, found it again")
    if not are_nodes:
        inner = edges.inner
        both = [lines[0] for leaf, lines in edges.lines_of_leaf.items() if leaf in inner]
        if both:
            problems.append(f"{_lines(both)}: wanted a leaf in the first cell, found a node with others below it")
    else:
        unknown = [
            line
            for parents in edges.parents.values()
            for parent, lines in parents.items()
            if parent not in edges.lines_of_leaf
            for line in lines
        ]
        if unknown:
            problems.append(f"{_lines(unknown)}: wanted a parent that is a node itself, found an unknown name")
    roots = [lines[0] for node, lines in edges.roots.items() if node not in edges.parents]
    if len(roots) > 1:
        problems.append(f"{_lines(roots[1:])}: wanted one root, found {len(roots):,}")
    cycle = _cycle(edges)
    if cycle:
        problems.append(f"{_lines(cycle)}: the nodes form a cycle")
    elif not roots:
        problems.append("wanted at least one leaf and a root, found none")
    return problems


def _cycle(edges: _Edges) -> list[int]:
    """The lines of nodes from which following parents leads back to a node; empty for a tree."""
    above = {node: next(iter(parents)) for node, parents in edges.parents.items()}
    done: set[str] = set()
    for start in above:
        position: dict[str, int] = {}
        node = start
        while node in above and node not in done and node not in position:
            position[node] = len(position)
            node = above[node]
        if node in position:
            inside = [name for name, place in position.items() if place >= position[node]]
            return sorted(min(edges.parents[name][above[name]]) for name in inside)
        done.update(position)
    return []


def _lines(lines: list[int]) -> str:
    shown = sorted(set(lines))
    more = f" and {len(shown) - _SHOWN:,} more" if len(shown) > _SHOWN else ""
    return f"line{'s' if len(shown) > 1 else ''} {', '.join(map(str, shown[:_SHOWN]))}{more}"
