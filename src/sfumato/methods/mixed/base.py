"""What the methods for mixed data have in common: the promise, their parts, and how clusters become a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from sfumato.catalogue import method_class
from sfumato.data import Mixed, Policy, Table
from sfumato.data.base import Dataset, Ints
from sfumato.data.tables.encoding import Coding
from sfumato.errors import Infeasible, MissingKnowledge, ParameterError
from sfumato.methods.base import Method, Outcome, Run
from sfumato.methods.mixed.clusters import Clusters
from sfumato.methods.mixed.component_methods import ItemsPart
from sfumato.methods.mixed.content_order import by_content
from sfumato.methods.mixed.item_recoding import ItemsRecoder, Recoded
from sfumato.methods.mixed.publishing import publish
from sfumato.methods.relational.base import refuse_keys
from sfumato.methods.transactions.coat import PolicyMethod, TooManySuppressed, item_domain
from sfumato.params import param
from sfumato.privacy import KkmAnonymity, KlmDiversity, KPolicyProtection, PrivacyModel
from sfumato.utility.weights import read_weights, shares

__all__ = ["Job", "MixedMethod"]


@dataclass(eq=False)
class Job:
    """One run on one dataset: the records by content, their quasi-identifiers as numbers, and their items' recoder."""

    data: Mixed
    order: Ints
    coding: Coding
    recoder: ItemsRecoder
    weights: np.ndarray
    renamed: bool
    who: str
    notes: tuple[str, ...] = ()

    def clusters(self, groups: Sequence[Ints], row_loss: str = "ncp") -> Clusters:
        return Clusters(self.coding, groups, self.weights, row_loss)

    def recoded(self, clusters: Clusters, run: Run) -> list[Recoded]:
        """(k,k^m)-anonymization of each cluster."""
        parts = []
        for number, cluster in enumerate(clusters.numbers.tolist()):
            run.advance(number, len(clusters))
            parts.append(self.recoded_items(clusters, cluster))
        return parts

    def recoded_items(self, clusters: Clusters, number: int) -> Recoded:
        """The recoded items of one cluster; a refusal speaks of all clusters."""
        try:
            return self.recoder.recoded(clusters.rows[number])
        except TooManySuppressed:
            groups = [clusters.rows[each] for each in clusters.numbers.tolist()]
            raise self.recoder.refusal(groups, self.who) from None

    def outcome(self, clusters: Clusters, parts: Sequence[Recoded]) -> Outcome[Mixed]:
        self.recoder.require_occurrences(parts, self.who)
        outcome = publish(self.data, clusters, parts, self.order, renamed=self.renamed)
        return replace(outcome, notes=self.notes)


