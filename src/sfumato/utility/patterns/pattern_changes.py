"""Of what was frequent before, how much is so after; of what is so after, how much was made up."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Kept"]


class Kept(NamedTuple):
    """How many patterns are frequent before, after, and in both.

    >>> Kept(4, 5, 3).preserved, Kept(4, 5, 3).spurious
    (75.0, 40.0)
    >>> Kept(0, 0, 0).preserved, Kept(0, 0, 0).spurious
    (100.0, 0.0)
    """

    before: int
    after: int
    both: int

    @property
    def preserved(self) -> float:
        """The percentage of those before that are left."""
        return 100.0 * self.both / self.before if self.before else 100.0

    @property
    def spurious(self) -> float:
        """The percentage of those after that were not there before."""
        return 100.0 * (self.after - self.both) / self.after if self.after else 0.0
