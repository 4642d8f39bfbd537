"""The audit of a dataset: how unique its people are to an attacker who knows a few of their visits or items."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sfumato.attacks.audit.findings import Findings
from sfumato.attacks.audit.known_points import KnowablePoints
from sfumato.attacks.audit.risks import ExactRisks, Risks, sampled_risks
from sfumato.data import Dataset
from sfumato.data.base import Progress
from sfumato.data.ragged import Ragged
from sfumato.data.trajectories import Trajectories
from sfumato.errors import DataError
from sfumato.params import Declared, param

__all__ = ["Audit"]


CURVE = 4


@dataclass(frozen=True, kw_only=True)
class Audit(Declared):
    """Measure the anonymity set of every person, for an attacker who knows `known` of their visits or items.

    Notes
    -----
    The attacker knows points of one record: of a trajectory its visits and their order (a subsequence, gaps
    allowed), or without `ordered` the set of places; of a transaction always a set of items.  A record with fewer
    points is known completely.  The anonymity set of such a pattern is all who have a record that contains it: distinct
    persons where they are known, otherwise records.

    Each person (or record) gets two figures.  The *worst* choice has the smallest anonymity set.  A *random*
    choice takes every distinct pattern of the person with the same probability; its risk is the mean of 1 / set size,
    the probability of identifying the right person.  A person without visits or items matches every record.
    The worst risk is that of the location sequence attack of [1]_ (unordered: of its unique location attack); the
    share of random patterns that are unique is the unicity of [2]_.

    Exact as long as `budget` allows, which counts the positions that are read and so does not depend on the machine.
    Beyond it persons are drawn at random, and of each up to 100 patterns: all of them if they are no more.  The
    figures then carry 95% Wilson intervals.  A smallest set that was not found among all patterns of a person is only
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
    >>> found.people.select("anonymity_set", "risk_random").rows()
    [(3, 0.333...), (3, 0.333...), (1, 0.777...)]
    >>> found.figure("unique_worst", known=1)
    0.333...
    """

    known: int = param(2, at_least=1, at_most=20, help="how many visits or items the attacker knows")
    ordered: bool = param(True, help="whether the attacker knows the order of the visits")
    budget: int = param(
        1_000_000_000, at_least=0, help="how many positions may be read for an exact answer before persons are sampled"
    )

    def run(self, data: Dataset, *, seed: int | None = None, progress: Progress | None = None) -> Findings:
        """Audit trajectories or transactions, for 1 to 4 known points and for `known`; a seed repeats a sample."""
        if not isinstance(data, Ragged):
            raise DataError(
                f"Audit: fits trajectories and transactions, got {getattr(data, 'kind', type(data).__name__)}"
            )
        ordered = self.ordered and isinstance(data, Trajectories)
        points = KnowablePoints.of(data, ordered=ordered)
        top = max(CURVE, self.known)
        streams = np.random.SeedSequence(seed).spawn(top)
        curve: list[Risks] = []
        exact: ExactRisks | None = ExactRisks(points)
        for known in range(1, top + 1):
            if progress is not None:
                progress(f"{known} known", known - 1, top)
            if curve and known > max(1, points.longest):  # every record is known completely already
                curve.append(replace(curve[-1], known=known))
                continue
            risks = None if exact is None else exact.of(known, self.budget)
            if risks is None:
                exact = None  # with more known it takes longer
                risks = sampled_risks(points, known, self.budget, np.random.default_rng(streams[known - 1]))
            curve.append(risks)
        return Findings(audit=self, data=data, knowable=points, ordered=ordered, risks=tuple(curve))
