"""Top-down specialization of a table (Fung, Wang, Yu, 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import Table
from sfumato.methods.base import Outcome, Run
from sfumato.methods.relational.base import GlobalRecoding
from sfumato.methods.relational.hierarchy_cuts import Cuts
from sfumato.methods.relational.specialization import specialize

__all__ = ["TopDown"]


@dataclass(frozen=True, kw_only=True)
class TopDown(GlobalRecoding):
    """Begin with one label for everything, and specialize labels as long as every class stays safe.

    Notes
    -----
    Full-subtree recoding: a label is replaced by its children in all rows.  The next label is the one with the best
    ratio of what is gained to what is given up (the score of [1]_): the certainty penalty (NCP) that all rows lose,
    which stands for the information gain about a class column, over 1 + the drop of the smallest published class + the
    rows that become unsafe.  A specialization must keep the unsafe rows within the share `suppression` and must gain at
    least what suppressing them loses.  What is invalid once is not tried again.  Of equal scores the earlier column
    wins, then the node that stands first in the hierarchy.

    References
    ----------
    .. [1] B. Fung, K. Wang, P. Yu, "Top-down specialization for information and privacy preservation", ICDE 2005.

    Examples
    --------
    >>> people = Table({"age": [30, 31, 52, 53], "town": ["Rome", "Oslo", "Rome", "Rome"]})
    >>> TopDown(k=2).anonymize(people).data.frame.rows()
    [('[30:31]', '*'), ('[30:31]', '*'), ('[52:53]', '*'), ('[52:53]', '*')]
    """

    name: ClassVar[str] = "top-down"
    title: ClassVar[str] = "Top-down specialization"
    paper: ClassVar[str] = "Fung, Wang, Yu 2005"

    def transform(self, data: Table, run: Run) -> Outcome[Table]:
        with run.phase("coding"):
            coding = self.coding(data)
            cuts = Cuts(coding, self.crowds(data), at_root=True)
            self.require_root(cuts.classes(), cuts.crowds)
        with run.phase("specializing"):
            specialize(cuts, self.limit(data), run)
        with run.phase("recoding"):
            return cuts.outcome()
