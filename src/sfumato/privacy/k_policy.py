"""k-anonymity with policy-based protection: quasi-identifiers and a protected set of items match no record, or k.

G. Loukides, A. Gkoulalas-Divanis, B. Malin, "COAT: constraint-based anonymization of transactions", KAIS 28(2), 2011,
inside the clusters of G. Poulis et al., "Anonymizing data with relational and transaction attributes", ECML PKDD, 2013.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from sfumato.data import Mixed, Policy
from sfumato.errors import MissingKnowledge
from sfumato.kernels.verify.policies import class_supports
from sfumato.params import JsonObject, param
from sfumato.prepare.policies import policy_of_rule, split_rule
from sfumato.privacy.base import CheckedFrom, Holds, PrivacyModel, Verdict
from sfumato.privacy.checks.correspondence import lacks_row_persons
from sfumato.privacy.checks.mixed_classes import PERSONS_UNKNOWN, MixedClasses, class_of_rows
from sfumato.privacy.checks.overlapping_labels import overlapping_labels
from sfumato.privacy.checks.set_images import images_of_sets, labels_of_items
from sfumato.privacy.kkm import KkmAnonymity
from sfumato.privacy.not_covered import Limit
from sfumato.privacy.policy import PRIVATE_POLICY, PolicyProtection, label_outside
from sfumato.remedies import with_remedy

__all__ = ["KPolicyProtection"]

_WITNESSES = 5


@dataclass(frozen=True, kw_only=True)
class KPolicyProtection(PrivacyModel):
    """At least k rows agree on the quasi-identifiers of every record; among them every set of items that the privacy
    policy protects, and every subset of it, has a support of 0 or at least k; labels keep the utility policy.

    Notes
    -----
    A record may hold an item when one of its labels stands for it.  Support counts distinct persons where they are
    known, otherwise records.  A policy of all sets of up to m items is (k,k^m)-anonymity, and checked as such.  A
    policy that a rule computed from the private data is not published: with the original it is computed again;
    without, (k,k^m)-anonymity for the size of its sets is enough, though more than promised.

    Examples
    --------
    >>> patients = Mixed.from_frame({"age": ["[30:39]"] * 3, "items": ["flu hiv", "cough hiv", "flu"]})
    >>> told = patients.with_policies(Policy([["flu", "hiv"]]))
    >>> KPolicyProtection(k=2).check(told).witnesses
    ({'values': {'age': '[30:39]'}, 'items': ['flu', 'hiv'], 'support': 1},)
    """

    name: ClassVar[str] = "k-policy"
    title: ClassVar[str] = "k-anonymity with policy-based protection"
    kinds: ClassVar[tuple[str, ...]] = ("mixed",)
    context: ClassVar[tuple[str, ...]] = PolicyProtection.context
    not_covered: ClassVar[tuple[Limit, ...]] = (
        *PolicyProtection.not_covered,
        *(limit for limit in KkmAnonymity.not_covered if limit.key in ("other-columns-known", "number-of-items")),
    )

    k: int = param(
        at_least=2,
        stronger="higher",
        help="smallest anonymity set for the quasi-identifiers and a protected set of items; the papers' k",
    )

    def check(self, published: Mixed, original: Mixed | None = None) -> Verdict:
        self._require_kind(published)
        if original is not None and original.privacy_policy is not None:  # a release could have lost a constraint
            published = published.with_policies(original.privacy_policy, original.utility_policy)
        policy = published.privacy_policy
        if policy is None:
            raise MissingKnowledge(
                f"{self.name}: needs a privacy policy, these data carry none", remedy="give-privacy-policy"
            )
        if not policy.known and original is not None:
            policy = policy_of_rule(policy.rule, original.items)
        verdict = self._checked(published, policy)
        if lacks_row_persons(published, original) and verdict.holds is True:
            return replace(verdict, holds="not checkable", checked_from="original", reason=PERSONS_UNKNOWN)
        return verdict

    def _checked(self, data: Mixed, policy: Policy) -> Verdict:
        public = data.persons is None and not (policy.private and policy.known)
        source: CheckedFrom = "files" if public else "original"
        overlapping = overlapping_labels(data.items)
        if overlapping is not None:
            return Verdict(False, source, {"unit": data.unit}, (overlapping,))
        size = policy.size if policy.known else split_rule(policy.rule)[1]
        figures, broken = self._by_size(data, size) if size else self._by_sets(data, policy)
        measured = {"unit": data.unit, **figures}
        if figures["violating_sets"] and not policy.known:  # sets that the private policy may not name
            reason = with_remedy(PRIVATE_POLICY.format(policy.rule), "give-original")
            holds: Holds = False if figures["smallest_class"] < self.k else "not checkable"
            return Verdict(holds, "files", measured, broken if holds is False else (), "" if holds is False else reason)
        outside = label_outside(data.items, data.utility_policy)
        if outside is not None:
            broken = ({"label": outside, "of": "several utility constraints"}, *broken)
        return Verdict(not broken, source, measured, broken[:_WITNESSES])

    def _by_size(self, data: Mixed, size: int) -> tuple[JsonObject, tuple[JsonObject, ...]]:
        """All sets of up to so many items."""
        classes = MixedClasses(replace(data, items=replace(data.items, sensitive=frozenset())), self.k, 1, size)
        figures = {
            **{name: classes.measured[name] for name in ("classes", "smallest_class", "smallest_support")},
            "violating_sets": classes.measured["violating_patterns"],
        }
        return figures, classes.witnesses

    def _by_sets(self, data: Mixed, policy: Policy) -> tuple[JsonObject, tuple[JsonObject, ...]]:
        """The sets of the policy and their subsets, the empty one among them."""
        policy.require_short()
        number = class_of_rows(data.table)
        n_units = int(data.units.max(initial=-1)) + 1
        distinct, pairs = np.unique(number * n_units + data.units, return_inverse=True)
        class_of_pair = distinct // max(1, n_units)
        sizes = np.bincount(class_of_pair, minlength=int(number.max(initial=-1)) + 1)
        items, sets = policy.coded_subsets
        images, place, starts, holders = images_of_sets(data.items, labels_of_items(data.items, items), items, sets)
        supports, too_few, where = (
            column[place]
            for column in class_supports(
                images, starts, holders, pairs.astype(np.int64), class_of_pair, self.k, len(data), len(sizes)
            )
        )
        present = [*sizes[sizes > 0].tolist(), *supports[supports > 0].tolist()]
        figures = {
            "classes": len(sizes),
            "smallest_class": int(sizes.min()) if len(sizes) else None,
            "smallest_support": min(present, default=None),
            "violating_sets": int(too_few.sum()) + int(np.count_nonzero(sizes < self.k)),
        }
        rows = np.flatnonzero(too_few)
        rows = rows[np.argsort(supports[rows], kind="stable")][:_WITNESSES]
        small = np.flatnonzero(sizes < self.k)
        small = small[np.argsort(sizes[small], kind="stable")][:_WITNESSES]
        broken: list[tuple[int, int, list[str]]] = [(int(sizes[group]), group, []) for group in small.tolist()]
        broken += [
            (int(supports[row]), int(where[row]), [items[code] for code in sets[row] if code >= 0])
            for row in rows.tolist()
        ]
        first = {group: int(np.argmax(number == group)) for _, group, _ in broken}
        return figures, tuple(
            {"values": _values(data, first[group]), "items": itemset, "support": support}
            for support, group, itemset in broken
        )


def _values(data: Mixed, row: int) -> JsonObject:
    """The published quasi-identifiers of a row."""
    known = data.table.frame.select(data.table.quasi_identifiers).row(row, named=True)
    return {
        column: value if value is None or isinstance(value, str | int | float | bool) else str(value)
        for column, value in known.items()
    }
