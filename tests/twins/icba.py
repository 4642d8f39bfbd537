"""ICBA, CBA and their promises written down once more, in plain Python: everything is compared with everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

Path = tuple[str, ...]


def rows_of(data: Any) -> list[tuple[str, Path, Any]]:
    """Interval, roads and unit of every record that is not empty."""
    names = ["all"] * len(data) if data.intervals is None else [data.interval_names[n] for n in data.intervals]
    every = zip(names, data.to_lists(), data.units.tolist(), strict=True)
    return [(interval, tuple(roads), unit) for interval, roads, unit in every if roads]


def ends(road: str, network: Any) -> tuple[str, str]:
    """From where to where a directed road leads."""
    names = network.roads.to_list()
    one, other = (network.nodes[int(end)] for end in network.ends[names.index(road[:-1])])
    return (one, other) if road[-1] == "+" else (other, one)


def is_path(roads: Sequence[str], network: Any) -> bool:
    return all(ends(one, network)[1] == ends(other, network)[0] for one, other in pairwise(roads))


def strict_k_holds(model: Any, published: Any, original: Any = None) -> bool:  # noqa: ARG001
    """Definition 4, in every interval; and every trajectory is a path."""
    rows = rows_of(published)
    for interval, roads, _ in rows:
        crowd = {unit for when, others, unit in rows if (when, others) == (interval, roads)}
        if len(crowd) < model.k or not is_path(roads, published.network):
            return False
    return True


def offending_intersections(published: Any, k: int) -> set[tuple[str, str]]:
    """Definition 2 at every intersection and interval: sets of published trajectories, sized by who is behind them."""
    rows = list(enumerate(rows_of(published)))
    used = {road for _, (_, roads, _) in rows for road in roads}
    ends_of = {road: ends(road, published.network) for road in used}
    found = set()
    for when in {interval for _, (interval, _, _) in rows}:
        now = {number: (set(roads), unit) for number, (interval, roads, unit) in rows if interval == when}

        def on(road: str, now: dict[int, Any] = now) -> set[int]:
            return {number for number, (roads, _) in now.items() if road in roads}

        def size(some: set[int], now: dict[int, Any] = now) -> int:
            return len({now[number][1] for number in some})

        for coming in used:
            for leaving in used:
                here = ends_of[coming][1]
                if ends_of[leaving][0] != here:
                    continue
                toward, outward = on(coming), on(leaving)
                if size(toward) < k or size(outward) < k:
                    continue
                if 0 < size(toward - outward) < k or 0 < size(outward - toward) < k:
                    found.add((when, here))
    return found


def inference_route_holds(model: Any, published: Any, original: Any = None) -> bool:  # noqa: ARG001
    paths = all(is_path(roads, published.network) for _, roads, _ in rows_of(published))
    return paths and not offending_intersections(published, model.k)


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """The fewest insertions and deletions, by the table of Wagner and Fischer."""
    table = [list(range(len(other) + 1))]
    for row, label in enumerate(one, start=1):
        line = [row]
        for column, against in enumerate(other, start=1):
            best = min(table[row - 1][column], line[column - 1]) + 1
            line.append(min(best, table[row - 1][column - 1]) if label == against else best)
        table.append(line)
    return table[-1][-1]


def partial_trajectories(rows: Sequence[tuple[Any, Sequence[tuple[str, Any]]]], k: int) -> list[tuple[Any, str, Path]]:
    """Unit, interval and roads of what is left without infrequent roads; rows are units with (road, interval) steps."""
    travellers: dict[tuple[Any, str], set[Any]] = {}
    for unit, steps in rows:
        for road, interval in steps:
            travellers.setdefault((interval, road), set()).add(unit)
    found = []
    for unit, steps in rows:
        piece: list[str] = []
        before = None
        for road, interval in [*steps, ("", None)]:
            stays = interval is not None and len(travellers[interval, road]) >= k
            if piece and (not stays or interval != before):
                found.append((unit, before, tuple(piece)))
                piece = []
            if stays:
                piece.append(road)
            before = interval
    return found


@dataclass
class Cluster:
    members: list[tuple[Path, int]] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(support for _, support in self.members)

    @property
    def roads(self) -> list[str]:
        return list(dict.fromkeys(road for path, _ in self.members for road in path))

    def counted(self, which: str) -> set[str]:
        """The roads that the local error is divided by, beside those of the trajectory."""
        if which == "founder":
            return set(self.members[0][0])
        return set(self.roads) if which == "cluster" else set(self.representative())

    def original(self, road: str) -> int:
        return sum(support for path, support in self.members if road in path)

    def representative(self) -> Path:
        """Figure 7."""
        chosen, highest = self.members[0]
        for path, support in self.members:
            if support > highest:
                chosen, highest = path, support
        i, j, again = 0, len(chosen) - 1, True
        while i < j and again:
            again = False
            if self.original(chosen[i]) < self.total - self.original(chosen[i]):
                i, again = i + 1, True
            if i < j and self.original(chosen[j]) < self.total - self.original(chosen[j]):
                j, again = j - 1, True
        return chosen[i : j + 1]


def local_error(cluster: Cluster, path: Path, support: int, which: str = "founder") -> tuple[int, int]:
    """Equation 6, as a numerator and a denominator."""
    together = cluster.counted(which) | set(path)
    return edit_distance(cluster.representative(), path) * support**2, len(together)


def local_error_by_roads(cluster: Cluster, path: Path, support: int) -> float:
    """Equation 5."""
    together = set(cluster.roads) | set(path)
    shown = set(cluster.representative())
    errors = ((support * (road in shown) - support * (road in path)) ** 2 for road in together)
    return sum(errors) / len(together)


def mean_error(cluster: Cluster, path: Path, support: int, originals: dict[str, int]) -> float:
    """Equation 1 inside a cluster that has taken in the trajectory, its representative as before."""
    shown = set(cluster.representative())
    together = [*cluster.roads, *dict.fromkeys(road for road in path if road not in cluster.roads)]
    total = cluster.total + support
    error = 0.0
    for road in together:
        true = cluster.original(road) + support * (road in path)
        error += abs((total if road in shown else 0) - true) / originals[road]
    return error / len(together)


def clusters_of(
    supports: dict[Path, int], k: int, similarity: float, threshold: float | None = None, which: str = "founder"
) -> tuple[list[Cluster], dict[Path, int]]:
    """Figure 3, lines 1 to 14, for one interval; by the mean error below a threshold where one is given (CBA)."""
    originals: Counter[str] = Counter()
    for path, support in supports.items():
        for road in set(path):
            originals[road] += support
    clusters: list[Cluster] = []
    where = {}
    for path in sorted(supports, key=lambda path: (-supports[path], path)):
        support = supports[path]
        best = None
        for number, cluster in enumerate(clusters):
            shared = len(set(path) & set(cluster.roads))
            if support >= k or not Fraction(shared, len(set(path))) > Fraction(str(similarity)):
                continue
            if threshold is not None:
                error: Any = mean_error(cluster, path, support, originals)
                joins = error < threshold
            else:
                top, bottom = local_error(cluster, path, support, which)
                error, joins = top / bottom, 4 * top < k * k * bottom
            order = (error, cluster.total, cluster.members[0][0])
            if joins and (best is None or order < best[0]):
                best = (order, number)
        if best is None:
            clusters.append(Cluster())
        where[path] = len(clusters) - 1 if best is None else best[1]
        clusters[where[path]].members.append((path, support))
    return clusters, where


def literal(
    rows: Sequence[tuple[Any, Sequence[tuple[str, Any]]]],
    k: int,
    similarity: float,
    *,
    dummies: bool = True,
    threshold: float | None = None,
    which: str = "founder",
) -> tuple[list[tuple[str, Path]], int, int]:
    """What is published, sorted by interval and content, and how many are dummies and how many were removed."""
    pieces = partial_trajectories(rows, k)
    published: list[tuple[str, Path]] = []
    invented = removed = 0
    for interval in sorted({interval for _, interval, _ in pieces}):
        holders: dict[Path, list[Any]] = {}
        for unit, when, path in pieces:
            if when == interval:
                holders.setdefault(path, []).append(unit)
        supports = {path: len(set(who)) for path, who in holders.items()}
        clusters, where = clusters_of(supports, k, similarity, threshold, which)
        for number, cluster in enumerate(clusters):
            units = [unit for path, who in holders.items() if where[path] == number for unit in who]
            crowd = len(set(units))
            if crowd < k and (not dummies or crowd < k / 2):
                removed += len(units)
                continue
            missing = max(0, k - crowd)
            invented += missing
            published += [(interval, cluster.representative())] * (len(units) + missing)
    return sorted(published), invented, removed
