"""A table's quasi-identifiers as numbers: the leaf of each cell, and the hierarchy of each column as arrays.

Methods and measures for tables work on these.  A column with a hierarchy uses it; a column of numbers without a
hierarchy gets intervals, a column of dates calendar labels; any other column gets one root over its values.  A missing
value (None, an empty text, not a number) is a value of its own: a leaf directly under the root, which is published as
None.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints, Members, missing
from sfumato.data.frames import Source
from sfumato.data.labels.calendar_labels import days_of
from sfumato.data.preorder import preorder
from sfumato.data.tables.dates import calendar_sizes, calendar_tree, date_texts, has_calendar, is_temporal
from sfumato.data.tables.numeric_leaves import number_text
from sfumato.data.tables.published_names import MISSING, published_names, unused_name
from sfumato.data.tables.table import Table
from sfumato.data.taxonomy import ROOT, Taxonomy
from sfumato.errors import shortened

__all__ = ["MISSING", "Attribute", "Coding", "occurrences", "require_leaves", "texts_of"]

_INTERVALS = 64
_EXACT = 2.0**53  # above it, different numbers may have the same text: such columns are treated as texts


@dataclass(frozen=True, eq=False)
class Attribute:
    """The hierarchy of one column as arrays.  Nodes are numbered from the root (0) down, parents before children.

    names : of the nodes.  parent, depth : int32[nodes]; the root's parent is -1.
    first, stop : int32[nodes]; below a node lie the leaves first to stop - 1.
    leaf_node : int32[leaves], the node of each leaf; leaves are numbered in the order of the tree.
    missing : the leaf of the missing value, -1 where no value is missing.
    ranges : whether the nodes above leaves are intervals, whose names already list what they stand for: a column of
    numbers for which the user gave no hierarchy.
    sizes : int64[nodes] in a column of dates for which the user gave no hierarchy, otherwise None: how many days or
    seconds each node stands for.  The nodes above leaves are calendar labels such as ``2024-03``.
    """

    name: str
    names: tuple[str, ...]
    parent: Ints
    depth: Ints
    first: Ints
    stop: Ints
    leaf_node: Ints
    missing: int = -1
    ranges: bool = False
    sizes: Ints | None = None

    @classmethod
    def of(cls, name: str, tree: Taxonomy, *, with_missing: bool, ranges: bool = False) -> Self:
        """The arrays of a taxonomy and, where values are missing, one more leaf under its root."""
        nodes = preorder(tree)
        names, parent = list(nodes.names), nodes.parent.tolist()
        first, stop = (np.array(bounds, dtype=np.int32) for bounds in zip(*map(tree.span, names), strict=True))
        leaf = [number for number, node in enumerate(names) if tree.is_leaf(node)]
        if with_missing:
            if len(names) == 1:  # a tree of one node: its leaf gets a root
                names, parent = [unused_name(ROOT, names), *names], [-1, 0]
                first, stop, leaf = np.zeros(2, dtype=np.int32), np.ones(2, dtype=np.int32), [1]
            leaf.append(len(names))
            parent.append(0)
            stop[0] += 1
            first, stop = np.append(first, stop[0] - 1), np.append(stop, stop[0])
            names.append(unused_name(MISSING, names))
        depth = np.zeros(len(names), dtype=np.int32)
        for number in range(1, len(names)):
            depth[number] = depth[parent[number]] + 1
        return cls(
            name,
            tuple(names),
            np.array(parent, dtype=np.int32),
            depth,
            first.astype(np.int32),
            stop.astype(np.int32),
            np.array(leaf, dtype=np.int32),
            len(leaf) - 1 if with_missing else -1,
            ranges,
        )

    def as_missing(self) -> Self:
        """The same tree of one node, whose leaf is the missing value."""
        return replace(self, missing=0)

    def as_calendar(self) -> Self:
        """The same tree, whose nodes are calendar labels."""
        return replace(self, sizes=calendar_sizes(self.names, self.leaf_node, with_missing=self.missing >= 0))

    @property
    def n_leaves(self) -> int:
        return len(self.leaf_node)

    @property
    def n_values(self) -> npt.NDArray[np.int64]:
        """int64[nodes]: how many values each node stands for: leaves, or in a column of dates days or seconds."""
        return np.asarray(self.stop - self.first if self.sizes is None else self.sizes, dtype=np.int64)

    @property
    def height(self) -> int:
        """The number of steps from the root to its farthest leaf."""
        return int(self.depth.max())

    @cached_property
    def levels(self) -> Ints:
        """int32[height + 1, leaves]: the node of each leaf at each level of full-domain generalization.

        Level 0 is the leaves, the last one the root.  A level is a cut through the tree at one depth: a leaf above the
        cut, such as the missing value, stays as it is, so that no label lies under another one.
        """
        levels = np.empty((self.height + 1, self.n_leaves), dtype=np.int32)
        levels[0] = self.leaf_node
        for level in range(1, self.height + 1):
            lower_level = levels[level - 1]
            levels[level] = np.where(
                self.depth[lower_level] > self.height - level, self.parent[lower_level], lower_level
            )
        return levels

    def lowest_nodes(self, low: Ints, high: Ints) -> Ints:
        """The lowest node over each pair of a lowest and a highest leaf."""
        node = self.leaf_node[low]
        while (short := self.stop[node] <= high).any():
            node = np.where(short, self.parent[node], node)
        return np.asarray(node, dtype=np.int32)

    def children(self, node: int) -> Ints:
        return np.flatnonzero(self.parent == node).astype(np.int32)

    def members(
        self, node: int, present: Collection[str] | None = None, names: Sequence[str] | None = None
    ) -> tuple[str, ...] | None:
        """The members of a node's label; None for a leaf or an interval, whose name says what it stands for.

        present : the values to list, if not all.  names : other names of the nodes, if any.
        """
        names = names or self.names
        if self.stop[node] - self.first[node] == 1 and node in self.leaf_node:
            return None
        if self.sizes is not None:
            return self._calendar_members(node, present)
        if not self.ranges:
            leaves = self.leaf_node[self.first[node] : self.stop[node]].tolist()
            return tuple(names[leaf] for leaf in leaves if self._occurs(leaf, present))
        if self.missing >= 0 and node == 0:
            return tuple(names[child] for child in self.children(0).tolist() if self._occurs(child, present))
        return None

    def _occurs(self, node: int, present: Collection[str] | None) -> bool:
        """Whether a value below a node is among those to list."""
        leaves = self.leaf_node[self.first[node] : self.stop[node]]
        return present is None or any(self.names[leaf] in present for leaf in leaves)

    def root_for_published(self, leaves: Ints) -> str:
        """The name of the root of a calendar when only these leaves are published: that of their year, if it is one.

        The name of the root would disclose that rows of other years were suppressed.
        """
        present = {self.names[self.leaf_node[leaf]] for leaf in leaves}
        members = self._calendar_members(0, present)
        return members[0] if members is not None and len(members) == 1 and days_of(members[0]) else self.names[0]

    def _calendar_members(self, node: int, present: Collection[str] | None) -> tuple[str, ...] | None:
        """The labels under the root of a calendar; None for a calendar label, whose name says what it stands for."""
        if node != 0 or days_of(self.names[node]) is not None:
            return None
        return tuple(self.names[child] for child in self.children(0).tolist() if self._occurs(child, present))


@dataclass(frozen=True, eq=False)
class Coding:
    """The quasi-identifiers of a table: their hierarchies and, for each column and row, the leaf.

    codes : int32[columns, rows].
    times : int64[rows], how many equal rows of the data each row stands for; None for one each.

    >>> people = Table({"age": [31, 34, 52], "town": ["Rome", None, "Oslo"]})
    >>> coding = Coding.of(people)
    >>> coding.codes.tolist()
    [[0, 1, 2], [1, 2, 0]]
    >>> coding.attributes[0].names
    ('[30:53]', '[30:35]', '[30:31]', '31', '[34:35]', '34', '[52:53]', '52')
    >>> coding.attributes[1].names, coding.attributes[1].levels.tolist()
    (('*', 'Oslo', 'Rome', '(missing)'), [[1, 2, 3], [0, 0, 0]])
    """

    table: Table
    attributes: tuple[Attribute, ...]
    codes: Ints
    times: Ints | None = None

    @classmethod
    def of(cls, table: Table, *, quantiles: bool = False, times: Ints | None = None) -> Self:
        """The coding of a table; refuses a value outside its hierarchy, with its column and row.

        quantiles : whether derived intervals hold about as many rows each, rather than being of one width.
        times : how often each row occurs, where equal rows of the data are one row of the table.
        """
        require_leaves(table, Source("the table"))
        coded = [_coded(table, column, quantiles=quantiles, times=times) for column in table.quasi_identifiers]
        codes = np.empty((len(coded), len(table)), dtype=np.int32)
        for index, (_, leaves) in enumerate(coded):
            codes[index] = leaves
        return cls(table, tuple(attribute for attribute, _ in coded), codes, times)

    def __len__(self) -> int:
        return len(self.table)

    @property
    def total(self) -> int:
        """How many rows of the data there are."""
        return len(self) if self.times is None else int(self.times.sum())

    def count(self, numbers: Ints, minlength: int = 0, rows: Ints | None = None) -> npt.NDArray[np.int64]:
        """How many rows of the data have each number; rows : those that the numbers are of, if not all."""
        return occurrences(numbers, self.times if rows is None or self.times is None else self.times[rows], minlength)

    def published(self, nodes: Ints, rows: Ints) -> Table:
        """The table with some of its rows, in which the cells of quasi-identifiers are these nodes.

        nodes : int[columns, len(rows)].  A column in which every node is a leaf keeps its type.
        """
        frame = self.table.frame[rows]
        members: dict[str, Members] = {}
        for attribute, leaves, cells in zip(self.attributes, self.codes, nodes, strict=True):
            used = np.flatnonzero(np.bincount(cells))
            if np.isin(used, attribute.leaf_node).all():
                continue
            tree, labels, present = self.table.hierarchies.get(attribute.name), list(attribute.names), None
            if tree is None or tree.rule:  # computed from the data: what it publishes are values of published rows
                known = np.flatnonzero(np.bincount(leaves[rows]))
                present = {attribute.names[attribute.leaf_node[leaf]] for leaf in known}
                labels = published_names(attribute, known, used, "" if tree is None else tree.rule)
            members_of_label = {labels[node]: attribute.members(int(node), present, labels) for node in used}
            members[attribute.name] = {
                label: tuple(sorted(group)) if tree is not None and tree.rule else group  # the tree's order is private
                for label, group in members_of_label.items()
                if group is not None and group != (label,)
            }
            if attribute.missing >= 0:
                labels[attribute.leaf_node[attribute.missing]] = None  # type: ignore[call-overload]
            frame = frame.with_columns(pl.Series(attribute.name, labels, dtype=pl.String).gather(cells))
        return Table(
            frame,
            quasi_identifiers=self.table.quasi_identifiers,
            sensitive=self.table.sensitive,
            members={column: labels for column, labels in members.items() if labels},
        )


def occurrences(numbers: Ints, times: Ints | None, minlength: int = 0) -> npt.NDArray[np.int64]:
    """How often each number occurs, where each of the numbers occurs so many times; None for once each.

    >>> occurrences(np.array([2, 0, 2]), np.array([5, 1, 1])).tolist()
    [1, 0, 6]
    """
    if times is None:
        return np.bincount(numbers, minlength=minlength)
    counts = np.zeros(max(minlength, int(numbers.max()) + 1 if len(numbers) else 0), dtype=np.int64)
    np.add.at(counts, numbers, times)
    return counts


def require_leaves(table: Table, source: Source) -> None:
    """Refuse a table with a value that is not a leaf of its column's hierarchy; the value itself is not quoted."""
    for column, tree in table.hierarchies.items():
        texts = texts_of(table[column])
        values = texts.drop_nulls().unique().to_list()
        unknown_values = [value for value in values if value not in tree or not tree.is_leaf(value)]
        if unknown_values:
            count = "1 value that occurs" if len(unknown_values) == 1 else f"{len(unknown_values)} values that occur"
            raise source.error(
                f"the hierarchy of {shortened(column)!r} lacks {count} in the data, first seen here",
                row=int(texts.is_in(unknown_values).fill_null(value=False).arg_max()),  # type: ignore[arg-type]
            )


