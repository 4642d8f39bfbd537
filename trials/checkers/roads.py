"""Strict k-anonymity and no inference routes (Gurung et al. 2014, Definitions 4 and 2)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from trials.checkers.patterns import by_count
from trials.files import Behind, Seen

__all__ = ["check_inference_route", "check_strict_k"]

Road = tuple[str, str]


def check_strict_k(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """Every published trajectory occurs at least k times in its interval, and is a path."""
    who: dict[Any, set[Any]] = {}
    for record, unit in zip(seen.records, by_count(len(seen.records), behind), strict=True):
        who.setdefault(record, set()).add(unit)
    k = parameters["k"]
    rare = [f"{record} occurs {len(units)} times, below k={k}" for record, units in who.items() if len(units) < k]
    return [*rare, *_broken(seen)]


def check_inference_route(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """At every intersection, those who come by one busy road and do not leave by another are none or at least k."""
    k = parameters["k"]
    units = by_count(len(seen.records), behind)
    found = list(_broken(seen))
    for interval in {interval for interval, _ in seen.records}:
        travellers: dict[Road, set[int]] = {}
        for number, (when, path) in enumerate(seen.records):
            if when == interval:
                for road in path:
                    travellers.setdefault(road, set()).add(number)
        busy = {road: rows for road, rows in travellers.items() if len({units[row] for row in rows}) >= k}
        for coming, come in busy.items():
            for leaving, leave in busy.items():
                if _nodes(seen, coming)[1] != _nodes(seen, leaving)[0]:
                    continue
                for apart in (come - leave, leave - come):
                    alone = {units[row] for row in apart}
                    if 0 < len(alone) < k:
                        found.append(f"{interval}: {coming} and {leaving} differ by {len(alone)}, below k={k}")
    return found


def _nodes(seen: Seen, road: Road) -> tuple[str, str]:
    first, last = seen.ends[road[0]]
    return (first, last) if road[1] == "+" else (last, first)


def _broken(seen: Seen) -> Iterator[str]:
    for number, (_, path) in enumerate(seen.records, start=1):
        for one, other in pairwise(path):
            if _nodes(seen, one)[1] != _nodes(seen, other)[0]:
                yield f"record {number} is no path"
                break
