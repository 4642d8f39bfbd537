"""Traffic on roads: error rates, patterns of roads, equal trajectories, intersections with an inference route."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import Any

from sfumato.data import RoadTrajectories
from twins.icba import offending_intersections
from twins.icba import rows_of as rows_with_intervals
from twins.measures.plain import mean, rows_of


def _errors(original: Any, release: Any) -> list[float]:
    """|published - original| / original of every directed road that an original trajectory travels."""
    before, after = (Counter(road for row in rows_of(data) for road in set(row)) for data in (original, release.data))
    return [abs(after[road] - count) / count for road, count in before.items()]


def road_error(original: Any, release: Any) -> float:
    return mean(_errors(original, release))


def road_error_deviation(original: Any, release: Any) -> float:
    errors = _errors(original, release)
    average = mean(errors)
    return math.sqrt(mean((error - average) ** 2 for error in errors))


def road_patterns(original: Any, release: Any, match: str = "full", support: int | None = None) -> float:
    """Equation 9: matches among distinct published trajectories, against the maximal frequent sets of roads."""
    least = release.k if support is None else support
    rows = [frozenset(row) for row in rows_of(original)]
    roads = sorted(set().union(*rows))
    sets = [frozenset(chosen) for size in range(1, len(roads) + 1) for chosen in combinations(roads, size)]
    often = {some for some in sets if sum(some <= row for row in rows) >= least}
    patterns = [some for some in often if not any(some < other for other in often)]
    published = {frozenset(row) for row in rows_of(release.data) if row}
    if match == "full":
        matches = sum(path in patterns for path in published)
    else:
        matches = sum(any(2 * len(path & some) >= len(path) for some in patterns) for path in published)
    both = len(patterns) + len(published)
    return 2 * matches / both if both else 1.0


def reidentification(original: Any, release: Any, of: str = "max") -> float:
    rows = rows_with_intervals(_on_roads(original, release.data))
    equal = Counter((interval, roads) for interval, roads, _ in rows)
    chances = [1 / count for count in equal.values()]
    return {"max": max, "mean": mean, "min": min}[of](chances) if chances else 0.0


def inference_routes(original: Any, release: Any, k: int | None = None) -> float:
    return len(offending_intersections(_on_roads(original, release.data), release.k if k is None else k))


def _on_roads(original: Any, data: Any) -> Any:
    """Published sequences of roads as road trajectories of one interval."""
    if data.kind == "roads":
        return data
    return RoadTrajectories.from_lists(rows_of(data), network=original.network)


ROADS = {
    "inference-routes": inference_routes,
    "reidentification": reidentification,
    "road-error": road_error,
    "road-error-deviation": road_error_deviation,
    "road-patterns": road_patterns,
}
