"""TFIRST: groups of records with similar items, then the rows of each group under common labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data import Mixed
from sfumato.data.base import Ints
from sfumato.methods.base import Outcome, Run
from sfumato.methods.mixed.base import Job, MixedMethod
from sfumato.methods.mixed.component_methods import ItemsPart
from sfumato.methods.mixed.item_recoding import ItemsRecoder
from sfumato.methods.mixed.merge_candidates import unviable
from sfumato.methods.transactions.apriori import AprioriAnon
from sfumato.methods.transactions.lra import Lra
from sfumato.params import param
from sfumato.utility.weights import read_weights

__all__ = ["TFirst"]


@dataclass(frozen=True, kw_only=True)
class TFirst(MixedMethod):
    """Lose as little as possible of the items, at any cost to the table.

    Notes
    -----
    The transaction method decides the groups: the parts of LRA, or with a method that treats all records alike one
    group of all [1]_.  In each group items are recoded, and every quasi-identifier is published as the lowest node
    over the group's values.  With `l` above 1, a group in which a sensitive item belongs to more than one in l is
    joined to the next.

    References
    ----------
    .. [1] G. Poulis, G. Loukides, A. Gkoulalas-Divanis, S. Skiadopoulos, "Anonymizing data with relational and
       transaction attributes", Proc. ECML PKDD, 2013, Section 3.

    Examples
    --------
    >>> from sfumato import Taxonomy
    >>> ills = Taxonomy({"any": None, "lung": "any", "flu": "lung", "cough": "lung", "gout": "any"})
    >>> people = {"age": [31, 32, 71, 72], "ills": ["flu", "gout", "flu", "gout"]}
    >>> patients = Mixed.from_frame(people, items="ills", taxonomy=ills)
    >>> TFirst(k=2, m=2).anonymize(patients).to_polars().rows()
    [('[31:71]', 'flu'), ('[31:71]', 'flu'), ('[32:72]', 'gout'), ('[32:72]', 'gout')]
    """

    name: ClassVar[str] = "t-first"
    title: ClassVar[str] = "TFIRST (items first, then rows)"

    transaction: ItemsPart = param(
        "lra", grid=("lra", "coat"), help="the method that groups the records and recodes their items"
    )

    def transform(self, data: Mixed, run: Run) -> Outcome[Mixed]:
        job = self.job(data)
        groups = self._groups(job, run)
        clusters = job.clusters(groups)
        with run.phase("recoding items"):
            parts = job.recoded(clusters, run)
        return job.outcome(clusters, parts)

    def _groups(self, job: Job, run: Run) -> list[Ints]:
        """The groups of the transaction method, joined until each can be made safe."""
        method, items = self._items_method, job.data.items
        groups: list[Ints] = [np.arange(len(items))]
        if isinstance(method, Lra):
            hiding = items.take(np.flatnonzero(items.lengths > 0))
            if len(np.unique(hiding.units)) >= self.k:
                groups = method.groups(items, run)
            # a group is a part already: it is recoded as one
            once = AprioriAnon(k=self.k, m=self.m, l=self.l)
            job.recoder = ItemsRecoder(once, items, None, self.l, read_weights(self.name, self.item_weights))
        joined: list[Ints] = []
        held = np.empty(0, dtype=np.int64)
        for group in groups:
            held = np.concatenate((held, group))
            if job.recoder.viable(held):
                joined.append(held)
                held = np.empty(0, dtype=np.int64)
        while len(held):  # the last ones join the groups before
            if not joined:
                raise unviable(self.name, job.recoder, held)
            held = np.concatenate((joined.pop(), held))
            if job.recoder.viable(held):
                joined.append(held)
                held = np.empty(0, dtype=np.int64)
        return joined
