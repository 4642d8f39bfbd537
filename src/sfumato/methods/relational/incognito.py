"""Incognito: the best full-domain generalization of a table (LeFevre, DeWitt, Ramakrishnan, 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import ClassVar

import numpy as np

from sfumato.data import Table
from sfumato.data.tables.encoding import Coding
from sfumato.errors import Infeasible
from sfumato.methods.base import Outcome, Run
from sfumato.methods.relational.base import GlobalRecoding, recoded
from sfumato.methods.relational.frequency_sets import FrequencySet
from sfumato.methods.relational.information_loss import EQUAL, LOSSES, LeastLoss, Losses
from sfumato.methods.relational.lattice import Flags, Known, Lattice, Node
from sfumato.params import param

__all__ = ["Incognito"]

_LARGEST = 2_000_000  # combinations of levels


@dataclass(frozen=True, kw_only=True)
class Incognito(GlobalRecoding):
    """Publish every column at one level of its hierarchy, the levels chosen so that least is lost.

    Notes
    -----
    Full-domain generalization as in [1]_: the lattice of all combinations of levels is pruned by subsets of the
    quasi-identifiers (what is unsafe for some of them is unsafe for more), and classes are counted by rolling up
    finer ones.  Inside a lattice, paths are searched by bisection, as in [2]_, where [1]_ goes up step by step; both
    find the same safe combinations, all of them.  Sizes of subsets that cannot pay are left out.  Where the loss is a
    sum over cells, combinations that lose more than a safe one that is known, even if no row were suppressed, are not
    searched.

    A level is a cut through the hierarchy at one depth.  Up to the share `suppression` of the rows may be left out:
    those in classes that are not safe.  They count as lost altogether and as members of no class.  Of all safe
    combinations, not only the minimal ones, the one with the least loss is published; of equal ones the one that
    suppresses least, then the one with the lower levels, column by column.  `Incognito.minimal` lists all minimal ones.

    References
    ----------
    .. [1] K. LeFevre, D. DeWitt, R. Ramakrishnan, "Incognito: efficient full-domain k-anonymity", SIGMOD 2005.
    .. [2] F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. A. Kuhn, "Flash: efficient, stable and optimal
       k-anonymity", PASSAT 2012.

    Examples
    --------
    >>> people = Table({"age": [30, 31, 52, 53], "town": ["Rome", "Oslo", "Rome", "Rome"]})
    >>> Incognito(k=2).anonymize(people).data.frame.rows()
    [('[30:31]', '*'), ('[30:31]', '*'), ('[52:53]', '*'), ('[52:53]', '*')]
    >>> Incognito(k=2).minimal(people)
    [{'age': 1, 'town': 1}]
    """

    name: ClassVar[str] = "incognito"
    title: ClassVar[str] = "Incognito (full-domain generalization)"
    paper: ClassVar[str] = "LeFevre, DeWitt, Ramakrishnan 2005"

    minimize: str = param("ncp", choices=LOSSES, help="the measure of information loss to minimize")

    def transform(self, data: Table, run: Run) -> Outcome[Table]:
        with run.phase("coding"):
            coding = self.coding(data)
        return self.recode(coding, run)

    def recode(self, coding: Coding, run: Run) -> Outcome[Table]:
        with run.phase("coding"):
            lattice = self._lattice(coding)
            losses = Losses(self.minimize, coding, lattice.packing)
        with run.phase("searching"):
            safe = self._search(lattice, run, LeastLoss(losses) if losses.by_cell else None)
        with run.phase("choosing"):
            best = _best(lattice, losses, safe)
        with run.phase("recoding"):
            classes = lattice.at(best, lattice.rows)
            kept = np.flatnonzero(lattice.requirement.safe(classes)[classes.ids])
            nodes = np.array(
                [
                    attribute.levels[level][codes[kept]]
                    for attribute, level, codes in zip(coding.attributes, best, coding.codes, strict=True)
                ],
                dtype=np.int32,
            ).reshape(len(coding.attributes), len(kept))
            outcome = recoded(coding, nodes, kept)
        levels_text = ", ".join(
            f"{attribute.name} {level} of {attribute.height}"
            for attribute, level in zip(coding.attributes, best, strict=True)
        )
        return Outcome(outcome.data, outcome.origin, outcome.counts, (f"levels chosen: {levels_text}",))

    def minimal(self, data: Table) -> list[dict[str, int]]:
        """All minimal safe combinations of levels: none of their levels can be lowered.  Private, as the data are."""
        coding = self.coding(data)
        lattice = self._lattice(coding)
        nodes = lattice.minimal(self._search(lattice, Run()))
        return [
            {attribute.name: level for attribute, level in zip(coding.attributes, node, strict=True)} for node in nodes
        ]

    def _lattice(self, coding: Coding) -> Lattice:
        size = prod(attribute.height + 1 for attribute in coding.attributes)
        if size > _LARGEST:
            raise Infeasible(
                f"{self.name}: the levels of {len(coding.attributes)} quasi-identifiers make {size:,} combinations, "
                f"wanted at most {_LARGEST:,}",
                remedy="fewer-quasi-identifiers",
            )
        return Lattice(coding, self.requirement(coding), self.limit(coding))

    def _search(self, lattice: Lattice, run: Run, least: LeastLoss | None = None) -> Flags:
        top = tuple(len(images) - 1 for images in lattice.images)
        self.require_root(lattice.at(top), lattice.requirement)
        return lattice.search(run, least)


def _best(lattice: Lattice, losses: Losses, safe: Flags) -> Node:
    """The safe combination that loses least; those whose bound is above the best loss so far need no look."""
    nodes = np.argwhere(safe)
    bounds = losses.bounds(nodes)
    best: tuple[float, int, Node] = (np.inf, lattice.coding.total + 1, ())
    known = Known(lattice.base, safe.ndim)
    for index in np.argsort(bounds, kind="stable"):
        if bounds[index] > best[0] + EQUAL:
            break
        node: Node = tuple(nodes[index].tolist())
        classes: FrequencySet = lattice.at(node, known.below(node))
        known.add(node, classes)
        good = lattice.requirement.safe(classes)
        suppressed = int(classes.counts[~good].sum())
        best = min(best, (losses.of(node, classes, good), suppressed, node))
    return best[2]
