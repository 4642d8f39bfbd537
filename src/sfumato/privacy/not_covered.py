"""What a promise does not cover, where several promises share a limit: sentences for certificates.

Each names an attack that has been published:

- minimality: R. Wong, A. Fu, K. Wang, J. Pei, "Minimality attack in privacy preserving data publishing", VLDB 2007, and
  downcoding: A. Cohen, "Attacks on deidentification's defenses", USENIX Security 2022;
- composition: S. Ganta, S. Kasiviswanathan, A. Smith, "Composition attacks and auxiliary information in data privacy",
  KDD 2008;
- what a crowd has in common, and knowledge that rules out some of it: A. Machanavajjhala, D. Kifer, J. Gehrke,
  M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity", ACM TKDD 1(1), 2007;
- presence: M. Nergiz, M. Atzori, C. Clifton, "Hiding the presence of individuals from shared databases", SIGMOD 2007;
- learning from the whole release: D. Kifer, "Attacks on privacy and deFinetti's theorem", SIGMOD 2009.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from sfumato.privacy.base import PrivacyModel

__all__ = [
    "COMPOSITION",
    "ITEMS_TOGETHER",
    "KNOWN_ITEM",
    "LACKED_ITEM",
    "LEARNED",
    "MEMBERS",
    "MINIMALITY",
    "OTHERS",
    "OVERRIDDEN",
    "PRESENCE",
    "SUSPICION",
    "TIMES",
    "TOGETHER",
    "UNTOLD_ITEM",
    "Limit",
    "limits_of",
]


class Limit(str):
    """A sentence about what a promise does not cover, with a key that stays the same when the words change.

    >>> Limit("presence", "that a person is in the data").to_json()
    {'key': 'presence', 'text': 'that a person is in the data'}
    """

    __slots__ = ("key",)
    key: str

    def __new__(cls, key: str, text: str) -> Self:
        limit = super().__new__(cls, text)
        limit.key = key
        return limit

    def to_json(self) -> dict[str, str]:
        return {"key": self.key, "text": str(self)}


def limits_of(models: Iterable[PrivacyModel], *, unit: str, seeded: bool, untruthful: Limit | None) -> list[Limit]:
    """Everything that a release does not cover, each limit once: of its promises, its unit, its seed and its method."""
    models = tuple(models)
    limits = [limit for model in models for limit in model.not_covered]
    if unit == "record":
        limits += [model.by_record for model in models]
    if seeded:
        limits += [model.seeded for model in models if model.seeded is not None]
    if untruthful is not None:
        limits.append(untruthful)
    return list({limit.key: limit for limit in limits}.values())


COMPOSITION = Limit("composition", "an attacker who combines this release with another release about the same people")
MINIMALITY = Limit(
    "minimality",
    "an attacker who reasons backwards from how a method chooses: one that changes as little as it must gives away "
    "that changing less would have broken the promise (minimality, downcoding)",
)
OTHERS = Limit(
    "ruled-out",
    "an attacker who can rule out some who match, by knowing them or having entered them: fewer than k may "
    "then be left",
)
PRESENCE = Limit("presence", "that somebody is in the data at all, or is not: whoever matches nothing is not")
MEMBERS = Limit("members-likelier", "an attacker who holds some of what a label stands for, for likelier than the rest")
LEARNED = Limit(
    "learned",
    "what can be learned from the whole release about everybody alike, such as which values go together, and then held "
    "against one person (deFinetti)",
)
TIMES = Limit(
    "times",
    "when visits were made: times are not published, but whoever knows them may rule out records by what is possible "
    "on the way",
)
TOGETHER = Limit(
    "several-records",
    "an attacker who knows which records belong to the same person, or pieces from several of them: records are "
    "protected one by one",
)
OVERRIDDEN = Limit(
    "overridden",
    "an attacker who combines this release with an earlier one about the same people: such an attack succeeded or "
    "could not be made, and the release was written all the same",
)
SUSPICION = Limit(
    "suspicion-of-items",
    "suspicion below 1/l, and how far it is above what everybody would guess",
)
ITEMS_TOGETHER = Limit(
    "items-together",
    "several sensitive items taken together: that a person has one of them may be certain, although each alone stays "
    "below 1/l",
)
UNTOLD_ITEM = Limit(
    "untold-sensitive-item",
    "an item that tells a secret without being named as sensitive, such as a medicine for one illness",
)
KNOWN_ITEM = Limit(
    "knows-sensitive-item",
    "an attacker who knows a sensitive item of a person, whatever else they know",
)
LACKED_ITEM = Limit(
    "lacks-item",
    "an attacker who knows that a person does not have an item, or that the known items are all there are",
)
