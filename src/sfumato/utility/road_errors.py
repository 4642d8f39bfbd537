"""Error rates of the published traffic on roads.

S. Gurung, D. Lin, W. Jiang, A. Hurson, R. Zhang, "Traffic information publication with privacy preservation", ACM
Transactions on Embedded Computing Systems 13(3s), 2014, Equations 1 and 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import RoadTrajectories
from sfumato.data.ragged import Ragged
from sfumato.utility.base import Measure, Released, Score

__all__ = ["RoadError", "RoadErrorDeviation", "road_errors"]

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class RoadError(Measure):
    """The average error rate: the mean, over directed roads, of ``|published - original| / original``.

    The frequency of a road is the number of trajectories that travel it in its direction, over all intervals; the mean
    is over the roads with at least one original trajectory.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from sfumato import Network, RoadTrajectories
    >>> town = Network.from_frames(
    ...     {"node": ["a", "b", "c"], "x": [0, 1, 2], "y": [0, 0, 0]},
    ...     {"road": ["ab", "bc"], "from": ["a", "b"], "to": ["b", "c"]},
    ... )
    >>> drives = RoadTrajectories.from_lists([["ab+", "bc+"], ["ab+"]], network=town)
    >>> published = RoadTrajectories.from_lists([["ab+"], ["ab+"]], network=town)
    >>> RoadError()(drives, SimpleNamespace(data=published, origin=None))  # ab: 2 and 2; bc: 1 and 0
    Score(value=0.5, unit='')
    """

    name: ClassVar[str] = "road-error"
    title: ClassVar[str] = "average error rate of roads"
    meaning: ClassVar[str] = "mean relative error of the number of trajectories on a road"
    formula: ClassVar[str] = "mean over directed roads with original > 0 of |published - original| / original"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "Gurung et al., ACM TECS 2014, Eq. 1"
    kinds: ClassVar[tuple[str, ...]] = ("roads",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def score(self, original: RoadTrajectories, release: Released[RoadTrajectories]) -> Score:
        errors = road_errors(original, release.data)
        return Score(float(errors.mean()) if len(errors) else 0.0)


@dataclass(frozen=True, kw_only=True)
class RoadErrorDeviation(Measure):
    """The standard deviation, over directed roads, of their error rates, to show whether they are even."""

    name: ClassVar[str] = "road-error-deviation"
    title: ClassVar[str] = "deviation of the error rates of roads"
    meaning: ClassVar[str] = "standard deviation over roads of the relative error of their number of trajectories"
    formula: ClassVar[str] = "standard deviation over directed roads of |published - original| / original"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "Gurung et al., ACM TECS 2014, Eq. 2"
    kinds: ClassVar[tuple[str, ...]] = ("roads",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def score(self, original: RoadTrajectories, release: Released[RoadTrajectories]) -> Score:
        errors = road_errors(original, release.data)
        return Score(float(errors.std()) if len(errors) else 0.0)


def road_errors(original: Ragged, published: Ragged) -> _Floats:
    """The error rate of every directed road with at least one original trajectory."""
    frequency_of = dict(zip(published.names, _frequencies(published).tolist(), strict=True))
    true = _frequencies(original)
    estimated = np.array([frequency_of.get(name, 0) for name in original.names], dtype=np.float64)
    travelled = true > 0
    errors: _Floats = np.abs(estimated - true)[travelled] / true[travelled]
    return errors


def _frequencies(data: Ragged) -> _Floats:
    """The number of records with each label."""
    size = max(1, len(data.names))
    pairs = np.sort(data.record_of_element() * size + data.codes)
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    return np.bincount(pairs % size, minlength=len(data.names))[: len(data.names)].astype(np.float64)