def texts_of(column: pl.Series) -> pl.Series:
    """The values as texts, None where a value is missing; a whole number is written ``30``, also where it was 30.0.

    >>> texts_of(pl.Series([30.0, 2.5, None])).to_list()
    ['30', '2.5', None]
    """
    is_missing = missing(column)
    texts = date_texts(column) if is_temporal(column.dtype) else column.cast(pl.String)
    if column.dtype.is_float():
        texts = number_text(texts)
    return pl.select(pl.when(is_missing).then(None).otherwise(texts)).to_series()


def _coded(table: Table, column: str, *, quantiles: bool, times: Ints | None) -> tuple[Attribute, Ints]:
    texts = texts_of(table[column])
    values = texts.drop_nulls().unique().sort()
    with_missing = texts.null_count() > 0
    tree, ranges = table.hierarchies.get(column), False
    exact = table[column].dtype.is_numeric() and all(abs(float(value)) <= _EXACT for value in values)
    if tree is None and exact and len(values):
        here = texts.cast(pl.Enum(values)).to_physical()
        known = here.is_not_null().to_numpy()
        numbers = occurrences(here.drop_nulls().to_numpy(), None if times is None else times[known], len(values))
        counts = {float(value): int(count) for value, count in zip(values, numbers, strict=True)}
        intervals = Taxonomy.quantiles(counts, _INTERVALS) if quantiles else _intervals_of_equal_width(sorted(counts))
        tree, ranges = _with_top_interval(intervals, with_missing=with_missing), True
    is_calendar = tree is None and has_calendar(table[column])
    if is_calendar:
        tree = calendar_tree(table[column], table.dates, with_missing=with_missing)
    if tree is None:
        root = unused_name(ROOT, values.to_list())
        tree = Taxonomy({root: None, **dict.fromkeys(values.to_list(), root)})
        if not len(values):  # every value is missing: the root's only leaf is the missing value
            empty = Taxonomy({MISSING: None})
            return Attribute.of(column, empty, with_missing=False).as_missing(), np.zeros(len(table), dtype=np.int32)
    attribute = Attribute.of(column, tree, with_missing=with_missing, ranges=ranges)
    attribute = attribute.as_calendar() if is_calendar else attribute
    names = [_plain(float(value)) for value in values] if ranges else values.to_list()
    leaf_of = {attribute.names[node]: leaf for leaf, node in enumerate(attribute.leaf_node)}
    lookup = np.array([*(leaf_of[name] for name in names), attribute.missing], dtype=np.int32)
    position = texts.cast(pl.Enum(values)).to_physical().fill_null(len(values))
    return attribute, lookup[position.to_numpy()]


