"""The audit: what an attacker who knows a few visits or items of somebody could do to a dataset as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sfumato.attacks.audit.findings import Findings
from sfumato.attacks.audit.known_points import Pieces
from sfumato.attacks.audit.risks import Risks, exact_risks, sampled_risks
from sfumato.data.ragged import Ragged
from sfumato.data.trajectories import Trajectories
from sfumato.errors import DataError
from sfumato.params import Declared, param

__all__ = ["Audit"]

Progress = Callable[[str, int, int], None]

CURVE = 4


@dataclass(frozen=True, kw_only=True)
class Audit(Declared):
    """Find everybody's crowd: among how many an attacker finds them who knows `known` of their visits or items.

    Notes
    -----
    The attacker knows pieces of one record: of a trajectory its visits and their order (a subsequence, gaps
    allowed), or without `ordered` the set of places; of a transaction always a set of items.  A record with fewer
    pieces is known whole.  The crowd of such a pattern is everybody who has a record that contains it: distinct
    persons where they are known, otherwise records.

    Each person (or record) gets two figures.  The *worst* choice of pieces leaves the smallest crowd.  A *random*
    choice takes every distinct pattern of the person with the same probability; its risk is the mean of 1 / crowd,
    the probability of picking the right person out of the crowd.  Somebody without visits or items is one of all.
    The worst risk is that of the location sequence attack of [1]_ (unordered: of its unique location attack); the
    share of random patterns that are alone is the unicity of [2]_.

    Exact as long as `budget` allows, which counts the positions that are read and so does not depend on the machine.
    Beyond it persons are drawn at random, and of each up to 100 patterns: all of them if they are no more.  The
    figures then carry 95% Wilson intervals.  A smallest crowd that was not found among all patterns of a person is only
    an upper bound, and the interval of a worst figure reaches as far as these persons could move it.

    References
    ----------
    .. [1] R. Pellungrini, L. Pappalardo, F. Pratesi, A. Monreale, "A data mining approach to assess privacy risk in
       human mobility data", ACM TIST 9(3), 2018.
    .. [2] Y.-A. de Montjoye, C. A. Hidalgo, M. Verleysen, V. D. Blondel, "Unique in the crowd: the privacy bounds of
       human mobility", Scientific Reports 3, 2013.

    Examples
    --------
    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"], ["a", "b"], ["a", "b", "c"]])
    >>> found = Audit(known=2).run(walks)
    >>> found.people.select("crowd", "risk_random").rows()
    [(3, 0.333...), (3, 0.333...), (1, 0.777...)]
    >>> found.figure("unique_worst", known=1)
    0.333...
    """

    known: int = param(2, at_least=1, at_most=20, help="how many visits or items the attacker knows")
    ordered: bool = param(True, help="whether the attacker knows in which order the visits were made")
    budget: int = param(
        200_000_000, at_least=0, help="how many positions may be read for an exact answer before persons are sampled"
    )

    def run(self, data: Any, *, seed: int | None = None, progress: Progress | None = None) -> Findings:
        """Audit trajectories or transactions, for 1 to 4 known pieces and for `known`; a seed repeats a sample."""
        if not isinstance(data, Ragged):
            raise DataError(
                f"Audit: fits trajectories and transactions, got {getattr(data, 'kind', type(data).__name__)}"
            )
        ordered = self.ordered and isinstance(data, Trajectories)
        pieces = Pieces.of(data, ordered=ordered)
        top = max(CURVE, self.known)
        streams = np.random.SeedSequence(seed).spawn(top)
        found: list[Risks] = []
        too_long = False
        for known in range(1, top + 1):
            if progress is not None:
                progress(f"{known} known", known - 1, top)
            if found and known > max(1, pieces.longest):  # every record is known whole already
                found.append(replace(found[-1], known=known))
                continue
            risks = None if too_long else exact_risks(pieces, known, self.budget)
            if risks is None:
                too_long = True
                risks = sampled_risks(pieces, known, self.budget, np.random.default_rng(streams[known - 1]))
            found.append(risks)
        return Findings(audit=self, data=data, pieces=pieces, ordered=ordered, risks=tuple(found))
