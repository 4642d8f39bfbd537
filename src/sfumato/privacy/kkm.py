"""(k,k^m)-anonymity: the quasi-identifiers of a person and up to m of their items lead to at least k persons.

G. Poulis, G. Loukides, A. Gkoulalas-Divanis, S. Skiadopoulos, "Anonymizing data with relational and transaction
attributes", Proc. ECML PKDD, 2013, Definitions 1 and 2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from sfumato.data import Mixed
from sfumato.params import JsonObject, param
from sfumato.privacy.base import CheckedFrom, PrivacyModel, Verdict
from sfumato.privacy.checks.correspondence import lacks_row_persons
from sfumato.privacy.checks.mixed_classes import PERSONS_UNKNOWN, MixedClasses, classes_beyond
from sfumato.privacy.checks.overlapping_labels import overlapping_labels
from sfumato.privacy.not_covered import COMPOSITION, MEMBERS, MINIMALITY, OTHERS, PRESENCE, TOGETHER, Limit

__all__ = ["KkmAnonymity"]


@dataclass(frozen=True, kw_only=True)
class KkmAnonymity(PrivacyModel):
    """For every record and up to m of its items, at least k agree with its quasi-identifiers and contain those items.

    Notes
    -----
    None of the items is a case as well: at least k agree on the quasi-identifiers.  Support counts distinct persons
    where they are known, otherwise records.  A missing value is a value of its own.  Labels of items are opaque
    symbols; a record with two labels that share a member is refused, because that member would have two images.
    Where labels overlap between records, each label of an item has a support of 0 or of at least k, and so have all of
    them together.

    Examples
    --------
    >>> patients = Mixed.from_frame({"age": ["[30:39]"] * 3, "items": ["flu", "flu cough", "flu cough"]})
    >>> KkmAnonymity(k=2, m=2).check(patients).holds
    True
    >>> KkmAnonymity(k=3, m=1).check(patients).witnesses
    ({'values': {'age': '[30:39]'}, 'pattern': ['cough'], 'support': 2},)
    """

    name: ClassVar[str] = "kkm"
    title: ClassVar[str] = "(k,k^m)-anonymity"
    kinds: ClassVar[tuple[str, ...]] = ("mixed",)
    anonymity_sets: ClassVar[bool] = True
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit("more-than-m-items", "an attacker who knows more than m items of a person", rank=2),
        Limit(
            "exact-items",
            "an attacker who knows that a person has exactly the known items, or which items a person does not have",
        ),
        Limit(
            "other-columns-known",
            "an attacker who knows values of columns that are not quasi-identifiers",
            rank=3,
        ),
        COMPOSITION,
        Limit(
            "items-in-common",
            "attribute disclosure: all matching records may share another item or a value of another column, which an "
            "attacker then learns about the person",
            rank=3,
        ),
        OTHERS,
        MEMBERS,
        TOGETHER,
        MINIMALITY,
        PRESENCE,
        Limit("item-occurs", "that an item in data.csv or members.csv occurs in some original record"),
        Limit("number-of-items", "the number of items of a record: a person with very many items may stand out"),
    )

    k: int = param(
        at_least=2, stronger="higher", help="smallest anonymity set for any background knowledge; the paper's k"
    )
    m: int = param(
        at_least=1,
        stronger="higher",
        help="how many items an attacker may know besides the quasi-identifiers; the paper's m",
    )

    def beyond(self, published: Mixed) -> JsonObject:
        return classes_beyond(_all_known(published), self.k, 1, self.m + 1)

    def check(self, published: Mixed, original: Mixed | None = None) -> Verdict:
        self._require_kind(published)
        verdict = self._checked(published)
        unknown = lacks_row_persons(published, original)
        if unknown and verdict.holds is True:
            return replace(verdict, holds="not checkable", checked_from="original", reason=PERSONS_UNKNOWN)
        return verdict

    def _checked(self, data: Mixed) -> Verdict:
        source: CheckedFrom = "files" if data.persons is None else "original"
        overlapping = overlapping_labels(data.items)
        if overlapping is not None:
            return Verdict(False, source, {"unit": data.unit}, (overlapping,))
        classes = MixedClasses(_all_known(data), self.k, 1, self.m)
        return Verdict(classes.holds, source, {"unit": data.unit, **classes.measured}, classes.witnesses)


def _all_known(data: Mixed) -> Mixed:
    """The same records without sensitive items: every item may be known."""
    return replace(data, items=replace(data.items, sensitive=frozenset()))
