"""Groups of rows, literally: every label is looked for among all nodes, every candidate is tried in every step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from sfumato.data import Table
from twins.tables import GONE, Column

UNIT = 1 << 29


def label_cost(table: Table, rows: Iterable[int]) -> int:
    """What a row of this group costs: in each column the share of all leaves under the closest node over its values."""
    chosen = list(rows)
    return sum(
        _column_cost(table, name, frozenset(_cells(table, name)[row] for row in chosen))
        for name in table.quasi_identifiers
    )


@lru_cache(maxsize=100)
def _cells(table: Table, name: str) -> list[Any]:
    return table[name].to_list()


@lru_cache(maxsize=100_000)
def _column_cost(table: Table, name: str, cells: frozenset[Any]) -> int:
    everything = _cells(table, name)
    if len(cells) == 1:
        return 0
    if name not in table.hierarchies:
        numbers = [cell for cell in everything if cell is not None]
        span = max(numbers) - min(numbers)
        places = {number: round((number - min(numbers)) / (span or 1) * UNIT) for number in numbers}
        return UNIT if None in cells else places[max(cells)] - places[min(cells)]
    column = Column(table, name)
    over = [n for n in column.nodes() if {GONE if cell is None else cell for cell in cells} <= set(column.below(n))]
    return min(round(float(column.cost(node)) * UNIT) for node in over)


class Forming:
    """The steps that both ways to form groups share.  Rows are in the order of their content."""

    def __init__(self, table: Table, units: Sequence[int], k: int, l: int = 1) -> None:  # noqa: E741
        self.table, self.units, self.l = table, units, l
        self.target = max(k, l)
        self.left = list(range(len(table)))
        self.groups: list[list[int]] = []

    def crowded(self) -> bool:
        return len({self.units[row] for row in self.left}) >= self.target

    def form(self, seed: int, cost: Callable[[list[int], int], int]) -> None:
        """A group around a seed, always with the cheapest row that is allowed; none if it cannot be completed."""
        members = [seed]
        while len(members) < self.target:
            allowed = [row for row in self.left if row not in members and self._allowed(members, row)]
            if not allowed:
                break
            members.append(min(allowed, key=lambda row: (cost(members, row), row)))
        complete = len(members) == self.target
        if complete:
            self.groups.append(members)
        self.left = [row for row in self.left if row not in (members if complete else [seed])]

    def _allowed(self, members: list[int], row: int) -> bool:
        if self.units[row] in {self.units[member] for member in members}:
            return False
        left = self.target - len(members) - 1
        return all(self.l - len({self.table[c][r] for r in [*members, row]}) <= left for c in self.table.sensitive)

    def complete(self) -> set[frozenset[int]]:
        """Put every other row into the group whose rows cost least then, the earliest among equals."""
        if not self.groups:
            return {frozenset(range(len(self.table)))}
        placed = {row for group in self.groups for row in group}
        for row in range(len(self.table)):
            if row not in placed:
                min(self.groups, key=lambda group: label_cost(self.table, [*group, row])).append(row)
        return {frozenset(group) for group in self.groups}


def cluster(table: Table, units: Sequence[int], seeds: Sequence[int], k: int, l: int = 1) -> set[frozenset[int]]:  # noqa: E741
    """CLUSTER, steps 1 to 7."""
    forming = Forming(table, units, k, l)
    for seed in seeds:  # step 3
        if seed in forming.left:
            if not forming.crowded():  # step 2
                break
            forming.form(seed, lambda members, row: label_cost(table, [members[0], row]))  # step 4
    return forming.complete()  # steps 6 and 7


def k_member(table: Table, units: Sequence[int], k: int, l: int = 1) -> set[frozenset[int]]:  # noqa: E741
    """Greedy k-member clustering: the next seed is the row farthest from the last one."""
    forming, seed = Forming(table, units, k, l), 0
    while forming.crowded():
        last = seed
        seed = max(forming.left, key=lambda row: (label_cost(table, [last, row]), -row))
        forming.form(seed, lambda members, row: label_cost(table, [*members, row]))
    return forming.complete()


def total_cost(table: Table, groups: Iterable[Iterable[int]]) -> int:
    return sum(len(list(group)) * label_cost(table, group) for group in map(list, groups))


def groups_of(group: Any) -> set[frozenset[int]]:
    found: dict[int, list[int]] = {}
    for row, number in enumerate(group.tolist()):
        found.setdefault(number, []).append(row)
    return {frozenset(rows) for rows in found.values()}
