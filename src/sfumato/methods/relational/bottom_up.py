"""Full-subtree bottom-up generalization of a table."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.data import Table
from sfumato.data.base import Ints
from sfumato.data.tables.encoding import Attribute
from sfumato.methods.base import Outcome, Run
from sfumato.methods.relational.base import GlobalRecoding
from sfumato.methods.relational.hierarchy_cuts import Cuts, Flags
from sfumato.methods.relational.specialization import specialize

__all__ = ["BottomUp"]


@dataclass(frozen=True, kw_only=True)
class BottomUp(GlobalRecoding):
    """Begin with the values themselves, and generalize siblings to their parent until every class is safe.

    Notes
    -----
    Full-subtree recoding: the children of a node are replaced by it in all rows.  The next node is the one that makes
    most rows safe for what it loses (rows that become safe, over the certainty penalty, NCP, that all rows gain), as in
    [1]_ with NCP in place of the information about a class column.  Where no single step makes a row safe, the cheapest
    one comes next, of those that touch unsafe rows if there are any; a node over one leaf costs nothing and comes
    first.  It ends when at most the share `suppression` of the rows is unsafe; those are suppressed.  Of equal scores
    the cheaper node wins, then the earlier column, then the node that stands first in the hierarchy.  In the end, steps
    that later ones have made superfluous are taken back, by the rules of `TopDown`.

    References
    ----------
    .. [1] K. Wang, P. Yu, S. Chakraborty, "Bottom-up generalization: a data mining solution to privacy protection",
       ICDM 2004.

    Examples
    --------
    >>> people = Table({"age": [30, 31, 52, 53], "town": ["Rome", "Oslo", "Rome", "Rome"]})
    >>> BottomUp(k=2).anonymize(people).data.frame.rows()
    [('[30:31]', '*'), ('[30:31]', '*'), ('[52:53]', '*'), ('[52:53]', '*')]
    """

    name: ClassVar[str] = "bottom-up"
    title: ClassVar[str] = "Full-subtree bottom-up generalization"
    paper: ClassVar[str] = "Wang, Yu, Chakraborty 2004"

    def transform(self, data: Table, run: Run) -> Outcome[Table]:
        with run.phase("coding"):
            coding = self.coding(data)
            cuts = Cuts(coding, self.requirement(coding), at_root=False)
            roots = Cuts(coding, cuts.requirement, at_root=True)
            self.require_root(roots.classes(), cuts.requirement)
        with run.phase("generalizing"):
            search, limit = _Generalizing(cuts), self.limit(coding)
            while search.unsafe() > limit:
                search.generalize()
                run.advance(search.steps, search.nodes)
        with run.phase("taking back"):
            whole = Cuts(coding, cuts.requirement, at_root=True)
            for index, cut in enumerate(cuts.node_of_leaf):
                whole.move(index, cut)
            specialize(whole, limit, run)
        with run.phase("recoding"):
            return whole.outcome()


class _Generalizing:
    """The steps that are open, and what each would make safe and lose."""

    def __init__(self, cuts: Cuts) -> None:
        self._cuts = cuts
        self._attributes = cuts.coding.attributes
        self._classes = cuts.classes()
        self._safe = cuts.requirement.safe(self._classes)
        self.steps = 0
        self.nodes = sum(len(attribute.names) - attribute.n_leaves for attribute in self._attributes)

    def unsafe(self) -> int:
        """How many rows are in unsafe classes."""
        return int(self._classes.counts[~self._safe].sum())

    def generalize(self) -> None:
        """Take the best step."""
        steps = []
        for column, attribute in enumerate(self._attributes):
            for node, touched, won in self._steps(column, attribute):
                loss = self._cuts.saved(column, node)
                score = won / loss if loss else Fraction(0)
                steps.append((loss > 0, -score, not touched, loss, column, node))
        column, node = min(steps)[4:]  # there is one: with roots everywhere, everything is safe
        attribute = self._attributes[column]
        self._cuts.move(column, _raised(attribute, self._cuts.node_of_leaf[column], [node]))
        self._cuts.forget(column, node)
        self._classes = self._cuts.classes()
        self._safe = self._cuts.requirement.safe(self._classes)
        self.steps += 1

    def _steps(self, column: int, attribute: Attribute) -> list[tuple[int, int, int]]:
        """Nodes whose children all are in the cut, or have no rows; their unsafe rows; how many they would make safe.

        Nodes of one attribute touch different classes, so that one count decides about all of them.
        """
        cut = self._cuts.node_of_leaf[column]
        parents = _open_parents(attribute, cut, self._cuts.rows_below[column])
        if not parents:
            return []
        raised = _raised(attribute, cut, parents)
        before = self._cuts.unsafe_by_node(column, raised, self._classes, self._safe)
        classes = self._cuts.classes(column, raised)
        after = self._cuts.unsafe_by_node(column, raised, classes, self._cuts.requirement.safe(classes))
        return [(node, int(before[node]), int(before[node] - after[node])) for node in parents]


def _open_parents(attribute: Attribute, cut: Ints, rows_below: Ints) -> list[int]:
    """Nodes above the cut whose children with rows all are in it."""
    ready = np.zeros(len(attribute.names), dtype=bool)
    ready[cut] = True
    ready |= rows_below == 0
    closed = np.zeros(len(attribute.names), dtype=bool)
    closed[attribute.parent[1:][~ready[1:]]] = True  # parents of a child that is not ready
    closed[attribute.leaf_node] = True
    closed[cut] = True  # what is in the cut already
    return np.flatnonzero(~closed & (rows_below > 0) & ~_below_the_cut(attribute, cut)).tolist()


def _below_the_cut(attribute: Attribute, cut: Ints) -> Flags:
    """Whether a node lies below a node of the cut."""
    return attribute.depth > attribute.depth[cut[attribute.first]]


def _raised(attribute: Attribute, cut: Ints, nodes: list[int]) -> Ints:
    """The cut with all leaves below the nodes published as them."""
    raised = cut.copy()
    for node in nodes:
        raised[attribute.first[node] : attribute.stop[node]] = node
    return raised
