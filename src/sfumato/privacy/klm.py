"""(k,l)^m-anonymity: up to m nonsensitive visits lead to k persons, at most one in l with the same sensitive place.

G. Poulis, S. Skiadopoulos, G. Loukides, A. Gkoulalas-Divanis, "Select-Organize-Anonymize: a framework for trajectory
data anonymization", IEEE ICDM Workshops 2013, Definition 3 and the guarantee below it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from sfumato.data import Trajectories
from sfumato.errors import MissingKnowledge
from sfumato.params import JsonObject, param
from sfumato.privacy.base import PrivacyModel, Verdict
from sfumato.privacy.checks.correspondence import counting_persons
from sfumato.privacy.checks.sensitive_associations import associations_beyond, associations_verdict
from sfumato.privacy.not_covered import (
    COMPOSITION,
    LEARNED,
    MEMBERS,
    MINIMALITY,
    OTHERS,
    PRESENCE,
    TIMES,
    TOGETHER,
    Limit,
)

__all__ = ["KlmAnonymity"]


@dataclass(frozen=True, kw_only=True)
class KlmAnonymity(PrivacyModel):
    """Up to m nonsensitive visits of a person lead to at least k persons, of whom at most one in l visited the same
    sensitive place.

    Notes
    -----
    For every sequence s of 1 to m nonsensitive original places and every sensitive place x, let T be the records that
    contain, in order, for each place of s a published label that stands for it.  Where T is not empty, its support is
    at least k, and l times the support of x in T is at most the support of T.
    (The paper's condition (ii) as printed contradicts the guarantee stated below it; the guarantee is kept.)

    Where labels do not overlap between records, these are the sequences of published labels.  Where they do, all
    images of s count together: labels that are safe, each by itself, may lead to the same persons.  Where no person
    (or record) has two labels that share a member, supports of images add up, so that labels that keep the promise
    decide, and the verdict measures label sequences.  In all other cases it measures sequences of original places:
    those behind the same labels are one, called by its first name, and a witness lists the `images` of each.

    Support counts distinct persons where they are known, otherwise records.  Where persons are known, l times the
    number of matching records with x must be at most the number of matching records, too: an attacker who cannot tell
    persons apart counts records.  A record that
    carries two different labels with a common member is refused, because that member would have two images, and so is
    a label that stands for sensitive and nonsensitive places together, because it is not defined what an attacker knows
    who knows it.  A label that stands for several sensitive places counts for each of them.

    The verdict measures the smallest support and the worst association: the sequence and the sensitive place with the
    largest share, in persons or in records (`worst_unit`).

    Examples
    --------
    >>> from sfumato import Places, Trajectories
    >>> places = Places.planar({"bar": (0, 0), "gym": (1, 0), "clinic": (2, 0)}).with_sensitive(["clinic"])
    >>> walks = Trajectories.from_lists([["bar", "gym"], ["gym", "bar", "clinic"], ["gym"], ["bar"]], places=places)
    >>> verdict = KlmAnonymity(k=2, l=2, m=1).check(walks)
    >>> verdict.holds, verdict.measured["worst_association"]["probability"]
    (True, 0.3333333333333333)
    >>> KlmAnonymity(k=2, l=2, m=2).check(walks).witnesses[0]
    {'pattern': ['bar', 'gym'], 'support': 1}
    """

    name: ClassVar[str] = "klm"
    title: ClassVar[str] = "(k,l)^m-anonymity"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    context: ClassVar[tuple[str, ...]] = ("sensitive",)
    anonymity_sets: ClassVar[bool] = True
    bounds_inference: ClassVar[bool] = True
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit(
            "more-than-m-nonsensitive",
            "an attacker who knows more than m nonsensitive visits of a person",
            rank=2,
        ),
        Limit("knows-sensitive-place", "an attacker who knows a visit to a sensitive place"),
        Limit(
            "never-there",
            "an attacker who knows that a person was never at a place, or that a person made no visits besides the "
            "known ones",
        ),
        COMPOSITION,
        TOGETHER,
        MINIMALITY,
        Limit(
            "suspicion-below-l",
            "a gain in probability up to 1/l: a sensitive place may be ten times as probable for the matching records "
            "as for all records",
            rank=3,
        ),
        Limit(
            "places-together",
            "several sensitive places taken together: it may be certain that a person visited one of them, although "
            "each place has a probability of at most 1/l",
        ),
        Limit(
            "nonsensitive-in-common",
            "attribute disclosure: all matching records may share a nonsensitive place, which an attacker then learns "
            "about the person",
        ),
        Limit(
            "untold-sensitive-place",
            "a place that reveals a sensitive value but is not marked as sensitive, such as the car park of a clinic",
        ),
        OTHERS,
        MEMBERS,
        LEARNED,
        PRESENCE,
        Limit("place-occurs", "that a place in data.csv or members.csv occurs in some original record"),
        Limit("length-of-visits", "the length of a record: a person with very many visits may stand out"),
        TIMES,
    )

    k: int = param(
        at_least=2, stronger="higher", help="smallest anonymity set for any background knowledge; the paper's k"
    )
    l: int = param(  # noqa: E741
        at_least=2,
        stronger="higher",
        help="a sensitive place can be inferred with a probability of at most 1/l; the paper's l",
    )
    m: int = param(
        at_least=1, stronger="higher", help="how many nonsensitive visits an attacker may know; the paper's m"
    )

    def beyond(self, published: Trajectories) -> JsonObject:
        return associations_beyond(published, self.k, self.l, self.m + 1)

    def check(self, published: Trajectories, original: Trajectories | None = None) -> Verdict:
        self._require_kind(published)
        if original is not None and original.flags_sensitive:  # a release could have lost a flag
            published = replace(published, places=original.places, taxonomy=original.taxonomy)
        if not published.flags_sensitive:
            raise MissingKnowledge(
                "klm: needs to know which locations are sensitive, these data do not say",
                remedy="give-sensitive-places",
            )
        return counting_persons(partial(associations_verdict, k=self.k, l=self.l, m=self.m), published, original)
