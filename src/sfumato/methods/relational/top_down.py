"""Top-down specialization of a table (Fung, Wang, Yu, 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import Table
from sfumato.data.base import Ints
from sfumato.data.tables.encoding import Coding
from sfumato.errors import DataError, did_you_mean
from sfumato.methods.base import Outcome, Run
from sfumato.methods.relational.base import GlobalRecoding
from sfumato.methods.relational.class_column import ClassColumn
from sfumato.methods.relational.hierarchy_cuts import Cuts
from sfumato.methods.relational.safe_classes import value_numbers
from sfumato.methods.relational.specialization import specialize
from sfumato.params import param

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

    With a `class_column`, as in [1]_, the gain is the information gain about it: the entropy of the classes under the
    label, less that under its children, weighted by their rows.  A label whose rows are all of one class is not
    specialized, even where that would be safe.  Suppressed rows lose the entropy of all classes.  The classes are
    published as they are, and what is published may depend on them.

    References
    ----------
    .. [1] B. Fung, K. Wang, P. Yu, "Top-down specialization for information and privacy preservation", ICDE 2005.

    Examples
    --------
    >>> people = Table({"age": [30, 31, 52, 53], "town": ["Rome", "Oslo", "Rome", "Rome"]})
    >>> TopDown(k=2).anonymize(people).data.frame.rows()
    [('[30:31]', '*'), ('[30:31]', '*'), ('[52:53]', '*'), ('[52:53]', '*')]

    The class depends on the town, so that the town keeps its detail and the age does not:

    >>> loans = {"age": [30, 31, 30, 31], "town": ["Rome", "Rome", "Oslo", "Oslo"], "paid": ["yes", "yes", "no", "no"]}
    >>> people = Table(loans, quasi_identifiers=("age", "town"))
    >>> TopDown(k=2).anonymize(people).data.frame.rows()
    [(30, '*', 'no'), (30, '*', 'yes'), (31, '*', 'no'), (31, '*', 'yes')]
    >>> TopDown(k=2, class_column="paid").anonymize(people).data.frame.rows()
    [('[30:31]', 'Oslo', 'no'), ('[30:31]', 'Oslo', 'no'), ('[30:31]', 'Rome', 'yes'), ('[30:31]', 'Rome', 'yes')]
    """

    name: ClassVar[str] = "top-down"
    title: ClassVar[str] = "Top-down specialization"
    paper: ClassVar[str] = "Fung, Wang, Yu 2005"

    class_column: str | None = param(
        None,
        help="column, not a quasi-identifier, that the labels are to predict; if not given, labels lose little NCP",
    )

    def transform(self, data: Table, run: Run) -> Outcome[Table]:
        with run.phase("coding"):
            coding = self.coding(data)
        return self.recode(coding, run)

    def recode(self, coding: Coding, run: Run) -> Outcome[Table]:
        with run.phase("coding"):
            cuts = Cuts(coding, self.requirement(coding), at_root=True)
            self.require_root(cuts.classes(), cuts.requirement)
            column = self.class_column
            classes = None if column is None else ClassColumn(coding, self._classes(coding.table, column))
        with run.phase("specializing"):
            specialize(cuts, self.limit(coding), run, classes)
        with run.phase("recoding"):
            return cuts.outcome()

    def _classes(self, table: Table, column: str) -> Ints:
        """The number of each row's class."""
        others = [name for name in table.frame.columns if name not in table.quasi_identifiers]
        if column not in others:
            raise DataError(
                f"{self.name}: wanted a class column that is not a quasi-identifier, found {column!r}; "
                f"{did_you_mean(column, others)}"
            )
        return value_numbers(table[column])
