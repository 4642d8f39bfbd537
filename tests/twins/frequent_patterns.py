"""Frequent patterns kept and made up, literally: every subsequence of every record is counted."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from oracles import contains, subsequences

Rows = Sequence[Sequence[Any]]


def threshold(support: float, before: Rows) -> int:
    """The smallest support as a number of records; a share is of the original."""
    return int(support) if support >= 1 else max(1, ceil(Fraction(str(support)) * len(before)))


def frequent(rows: Rows, least: int) -> set[tuple[Any, ...]]:
    """The patterns that so many records contain.  Rows of sets are sorted, their subsequences are their subsets."""
    found = {pattern for row in rows for pattern in subsequences(row, 1, len(row))}
    return {pattern for pattern in found if sum(contains(row, pattern) for row in rows) >= least}


def preserved(before: Rows, after: Rows, support: float) -> float:
    """The percentage of the original's frequent patterns that are frequent after."""
    least = threshold(support, before)
    old, new = frequent(before, least), frequent(after, least)
    return 100 * len(old & new) / len(old) if old else 100.0


def spurious(before: Rows, after: Rows, support: float) -> float:
    """The percentage of the patterns that are frequent after and were not before."""
    least = threshold(support, before)
    old, new = frequent(before, least), frequent(after, least)
    return 100 * len(new - old) / len(new) if new else 0.0
