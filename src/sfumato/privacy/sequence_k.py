"""k-anonymity of sequences: nothing in a release is supported by fewer than k original sequences.

R. G. Pensa, A. Monreale, F. Pinelli, D. Pedreschi, "Pattern-preserving k-anonymization of sequences and its application
to mobility data mining", Proc. PiLBA, 2008, Definition 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import sequence_order
from sfumato.kernels.verify.containment import containing_units
from sfumato.params import JsonObject, param
from sfumato.privacy.base import PrivacyModel, Verdict
from sfumato.privacy.not_covered import COMPOSITION, OTHERS, PRESENCE, TIMES, TOGETHER, Limit
from sfumato.remedies import with_remedy

__all__ = ["SequenceKAnonymity"]

_WITNESSES = 5
_NO_ORIGINAL = with_remedy("the promise is about the original sequences", "give-original")


@dataclass(frozen=True, kw_only=True)
class SequenceKAnonymity(PrivacyModel):
    """No subsequence of the release, however long, is supported by fewer than k original sequences.

    Notes
    -----
    Definition 1 of the paper.  A part of a sequence is supported wherever the whole is, so that it suffices to count
    the support of every published sequence as a whole: the check is exact and has no bound on the length.  Support
    counts distinct persons of the original where they are known, otherwise its records.  An original visit matches a
    generalized label if it is one of the label's members.  The empty sequence is always allowed.

    Published files alone cannot show whether the promise holds, since they do not say what was in the original.

    Examples
    --------
    >>> original = Trajectories.from_lists([["a", "b", "c"], ["a", "c"], ["b"]])
    >>> published = Trajectories.from_lists([["a", "c"], ["b", "c"]])
    >>> verdict = SequenceKAnonymity(k=2).check(published, original)
    >>> verdict.holds, verdict.witnesses
    (False, ({'pattern': ['b', 'c'], 'support': 1},))
    >>> SequenceKAnonymity(k=2).check(published).holds
    'not checkable'
    """

    name: ClassVar[str] = "sequence-k"
    title: ClassVar[str] = "k-anonymity of sequences"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    needs_original: ClassVar[bool] = True
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit(
            "published-count",
            "the support in the release: a sequence may be published fewer than k times, although k original "
            "sequences contain it",
            rank=2,
        ),
        Limit("exact-visits", "an attacker who knows that a sequence holds exactly the known visits"),
        Limit(
            "only-original-tells",
            "a check from the published files: only a check with the original shows whether this promise holds",
        ),
        Limit(
            "sequences-in-common",
            "attribute disclosure: all original sequences with the known visits may share another visit, which an "
            "attacker then learns about the person",
            rank=3,
        ),
        OTHERS,
        TOGETHER,
        Limit(
            "choices-left-out",
            "suppressed sequences: an attacker who knows how the method chooses may conclude that fewer than k "
            "persons followed a sequence that is not published (minimality attack)",
        ),
        COMPOSITION,
        PRESENCE,
        TIMES,
    )

    k: int = param(
        at_least=2,
        stronger="higher",
        help="how many original sequences must contain every published subsequence; the paper's k",
    )

    def check(self, published: Trajectories, original: Trajectories | None = None) -> Verdict:
        self._require_kind(published)
        if original is None:
            return Verdict("not checkable", "original", reason=_NO_ORIGINAL)
        self._require_kind(original)
        seen: Trajectories = published
        order = sequence_order(seen)
        supports, rare = _supports(seen, order, original, self.k)
        filled = seen.lengths[order] > 0
        violating = filled & (supports < self.k)
        measured = {
            "unit": original.unit,
            "sequences": int(np.count_nonzero(filled)),
            "smallest_support": int(supports[filled].min()) if filled.any() else None,
            "violating_sequences": int(np.count_nonzero(violating)),
        }
        return Verdict(not violating.any(), "original", measured, _witnesses(seen, order, rare))


def _supports(published: Trajectories, order: Ints, original: Trajectories, k: int) -> tuple[Ints, Ints]:
    """The support of each published sequence; of its shortest prefix that fewer than k support, length and support."""
    position = {name: code for code, name in enumerate(original.names)}
    matching = [
        sorted({position[member] for member in published.members.get(label, (label,)) if member in position})
        for label in published.names
    ]
    starts = np.concatenate(([0], np.cumsum([len(codes) for codes in matching]))).astype(np.int64)
    members = np.array([code for codes in matching for code in codes], dtype=np.int32)
    together, _ = original.by_unit()
    supports, rare = containing_units(
        published.codes,
        published.offsets,
        order,
        starts,
        members,
        together.codes,
        together.offsets,
        together.units,
        len(original.names),
        k,
    )
    return supports, rare


def _witnesses(published: Trajectories, order: Ints, rare: Ints) -> tuple[JsonObject, ...]:
    """A few parts of published sequences that fewer than k support: rarest first, then by name, none twice."""
    supports: dict[tuple[str, ...], int] = {}
    places = np.flatnonzero(rare[:, 0] > 0)
    for place in places[np.argsort(rare[places, 1], kind="stable")]:
        pattern = published.labels(int(order[place]))[: rare[place, 0]]
        supports.setdefault(pattern, int(rare[place, 1]))
        if len(supports) == _WITNESSES:
            break
    return tuple({"pattern": list(pattern), "support": support} for pattern, support in supports.items())
