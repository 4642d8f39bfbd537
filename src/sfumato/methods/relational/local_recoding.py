"""What the methods that recode locally have in common: groups of rows, each published under labels of its own."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from sfumato.data import Table
from sfumato.data.base import Ints
from sfumato.data.tables.encoding import Coding
from sfumato.errors import Infeasible
from sfumato.methods.base import Outcome, Run
from sfumato.methods.relational.base import TableMethod, recoded
from sfumato.methods.relational.group_costs import group_labels, label_nodes

__all__ = ["LocalRecoding"]


@dataclass(frozen=True, kw_only=True)
class LocalRecoding(TableMethod):
    """A method that puts rows into groups and publishes each group under the closest labels over its values."""

    @abstractmethod
    def grouped(self, coding: Coding, run: Run) -> Ints | None:
        """The group of each row; None where even all rows together do not meet the requirement."""

    def groups(self, coding: Coding, run: Run) -> Ints:
        """The group of each row, for this method and for those that begin with its groups."""
        group = self.grouped(coding, run)
        if group is None:
            raise Infeasible(
                f"{self.name}: l={self.l} is too large for these data: even in one group of all rows, there are too "
                "few persons with different sensitive values; lower it"
            )
        return group

    def transform(self, data: Table, run: Run) -> Outcome[Table]:
        with run.phase("coding"):
            coding = self.coding(data)
        group = self.groups(coding, run)
        with run.phase("recoding"):
            n_groups = int(group.max(initial=-1)) + 1
            low, high = group_labels(coding.codes.T, group, n_groups)
            labelled, nodes = label_nodes(coding, low.T, high.T)
            return recoded(labelled, nodes[:, group], np.arange(len(data)), groups=n_groups)
