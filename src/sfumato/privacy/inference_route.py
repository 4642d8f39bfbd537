"""No inference routes: travellers who enter an intersection by a busy road are in an anonymity set at every turn.

S. Gurung, D. Lin, W. Jiang, A. Hurson, R. Zhang, "Traffic information publication with privacy preservation", ACM
Transactions on Embedded Computing Systems 13(3s), 2014, Definition 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data import RoadTrajectories
from sfumato.data.base import Ints
from sfumato.kernels.verify.roads import difference_sizes, distinct_units
from sfumato.params import JsonObject, param
from sfumato.privacy.base import CheckedFrom, PrivacyModel, Verdict
from sfumato.privacy.checks.road_supports import DUMMIES, PIECES, checked_by_persons, interval_of, paths_broken
from sfumato.privacy.not_covered import COMPOSITION, MINIMALITY, OTHERS, PRESENCE, TIMES, Limit

__all__ = ["NoInferenceRoute"]

_WITNESSES = 5


@dataclass(frozen=True, kw_only=True)
class NoInferenceRoute(PrivacyModel):
    """At no intersection and in no interval do fewer than k, but some, come by a busy road and not leave by another.

    Notes
    -----
    Definition 2 of the paper.  For every interval, intersection, road that leads there and road that leads away, each
    travelled by at least k: those who come by the first and do not leave by the second are none or at least k, and
    those who leave by the second and did not come by the first are none or at least k.  A road and its other direction
    are such a pair too.  The members of these sets are published trajectories; their size counts the distinct persons
    behind them where these are known.  Every published trajectory must also be a path, as for `StrictKAnonymity`,
    which implies this promise (Theorem 4.1).

    Examples
    --------
    Three drive from a over b to c, a fourth turns off at b and the way it took is not published (the paper's Figure 1):

    >>> from sfumato import Network
    >>> town = Network.from_frames(
    ...     {"node": ["a", "b", "c"], "x": [0, 1, 2], "y": [0, 0, 0]},
    ...     {"road": ["ab", "bc"], "from": ["a", "b"], "to": ["b", "c"]},
    ... )
    >>> drives = RoadTrajectories.from_lists([*[["ab+", "bc+"]] * 3, ["ab+"]], network=town)
    >>> verdict = NoInferenceRoute(k=3).check(drives)
    >>> verdict.measured["offending_intersections"], verdict.witnesses[0]["intersection"]
    (1, 'b')
    """

    name: ClassVar[str] = "inference-route"
    title: ClassVar[str] = "no inference routes"
    kinds: ClassVar[tuple[str, ...]] = ("roads",)
    context: ClassVar[tuple[str, ...]] = ("network",)
    persons_from_original: ClassVar[bool] = False
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit(
            "roads-below-k",
            "roads that fewer than k travel: this promise looks only at busy roads, and only at two roads that meet, "
            "not at whole trajectories",
            rank=2,
        ),
        DUMMIES,
        PIECES,
        OTHERS,
        MINIMALITY,
        COMPOSITION,
        PRESENCE,
        TIMES,
    )

    k: int = param(
        at_least=2, help="how many travel a busy road, and how many at least take any turn that is taken; the paper's k"
    )

    def check(self, published: RoadTrajectories, original: RoadTrajectories | None = None) -> Verdict:
        self._require_kind(published)
        return checked_by_persons(self._checked, published, original)

    def _checked(self, data: RoadTrajectories) -> Verdict:
        source: CheckedFrom = "files" if data.persons is None else "original"
        turns = _TurnSets(data, self.k)
        small = (turns.alone > 0) & (turns.alone < self.k)
        offending = np.flatnonzero(small.any(axis=1))
        where = np.unique(np.column_stack((turns.interval, turns.node))[offending], axis=0)
        broken = paths_broken(data)
        measured = {
            "unit": data.unit,
            "pairs_of_roads": len(turns.alone),
            "offending_intersections": len(where),
            "smallest_difference": int(turns.alone[turns.alone > 0].min()) if turns.alone.any() else None,
            "broken_paths": len(broken),
        }
        least = np.where(small, turns.alone, self.k).min(axis=1)
        rarest = offending[np.argsort(least[offending], kind="stable")][:_WITNESSES]
        witnesses = tuple(turns.witness(int(pair), int(least[pair])) for pair in rarest)
        return Verdict(len(offending) == 0 and len(broken) == 0, source, measured, witnesses)


class _TurnSets:
    """Every pair of busy roads that meet in an interval, and how many travel only one of the two.

    interval, node : of each pair.  alone : int64[pairs, 2], those who only come and those who only leave.
    """

    def __init__(self, data: RoadTrajectories, k: int) -> None:
        self._data = data
        n_units = len(data) if data.persons is None else len(data.persons)
        of_list, members, starts = _travellers(data)
        busy = np.flatnonzero(distinct_units(members, starts, data.units, n_units) >= k)
        interval, road = np.divmod(of_list[busy], max(1, len(data.names)))
        here, there = _meeting(interval, data.heads[road], data.tails[road], len(data.network))
        self.interval, self.node = interval[here], data.heads[road[here]]
        self._roads = road[here], road[there]
        self.alone = difference_sizes(members, starts, data.units, n_units, busy[here], busy[there])

    def witness(self, pair: int, difference: int) -> JsonObject:
        data = self._data
        coming, leaving = (data.names[roads[pair]] for roads in self._roads)
        return {
            "interval": "all" if data.intervals is None else data.interval_names[self.interval[pair]],
            "intersection": data.network.nodes[int(self.node[pair])],
            "coming": coming,
            "leaving": leaving,
            "difference": difference,
        }


def _travellers(data: RoadTrajectories) -> tuple[Ints, Ints, Ints]:
    """For each interval and road the records that travel it: the list's number, all members, where each list begins."""
    record = data.record_of_element()
    number = interval_of(data).astype(np.int64)[record] * max(1, len(data.names)) + data.codes
    travelled = np.sort(number * max(1, len(data)) + record)
    travelled = travelled[np.diff(travelled, prepend=-1) > 0]  # each once
    numbers, members = np.divmod(travelled, max(1, len(data)))
    starts = np.flatnonzero(np.diff(numbers, prepend=-1) > 0)
    return numbers[starts], members, np.append(starts, len(members)).astype(np.int64)


def _meeting(interval: Ints, heads: Ints, tails: Ints, n_nodes: int) -> tuple[Ints, Ints]:
    """Every two roads of one interval of which the second begins where the first ends."""
    ends, begins = interval * n_nodes + heads, interval * n_nodes + tails
    order = np.argsort(begins, kind="stable")
    first = np.searchsorted(begins[order], ends, side="left")
    counts = np.searchsorted(begins[order], ends, side="right") - first
    here = np.repeat(np.arange(len(ends)), counts)
    within = np.arange(len(here)) - np.repeat(np.cumsum(counts) - counts, counts)
    return here, order[np.repeat(first, counts) + within]
