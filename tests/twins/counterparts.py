"""KL divergence by the supports of generalized counterparts, literally: every record, every label of each name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import log

from twins.random_releases import Case


def counterpart_support(case: Case, pattern: Sequence[str], *, ordered: bool) -> int:
    """The number of published records that hold, for each name, a label that stands for it."""
    return sum(_holds(case, row, pattern, ordered) for row in case.after)


def _holds(case: Case, row: Sequence[str], pattern: Sequence[str], ordered: bool) -> bool:
    if not ordered:
        return all(any(name in case.stands_for(label) for label in row) for name in pattern)
    return any(
        all(name in case.stands_for(label) for name, label in zip(pattern, chosen, strict=True))
        for chosen in combinations(row, len(pattern))
    )


def divergence(true: Sequence[float], published: Sequence[float]) -> float:
    """The sum of P ln(P / Q), with 0.5 added to each support."""
    p, q = ([(value + 0.5) / (sum(values) + 0.5 * len(values)) for value in values] for values in (true, published))
    return sum(a * log(a / b) for a, b in zip(p, q, strict=True))
