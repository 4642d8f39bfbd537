"""Counts of frequent patterns before and after, and the percentages preserved and spurious."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PatternCounts"]


class PatternCounts(NamedTuple):
    """The numbers of patterns that are frequent before, after, and in both.

    >>> PatternCounts(4, 5, 3).preserved, PatternCounts(4, 5, 3).spurious
    (75.0, 40.0)
    >>> PatternCounts(0, 0, 0).preserved, PatternCounts(0, 0, 0).spurious
    (100.0, 0.0)
    """

    before: int
    after: int
    both: int

    @property
    def preserved(self) -> float:
        """The percentage of patterns before that are frequent after."""
        return 100.0 * self.both / self.before if self.before else 100.0

    @property
    def spurious(self) -> float:
        """The percentage of patterns after that were not frequent before."""
        return 100.0 * (self.after - self.both) / self.after if self.after else 0.0
