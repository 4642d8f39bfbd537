"""The F-measure of published road trajectories against the frequent patterns of roads.

S. Gurung, D. Lin, W. Jiang, A. Hurson, R. Zhang, "Traffic information publication with privacy preservation", ACM
Transactions on Embedded Computing Systems 13(3s), 2014, Section 5.2.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from sfumato.data import RoadTrajectories, Transactions
from sfumato.data.ragged import Ragged
from sfumato.errors import DataError
from sfumato.mining import FrequentItemsets
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score

__all__ = ["RoadPatterns"]

_Sets = set[frozenset[str]]


@dataclass(frozen=True, kw_only=True)
class RoadPatterns(Measure):
    """The F-measure of the published trajectories against the original's frequent patterns of roads (Equation 9).

    The patterns are the maximal sets of directed roads that at least k original trajectories travel.  A published
    trajectory, as a set of roads, matches `full` if it is such a pattern, and `half` if at least half of its roads are
    in one.  With N_m matches among N_a distinct published trajectories and N_r patterns, F is
    ``2 N_m / (N_r + N_a)``.

    Notes
    -----
    The paper's definition, also in that it calls N_m / N_r precision: where few patterns stand for many published
    trajectories, half matches can give more than 1.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from sfumato import Network, RoadTrajectories
    >>> town = Network.from_frames(
    ...     {"node": ["a", "b", "c"], "x": [0, 1, 2], "y": [0, 0, 0]},
    ...     {"road": ["ab", "bc"], "from": ["a", "b"], "to": ["b", "c"]},
    ... )
    >>> drives = RoadTrajectories.from_lists([["ab+", "bc+"], ["ab+", "bc+"], ["ab+"]], network=town)
    >>> published = RoadTrajectories.from_lists([["ab+", "bc+"], ["ab+"]], network=town)
    >>> release = SimpleNamespace(data=published, origin=None)
    >>> [RoadPatterns(support=2, match=match)(drives, release).value for match in ("full", "half")]
    [0.6666666666666666, 1.3333333333333333]
    """

    name: ClassVar[str] = "road-patterns"
    title: ClassVar[str] = "F-measure of frequent road patterns"
    meaning: ClassVar[str] = "how well the published trajectories match the original's maximal frequent sets of roads"
    formula: ClassVar[str] = "2 * matches / (frequent sets of roads + distinct published trajectories)"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 2.0)  # below 2, and at most 1 for full matches
    paper: ClassVar[str] = "Gurung et al., ACM TECS 2014, Eq. 9"
    kinds: ClassVar[tuple[str, ...]] = ("roads",)
    better: ClassVar[Literal["lower", "higher"]] = "higher"

    match: str = param("full", choices=("full", "half"), help="whether all, or at least half, of the roads must match")
    support: int | None = param(
        None,
        at_least=1,
        help="smallest number of trajectories that travel a pattern; if not given, the k of the release",
    )

    def score(self, original: RoadTrajectories, release: Released[RoadTrajectories]) -> Score:
        support = self.support if self.support is not None else getattr(release, "k", None)
        if support is None:
            raise DataError(f"{self.name}: wanted the k of the release, found none; give a support")
        patterns = _maximal(original, support)
        published = {frozenset(row) for row in release.data.to_lists() if row}
        if not patterns and not published:
            return Score(1.0)
        matches = len(published & patterns) if self.match == "full" else _half_matches(published, patterns)
        return Score(2 * matches / (len(patterns) + len(published)))


def _maximal(data: Ragged, support: int) -> _Sets:
    """The maximal sets of labels with at least this support."""
    size = max(1, len(data.names))
    pairs = np.sort(data.record_of_element() * size + data.codes)
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    lengths = np.bincount(pairs // size, minlength=len(data))
    baskets = Transactions(offsets=np.append(0, np.cumsum(lengths)), codes=pairs % size, names=data.names)
    if len(data) < support:
        return set()
    mined = FrequentItemsets(support=support, keep="maximal").mine(baskets)
    return {frozenset(pattern) for pattern in mined["pattern"].to_list()}


def _half_matches(published: _Sets, patterns: _Sets) -> int:
    """The number of sets with at least half of their labels in one pattern."""
    published_roads, pattern_roads = (
        pl.DataFrame(
            [(number, road) for number, roads in enumerate(sets) for road in roads],
            schema={name: pl.Int64, "road": pl.String},
            orient="row",
        )
        for name, sets in (("trajectory", list(published)), ("pattern", patterns))
    )
    sizes = published_roads.group_by("trajectory").len(name="size")
    common = published_roads.join(pattern_roads, on="road").group_by("trajectory", "pattern").len(name="common")
    largest = common.group_by("trajectory").agg(pl.col("common").max()).join(sizes, on="trajectory")
    return int((2 * largest["common"] >= largest["size"]).sum())
