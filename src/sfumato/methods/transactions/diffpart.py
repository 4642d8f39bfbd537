"""DiffPart: sets of items with noisy counts, found by splitting the records top-down (Chen et al., 2011)."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log
from typing import ClassVar

import numpy as np

from sfumato.data import Taxonomy, Transactions
from sfumato.data.base import Ints
from sfumato.errors import Bug, DataError, Infeasible
from sfumato.methods.base import Method, Outcome, Run
from sfumato.methods.transactions.partitions import Baskets, Partition
from sfumato.methods.unit_contributions import records_by_unit
from sfumato.params import param
from sfumato.privacy import Epsilon
from sfumato.privacy.noise.budget import WHOLE, PrivacyBudget
from sfumato.privacy.noise.geometric import Entropy
from sfumato.privacy.not_covered import Limit

__all__ = ["DiffPart"]

_SPURIOUS = 0.1  # of the empty cells of a split, so many pass the threshold on average
_MOST_NOISE = 1e9  # the scale of the noise of a split: beyond it no count has any meaning
_ALONE = 0.05  # a set without support passes the last threshold with this probability


@dataclass(frozen=True, kw_only=True)
class DiffPart(Method[Transactions]):
    """Publish sets of items that are nearly as likely without any one person as with them.

    Records are split top-down by which items they hold, as long as noisy counts show that there are records; the sets
    that are left are published as often as their noisy counts say.

    Notes
    -----
    The algorithm of [1]_: a tree of a given fan-out over all items of the hierarchy, whether they occur or not, in its
    order.  A partition holds the records that have an item below each node of its cut, and none elsewhere; expanding a
    node splits it by which of the node's children a record has items below.  Half of epsilon goes to the splits, each
    taking what its path has left divided by the number of splits that may still follow; the other half and what the
    splits left goes to the count of a set.

    Where this leaves the paper: noise is two-sided geometric.  A cell is released from that noisy count on which only
    0.1 empty cells of a split reach on average, a set from that on which an empty one reaches with probability 0.05;
    with multiples of the standard deviation wide splits would drown in empty cells.  Of each person one record
    is taken, by a private random choice.

    References
    ----------
    .. [1] R. Chen, N. Mohammed, B. C. M. Fung, B. C. Desai, L. Xiong, "Publishing set-valued data via differential
       privacy", PVLDB 4(11), 2011.

    Examples
    --------
    >>> tree = Taxonomy.balanced(["ale", "bread", "milk", "tea"], fanout=2)
    >>> baskets = Transactions.from_lists([["bread", "milk"]] * 400 + [["tea"]] * 200, taxonomy=tree)
    >>> release = DiffPart(epsilon=2.0).anonymize(baskets, seed=1)
    >>> from collections import Counter
    >>> Counter(" ".join(basket) for basket in release.data.to_lists())
    Counter({'bread milk': 400, 'tea': 200})
    """

    name: ClassVar[str] = "diffpart"
    title: ClassVar[str] = "DiffPart (differential privacy)"
    kind: ClassVar[str] = "transactions"
    paper: ClassVar[str] = "Chen, Mohammed, Fung, Desai, Xiong 2011"
    promises: ClassVar[tuple[str, ...]] = ("epsilon",)
    traces: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("taxonomy",)
    takes: ClassVar[tuple[str, ...]] = ("hierarchies",)
    untruthful: ClassVar[Limit] = Limit(
        "synthetic-records", "the records are synthetic: noisy counts say how often each set of items occurs", rank=2
    )

    epsilon: float = param(
        at_least=0.001, at_most=100, help="privacy budget; smaller is safer and noisier; the paper's epsilon"
    )
    fanout: int = param(
        10, at_least=2, at_most=12, grid=(5, 10), help="how many children a node of the tree over the items has"
    )

    @property
    def guarantees(self) -> tuple[Epsilon, ...]:
        return (Epsilon(epsilon=self.epsilon),)

    def transform(self, data: Transactions, run: Run) -> Outcome[Transactions]:
        if data.taxonomy is None:
            raise Bug("diffpart: needs a taxonomy")
        if data.taxonomy.rule:
            raise DataError(
                f"{self.name}: wanted a taxonomy that was given, found one that was computed from private data; its "
                "leaves disclose which items occur"
            )
        data.taxonomy.require(data.names, "item")
        tree = Taxonomy.balanced(data.taxonomy.leaves, self.fanout)
        records = _one_each(data, run.budget.entropy)
        baskets = Baskets(data.take(records), tree)
        scale = 2 * baskets.splits_below(baskets.start) / self.epsilon
        if scale > _MOST_NOISE:
            raise Infeasible(
                f"{self.name}: epsilon={self.epsilon:g} over {len(tree.leaves):,} items needs noise of the scale "
                f"{scale:,.0f}, wanted at most {_MOST_NOISE:,.0f}; raise epsilon"
            )
        with run.phase("partitioning"):
            run.budget.open(data, records=records, epsilon=self.epsilon, at_most=1)
            counts = self._counts(baskets, run)
        sets = sorted((tuple(sorted(tree.leaves[leaf] for leaf in leaves)), count) for leaves, count in counts)
        released = Transactions.from_lists([list(items) for items, count in sets for _ in range(count)])
        names = tuple(sorted(tree.leaves))
        position = np.searchsorted(np.array(names), np.array(released.names, dtype=str)) if sets else np.empty(0, int)
        published = Transactions(offsets=released.offsets, codes=position.astype(np.int32)[released.codes], names=names)
        return Outcome(published, origin=None, counts={"distinct_sets": len(sets)})

    def _counts(self, baskets: Baskets, run: Run) -> list[tuple[tuple[int, ...], int]]:
        """The sets of items that noisy counts show, as leaves, and these counts."""
        waiting = {0: baskets.start}
        counts: list[tuple[tuple[int, ...], int]] = []
        while waiting:
            released = self._round(waiting, baskets, run.budget)
            grown = {}
            for parent, cell, noisy, branch in zip(*(column.tolist() for column in released), strict=True):
                if waiting[parent].inner:
                    grown[branch] = baskets.below(waiting[parent], cell + 1)
                else:
                    counts.append((waiting[parent].leaves, noisy))
            waiting = grown
            run.advance(len(counts), len(counts) + len(waiting))
        return counts

    def _round(
        self, waiting: dict[int, Partition], baskets: Baskets, budget: PrivacyBudget
    ) -> tuple[Ints, Ints, Ints, Ints]:
        """Expand one node of each partition, or count it with all that is left where it has none."""
        branches = np.array(sorted(waiting), dtype=np.int64)
        partitions = [waiting[branch] for branch in branches.tolist()]
        remaining = budget.remaining(branches)
        sizes, shares, floors = [], [], []
        for partition, left in zip(partitions, remaining.tolist(), strict=True):
            sizes.append(2 ** len(baskets.children(partition.inner[0])) - 1 if partition.inner else 1)
            shares.append((left - WHOLE // 2) // baskets.splits_below(partition) if partition.inner else left)
            rare = sizes[-1] / _SPURIOUS if partition.inner else 1 / _ALONE
            floors.append(self._floor(shares[-1], log(rare / 2)))
        cells = baskets.cells(
            budget.at, branches, [partition.inner[0] if partition.inner else -1 for partition in partitions]
        )
        released = budget.split(
            branches, cells, sizes=np.array(sizes), shares=np.array(shares), floors=np.array(floors)
        )
        return released.parent, released.cell, released.noisy, released.branch

    def _floor(self, share: int, exceeded: float) -> int:
        """The noisy count that an empty cell reaches with probability exp(-exceeded) / 2 or less."""
        return max(1, ceil(exceeded * WHOLE / (self.epsilon * int(share))))


def _one_each(data: Transactions, entropy: Entropy) -> Ints:
    """One record of each unit that has items, by a private random choice."""
    held = np.flatnonzero(data.lengths > 0)
    records, units = records_by_unit(data.take(held), entropy)
    first = np.ones(len(units), dtype=bool)
    first[1:] = np.diff(units) != 0
    return np.asarray(held[records[first]])
