"""Slow twins for differential privacy: budgets along paths, and what noise must look like."""

from __future__ import annotations

from fractions import Fraction
from math import exp
from typing import Any

from sfumato.privacy.noise.budget import WHOLE


def epsilon_holds(model: Any, spends: Any, original: Any = None) -> bool:  # noqa: ARG001
    """Whether no path from any branch to the root spends more than epsilon, and no unit contributes too much."""
    spent: dict[int, Fraction] = {}
    for branch, share in zip(spends.branches.tolist(), spends.shares.tolist(), strict=True):
        if share <= 0:
            return False
        spent[branch] = spent.get(branch, Fraction(0)) + Fraction(share, WHOLE) * Fraction(str(spends.epsilon))
    for branch in range(len(spends.parents)):
        total, at = Fraction(0), branch
        while at >= 0:
            total += spent.get(at, Fraction(0))
            at = int(spends.parents[at])
        if total > Fraction(str(model.epsilon)):
            return False
    return bool(spends.largest <= spends.at_most)


def two_sided_chance(rate: float, number: int) -> float:
    """How likely two-sided geometric noise is this number."""
    return (1 - exp(-rate)) / (1 + exp(-rate)) * exp(-rate * abs(number))
