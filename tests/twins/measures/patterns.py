"""Frequent patterns of the original and of the release, found by trying all."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from statistics import fmean, median, pstdev
from typing import Any

import numpy as np

from sfumato.utility.patterns.random_projection import projected
from twins.measures.places import ancestors, steps
from twins.measures.plain import mean, rows_of
from twins.measures.tables import root as root_of

Pattern = tuple[str, ...]


def threshold(support: float, records: int) -> int:
    """A number of records, or a share of the original records; at least 1."""
    return max(1, math.ceil(support * records - 1e-9) if support < 1 else math.ceil(support))


def frequent(
    rows: Sequence[Sequence[str]], least: int, largest: int | None, sequential: bool = True
) -> dict[Pattern, int]:
    """Every pattern that at least so many records contain, and how many."""
    counts: Counter[Pattern] = Counter()
    for row in rows:
        ordered = row if sequential else sorted(set(row))
        sizes = range(1, (len(ordered) if largest is None else min(largest, len(ordered))) + 1)
        counts.update({chosen for size in sizes for chosen in combinations(ordered, size)})
    return {pattern: count for pattern, count in counts.items() if count >= least}


def possible_originals(data: Any, projections: int, seed: int) -> list[list[list[str]]]:
    """Random projections of the release; what has no labels is read as it is, and so is everything with 0."""
    if data.kind == "chunks":
        return [rows_of(one) for one in data.reconstruct(max(1, projections), seed=seed)]
    if not projections or not data.members:
        return [rows_of(data)]
    rng = np.random.default_rng(seed)
    return [rows_of(projected(data, rng)) for _ in range(projections)]


def compared(share: Callable[[set[Pattern], set[Pattern]], float]) -> Callable[..., float]:
    """A share of patterns, summarized over projections."""

    def twin(
        original: Any,
        release: Any,
        support: float = 0.01,
        largest: int | None = None,
        projections: int = 20,
        seed: int = 0,
        statistic: str = "mean",
    ) -> float:
        sequential = original.kind == "trajectories"
        least = threshold(support, len(original))
        before = set(frequent(rows_of(original), least, largest, sequential))
        found = [
            100 * share(before, set(frequent(rows, least, largest, sequential)))
            for rows in possible_originals(release.data, projections, seed)
        ]
        return {"mean": fmean, "median": median, "sd": pstdev}[statistic](found)

    return twin


preserved = compared(lambda before, after: len(before & after) / len(before) if before else 1.0)
spurious = compared(lambda before, after: len(after - before) / len(after) if after else 0.0)


def similar(ratio: Callable[..., float]) -> Callable[..., float]:
    """SIM1 or SIM2, the mean over projections."""

    def twin(
        original: Any,
        release: Any,
        support: float = 0.01,
        at_k: bool = False,
        largest: int | None = None,
        projections: int = 20,
        seed: int = 0,
    ) -> float:
        least = release.k if at_k else threshold(support, len(original))
        before = frequent(rows_of(original), least, largest)
        shares = [
            ratio(before, frequent(rows, least, largest), original, rows)
            for rows in possible_originals(release.data, projections, seed)
        ]
        return mean(shares)

    return twin


def _supports(before: dict[Pattern, int], after: dict[Pattern, int], original: Any, rows: list[Any]) -> float:
    """The mean over the release's patterns of the smaller by the larger relative frequency."""
    if not after:
        return 0.0 if before else 1.0
    everything = frequent(rows_of(original), 1, None)
    ratios = []
    for pattern, count in after.items():
        now, was = count / len(rows), everything.get(pattern, 0) / len(original)
        ratios.append(min(now, was) / max(now, was))
    return mean(ratios)


def _sizes(before: dict[Pattern, int], after: dict[Pattern, int], *_: Any) -> float:
    most = max(len(before), len(after))
    return min(len(before), len(after)) / most if most else 1.0


# --- patterns of generalized places ----------------------------------------------------------------------------------


def _both(original: Any, release: Any, support: float, largest: int | None) -> tuple[set[Pattern], set[Pattern]]:
    least = threshold(support, len(original))
    return tuple(set(frequent(rows_of(data), least, largest)) for data in (original, release.data))  # type: ignore[return-value]


def covered(tree: Any, pattern: Pattern, by: Pattern) -> bool:
    """Definition 16: of equal length, and the same place or one above it everywhere."""
    return len(pattern) == len(by) and all(high in ancestors(tree, low) for low, high in zip(pattern, by, strict=True))


def pattern_count(original: Any, release: Any, support: float = 0.008, largest: int | None = None) -> float:
    before, after = _both(original, release, support, largest)
    return 100 * len(after) / len(before) if before else 100.0


def pattern_coverage(
    original: Any, release: Any, support: float = 0.008, largest: int | None = None, bound: str = "plain"
) -> float:
    before, after = _both(original, release, support, largest)
    root = root_of(original.taxonomy)
    if bound == "plain":
        after = {pattern for pattern in after if set(pattern) != {root}}
    if bound == "lower":
        after = {pattern for pattern in after if root not in pattern}
    tree = original.taxonomy
    return mean((any(covered(tree, pattern, by) for by in after) for pattern in before), empty=1.0)


def pattern_distance(
    original: Any, release: Any, support: float = 0.008, largest: int | None = None, distance: str = "hops"
) -> float:
    before, after = _both(original, release, support, largest)
    tree = original.taxonomy

    def away(pattern: Pattern, by: Pattern) -> float:
        if not covered(tree, pattern, by):
            return 1.0
        return mean(steps(tree, low, high, distance) for low, high in zip(pattern, by, strict=True))

    return mean(min((away(pattern, by) for by in after), default=1.0) for pattern in before)


PATTERNS = {
    "pattern-count": pattern_count,
    "pattern-coverage": pattern_coverage,
    "pattern-distance": pattern_distance,
    "patterns-preserved": preserved,
    "patterns-spurious": spurious,
    "sim1": similar(_supports),
    "sim2": similar(_sizes),
}
