"""k^m-anonymity: up to m known visits (or items) of a person lead to at least k persons.

Trajectories: G. Poulis, S. Skiadopoulos, G. Loukides, A. Gkoulalas-Divanis, "Apriori-based algorithms for
k^m-anonymizing trajectory data", Transactions on Data Privacy 7(2), 2014, Definition 4.
Transactions: M. Terrovitis, N. Mamoulis, P. Kalnis, "Privacy-preserving anonymization of set-valued data",
PVLDB 1(1), 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data.ragged import Ragged
from sfumato.kernels.verify.prefixes.divided import find_first_labels, subsequence_supports
from sfumato.params import JsonObject, param
from sfumato.privacy.base import CheckedFrom, PrivacyModel, Verdict
from sfumato.privacy.checks.beyond_m import UNMEASURED, anonymity_sets_beyond, smallest_support
from sfumato.privacy.checks.correspondence import counting_persons
from sfumato.privacy.checks.overlapping_labels import overlapping_labels
from sfumato.privacy.not_covered import COMPOSITION, MEMBERS, MINIMALITY, OTHERS, PRESENCE, TIMES, TOGETHER, Limit

__all__ = ["KmAnonymity"]

_WITNESSES = 5


@dataclass(frozen=True, kw_only=True)
class KmAnonymity(PrivacyModel):
    """Every subsequence (or set) of up to m published labels that occurs is supported by at least k.

    Notes
    -----
    Support counts distinct persons where they are known, otherwise records.  Labels are opaque symbols; a
    record that carries two different labels with a common member is refused, because that member would have
    two images.  Where labels overlap between records, what an attacker knows may have several images; each has a
    support of 0 or of at least k, and so have all of them together.

    The verdict also measures the anonymity set of an attacker with m + 1 known visits or items:
    1 as soon as one pattern of support 1 is found, "not measured" when that costs more than the check did.

    Examples
    --------
    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"], ["a", "b"], ["b"]])
    >>> KmAnonymity(k=2, m=2).check(walks).holds
    True
    >>> KmAnonymity(k=3, m=1).check(walks).witnesses
    ({'pattern': ['a'], 'support': 2},)
    """

    name: ClassVar[str] = "km"
    title: ClassVar[str] = "k^m-anonymity"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions")
    anonymity_sets: ClassVar[bool] = True
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit("more-than-m", "an attacker who knows more than m visits or items of a person", rank=2),
        Limit(
            "exact-knowledge",
            "an attacker who knows that a record holds exactly the known visits or items, or what it does not hold",
        ),
        COMPOSITION,
        Limit(
            "in-common",
            "attribute disclosure: all matching records may share another visit or item, which an attacker then "
            "learns about the person",
            rank=3,
        ),
        OTHERS,
        MEMBERS,
        TOGETHER,
        MINIMALITY,
        PRESENCE,
        Limit("members-occur", "that a place or item in members.csv occurs in some original record"),
        Limit("length", "the length of a record: a person with very many visits or items may stand out"),
        TIMES,
    )

    k: int = param(
        at_least=2, stronger="higher", help="smallest anonymity set for any background knowledge; the paper's k"
    )
    m: int = param(at_least=1, stronger="higher", help="how many visits or items an attacker may know; the paper's m")

    def beyond(self, published: Ragged) -> JsonObject:
        return anonymity_sets_beyond(published, self.m + 1)

    def check(self, published: Ragged, original: Ragged | None = None) -> Verdict:
        self._require_kind(published)
        return counting_persons(self._checked, published, original)

    def _checked(self, data: Ragged) -> Verdict:
        source: CheckedFrom = "files" if data.persons is None else "original"
        overlapping = overlapping_labels(data)
        if overlapping is not None:
            return Verdict(False, source, {"unit": data.unit}, (overlapping,))
        check = _Supports(data, self.m, self.k)
        if check.smallest is None:
            return Verdict(True, source, {"unit": data.unit, "smallest_support": None, "patterns": 0})
        measured = {
            "unit": data.unit,
            "patterns": check.patterns,
            "smallest_support": check.smallest,
            "violating_patterns": check.violations,
            "k_at_m_plus_1": smallest_support(data, self.m + 1, limit=check.work, first=check.first) or UNMEASURED,
        }
        return Verdict(check.violations == 0, source, measured, check.witnesses)


class _Supports:
    """The kernel's result, in words; `smallest` is None where nothing occurs."""

    def __init__(self, data: Ragged, m: int, k: int) -> None:
        grouped, _ = data.by_unit()
        longest = max(1, min(m, int(data.lengths.max(initial=0))))
        witnesses = np.full((_WITNESSES, longest), -1, dtype=np.int32)
        supports = np.zeros(_WITNESSES, dtype=np.int64)
        none = np.empty(0, dtype=np.int64)
        self.first = find_first_labels(grouped.codes, grouped.offsets, grouped.units, len(data.names))
        counts = subsequence_supports(
            grouped.codes,
            grouped.offsets,
            grouped.units,
            len(data.names),
            longest,
            k,
            -1,
            none,
            witnesses,
            supports,
            self.first,
        )
        self.patterns, self.violations, smallest, self.work, _, n_witnesses = (int(x) for x in counts)
        self.smallest = smallest if self.patterns else None
        rarest = sorted(
            (int(supports[row]), [c for c in witnesses[row].tolist() if c >= 0]) for row in range(n_witnesses)
        )
        self.witnesses = tuple(
            {"pattern": [data.names[code] for code in codes], "support": support} for support, codes in rarest
        )
