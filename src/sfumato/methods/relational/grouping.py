"""Groups of rows to publish under common labels: formed, completed, and improved by exchange.

A method for other data can begin here: `clusters` and `improved_groups` say which rows go together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import Table
from sfumato.data.base import Ints, missing
from sfumato.data.tables.encoding import Coding
from sfumato.kernels.tables.class_requirements import Demand, meets
from sfumato.kernels.tables.group_costs import label_cost
from sfumato.kernels.tables.group_forming import groups_by_growth, groups_of_nearest, merge_until_met, place_rest
from sfumato.kernels.tables.row_exchange import exchange_rows
from sfumato.methods.relational.content_order import content_order
from sfumato.methods.relational.group_costs import UNIT, group_labels, label_nodes, spans_of

__all__ = ["Grouping", "clusters", "improved_groups"]

MOST_AT_ONCE = 40_000  # rows that exchange compares all with all; more are grouped in parts
_NEAR = 20  # groups that a row looks at
_WIDTHS = np.array([4, 3, 2], dtype=np.int64)  # rows that each step of a chain tries


def clusters(
    coding: Coding,
    k: int,
    rng: np.random.Generator,
    *,
    l: int = 1,  # noqa: E741
    t: float = 1.0,
    weights: Sequence[float] | None = None,
) -> Ints | None:
    """The group of each row by algorithm CLUSTER; groups are numbered by content.

    weights : of the attributes in the normalized certainty penalty, 1 each where not given.
    Nothing is returned where even all rows together are not k persons, or not as diverse as l demands.

    >>> people = Table({"age": [30, 61, 31, 60, 62]})
    >>> clusters(Coding.of(people), 2, np.random.default_rng(1)).tolist()
    [0, 1, 0, 1, 1]
    """
    grouping = Grouping.of(coding, k, rng, l, t, weights)
    return grouping.in_row_order(grouping.settled(grouping.nearest(rng.permutation(len(coding)))))


def improved_groups(
    coding: Coding,
    k: int,
    rng: np.random.Generator,
    *,
    l: int = 1,  # noqa: E741
    t: float = 1.0,
    weights: Sequence[float] | None = None,
    advance: Callable[[int, int], None] | None = None,
) -> Ints | None:
    """The group of each row by greedy k-member groups and exchange; otherwise as `clusters`.

    >>> people = Table({"age": [30, 61, 31, 60, 62]})
    >>> improved_groups(Coding.of(people), 2, np.random.default_rng(1)).tolist()
    [0, 1, 0, 1, 1]
    """
    grouping = Grouping.of(coding, k, rng, l, t, weights)
    if len(coding) > MOST_AT_ONCE:
        from sfumato.methods.relational.parted_groups import parted_groups

        group = parted_groups(grouping, advance)
        return None if group is None else grouping.in_row_order(grouping.settled(group))
    start = grouping.met(grouping.grown())
    return None if start is None else grouping.in_row_order(grouping.settled(grouping.exchanged(start, advance)))


@dataclass(frozen=True, eq=False)
class Grouping:
    """Rows in the order of their quasi-identifiers, what their labels cost, and what a group must be.

    Which of several equal rows comes first is drawn: if another column decided it, an attacker with the method could
    infer from the groups who has which value there.

    A grouping of rows is int64[n] in this order, every number below the number of groups in use.
    """

    coding: Coding
    order: Ints
    columns: Ints  # few leaves first: they decide soonest that a label is too dear
    codes: npt.NDArray[np.int32]
    spans: npt.NDArray[np.int32]
    demand: Demand
    plain: bool
    lasting: bool  # merging groups that meet the demand makes one that does

    @classmethod
    def of(
        cls,
        coding: Coding,
        k: int,
        rng: np.random.Generator,
        l: int = 1,  # noqa: E741
        t: float = 1.0,
        weights: Sequence[float] | None = None,
    ) -> Self:
        order, units = content_order(coding.table)
        drawn = np.lexsort((rng.permutation(len(order)), *coding.codes[::-1, order]))
        order, units = order[drawn], units[drawn]
        columns = np.argsort([attribute.n_leaves for attribute in coding.attributes], kind="stable")
        chosen = None if weights is None else [float(weights[column]) for column in columns]
        spans = spans_of([coding.attributes[column] for column in columns], chosen)
        codes = np.ascontiguousarray(coding.codes[columns][:, order].T, dtype=np.int32)
        alone = len(np.unique(units)) == len(units)
        demand = _demand(coding.table, order, units, alone, max(k, l), l, t)
        return cls(coding, order, columns, codes, spans, demand, alone and l == 1 and t >= 1, alone or t >= 1)

    @property
    def _more(self) -> Demand | None:
        """The demand, where it is more than a number of rows."""
        return None if self.plain else self.demand

    def part(self, rows: Ints) -> Self:
        """The same for some of the rows, given by their places in this order, rising."""
        demand = self.demand
        fewer = demand._replace(units=demand.units[rows], sensitive=demand.sensitive[rows], pairs=demand.pairs[rows])
        return replace(self, order=self.order[rows], codes=self.codes[rows], demand=fewer)

    def nearest(self, seeds: Ints) -> Ints:
        """CLUSTER, steps 1 to 7, with the seeds in this order; also where a group does not meet t."""
        return self._completed(*groups_of_nearest(self.codes, seeds, self.demand.k, self._more, self.spans))

    def grown(self) -> Ints:
        """Greedy k-member groups, the rest put where it costs least."""
        return self._completed(*groups_by_growth(self.codes, self.demand.k, self._more, self.spans))

    def _completed(self, group: Ints, n_groups: int) -> Ints:
        if n_groups == 0:
            return np.zeros(len(group), dtype=np.int64)
        place_rest(group, n_groups, self.codes, self.spans)
        return group

    def settled(self, group: Ints) -> Ints | None:
        """Groups that meet the requirement, with equal labels united (steps 9 to 11); None where there are none."""
        met = self.met(group)
        while met is not None:
            united = self._united(met)
            if self.lasting or np.array_equal(united, met):
                return united
            met = self.met(united)
        return None

    def met(self, group: Ints) -> Ints | None:
        """Groups that meet the requirement, by merging; None where all rows together do not meet it."""
        group = _numbered(group)
        if not self.plain or np.bincount(group).min(initial=self.demand.k) < self.demand.k:
            merge_until_met(group, int(group.max(initial=-1)) + 1, self.codes, self.demand, self.spans)
            group = _numbered(group)
        alone = group.max(initial=0) == 0
        return None if alone and not meets(np.arange(len(group)), len(group), self.demand) else group

    def _united(self, group: Ints) -> Ints:
        low, high = group_labels(self.codes, group, int(group.max(initial=-1)) + 1)
        where = np.argsort(self.columns)
        _, nodes = label_nodes(self.coding, low[:, where].T, high[:, where].T)
        _, label = np.unique(nodes.T, axis=0, return_inverse=True)
        return _numbered(label.ravel()[group])

    def _equals_united(self, group: Ints) -> Ints:
        """Groups of rows that are all equal united: each of those rows but k can then be spared."""
        low, high = group_labels(self.codes, group, int(group.max(initial=-1)) + 1)
        _, label = np.unique(low, axis=0, return_inverse=True)
        alike = np.where((low == high).all(axis=1), label.ravel(), len(low) + np.arange(len(low)))
        return _numbered(alike[group])

    def exchanged(self, group: Ints, advance: Callable[[int, int], None] | None = None) -> Ints:
        """Rows exchanged between groups that meet the demand until nothing improves; never dearer than before."""
        group = self._equals_united(group) if self.lasting else group.copy()
        for number, _ in enumerate(self.passes(group), start=1):
            if advance is not None:
                advance(number, 0)
        return group

    def passes(self, group: Ints) -> Iterator[int]:
        """Passes of exchange, which change `group`, and what each gains; the last looks everywhere, in vain."""
        n_groups = int(group.max(initial=-1)) + 1
        near = np.full((len(group), _NEAR), -1)
        changed = np.zeros(n_groups, dtype=bool)
        everywhere, gained = True, 1
        while gained or not everywhere:
            everywhere = gained == 0 or not changed.any()
            gained = exchange_rows(
                group, n_groups, self.codes, self.demand.k, self._more, near, changed, everywhere, _WIDTHS, self.spans
            )
            yield gained

    def cost(self, group: Ints) -> float:
        """The normalized certainty penalty of the groups: mean over rows of the sum over attributes."""
        group = _numbered(group)
        low, high = group_labels(self.codes, group, int(group.max(initial=-1)) + 1)
        each = [label_cost(low, high, number, number, self.spans) for number in range(len(low))]
        return float(np.bincount(group) @ np.array(each, dtype=np.int64) / UNIT / len(group))

    def in_row_order(self, group: Ints | None) -> Ints | None:
        """The group of each row of the table."""
        if group is None:
            return None
        rows = np.empty(len(group), dtype=np.int64)
        rows[self.order] = group
        return rows


def _numbered(group: Ints) -> Ints:
    """The same groups, numbered without gaps by first appearance."""
    _, first, which = np.unique(group, return_index=True, return_inverse=True)
    number = np.empty(len(first), dtype=np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    return number[which.ravel()]


def _demand(table: Table, order: Ints, units: Ints, alone: bool, k: int, l: int, t: float) -> Demand:  # noqa: E741
    """The privacy parameters of a group and the numbered sensitive values of the table."""
    columns = table.sensitive if l > 1 or t < 1 else ()
    sensitive = np.zeros((len(order), len(columns)), dtype=np.int32)
    pairs = np.zeros((len(order), len(columns)), dtype=np.int32)
    by_person, by_row = [], []
    for index, column in enumerate(columns):
        values = _value_numbers(table[column])[order]
        both, which = np.unique(np.column_stack((values, units)), axis=0, return_inverse=True)
        sensitive[:, index], pairs[:, index] = values, which.ravel()
        by_person.append(np.bincount(both[:, 0]))
        by_row.append(np.bincount(values))
    person_counts, row_counts = np.zeros((2, len(columns), max(map(len, by_person), default=0)), dtype=np.int64)
    for index, (persons, rows) in enumerate(zip(by_person, by_row, strict=True)):
        person_counts[index, : len(persons)], row_counts[index, : len(rows)] = persons, rows
    seen, slot = np.zeros(len(order) + 1, dtype=np.int64), np.zeros(len(order) + 1, dtype=np.int64)
    who, tick = units.astype(np.int32), np.zeros(1, np.int64)
    return Demand(k, l, float(t), who, alone, sensitive, pairs, person_counts, row_counts, seen, slot, tick)


def _value_numbers(column: pl.Series) -> Ints:
    """The values numbered in their order, a missing one first."""
    if column.dtype.is_float():
        column = column + 0.0
    known = pl.select(pl.when(missing(column)).then(None).otherwise(column)).to_series().alias("value")
    distinct = known.unique().sort(nulls_last=False).to_frame().with_row_index("number")
    return (
        (known.to_frame().join(distinct, on="value", how="left", nulls_equal=True, maintain_order="left")["number"])
        .to_numpy()
        .astype(np.int32)
    )
