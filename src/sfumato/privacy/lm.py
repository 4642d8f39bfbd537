"""l^m-diversity: up to m known items lead to no sensitive item with a probability above 1/l.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB Journal
20(1), 2011, Section 6.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from sfumato.data import Transactions
from sfumato.errors import MissingKnowledge
from sfumato.params import JsonObject, param
from sfumato.privacy.base import PrivacyModel, Verdict
from sfumato.privacy.checks.correspondence import counting_persons
from sfumato.privacy.checks.sensitive_associations import associations_beyond, associations_verdict
from sfumato.privacy.not_covered import (
    COMPOSITION,
    ITEMS_TOGETHER,
    KNOWN_ITEM,
    LACKED_ITEM,
    LEARNED,
    MEMBERS,
    MINIMALITY,
    PRESENCE,
    SUSPICION,
    TOGETHER,
    UNMARKED_ITEM,
    Limit,
)

__all__ = ["LmDiversity"]


@dataclass(frozen=True, kw_only=True)
class LmDiversity(PrivacyModel):
    """Of those who share up to m items that are not sensitive, at most one in l has the same sensitive item.

    Notes
    -----
    For every set of 1 to m original items that are not sensitive, and every sensitive item: l times the support of both
    together is at most the support of the set; with `k` above 1 that support is at least k, unless it is 0.  A record
    contains an item if one of its labels stands for it: where labels overlap between records, all published images of
    a set count together, as in `KlmAnonymity`.
    Support counts distinct persons where they are known, otherwise records; where persons are known, the ratio must
    hold in records, too.  A record with two labels that share a member is refused, and so is
    a label that stands for sensitive and other items together.

    Examples
    --------
    >>> from sfumato import Transactions
    >>> baskets = Transactions.from_lists([["tea", "hiv"], ["tea", "ale"], ["ale"]], sensitive=["hiv"])
    >>> LmDiversity(l=2, m=1).check(baskets).holds
    True
    >>> LmDiversity(l=3, m=1).check(baskets).witnesses
    ({'pattern': ['tea'], 'sensitive': 'hiv', 'support': 2, 'together': 1, 'probability': 0.5},)
    """

    name: ClassVar[str] = "lm"
    title: ClassVar[str] = "l^m-diversity"
    kinds: ClassVar[tuple[str, ...]] = ("transactions",)
    context: ClassVar[tuple[str, ...]] = ("sensitive",)
    anonymity_sets: ClassVar[bool] = True
    bounds_inference: ClassVar[bool] = True
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit("more-than-m-items", "an attacker who knows more than m items of a person", rank=2),
        KNOWN_ITEM,
        LACKED_ITEM,
        COMPOSITION,
        Limit(
            "who-is-who-items",
            "re-identification: this promise protects sensitive items, and with k=1 an attacker may find the record "
            "of a person",
            rank=3,
        ),
        SUSPICION,
        ITEMS_TOGETHER,
        UNMARKED_ITEM,
        Limit(
            "ruled-out-item",
            "an attacker who knows that some matching records belong to other people: among the remaining records, a "
            "sensitive item may have a probability above 1/l",
        ),
        MEMBERS,
        LEARNED,
        TOGETHER,
        MINIMALITY,
        PRESENCE,
        Limit("item-occurs", "that an item in data.csv or members.csv occurs in some original record"),
        Limit("size-of-record", "the size of a record: a person with very many items may stand out"),
    )

    l: int = param(  # noqa: E741
        at_least=1,
        stronger="higher",
        help="a sensitive item can be inferred with a probability of at most 1/l; the paper's l",
    )
    m: int = param(
        at_least=1, stronger="higher", help="how many nonsensitive items an attacker may know; the paper's m"
    )
    k: int = param(1, at_least=1, stronger="higher", help="smallest anonymity set for any m nonsensitive items")

    def beyond(self, published: Transactions) -> JsonObject:
        return associations_beyond(published, self.k, self.l, self.m + 1)

    def check(self, published: Transactions, original: Transactions | None = None) -> Verdict:
        self._require_kind(published)
        if original is not None and original.sensitive:  # a release could have lost a flag
            published = replace(published, sensitive=original.sensitive)
        if not published.flags_sensitive:
            raise MissingKnowledge(
                "lm: needs to know which items are sensitive, these data name none", remedy="name-sensitive"
            )
        return counting_persons(partial(associations_verdict, k=self.k, l=self.l, m=self.m), published, original)