@dataclass(frozen=True, kw_only=True)
class MixedMethod(Method[Mixed]):
    """Rows in clusters that share their quasi-identifiers, the items of each cluster recoded by themselves."""

    kind: ClassVar[str] = "mixed"
    promises: ClassVar[tuple[str, ...]] = ("kkm",)
    promises_if: ClassVar[Mapping[str, str]] = {"klm-diversity": "l > 1", "k-policy": "m = 0"}
    takes: ClassVar[tuple[str, ...]] = ("taxonomy", "hierarchies", "privacy_policy", "utility_policy")
    paper: ClassVar[str] = "Poulis et al., ECML PKDD 2013"

    k: int = param(at_least=2, help="smallest anonymity set for the quasi-identifiers and any m items; the paper's k")
    m: int = param(
        at_least=0,
        help="how many items an attacker may know besides the quasi-identifiers; the paper's m; 0 where coat or pcta "
        "keeps the privacy policy in its place",
    )
    l: int = param(  # noqa: E741
        1, at_least=1, help="a sensitive item can be inferred with a probability of at most 1/l; 1 for no such limit"
    )
    transaction: ItemsPart = param(
        "apriori", grid=("apriori", "coat"), help="the method that recodes the items of a cluster"
    )
    weights: str = param("", help="weights of columns, 0 to 1, as age=1,town=0.5; 1 for all others")
    item_weights: str = param("", help="weights of items, 0 to 1, as flu=1,hiv=0.5; 1 for all others")
    allow_keys: bool = param(
        False,
        help="publish a column unchanged even if no two rows share a value in it, so that it identifies every row",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        read_weights(type(self).__name__, self.weights)
        read_weights(type(self).__name__, self.item_weights)
        if self.m == 0 and not self._keeps_policies:
            raise ParameterError(
                f"{type(self).__name__}: m must be a whole number of at least 1 with the transaction method "
                f"{self.transaction}, got 0; coat and pcta keep a privacy policy in its place"
            )
        method = self._items_method
        if self.l > 1 and not hasattr(method, "l"):
            raise ParameterError(
                f"{type(self).__name__}: l={self.l} needs a transaction method that knows sensitive items (apriori, "
                f"lra, vpa), got {self.transaction}"
            )
        object.__setattr__(self, "transaction", self.transaction.bare())

    @property
    def _keeps_policies(self) -> bool:
        return issubclass(method_class(self.transaction.method), PolicyMethod)

    @property
    def _items_method(self) -> Any:
        return self.transaction.build(type(self).__name__, k=self.k, m=self.m, l=self.l)

    @property
    def _charges_intact(self) -> bool:
        """Whether an unchanged item costs something in UL."""
        return False

    @property
    def guarantees(self) -> tuple[PrivacyModel, ...]:
        if self.l > 1:
            return (KlmDiversity(k=self.k, l=self.l, m=self.m),)
        if self.m == 0:
            return (KPolicyProtection(k=self.k),)
        return (KkmAnonymity(k=self.k, m=self.m),)

    def _require(self, data: Dataset) -> None:
        super()._require(data)
        if not isinstance(data, Mixed):
            return
        if self._keeps_policies:
            self._require_policies(data)
        else:
            self._items_method._require(data.items)
        if data.taxonomy is not None:
            data.taxonomy.require(data.items.names, "item")
        if self.l > 1 and not data.sensitive:
            raise MissingKnowledge(
                f"{self.name}: l={self.l} needs sensitive items, these data name none", remedy="name-sensitive"
            )

    def _require_policies(self, data: Mixed) -> None:
        """Refuse policies about unknown items, and data without one where it takes the place of m."""
        privacy = self._policy(data)
        if privacy is None:
            raise MissingKnowledge(
                f"{self.name}: needs a privacy policy where m is 0, these data carry none", remedy="give-privacy-policy"
            )
        for policy in (privacy, data.utility_policy):
            if policy is not None:
                policy.require(item_domain(data.items))
        privacy.require_short()

    def _unused_policies(self, data: Mixed) -> tuple[str, ...]:
        """A sentence about policies of the data that this method does not keep."""
        if not self._keeps_policies and (data.privacy_policy or data.utility_policy):
            return (
                f"the policies were not used: {self.transaction} keeps none; the transaction methods coat and pcta do",
            )
        if self.m > 0 and data.privacy_policy not in (None, Policy(size=self.m)):
            return (f"the privacy policy was not used: m={self.m} says which sets are protected; m=0 keeps the policy",)
        return ()

    def job(self, data: Mixed) -> Job:
        """The data as numbers, after the refusals that all methods for mixed data share."""
        present = len(np.unique(data.units))
        if present < self.k:
            what = "records" if data.persons is None else "persons"
            raise Infeasible(f"{self.name}: k={self.k} needs at least {self.k} {what}, these data have {present}")
        if not self.allow_keys:
            refuse_keys(self.name, data.table)
        ordered, order = by_content(data)
        coding = Coding.of(ordered.table)
        columns = ordered.table.quasi_identifiers
        method = self._items_method
        return Job(
            ordered,
            order,
            coding,
            ItemsRecoder(
                method,
                ordered.items,
                self._policy(ordered),
                self.l,
                read_weights(self.name, self.item_weights),
                charge_intact=self._charges_intact,
            ),
            shares(self.name, read_weights(self.name, self.weights), columns),
            isinstance(method, PolicyMethod),
            self.name,
            self._unused_policies(data),
        )

    def _policy(self, data: Mixed) -> Policy | None:
        """The privacy policy for the items of each cluster."""
        if not self._keeps_policies:
            return None
        return Policy(size=self.m) if self.m else data.privacy_policy


def classes_of(published: Table, rows: Ints) -> list[Ints]:
    """The rows that share their published quasi-identifiers."""
    known = list(published.quasi_identifiers)
    if not known:
        return [rows]
    numbered = published.frame.select(known).with_columns(pl.Series("\0row", rows))
    groups = numbered.group_by(known, maintain_order=True).agg("\0row")
    return [np.array(group, dtype=np.int64) for group in groups["\0row"].to_list()]