def _intervals_of_equal_width(numbers: list[float]) -> Taxonomy:
    """A tree of intervals of a round width, two children a node."""
    span = max(numbers) - min(numbers)
    all_whole = all(number.is_integer() for number in numbers)
    width = max(_round_up(span / _INTERVALS), 2.0 if all_whole else 0.0) or 1.0
    return Taxonomy.intervals(numbers, width)


def _with_top_interval(tree: Taxonomy, *, with_missing: bool) -> Taxonomy:
    """The tree with one interval over all numbers; a missing value lies in no interval."""
    top = tree.children(tree.root)
    parents = {node: parent for node, parent, _ in tree.to_parents() if node != tree.root}
    top_root = {ROOT: None} if with_missing else {}
    root = ROOT if with_missing else None
    if len(top) == 1:
        return Taxonomy(top_root | {node: root if node == top[0] else parent for node, parent in parents.items()})
    low, high = top[0].strip("[]").partition(":")[0], top[-1].strip("[]").rpartition(":")[2]
    top_interval = unused_name(f"[{low}:{high}]", parents)
    nodes_below = {node: top_interval if node in top else parent for node, parent in parents.items()}
    return Taxonomy(top_root | {top_interval: root} | nodes_below)


def _round_up(width: float) -> float:
    """The next of 1, 2, 5, 10, 20, ..."""
    if width <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(width))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= width * (1 - 1e-12))


def _plain(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)
