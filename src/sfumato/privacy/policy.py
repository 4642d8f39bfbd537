"""Policy-based protection: the support of a protected set of items is 0 or at least k; only allowed items are merged.

G. Loukides, A. Gkoulalas-Divanis, B. Malin, "COAT: constraint-based anonymization of transactions", KAIS 28(2), 2011,
Definitions 3 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data import Policy, Transactions
from sfumato.errors import DataError, MissingKnowledge
from sfumato.kernels.verify.policies import set_supports
from sfumato.params import JsonObject, exact, param
from sfumato.prepare.policies import policy_of_rule, split_rule
from sfumato.privacy.base import CheckedFrom, Holds, PrivacyModel, Verdict
from sfumato.privacy.checks.correspondence import counting_persons
from sfumato.privacy.checks.set_images import images_of_sets
from sfumato.privacy.km import KmAnonymity
from sfumato.privacy.not_covered import COMPOSITION, MINIMALITY, OTHERS, PRESENCE, TOGETHER, Limit
from sfumato.remedies import with_remedy

__all__ = ["PRIVATE_POLICY", "PolicyProtection", "label_outside"]

_WITNESSES = 5
PRIVATE_POLICY = (
    "the privacy policy was computed from the private data ({}) and is not published; some itemsets of its size have "
    "a support below k"
)
_DOMAIN = with_remedy(
    "the protected sets and the labels keep the policies, but the share of suppressed items is not known: the files do "
    "not list the items of the original, and more items of the utility policy are unpublished than may be suppressed",
    "give-original",
)


@dataclass(frozen=True, kw_only=True)
class PolicyProtection(PrivacyModel):
    """Every set of items that the privacy policy protects has a support of 0 or at least k, and so do its subsets;
    labels stand for items of one utility constraint; no more items than allowed are suppressed.

    Notes
    -----
    A record may hold an item when one of its labels stands for it, so a protected set leads to all who may hold it.
    Support counts distinct persons where they are known, otherwise records.  A policy of all sets of up to m items is
    k^m-anonymity, and checked as such.  A policy that a rule computed from the private data is not published: with the
    original it is computed again; without, k^m-anonymity for the size of its sets is enough, though more than
    promised.  The suppressed items are known exactly with the original; from the files
    alone, from the items that the utility policy names.

    Examples
    --------
    >>> baskets = Transactions.from_lists([["flu", "hiv"], ["cough", "hiv"], ["flu"]])
    >>> told = baskets.with_policies(privacy=Policy([["flu", "hiv"]]))
    >>> PolicyProtection(k=2).check(told).witnesses
    ({'items': ['flu', 'hiv'], 'support': 1},)
    """

    name: ClassVar[str] = "policy"
    title: ClassVar[str] = "policy-based protection"
    kinds: ClassVar[tuple[str, ...]] = ("transactions",)
    context: ClassVar[tuple[str, ...]] = ("privacy_policy", "utility_policy")
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit(
            "unprotected-set",
            "an attacker who knows a set of items that the privacy policy does not protect",
            rank=2,
        ),
        Limit(
            "exact-set",
            "an attacker who knows that a record holds exactly the known items, or what it does not hold",
        ),
        COMPOSITION,
        Limit(
            "set-in-common",
            "attribute disclosure: all matching records may share another item, which an attacker then learns about "
            "the person",
            rank=3,
        ),
        OTHERS,
        Limit(
            "items-likelier",
            "prior knowledge that makes some items of a label more probable than others: the support of a protected "
            "set counts every record that may contain it",
        ),
        TOGETHER,
        MINIMALITY,
        PRESENCE,
        Limit("member-item-occurs", "that an item in members.csv occurs in some original record"),
        Limit("policies-published", "the policies: they are published and show what their owner wants to protect"),
    )

    k: int = param(at_least=2, stronger="higher", help="smallest support of a protected set of items; the paper's k")
    suppression: float = param(
        1.0,
        at_least=0,
        at_most=1,
        stronger="lower",
        help="largest share of the items that may be suppressed entirely; the paper's s",
    )

    def check(self, published: Transactions, original: Transactions | None = None) -> Verdict:
        self._require_kind(published)
        if original is not None and original.privacy_policy is not None:  # a release could have lost a constraint
            _require_rule(original)
            published = published.with_policies(original.privacy_policy, original.utility_policy)
        policy = published.privacy_policy
        if policy is None:
            raise MissingKnowledge(
                "policy: needs a privacy policy, these data carry none", remedy="give-privacy-policy"
            )
        if not policy.known and original is not None:
            published = published.with_policies(policy_of_rule(policy.rule, original), published.utility_policy)
        return counting_persons(partial(self._checked, original=original), published, original)

    def _checked(self, data: Transactions, original: Transactions | None) -> Verdict:
        policy = data.privacy_policy
        if policy is None:
            raise ValueError("a privacy policy is needed")
        figures, broken = self._privacy(data, policy)
        if figures["violating_sets"] and not policy.known:  # sets that the private policy may not name
            return Verdict(
                "not checkable",
                "files",
                {"unit": data.unit, **figures},
                (),
                with_remedy(PRIVATE_POLICY.format(policy.rule), "give-original"),
            )
        outside = label_outside(data, data.utility_policy)
        lost, domain = _unpublished(data, None)
        within = lost <= exact(self.suppression) * domain
        suffices = within
        if original is not None:
            gone, items = _unpublished(data, original)
            suffices = gone <= exact(self.suppression) * items
        # what the files show may be published; what needs the original is private
        public = data.persons is None and suffices == within and not (policy.private and policy.known)
        source: CheckedFrom = "files" if public else "original"
        if outside is not None:
            broken = ({"label": outside, "of": "several utility constraints"}, *broken)
        holds: Holds = figures["violating_sets"] == 0 and outside is None
        reason = ""
        if not suffices and holds is True:
            holds, reason = (False, "") if original is not None else ("not checkable", _DOMAIN)
        measured = {"unit": data.unit, **figures, "unpublished_items": lost, "items": domain}
        return Verdict(holds, source, measured, broken[:_WITNESSES], reason)

    def _privacy(self, data: Transactions, policy: Policy) -> tuple[JsonObject, tuple[JsonObject, ...]]:
        # sets that are not known are among all sets of their size
        size = policy.size if policy.known else split_rule(policy.rule)[1]
        if size:
            verdict = KmAnonymity(k=self.k, m=size).check(data)
            figures = {
                "smallest_support": verdict.measured.get("smallest_support"),
                "violating_sets": verdict.measured.get("violating_patterns", 0 if verdict.holds else 1),
            }
            return figures, verdict.witnesses
        policy.require_short()
        items, sets = policy.coded_subsets
        supports = _supports(data, items, sets)
        present = supports[supports > 0]
        figures = {
            "smallest_support": int(present.min()) if len(present) else None,
            "violating_sets": int(np.count_nonzero(present < self.k)),
        }
        rows = np.flatnonzero((supports > 0) & (supports < self.k))
        rows = rows[np.argsort(supports[rows], kind="stable")][:_WITNESSES]
        return figures, tuple(
            {"items": [items[code] for code in sets[row] if code >= 0], "support": int(supports[row])} for row in rows
        )


def _require_rule(original: Transactions) -> None:
    """Refuse private constraints from a file that are not what their rule computes from the original.

    The release would name the rule, and a verifier would compute other constraints.
    """
    policy, utility = original.privacy_policy, original.utility_policy
    if utility is not None and utility.private:
        raise DataError("the utility policy: wanted constraints that were given, found some computed from private data")
    if policy is None or not (policy.private and policy.from_file):
        return
    if set(policy.sets) != set(policy_of_rule(policy.rule, original).sets):
        raise DataError(
            f"the privacy policy: wanted the constraints that its rule {policy.rule} computes from these data, found "
            "others; derive them again, or remove the column rule to publish them as constraints that you chose"
        )


def _supports(data: Transactions, items: tuple[str, ...], sets: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """The support of each set of items (by number, padded with -1), given what the labels may stand for."""
    labels: dict[str, list[int]] = {item: [] for item in items}
    for code, label in enumerate(data.names):
        for member in data.members.get(label, (label,)):
            if member in labels:
                labels[member].append(code)
    distinct, place, starts, holders = images_of_sets(data, labels, items, sets)
    units = data.units.astype(np.int64)
    size = max(len(data), int(units.max(initial=-1)) + 1)
    return np.asarray(set_supports(distinct, starts, holders, units, size)[place])


def label_outside(data: Transactions, utility: Policy | None) -> str | None:
    """A label that stands for items of several utility constraints, or of none, if any."""
    if utility is None:
        return None
    for label in data.names:
        members = data.members.get(label, (label,))
        groups = set(utility.group_of(members))
        if len(members) > 1 and (len(groups) > 1 or -1 in groups):
            return label
    return None


def _unpublished(data: Transactions, original: Transactions | None) -> tuple[int, int]:
    """How many items are not published, of how many: those of the original, or those that the files name."""
    published = {member for label in data.names for member in data.members.get(label, (label,))}
    if original is not None:
        items = set(original.with_used_names().names)
    else:
        items = published | (data.utility_policy.items if data.utility_policy is not None else set())
    return len(items - published), len(items)
