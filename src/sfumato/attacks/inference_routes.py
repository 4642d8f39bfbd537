"""How many intersections of a release let an attacker infer a route, as a measure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from sfumato.data import RoadTrajectories
from sfumato.data.ragged import Ragged
from sfumato.errors import DataError
from sfumato.params import param
from sfumato.privacy import NoInferenceRoute
from sfumato.utility.base import Measure, Released, Score

__all__ = ["InferenceRoutes"]


@dataclass(frozen=True, kw_only=True)
class InferenceRoutes(Measure):
    """The number of intersections, in every interval, with an inference-route problem (see `NoInferenceRoute`).

    A release of directed roads without intervals, such as that of a method for any sequences, is one interval.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from sfumato import Network
    >>> town = Network.from_frames(
    ...     {"node": ["a", "b", "c"], "x": [0, 1, 2], "y": [0, 0, 0]},
    ...     {"road": ["ab", "bc"], "from": ["a", "b"], "to": ["b", "c"]},
    ... )
    >>> drives = RoadTrajectories.from_lists([*[["ab+", "bc+"]] * 3, ["ab+"]], network=town)
    >>> InferenceRoutes(k=3)(drives, SimpleNamespace(data=drives, origin=None))
    Score(value=1.0, unit='')
    """

    name: ClassVar[str] = "inference-routes"
    title: ClassVar[str] = "intersections with an inference route"
    meaning: ClassVar[str] = (
        "number of intersections at which all travellers of a busy road, except fewer than k, take the same turn"
    )
    formula: ClassVar[str] = (
        "intersections and intervals with a road in and a road out, each of at least k, where 1 to k - 1 take one only"
    )
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "Gurung et al., ACM TECS 13(3s), 2014, Definition 2"
    kinds: ClassVar[tuple[str, ...]] = ("roads",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    k: int | None = param(None, at_least=2, help="smallest anonymity set; if not given, the k of the release")

    def score(self, original: RoadTrajectories, release: Released[Ragged]) -> Score:
        k = self.k if self.k is not None else getattr(release, "k", None)
        if k is None:
            raise DataError(f"{self.name}: wanted a release that was made with a k, found one without; give a k")
        seen = release.data
        if not isinstance(seen, RoadTrajectories):
            seen = RoadTrajectories(offsets=seen.offsets, codes=seen.codes, names=seen.names, network=original.network)
        return Score(float(NoInferenceRoute(k=k).check(seen).measured["offending_intersections"]))
