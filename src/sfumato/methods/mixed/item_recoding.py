"""The items of one cluster, made safe by a method for sets of items, and what that loses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from sfumato.data import Policy, Transactions
from sfumato.data.base import Ints
from sfumato.errors import Infeasible, counted
from sfumato.methods.base import Run
from sfumato.methods.transactions.apriori import AprioriAnon
from sfumato.methods.transactions.coat import PolicyMethod, TooManySuppressed, enough_suppression
from sfumato.methods.transactions.hierarchy import Hierarchy
from sfumato.methods.transactions.hierarchy_cut import Cut
from sfumato.params import exact
from sfumato.utility.items import record_losses
from sfumato.utility.weights import label_weights

__all__ = ["ItemsRecoder", "Recoded"]

Group = tuple[str, ...]


class _Quiet(Run):
    """Clusters are many and short: only complete clusters are reported."""

    def advance(self, done: int, total: int) -> None:
        """Say nothing."""


@dataclass(frozen=True, eq=False)
class Recoded:
    """The published items of some records.

    record, label : of each published item its record and its number among `groups`, what labels stand for, and `names`.
    lost : the sum of the records' losses.  suppressed : how many of the `occurrences` of items in the records are of
    items that are not published at all.
    """

    record: Ints
    label: Ints
    groups: tuple[Group, ...]
    names: tuple[str, ...]
    lost: float
    suppressed: int
    occurrences: int


class ItemsRecoder:
    """A method for sets of items, applied to the records of one cluster at a time.

    policy : the sets of items that a method which keeps policies protects.
    Where fewer than k have an item that may be known, those items are suppressed.
    Suppressed items are bounded in each cluster, suppressed occurrences in all clusters together.
    """

    def __init__(
        self,
        method: Any,
        items: Transactions,
        policy: Policy | None,
        l: int,  # noqa: E741
        weights: Mapping[str, float],
        *,
        charge_intact: bool = False,
    ) -> None:
        self._given, self._l, self._weights, self._charge_intact = method, l, weights, charge_intact
        self._method: Any = method
        if isinstance(method, PolicyMethod):
            self._method = replace(method, occurrence_suppression=1.0)
        self._policy = policy
        self._items = items
        self._sensitive = np.array([l > 1 and name in items.sensitive for name in items.names], dtype=bool)
        self._tree: Hierarchy | None = None
        if isinstance(method, AprioriAnon) and items.taxonomy is not None:  # one tree for all clusters
            self._tree = Hierarchy.of(items.taxonomy, items.sensitive if l > 1 else ())
            self._nodes = self._tree.nodes_of(items.names)

    @property
    def k(self) -> int:
        k: int = self._method.k
        return k

    @cached_property
    def shares_persons(self) -> bool:
        """Whether clusters that are safe, each by itself, may not be so together: a person may be in several."""
        persons = self._items.persons
        return self._l > 1 and persons is not None and bool(np.bincount(persons.codes).max(initial=0) > 1)

    def viable(self, records: Ints, *, in_records: bool = True) -> bool:
        """Whether these records can be made safe: no sensitive item belongs to more than one in l of them.

        That must be true of the persons behind them and, with `in_records`, of the records.
        """
        if self._l == 1:
            return True
        part = self._items.take(records)
        record = part.record_of_element()
        sensitive = self._sensitive[part.codes]
        countings = [part.units]
        if in_records and self.shares_persons:
            countings.append(np.arange(len(part)))

        def diverse(some: Ints, crowd: Ints) -> bool:
            return all(_diverse(record[some], part.codes[some], units, crowd, self._l) for units in countings)

        if not diverse(np.flatnonzero(sensitive), np.arange(len(part))):
            return False
        knowing = np.unique(record[~sensitive])
        if len(np.unique(part.units[knowing])) < self.k:
            return True  # they are going to be suppressed
        return diverse(np.flatnonzero(sensitive & np.isin(record, knowing)), knowing)

    def recoded(self, records: Ints) -> Recoded:
        """The records of a viable cluster; `record` numbers them as these do."""
        part = self._items.take(records)
        sensitive = self._sensitive[part.codes]
        record = part.record_of_element()
        crowd = len(np.unique(part.units[np.unique(record[~sensitive])]))
        if crowd < self.k:
            groups = tuple((name,) for name in part.names)
            kept = np.flatnonzero(sensitive)
            return self._measured(part, records, record[kept], part.codes[kept], groups, part.names)
        if self._tree is not None:
            return self._by_cut(part, records, self._tree)
        here = part.with_used_names() if self._policy is None else part.with_policies(self._policy, part.utility_policy)
        published = self._method.transform(here, _Quiet()).data
        groups = tuple(published.members.get(name, (name,)) for name in published.names)
        return self._measured(part, records, published.record_of_element(), published.codes, groups, published.names)

    def refusal(self, groups: Sequence[Ints], who: str) -> Infeasible:
        """Why items of clusters cannot be recoded, with the largest share that must be suppressed in one of them."""
        shares = []
        for records in groups:
            try:
                self.recoded(records)
            except TooManySuppressed as refusal:
                shares.append(refusal.share)
        sentence = (
            f"{who}: suppression={self._given.suppression:g} of {self._given.name} is too small: in "
            f"{counted(len(shares), 'cluster')}, up to {float(max(shares)):.1%} of the items of a cluster would have "
            "to be suppressed"
        )
        wider, enough = copy(self), enough_suppression(max(shares))
        wider._given, wider._method = (replace(method, suppression=enough) for method in (self._given, self._method))
        if self._given.occurrence_suppression == 1:
            return wider._refused(sentence, Fraction(0))
        return wider._refused(sentence, _suppressed_occurrences(map(wider.recoded, groups)))

    def require_occurrences(self, parts: Iterable[Recoded], who: str) -> None:
        """Refuse recoded clusters in which more occurrences are suppressed than the method allows in all."""
        if not isinstance(self._given, PolicyMethod):
            return
        share, bound = _suppressed_occurrences(parts), self._given.occurrence_suppression
        if share > exact(bound):
            raise self._refused(
                f"{who}: occurrence_suppression={bound:g} of {self._given.name} is too small: {float(share):.1%} of "
                "the occurrences of items in all clusters would have to be suppressed",
                share,
            )

    def _refused(self, sentence: str, occurrences: Fraction) -> Infeasible:
        """A refusal that ends with a transaction method whose bounds are enough, that on occurrences included."""
        method = self._given
        if occurrences > exact(method.occurrence_suppression):
            method = replace(method, occurrence_suppression=enough_suppression(occurrences))
        return Infeasible(sentence, remedy="allow-suppression", transaction=_as_text(method))

    def _by_cut(self, part: Transactions, records: Ints, tree: Hierarchy) -> Recoded:
        cut = Cut(part, tree, self._nodes, self.k, self._l)
        cut.repair(self._method.m, _Quiet())
        record, label, _ = cut.published()
        used, label = np.unique(label, return_inverse=True)
        names = tuple(tree.names[node] if node < len(tree) else part.names[node - len(tree)] for node in used)
        groups = tuple(
            (name,) if node >= len(tree) or tree.end[node] == node + 1 else tree.members(int(node))
            for node, name in zip(used, names, strict=True)
        )
        return self._measured(part, records, record, label, groups, names)

    def _measured(
        self, part: Transactions, records: Ints, record: Ints, label: Ints, groups: tuple[Group, ...], names: Group
    ) -> Recoded:
        size = np.array([len(group) for group in groups], dtype=np.float64)
        weight = label_weights(self._weights, groups) if self._weights else np.ones(len(groups))
        lost = record_losses(size[label], record, len(part), weight[label], charge_intact=self._charge_intact)
        left = np.bincount(record, minlength=len(part))
        lost[(left == 0) & (part.lengths > 0)] = 1.0  # nothing is left of what there was
        covered = {item for group in (groups[number] for number in np.unique(label)) for item in group}
        gone = np.array([name not in covered for name in part.names], dtype=bool)
        suppressed = int(np.count_nonzero(gone[part.codes]))
        return Recoded(records[record], label, groups, names, float(lost.sum()), suppressed, len(part.codes))


def _suppressed_occurrences(parts: Iterable[Recoded]) -> Fraction:
    """The share of the occurrences of items in some clusters that is suppressed."""
    counts = [(part.suppressed, part.occurrences) for part in parts]
    return Fraction(sum(lost for lost, _ in counts), max(1, sum(of for _, of in counts)))


def _as_text(method: PolicyMethod) -> str:
    """A method with its bounds on suppression, as the command line reads it."""
    bounds = {"suppression": method.suppression, "occurrence_suppression": method.occurrence_suppression}
    defaults = {parameter.name: parameter.default for parameter in method.parameters()}
    given = [f"{name}={str(value).removesuffix('.0')}" for name, value in bounds.items() if value != defaults[name]]
    return f"{method.name}:{','.join(given)}"


def _diverse(record: Ints, sensitive: Ints, units: Ints, anonymity_set: Ints, l: int) -> bool:  # noqa: E741
    """Whether each sensitive item belongs to at most one in l of the units of an anonymity set of records."""
    n = int(units.max(initial=0)) + 1
    owners = np.unique(sensitive.astype(np.int64) * n + units[record]) // n
    most = int(np.unique(owners, return_counts=True)[1].max(initial=0))
    return bool(l * most <= len(np.unique(units[anonymity_set])))
