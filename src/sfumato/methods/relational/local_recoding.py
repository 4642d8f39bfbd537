"""What the methods that recode locally have in common: groups of rows, each published under labels of its own."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from sfumato.data import Table
from sfumato.data.base import Ints
from sfumato.data.coding import Coding
from sfumato.errors import Infeasible, MissingKnowledge
from sfumato.methods.base import Outcome, Run
from sfumato.methods.relational.base import TableMethod, recoded
from sfumato.methods.relational.spans import group_labels, label_nodes
from sfumato.params import param
from sfumato.privacy import KAnonymity, PrivacyModel
from sfumato.privacy.l_diversity import LDiversity
from sfumato.privacy.t_closeness import TCloseness

__all__ = ["LocalRecoding"]


@dataclass(frozen=True, kw_only=True)
class LocalRecoding(TableMethod):
    """A method that puts rows into groups and publishes each group under the closest labels over its values."""

    l: int = param(  # noqa: E741
        1, at_least=1, help="how many different sensitive values every class must have; 1 for no such demand"
    )
    t: float = param(
        1.0,
        at_least=0,
        at_most=1,
        help="how far the sensitive values of a class may be from the whole table's; 1 for no such demand",
    )

    @property
    def guarantees(self) -> tuple[PrivacyModel, ...]:
        diverse = (LDiversity(l=self.l),) if self.l > 1 else ()
        close = (TCloseness(t=self.t),) if self.t < 1 else ()
        return (KAnonymity(k=self.k), *diverse, *close)

    @abstractmethod
    def grouped(self, coding: Coding, run: Run) -> Ints | None:
        """The group of each row; nothing where even all rows together do not meet the demand."""

    def groups(self, coding: Coding, run: Run) -> Ints:
        """The group of each row, for this method and for those that begin with its groups."""
        table = coding.table
        if (self.l > 1 or self.t < 1) and not table.sensitive:
            raise MissingKnowledge(
                f"{self.name}: l and t are about sensitive columns, these data name none; name them (--sensitive)"
            )
        group = self.grouped(coding, run)
        if group is None:
            raise Infeasible(
                f"{self.name}: l={self.l} is above what these data offer: even in one group of all rows, there are too "
                "few persons with different sensitive values; lower it"
            )
        return group

    def transform(self, data: Table, run: Run) -> Outcome:
        with run.phase("coding"):
            coding = self.coding(data)
        group = self.groups(coding, run)
        with run.phase("recoding"):
            n_groups = int(group.max(initial=-1)) + 1
            low, high = group_labels(coding.codes.T, group, n_groups)
            labelled, nodes = label_nodes(coding, low.T, high.T)
            return recoded(labelled, nodes[:, group], np.arange(len(data)), groups=n_groups)
