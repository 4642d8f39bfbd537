"""Two deliberately simple methods, so that the common trial meets every published shape there is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from sfumato.data import Table, Transactions
from sfumato.methods.base import Method, Outcome, Run, require_units
from sfumato.params import param
from sfumato.privacy import KAnonymity, KmAnonymity


@dataclass(frozen=True, kw_only=True)
class DropRare(Method):
    """Drop the rarest item of a violating pattern everywhere, until none is left."""

    name: ClassVar[str] = "toy-drop-rare"
    title: ClassVar[str] = "toy"
    kind: ClassVar[str] = "transactions"
    paper: ClassVar[str] = "none"
    promises: ClassVar[tuple[str, ...]] = ("km",)

    k: int = param(at_least=2, help="how many must share any m items")
    m: int = param(at_least=1, help="how many items an attacker may know")

    @property
    def guarantees(self) -> tuple[KmAnonymity, ...]:
        return (KmAnonymity(k=self.k, m=self.m),)

    def transform(self, data: Transactions, run: Run) -> Outcome:  # noqa: ARG002
        require_units(self, self.k, data)
        keep = np.ones(len(data.codes), dtype=bool)
        while True:
            left = _kept(data, keep)
            verdict = self.guarantees[0].check(left)
            if verdict.holds:
                counts = {"suppressed_records": int(np.count_nonzero(left.lengths == 0))}
                return Outcome(replace(left, ids=None, persons=None), np.flatnonzero(keep), counts)
            pattern = verdict.witnesses[0]["pattern"]
            rarest = min(pattern, key=lambda name: (np.count_nonzero(data.codes == data.names.index(name)), name))
            keep &= data.codes != data.names.index(rarest)


def _kept(data: Transactions, keep: Any) -> Transactions:
    counts = np.bincount(data.record_of_element()[keep], minlength=len(data))
    return replace(data, offsets=np.concatenate(([0], np.cumsum(counts))), codes=data.codes[keep])


@dataclass(frozen=True, kw_only=True)
class DropSmallGroups(Method):
    """Leave out the rows whose quasi-identifiers fewer than k persons share."""

    name: ClassVar[str] = "toy-drop-small-groups"
    title: ClassVar[str] = "toy"
    kind: ClassVar[str] = "table"
    paper: ClassVar[str] = "none"
    promises: ClassVar[tuple[str, ...]] = ("k-anonymity",)

    k: int = param(at_least=2, help="how many must share every combination of quasi-identifiers")

    @property
    def guarantees(self) -> tuple[KAnonymity, ...]:
        return (KAnonymity(k=self.k),)

    def transform(self, data: Table, run: Run) -> Outcome:  # noqa: ARG002
        groups: dict[tuple[Any, ...], list[int]] = {}
        for row, values in enumerate(data.frame.select(data.quasi_identifiers).iter_rows()):
            groups.setdefault(values, []).append(row)
        units = data.units
        rows = [row for group in groups.values() if len(set(units[group].tolist())) >= self.k for row in group]
        origin = np.array(sorted(rows), dtype=np.int64)
        return Outcome(data.take(origin), origin, {"suppressed_records": len(data) - len(origin)})


@dataclass(frozen=True, kw_only=True)
class NeedsHierarchies(DropSmallGroups):
    """The same, for data with hierarchies only."""

    name: ClassVar[str] = "toy-needs-hierarchies"
    needs: ClassVar[tuple[str, ...]] = ("hierarchies",)


TOYS = (DropRare, DropSmallGroups)
