"""Which counts of a table are hidden before it leaves a study.

A table with its totals is a circulation: rows and columns are nodes, and every count is an arc between two of them,
with the grand total as the arc that closes the circle.  What an attacker can infer about a hidden count, knowing all
others and that a hidden count is not zero, are the least and the greatest flow through its arc, which are found exactly
from the true flow by augmenting paths.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from django.utils.translation import gettext as _

from sfumato.errors import Infeasible

__all__ = ["LEAST_K", "Table", "interval", "suppressed"]

LEAST_K = 3
Place = tuple[int | None, int | None]
"""Row and column of a count; None stands for the total of them."""


@dataclass(frozen=True)
class Table:
    """Counts of a table without its totals.

    counts : a row for each value of the first question, in it a count for each value of the second (one column if there
    is only one question).
    """

    counts: tuple[tuple[int, ...], ...]

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.counts[0]) if self.counts else 0

    def values(self) -> dict[Place, int]:
        """Every count and total by its place."""
        cells: dict[Place, int] = {
            (row, column): number for row, line in enumerate(self.counts) for column, number in enumerate(line)
        }
        rows: dict[Place, int] = {(row, None): sum(line) for row, line in enumerate(self.counts)}
        columns: dict[Place, int] = {
            (None, column): sum(line[column] for line in self.counts) for column in range(self.columns)
        }
        total: dict[Place, int] = {(None, None): sum(map(sum, self.counts))}
        if self.columns == 1:  # one question: its counts are the totals of the rows, and their sum that of the column
            return cells | total
        return cells | rows | columns | total

    def arc(self, place: Place) -> tuple[str, str]:
        """The nodes that the arc of a count joins."""
        row, column = place
        if self.columns == 1:
            return ("start", "end") if row is not None else ("end", "start")
        if row is None and column is None:
            return "end", "start"
        if row is None:
            return f"column {column}", "end"
        return ("start", f"row {row}") if column is None else (f"row {row}", f"column {column}")


def suppressed(table: Table, k: int) -> frozenset[Place]:
    """The places to hide, so that no attacker can tell that a count is between 1 and k - 1, nor its value closely.

    Every count between 1 and k - 1 is hidden, and further counts until each of them may be larger by at least k - 1
    for all that the published table shows.  Zeros and the grand total are always shown.  Refuses where this is not
    possible.
    """
    if k < LEAST_K:
        raise Infeasible(
            _("shared charts: wanted a smallest count of at least %(least)s, got %(k)s") % {"least": LEAST_K, "k": k}
        )
    values = table.values()
    total = values[None, None]
    if 0 < total < k:
        raise Infeasible(_("the chart is about fewer than %(k)s entries, so nothing of it can be shared") % {"k": k})
    small = [place for place, number in values.items() if 0 < number < k]
    hidden = set(small)
    for place in sorted(small, key=lambda place: (values[place], _order(place))):
        while _greatest(table, values, hidden, place)[0] < values[place] + k - 1:
            extra = _cheapest(table, values, hidden, place)
            if not extra:
                raise Infeasible(
                    _("a count below %(k)s could be inferred from the totals; choose fewer or wider groups") % {"k": k}
                )
            hidden |= extra
    return frozenset(hidden)


def interval(table: Table, hidden: Iterable[Place], place: Place) -> tuple[int, int]:
    """The least and the greatest value that a hidden count may have for all that an attacker sees."""
    values, places = table.values(), set(hidden)
    return _least(table, values, places, place), _greatest(table, values, places, place)[0]


def _order(place: Place) -> tuple[int, int]:
    return tuple(-1 if part is None else part for part in place)  # type: ignore[return-value]


Step = tuple[Place, int]
"""A count and whether it grows (1) or shrinks (-1)."""


def _steps(table: Table, places: Iterable[Place]) -> dict[str, list[tuple[str, Step]]]:
    """From each node, the nodes to which a unit can be sent and the count that changes by it."""
    steps: dict[str, list[tuple[str, Step]]] = {}
    for place in sorted(places, key=_order):
        tail, head = table.arc(place)
        steps.setdefault(tail, []).append((head, (place, 1)))
        steps.setdefault(head, []).append((tail, (place, -1)))
    return steps


def _greatest(table: Table, values: dict[Place, int], hidden: set[Place], place: Place) -> tuple[int, dict[Place, int]]:
    """The greatest value of a hidden count, and the table in which it has it."""
    tail, head = table.arc(place)
    gained, flow = _pushed(table, values, hidden - {place}, head, tail, values[None, None])
    return values[place] + gained, flow | {place: values[place] + gained}


def _least(table: Table, values: dict[Place, int], hidden: set[Place], place: Place) -> int:
    tail, head = table.arc(place)
    return values[place] - _pushed(table, values, hidden - {place}, tail, head, values[place] - 1)[0]


def _pushed(
    table: Table, values: dict[Place, int], places: set[Place], source: str, sink: str, most: int
) -> tuple[int, dict[Place, int]]:
    """How many units (at most `most`) hidden counts let through from one node to another; no count falls below 1."""
    steps, flow, units = _steps(table, places), dict(values), 0
    while units < most:
        path = _path(steps, flow, source, sink)
        if path is None:
            break
        room = min([flow[place] - 1 for place, sign in path if sign < 0] + [most - units])
        for place, sign in path:
            flow[place] += sign * room
        units += room
    return units, flow


def _path(
    steps: dict[str, list[tuple[str, Step]]], flow: dict[Place, int], source: str, sink: str
) -> list[Step] | None:
    """The shortest path by which a unit can be sent."""
    reached: dict[str, tuple[str, Step] | None] = {source: None}
    queue = deque([source])
    while queue:
        node = queue.popleft()
        if node == sink:
            return _walked(reached, sink)
        for other, step in steps.get(node, ()):
            if other not in reached and (step[1] > 0 or flow[step[0]] > 1):
                reached[other] = (node, step)
                queue.append(other)
    return None


def _walked(reached: dict[str, tuple[str, Step] | None], sink: str) -> list[Step]:
    path, node = [], sink
    while (link := reached[node]) is not None:
        node, step = link
        path.append(step)
    return path[::-1]


def _cheapest(table: Table, values: dict[Place, int], hidden: set[Place], place: Place) -> set[Place]:
    """The further counts to hide, of the smallest sum, so that a count can grow by one more; none if it cannot."""
    _most, flow = _greatest(table, values, hidden, place)
    shown = {other for other, number in values.items() if number > 0 and other not in hidden and other != (None, None)}
    tail, head = table.arc(place)
    steps = _steps(table, (hidden | shown) - {place})
    ticket = count()
    queue: list[tuple[int, int, str, tuple[str, Step] | None]] = [(0, next(ticket), head, None)]
    reached: dict[str, tuple[str, Step] | None] = {}
    while queue:
        cost, _number, node, link = heappop(queue)
        if node in reached:
            continue
        reached[node] = link
        if node == tail:
            return {step[0] for step in _walked(reached, tail)} - hidden
        for other, step in steps.get(node, ()):
            if other not in reached and (step[1] > 0 or flow[step[0]] > 1):
                price = values[step[0]] if step[0] in shown else 0
                heappush(queue, (cost + price, next(ticket), other, (node, step)))
    return set()
