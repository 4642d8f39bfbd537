"""Apriori-based anonymization of sets of items by global full-subtree recoding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data import Transactions
from sfumato.errors import Infeasible, MissingKnowledge
from sfumato.methods.base import FEWER_RECORDS, Method, Outcome, Run, require_units
from sfumato.methods.transactions.hierarchy import Hierarchy
from sfumato.methods.transactions.hierarchy_cut import Cut
from sfumato.methods.transactions.recoding import recoded
from sfumato.params import param
from sfumato.privacy import KmAnonymity, LmDiversity, PrivacyModel

__all__ = ["AprioriAnon", "ItemRecoding"]


@dataclass(frozen=True, kw_only=True)
class ItemRecoding(Method[Transactions]):
    """What the methods that generalize items over a hierarchy have in common."""

    kind: ClassVar[str] = "transactions"
    labels_are_nodes: ClassVar[bool] = True
    promises: ClassVar[tuple[str, ...]] = ("km",)
    promises_if: ClassVar[Mapping[str, str]] = {"lm": "l > 1"}
    needs: ClassVar[tuple[str, ...]] = ("taxonomy",)
    takes: ClassVar[tuple[str, ...]] = ("hierarchies", "sensitive")

    k: int = param(at_least=2, help="how many must share any m items; the paper's k")
    m: int = param(at_least=1, help="how many items an attacker may know; the paper's m")
    l: int = param(  # noqa: E741
        1, at_least=1, help="a sensitive item can be inferred with a probability of at most 1/l; 1 for no such limit"
    )

    @property
    def guarantees(self) -> tuple[PrivacyModel, ...]:
        if self.l > 1:
            return (LmDiversity(l=self.l, m=self.m, k=self.k),)
        return (KmAnonymity(k=self.k, m=self.m),)

    def hierarchy(self, data: Transactions) -> tuple[Hierarchy, np.ndarray]:
        """The tree with the sensitive items separate, and the node of each item."""
        if data.taxonomy is None:
            raise ValueError("a taxonomy is needed")
        require_units(self, self.k, data)
        if self.l > 1 and not data.sensitive:
            raise MissingKnowledge(
                f"{self.name}: l={self.l} needs sensitive items, these data name none", remedy="name-sensitive"
            )
        data.taxonomy.require(data.names, "item")
        tree = Hierarchy.of(data.taxonomy, data.sensitive if self.l > 1 else ())
        return tree, tree.nodes_of(data.names)

    def require_top(self, cut: Cut) -> None:
        """Refuse what even one label for all items would not make safe."""
        if cut.safe_at_the_top():
            return
        if cut.safe_at_the_top_in_persons():
            raise Infeasible(
                f"{self.name}: l={self.l} is too large for these data: even with one label for all other items, more "
                f"than one in {self.l} records has the same sensitive item; {FEWER_RECORDS}: lower l",
                remedy="fewer-records",
            )
        raise Infeasible(
            f"{self.name}: k={self.k} and l={self.l} are too large for these data: even with one label for all other "
            "items, too many have the same sensitive item, or too few have the label; lower them"
        )


@dataclass(frozen=True, kw_only=True)
class AprioriAnon(ItemRecoding):
    """Publish items as nodes of a hierarchy, the same everywhere, so that no m items identify a person.

    Notes
    -----
    Sets of one item are made safe first, then of two, and so on up to m (the apriori principle of [1]_).  An unsafe set
    is raised to those ancestors of its items that make it safe and lose least (normalized certainty penalty over all
    occurrences); everything below a raised node is published as that node.  Unsafe sets are taken by support, then
    name; of equal losses the lower nodes win.  With `l` above 1, sensitive items are published as they are and
    everything else is raised until each belongs to at most one in l of any anonymity set, in persons and in records.
    Sizes are gone through again until a full pass finds nothing, because raising a node can lower diversity elsewhere.

    References
    ----------
    .. [1] M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data",
       VLDB Journal 20(1), 2011.

    Examples
    --------
    >>> from sfumato import Taxonomy, Transactions
    >>> food = Taxonomy({"food": None, "fruit": "food", "bread": "food", "apple": "fruit", "fig": "fruit"})
    >>> baskets = Transactions.from_lists([["apple", "bread"], ["fig", "bread"], ["fig"]], taxonomy=food)
    >>> AprioriAnon(k=2, m=2).anonymize(baskets).data.to_lists()
    [['bread', 'fruit'], ['bread', 'fruit'], ['fruit']]
    """

    recodes_globally: ClassVar[bool] = True
    name: ClassVar[str] = "apriori"
    title: ClassVar[str] = "Apriori (global full-subtree recoding)"
    paper: ClassVar[str] = "Terrovitis, Mamoulis, Kalnis 2011"

    def transform(self, data: Transactions, run: Run) -> Outcome[Transactions]:
        tree, nodes = self.hierarchy(data)
        cut = Cut(data, tree, nodes, self.k, self.l)
        self.require_top(cut)
        with run.phase("generalizing"):
            cut.repair(self.m, run)
        return recoded(data, tree, [(np.arange(len(data)), cut)])
