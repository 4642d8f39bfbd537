"""The limits of privacy models: what a promise does not cover, as sentences for certificates.

The limits that several models share are here.  Each refers to a published attack:

- minimality: R. Wong, A. Fu, K. Wang, J. Pei, "Minimality attack in privacy preserving data publishing", VLDB 2007, and
  downcoding: A. Cohen, "Attacks on deidentification's defenses", USENIX Security 2022;
- composition: S. Ganta, S. Kasiviswanathan, A. Smith, "Composition attacks and auxiliary information in data privacy",
  KDD 2008;
- attribute disclosure in an equivalence class, and knowledge that rules out some of its records: A. Machanavajjhala,
  D. Kifer, J. Gehrke, M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity", ACM TKDD 1(1), 2007;
- membership: M. Nergiz, M. Atzori, C. Clifton, "Hiding the presence of individuals from shared databases", SIGMOD 2007;
- statistical learning: D. Kifer, "Attacks on privacy and deFinetti's theorem", SIGMOD 2009.
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
    "UNMARKED_ITEM",
    "Limit",
    "limits_of",
    "most_important",
]


class Limit(str):
    """A sentence about what a promise does not cover, with a key that stays the same when the words change.

    rank : how important the limit is to a reader who sees only a few; 1 comes first.  1 is for what defeats the promise
    in this release, 2 for the assumptions of the promise, 3 for another kind of disclosure, 4 for composition.

    >>> Limit("presence", "that a person is in the data").to_json()
    {'key': 'presence', 'text': 'that a person is in the data'}
    """

    __slots__ = ("key", "rank")
    key: str
    rank: int

    def __new__(cls, key: str, text: str, *, rank: int = 5) -> Self:
        limit = super().__new__(cls, text)
        limit.key, limit.rank = key, rank
        return limit

    def to_json(self) -> dict[str, str]:
        return {"key": self.key, "text": str(self)}


def limits_of(models: Iterable[PrivacyModel], *, unit: str, seeded: bool, of_method: Iterable[Limit]) -> list[Limit]:
    """All limits of a release, each once: those of its models, its unit, its seed and its method."""
    models = tuple(models)
    limits = [limit for model in models for limit in model.not_covered]
    if unit == "record":
        limits += [model.by_record for model in models]
    if seeded:
        limits += [model.seeded for model in models if model.seeded is not None]
    limits += of_method
    return list({limit.key: limit for limit in limits}.values())


def most_important(limits: Iterable[Limit], count: int = 3) -> list[Limit]:
    """The `count` limits with the lowest ranks; of equal ranks, the one that stands earlier comes first.

    >>> [limit.key for limit in most_important([PRESENCE, COMPOSITION, OVERRIDDEN], 2)]
    ['overridden', 'composition']
    """
    return sorted(limits, key=lambda limit: limit.rank)[:count]


COMPOSITION = Limit(
    "composition",
    "an attacker who combines this release with another release about the same people (composition attack)",
    rank=4,
)
MINIMALITY = Limit(
    "minimality",
    "an attacker who knows how the method chooses its changes: a method that changes as little as possible reveals "
    "that fewer changes would have broken the promise (minimality attack, downcoding)",
)
OTHERS = Limit(
    "ruled-out",
    "an attacker who knows that some matching records belong to other people: fewer than k may then remain",
)
PRESENCE = Limit("presence", "membership: that a person is, or is not, in the data")
MEMBERS = Limit("members-likelier", "prior knowledge that makes some members of a label more probable than others")
LEARNED = Limit(
    "learned",
    "statistical learning: values that occur together in the whole release can be used to infer a value of one person "
    "(deFinetti attack)",
)
TIMES = Limit(
    "times",
    "times of visits: they are not published, but an attacker who knows them can rule out records with "
    "impossible travel times",
)
TOGETHER = Limit(
    "several-records",
    "an attacker who knows which records belong to the same person, or has background knowledge from several of them: "
    "each record is protected separately",
)
OVERRIDDEN = Limit(
    "overridden",
    "an attacker who combines this release with an earlier release about the same people: this attack succeeded or "
    "could not be run, and the release was written with an override",
    rank=1,
)
SUSPICION = Limit(
    "suspicion-of-items",
    "a gain in probability up to 1/l: a sensitive item may be more probable for the matching records than for all "
    "records",
    rank=3,
)
ITEMS_TOGETHER = Limit(
    "items-together",
    "several sensitive items taken together: it may be certain that a person has one of them, although each item has "
    "a probability of at most 1/l",
)
UNMARKED_ITEM = Limit(
    "untold-sensitive-item",
    "an item that reveals a sensitive value but is not marked as sensitive, such as a medicine for one illness",
)
KNOWN_ITEM = Limit(
    "knows-sensitive-item",
    "an attacker who knows a sensitive item of a person",
)
LACKED_ITEM = Limit(
    "lacks-item",
    "an attacker who knows that a person does not have an item, or that a person has no items besides the known ones",
)
