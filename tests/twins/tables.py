"""Tables, literally: every class is counted by reading all rows, every combination of levels is tried."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import log2
from typing import Any

from sfumato.data import Table, Taxonomy
from sfumato.data.tables.encoding import MISSING, Coding

GONE = "(gone)"  # how these twins write a missing value
Labels = list[tuple[str, ...]]


class Column:
    """A hierarchy with, where values are missing, one more leaf under the root."""

    def __init__(self, table: Table, name: str) -> None:
        self.tree = self.tree_of(table, name)
        self.cells = [GONE if cell is None else str(cell) for cell in table[name].to_list()]
        self.missing = GONE in self.cells
        self.leaves = [*self.tree.leaves, *([GONE] if self.missing else [])]
        self.height = max(self.tree.height, int(self.missing))
        self.path, self.at_level, self.below, self.cost = (  # looked up once a column
            cache(found) for found in (self.path, self.at_level, self.below, self.cost)
        )

    def tree_of(self, table: Table, name: str) -> Taxonomy:
        return table.hierarchies[name]

    def path(self, leaf: str) -> tuple[str, ...]:
        return (GONE, self.tree.root) if leaf == GONE else (leaf, *self.tree.ancestors(leaf))

    def at_level(self, leaf: str, level: int) -> str:
        """The ancestor at depth height - level, or the leaf where it is above that."""
        path = self.path(leaf)
        depth = len(path) - 1
        return path[max(0, depth - (self.height - level))]

    def below(self, node: str) -> list[str]:
        return [leaf for leaf in self.leaves if node in self.path(leaf)]

    def children(self, node: str) -> list[str]:
        if node == GONE:
            return []
        return [*self.tree.children(node), *([GONE] if self.missing and node == self.tree.root else [])]

    def nodes(self) -> list[str]:
        """Each node before what is below it."""

        def walk(node: str) -> list[str]:
            return [node, *(lower for child in self.children(node) for lower in walk(child))]

        return walk(self.tree.root)

    def cost(self, node: str, measure: str = "ncp") -> Fraction:
        n, size = len(self.below(node)), len(self.leaves)
        if measure == "granularity":
            return Fraction(n - 1, max(1, size - 1))
        return Fraction(n, size) if n > 1 else Fraction(0)


class Numbers(Column):
    """Numbers without a hierarchy: intervals are derived for them, and cost their length over that of the domain."""

    def __init__(self, table: Table, name: str) -> None:
        super().__init__(table, name)
        self.domain = [Fraction(number) for number in table[name].to_list() if number is not None]

    def tree_of(self, table: Table, name: str) -> Taxonomy:
        attribute = next(found for found in Coding.of(table).attributes if found.name == name)
        nodes = [(node, above) for node, above in enumerate(attribute.parent) if attribute.names[node] != MISSING]
        return Taxonomy({attribute.names[node]: attribute.names[up] if up >= 0 else None for node, up in nodes})

    def cost(self, node: str, measure: str = "ncp") -> Fraction:  # noqa: ARG002 - Iyengar has the same for numbers
        return length(node, self.domain)


def length(label: str, domain: list[Fraction]) -> Fraction:
    """The length of the range that a label is, as far as it lies in the domain, over that of the domain."""
    if label == GONE:
        return Fraction(0)
    if label == "*":  # any number, or none
        return Fraction(1)
    low, high = (Fraction(end) for end in (label.strip("[]").split(":") * 2)[:2])
    if max(domain) == min(domain):
        return Fraction(0)
    return (min(high, max(domain)) - max(low, min(domain))) / (max(domain) - min(domain))


def columns_of(table: Table) -> list[Column]:
    return [(Column if name in table.hierarchies else Numbers)(table, name) for name in table.quasi_identifiers]


def entropy(kinds: list[Any]) -> float:
    return -sum(kinds.count(kind) / len(kinds) * log2(kinds.count(kind) / len(kinds)) for kind in set(kinds))


def unsafe_rows(labels: Labels, units: list[Any], k: int) -> list[int]:
    crowd: dict[tuple[str, ...], set[Any]] = {}
    for label, unit in zip(labels, units, strict=True):
        crowd.setdefault(label, set()).add(unit)
    return [row for row, label in enumerate(labels) if len(crowd[label]) < k]


def loss_of(columns: list[Column], labels: Labels, unsafe: list[int], measure: str) -> Fraction | float:
    """What publishing all but the unsafe rows under these labels loses."""
    gone = set(unsafe)
    kept = [label for row, label in enumerate(labels) if row not in gone]
    if measure == "discernibility":
        return Fraction(sum(kept.count(label) for label in kept) + len(unsafe) * len(labels))
    if measure == "class-size":
        return Fraction(len(kept), len(set(kept))) if kept else float("inf")
    lost = sum(column.cost(label[at], measure) for label in kept for at, column in enumerate(columns))
    most = len(unsafe) * len(columns)
    return (lost + most) / (len(labels) * len(columns))


def full_domain(table: Table, k: int, limit: int, measure: str) -> tuple[set[tuple[int, ...]], tuple[Any, ...]]:
    """All safe combinations of levels; and the least (loss, suppressed rows, levels) of them."""
    columns = columns_of(table)
    safe, best = set(), None
    for node in product(*(range(column.height + 1) for column in columns)):
        labels = list(
            zip(
                *([c.at_level(cell, level) for cell in c.cells] for c, level in zip(columns, node, strict=True)),
                strict=True,
            )
        )
        unsafe = unsafe_rows(labels, table.units.tolist(), k)
        if len(unsafe) <= limit:
            safe.add(node)
            found = (loss_of(columns, labels, unsafe, measure), len(unsafe), node)
            best = found if best is None else min(best, found)
    return safe, best


class LiteralCuts:
    """A cut through each hierarchy; labels are looked up leaf by leaf."""

    def __init__(self, table: Table, k: int, limit: int, *, at_root: bool) -> None:
        self.columns, self.units, self.k, self.limit = columns_of(table), table.units.tolist(), k, limit
        self.cuts = [{column.tree.root} if at_root else set(column.leaves) for column in self.columns]

    def labels(self, cuts: list[set[str]] | None = None) -> Labels:
        chosen = [
            [next(node for node in column.path(cell) if node in cut) for cell in column.cells]
            for column, cut in zip(self.columns, cuts or self.cuts, strict=True)
        ]
        return list(zip(*chosen, strict=True))

    def unsafe(self, cuts: list[set[str]] | None = None) -> list[int]:
        return unsafe_rows(self.labels(cuts), self.units, self.k)

    def smallest(self, cuts: list[set[str]] | None = None) -> int:
        """The smallest safe class; all rows where there is none."""
        labels, unsafe = self.labels(cuts), set(self.unsafe(cuts))
        crowd: dict[tuple[str, ...], set[Any]] = {}
        for row, label in enumerate(labels):
            if row not in unsafe:
                crowd.setdefault(label, set()).add(self.units[row])
        return min((len(who) for who in crowd.values()), default=len(labels))

    def rows(self, at: int, node: str) -> int:
        return sum(node in self.columns[at].path(cell) for cell in self.columns[at].cells)

    def saved(self, at: int, node: str) -> Fraction:
        column = self.columns[at]
        children = sum(column.cost(child) * self.rows(at, child) for child in column.children(node))
        return column.cost(node) * self.rows(at, node) - children

    def information(self, at: int, node: str, classes: list[Any]) -> tuple[float, int]:
        """The information gain about a class column if a node is replaced by its children; the classes under it."""
        column = self.columns[at]
        under = [kind for cell, kind in zip(column.cells, classes, strict=True) if node in column.path(cell)]
        gain = entropy(under)
        for child in column.children(node):
            part = [kind for cell, kind in zip(column.cells, classes, strict=True) if child in column.path(cell)]
            gain -= len(part) / len(under) * entropy(part)
        return gain, len(set(under))

    def specialize(self, classes: list[Any] | None = None) -> None:
        """Top-down: the best ratio of gain to loss first."""
        dead: set[tuple[int, str]] = set()
        while True:
            best, unsafe, smallest = None, len(self.unsafe()), self.smallest()
            for at, column in enumerate(self.columns):
                for node in column.nodes():
                    inner = column.children(node)
                    if node not in self.cuts[at] or not inner or (at, node) in dead or not self.rows(at, node):
                        continue
                    tried = self.cuts.copy()
                    tried[at] = self.cuts[at] - {node} | set(inner)
                    lost = len(self.unsafe(tried)) - unsafe
                    if unsafe + lost > self.limit:
                        dead.add((at, node))
                        continue
                    gain: Any = self.saved(at, node)
                    if classes is None and gain < lost * len(self.columns):
                        continue
                    if classes is not None:
                        gain, kinds = self.information(at, node, classes)
                        if kinds < 2 or gain * self.rows(at, node) < lost * entropy(classes) - 1e-9:
                            continue
                    score = gain / (1 + max(0, smallest - self.smallest_below(tried, at, node)) + lost)
                    if best is None or score > best[0] + (0 if classes is None else 1e-9):
                        best = (score, at, tried[at])
            if best is None:
                return
            self.cuts[best[1]] = best[2]

    def smallest_below(self, cuts: list[set[str]], at: int, node: str) -> int:
        """The smallest safe class among the rows under a node; more than all rows where there is none."""
        labels, unsafe = self.labels(cuts), set(self.unsafe(cuts))
        crowd: dict[tuple[str, ...], set[Any]] = {}
        for row, label in enumerate(labels):
            if row not in unsafe and node in self.columns[at].path(self.columns[at].cells[row]):
                crowd.setdefault(label, set()).add(self.units[row])
        return min((len(who) for who in crowd.values()), default=len(labels) + 1)

    def generalize(self) -> None:
        """Bottom-up: what makes most rows safe for its loss first; in the end what is superfluous is taken back."""
        while len(before := self.unsafe()) > self.limit:
            steps = []
            for at, column in enumerate(self.columns):
                for place, node in enumerate(column.nodes()):
                    children = column.children(node)
                    ready = all(child in self.cuts[at] or not self.rows(at, child) for child in children)
                    above = not any(self._at_or_above(column, one, node) for one in self.cuts[at])
                    if not children or not ready or not above or not self.rows(at, node):
                        continue
                    tried = self.cuts.copy()
                    tried[at] = {one for one in self.cuts[at] if not self._at_or_above(column, node, one)} | {node}
                    won = len(before) - len(self.unsafe(tried))
                    touched = any(node in column.path(column.cells[row]) for row in before)
                    loss = self.saved(at, node)
                    score = won / loss if loss else Fraction(0)
                    steps.append((loss > 0, -score, not touched, loss, at, place, tried[at]))
            best = min(steps, key=lambda step: step[:6])
            self.cuts[best[4]] = best[6]
        self.specialize()

    @staticmethod
    def _at_or_above(column: Column, upper: str, lower: str) -> bool:
        above = (column.tree.root,) if lower == GONE else column.tree.ancestors(lower)
        return upper == lower or upper in above

    def classes(self) -> set[frozenset[int]]:
        """The published rows, those under equal labels together."""
        unsafe, found = set(self.unsafe()), {}
        for row, label in enumerate(self.labels()):
            if row not in unsafe:
                found.setdefault(label, set()).add(row)
        return {frozenset(rows) for rows in found.values()}

    def published(self) -> list[tuple[Any, ...]]:
        """The published rows, sorted, missing values as nothing."""
        unsafe = set(self.unsafe())
        rows = [label for row, label in enumerate(self.labels()) if row not in unsafe]
        return sorted(rows)
