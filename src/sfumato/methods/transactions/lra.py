"""Local recoding of sets of items: similar records together, each part under its own cut."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from sfumato.data import Transactions
from sfumato.data.base import Ints
from sfumato.data.ragged import row_order
from sfumato.methods.base import Outcome, Run
from sfumato.methods.record_orders import gray_order
from sfumato.methods.transactions.apriori import ItemRecoding
from sfumato.methods.transactions.hierarchy import Hierarchy
from sfumato.methods.transactions.hierarchy_cut import Cut
from sfumato.methods.transactions.recoding import recoded
from sfumato.params import param

__all__ = ["Lra"]


@dataclass(frozen=True, kw_only=True)
class Lra(ItemRecoding):
    """Sort records so that similar ones are neighbours, cut them into parts, and generalize each part by itself.

    Notes
    -----
    Records are sorted by the Gray-code rank of their items in the order of the hierarchy, and cut into parts of about
    the same size [1]_.  A part ends only between different records and holds at least k persons (or records) that have
    something to hide, so that each part can be made safe by itself; with `l` above 1 a part that cannot be is joined
    to the next.  An item may therefore be published under different labels in different parts, but under one in each
    record; an anonymity set is a union of safe sets of the parts.  Sets that are to be diverse, too, must not share
    persons to add up: with `l` above 1 and persons known, all records of a person are in one part, where the first of
    them in Gray order is.

    References
    ----------
    .. [1] M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data",
       VLDB Journal 20(1), 2011.

    Examples
    --------
    >>> from sfumato import Taxonomy, Transactions
    >>> food = Taxonomy({"food": None, "fruit": "food", "apple": "fruit", "fig": "fruit", "bread": "food"})
    >>> baskets = Transactions.from_lists([["apple"], ["apple"], ["fig", "bread"], ["apple", "bread"]], taxonomy=food)
    >>> Lra(k=2, m=2, parts=2).anonymize(baskets).data.to_lists()
    [['apple'], ['apple'], ['bread', 'fruit'], ['bread', 'fruit']]
    """

    name: ClassVar[str] = "lra"
    title: ClassVar[str] = "LRA (local recoding of Gray-ordered parts)"
    paper: ClassVar[str] = "Terrovitis, Mamoulis, Kalnis 2011"

    parts: int = param(4, at_least=1, grid=(2, 4, 8), help="largest number of parts into which the records are divided")

    def transform(self, data: Transactions, run: Run) -> Outcome[Transactions]:
        tree, cuts = self._partition(data, run)
        with run.phase("generalizing"):
            for number, (_, cut) in enumerate(cuts):
                run.advance(number, len(cuts))
                cut.repair(self.m, _Quiet())
        return recoded(data, tree, cuts)

    def groups(self, data: Transactions, run: Run) -> list[Ints]:
        """The records of each part."""
        return [records for records, _ in self._partition(data, run)[1]]

    def _partition(self, data: Transactions, run: Run) -> tuple[Hierarchy, list[tuple[Ints, Cut]]]:
        """Parts of the records that can be made safe, each under a cut that raises nothing yet."""
        tree, nodes = self.hierarchy(data)
        with run.phase("sorting"):
            order, runs = _sorted(data, nodes)
            if self.l > 1 and data.persons is not None:
                order, runs = _sorted_by_person(data, order, runs)
            parts = _parts(data, order, runs, self.parts, self.k)
            cuts: list[tuple[Ints, Cut]] = []
            held = np.empty(0, dtype=np.int64)
            for number, records in enumerate(parts):
                run.advance(number, len(parts))
                held = np.concatenate((held, records))
                cut = Cut(data.take(held), tree, nodes, self.k, self.l)
                while not cut.safe_at_the_top() and number == len(parts) - 1 and cuts:
                    held = np.concatenate((cuts.pop()[0], held))  # the last ones join the part before
                    cut = Cut(data.take(held), tree, nodes, self.k, self.l)
                if cut.safe_at_the_top():
                    cuts.append((held, cut))
                    held = np.empty(0, dtype=np.int64)
            if len(held):
                self.require_top(cut)
        return tree, cuts


class _Quiet(Run):
    """Parts are many and short: only complete parts are reported."""

    def advance(self, done: int, total: int) -> None:
        """Say nothing."""


def _sorted(data: Transactions, nodes: Ints) -> tuple[Ints, Ints]:
    """The records in Gray order, and where in that order each run of equal records ends."""
    record = data.record_of_element()
    order = np.lexsort((-nodes[data.codes], record))
    sorted_records = gray_order(data.offsets, nodes[data.codes][order], np.arange(len(data)))
    begins = np.flatnonzero(data.take(sorted_records).run_starts())
    return sorted_records, np.append(begins[1:], len(data))


def _sorted_by_person(data: Transactions, order: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """The records with all those of a person together, persons by their records in Gray order; and where in that order
    each run of persons with equal records ends."""
    assert data.persons is not None
    rank, person = np.empty(len(data), dtype=np.int64), data.persons.codes
    rank[order] = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    grouped = np.lexsort((rank, person))
    offsets = np.concatenate(([0], np.cumsum(np.bincount(person, minlength=len(data.persons)))))
    by_rank = row_order(offsets, rank[grouped])
    lengths = np.diff(offsets)[by_rank]
    rows = [rank[grouped][offsets[left] : offsets[left + 1]].tobytes() for left in by_rank]
    last = np.array([left != right for left, right in pairwise(rows)] + [True] * bool(rows), dtype=bool)
    place = np.empty(len(data.persons), dtype=np.int64)
    place[by_rank] = np.arange(len(data.persons))
    return np.lexsort((rank, place[person])), np.unique(np.cumsum(lengths)[last])


def _parts(data: Transactions, order: Ints, ends: Ints, parts: int, k: int) -> list[Ints]:
    """Neighbours in parts of about the same size, each with k units that hold an item; the rest joins the last."""
    wanted = max(1, -(-len(order) // parts))
    formed: list[Ints] = []
    begin = 0
    for end in ends.tolist():
        if end - begin < wanted:
            continue
        records = order[begin:end]
        hiding = records[data.lengths[records] > 0]
        if len(np.unique(data.units[hiding])) >= k:
            formed.append(records)
            begin = end
    if begin < len(order):
        rest = order[begin:]
        hiding = rest[data.lengths[rest] > 0]
        if formed and len(np.unique(data.units[hiding])) < k:
            formed[-1] = np.concatenate((formed[-1], rest))
        else:
            formed.append(rest)
    return formed
