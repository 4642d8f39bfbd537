"""The probability that an attacker with full background knowledge picks the right published trajectory.

S. Gurung, D. Lin, W. Jiang, A. Hurson, R. Zhang, "Traffic information publication with privacy preservation", ACM
Transactions on Embedded Computing Systems 13(3s), 2014, Section 5.1.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sfumato.data import RoadTrajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged, row_order
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score

__all__ = ["Reidentification"]


@dataclass(frozen=True, kw_only=True)
class Reidentification(Measure):
    """The probability of picking the right record among equal published trajectories: 1 / their number.

    The value is the largest, the mean or the smallest over the distinct trajectories of every interval; the mean counts
    each distinct trajectory once.  Dummies count as records.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from sfumato import Network, RoadTrajectories
    >>> town = Network.from_frames(
    ...     {"node": ["a", "b"], "x": [0, 1], "y": [0, 0]}, {"road": ["ab"], "from": ["a"], "to": ["b"]}
    ... )
    >>> drives = RoadTrajectories.from_lists([["ab+"], ["ab+"], ["ab-"]], network=town)
    >>> release = SimpleNamespace(data=drives, origin=None)
    >>> [Reidentification(of=which)(drives, release).value for which in ("max", "mean", "min")]
    [1.0, 0.75, 0.5]
    """

    name: ClassVar[str] = "reidentification"
    title: ClassVar[str] = "probability of re-identification"
    meaning: ClassVar[str] = "probability of picking the right record among equal published trajectories"
    formula: ClassVar[str] = (
        "max, mean or min over distinct published trajectories of 1 / number of records equal to it"
    )
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Gurung et al., ACM TECS 13(3s), 2014, Section 5.1.3"
    kinds: ClassVar[tuple[str, ...]] = ("roads",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    of: str = param("max", choices=("max", "mean", "min"), help="maximum, mean or minimum over all trajectories")

    def score(self, original: RoadTrajectories, release: Released[RoadTrajectories]) -> Score:  # noqa: ARG002
        sizes = _class_sizes(release.data)
        if len(sizes) == 0:
            return Score(0.0)
        chances = 1 / sizes
        return Score(float({"max": chances.max(), "mean": chances.mean(), "min": chances.min()}[self.of]))


def _class_sizes(data: Ragged) -> Ints:
    """The number of records with each distinct trajectory of an interval."""
    order = row_order(data.offsets, data.codes)
    intervals = getattr(data, "intervals", None)
    if intervals is not None:
        order = order[np.argsort(intervals[order], kind="stable")]
    order = order[data.lengths[order] > 0]
    starts = np.flatnonzero(data.take(order).run_starts())
    return np.diff(starts, append=len(order))
