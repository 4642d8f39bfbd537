"""Local recoding by greedy k-member groups and exchange of rows between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.data.base import Ints
from sfumato.data.tables.encoding import Coding
from sfumato.methods.base import Run
from sfumato.methods.relational.grouping import improved_groups
from sfumato.methods.relational.local_recoding import LocalRecoding

__all__ = ["Local"]


@dataclass(frozen=True, kw_only=True)
class Local(LocalRecoding):
    """Publish rows in groups of at least k that lose as little as exchanging rows between groups can make them.

    Notes
    -----
    First greedy k-member groups [1]_: from a far row on, add the row with which the group as a whole loses least.
    Then chains of rows, each of which takes the place of the next in another group, closed or open at both ends, as
    long as the normalized certainty penalty falls; and groups are dissolved where their rows lose less in others.  A
    row looks at the 20 groups that it would burden least, a chain has up to four rows, and passes over all rows go on
    until one gains nothing.  The result never loses more than the greedy groups do.

    Ties go to what comes first in the order of quasi-identifiers; which of several equal rows goes where is random.
    O(n^2) label comparisons, of which most end at the first attribute, O(n) memory.  More than 40,000 rows are first
    cut into parts of at most 4,000, between values whose common label loses much; groups are made in each part, and
    then exchange rows in parts with other borders, twice: O(n) time, and about 1 % more loss.  `l`, `t` and persons as
    in `Cluster`; an exchange that would break a demand is not made.

    References
    ----------
    .. [1] J.-W. Byun, A. Kamra, E. Bertino, N. Li, "Efficient k-anonymization using clustering techniques", DASFAA,
       2007.

    Examples
    --------
    >>> from sfumato import Table
    >>> people = Table({"age": [30, 52, 31, 53], "town": ["Rome", "Oslo", "Rome", "Bari"]})
    >>> Local(k=2).anonymize(people).data.frame.rows()
    [('[30:31]', 'Rome'), ('[30:31]', 'Rome'), ('[52:53]', '*'), ('[52:53]', '*')]
    """

    name: ClassVar[str] = "local"
    title: ClassVar[str] = "Local recoding by exchange"
    paper: ClassVar[str] = "Byun, Kamra, Bertino, Li 2007, and exchange"

    def grouped(self, coding: Coding, run: Run) -> Ints | None:
        with run.phase("grouping"):
            return improved_groups(coding, self.k, run.rng, l=self.l, t=self.t, advance=run.advance)
