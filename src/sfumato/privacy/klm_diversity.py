"""(k,l^m)-diversity: quasi-identifiers and m items lead to at least k, at most one in l with the same sensitive item.

G. Poulis, G. Loukides, A. Gkoulalas-Divanis, S. Skiadopoulos, "Anonymizing data with relational and transaction
attributes", Proc. ECML PKDD, 2013, Section 5.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from sfumato.data import Mixed
from sfumato.errors import MissingKnowledge
from sfumato.params import JsonObject, param
from sfumato.privacy.base import CheckedFrom, PrivacyModel, Verdict
from sfumato.privacy.checks.correspondence import lacks_row_persons
from sfumato.privacy.checks.mixed_classes import PERSONS_UNKNOWN, MixedClasses, classes_beyond, rows_together
from sfumato.privacy.checks.overlapping_labels import overlapping_labels
from sfumato.privacy.checks.persons_and_records import by_both
from sfumato.privacy.checks.sensitive_associations import mixed_label
from sfumato.privacy.not_covered import (
    COMPOSITION,
    ITEMS_TOGETHER,
    KNOWN_ITEM,
    LACKED_ITEM,
    LEARNED,
    MEMBERS,
    MINIMALITY,
    OTHERS,
    PRESENCE,
    SUSPICION,
    TOGETHER,
    UNMARKED_ITEM,
    Limit,
)

__all__ = ["KlmDiversity"]


@dataclass(frozen=True, kw_only=True)
class KlmDiversity(PrivacyModel):
    """Quasi-identifiers and m nonsensitive items match at least k; at most one in l of them has a given sensitive item.

    Notes
    -----
    For every record and every set of 0 to m of its items that are not sensitive: at least k agree with the record on
    the quasi-identifiers and contain the set, and l times the number of those who also have a sensitive item is at most
    that number, for each sensitive item.  Where an item has different labels in a class, all of them count together, as
    in `KlmAnonymity`.  Where persons are known, and the values of an original record fit several classes that share a
    person, these classes count as one, too.  Classes without a common person are safe together if each of them is.

    A combination of sensitive items is as probable as the rarest at most.
    Support counts distinct persons where they are known, otherwise records; where persons are known, the ratio must
    hold in records, too.  A record with two labels that share a member is refused, and so is
    a label that stands for sensitive and other items together.

    Examples
    --------
    >>> patients = Mixed.from_frame({"age": [30, 30, 30], "items": ["flu", "flu hiv", "flu"]}).with_sensitive(["hiv"])
    >>> KlmDiversity(k=2, l=3, m=1).check(patients).holds
    True
    >>> KlmDiversity(k=2, l=4, m=1).check(patients).witnesses[0]["probability"]
    0.3333333333333333
    """

    name: ClassVar[str] = "klm-diversity"
    title: ClassVar[str] = "(k,l^m)-diversity"
    kinds: ClassVar[tuple[str, ...]] = ("mixed",)
    context: ClassVar[tuple[str, ...]] = ("sensitive",)
    anonymity_sets: ClassVar[bool] = True
    bounds_inference: ClassVar[bool] = True
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit("more-than-m-items", "an attacker who knows more than m items of a person", rank=2),
        KNOWN_ITEM,
        LACKED_ITEM,
        Limit(
            "other-columns-known",
            "an attacker who knows values of columns that are not quasi-identifiers",
            rank=3,
        ),
        COMPOSITION,
        SUSPICION,
        ITEMS_TOGETHER,
        UNMARKED_ITEM,
        Limit(
            "sensitive-columns",
            "sensitive columns of the table: this promise protects sensitive items only",
            rank=3,
        ),
        OTHERS,
        MEMBERS,
        LEARNED,
        TOGETHER,
        MINIMALITY,
        PRESENCE,
        Limit("item-occurs", "that an item in data.csv or members.csv occurs in some original record"),
        Limit("number-of-items", "the number of items of a record: a person with very many items may stand out"),
    )

    k: int = param(
        at_least=2, stronger="higher", help="smallest anonymity set for any background knowledge; the paper's k"
    )
    l: int = param(  # noqa: E741
        at_least=2,
        stronger="higher",
        help="a sensitive item can be inferred with a probability of at most 1/l; the paper's l",
    )
    m: int = param(
        at_least=1, stronger="higher", help="how many nonsensitive items an attacker may know; the paper's m"
    )

    def beyond(self, published: Mixed) -> JsonObject:
        return classes_beyond(published, self.k, self.l, self.m + 1)

    def check(self, published: Mixed, original: Mixed | None = None) -> Verdict:
        self._require_kind(published)
        if original is not None and original.sensitive:  # a release could have lost a flag
            published = replace(published, items=replace(published.items, sensitive=original.sensitive))
        if not published.flags_sensitive:
            raise MissingKnowledge(
                "klm-diversity: needs to know which items are sensitive, these data name none",
                remedy="name-sensitive",
            )
        verdict = self._checked(published, published if original is None else original)
        unknown = lacks_row_persons(published, original)
        if unknown and verdict.holds is True:
            return replace(verdict, holds="not checkable", checked_from="original", reason=PERSONS_UNKNOWN)
        return verdict

    def _checked(self, data: Mixed, original: Mixed) -> Verdict:
        source: CheckedFrom = "files" if data.persons is None else "original"
        mixed = mixed_label(data.items)
        broken = {"mixed_label": mixed} if mixed is not None else overlapping_labels(data.items)
        if broken is not None:
            return Verdict(False, source, {"unit": data.unit}, (broken,))
        violating: set[int] = set()

        def counted(counted_data: Mixed) -> Verdict:
            together = [] if counted_data.persons is None else rows_together(counted_data, original)
            classes = MixedClasses(counted_data, self.k, self.l, self.m, together)
            violating.update(classes.violating.tolist())
            figures = {"unit": counted_data.unit, **classes.measured, **classes.disclosure}
            return Verdict(classes.holds, source, figures, classes.witnesses)

        ratios = ("violating_associations", "highest_probability")
        verdict = by_both(counted, data, ratios=ratios, worst=lambda measured: float(measured["highest_probability"]))
        return replace(verdict, measured=verdict.measured | {"violating_classes": len(violating)})
