"""Clustering-based anonymization of road trajectories: what CBA and ICBA share (Gurung et al., 2014, Figure 3)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data import RoadTrajectories
from sfumato.data.base import Ints
from sfumato.errors import Infeasible, MissingKnowledge
from sfumato.kernels.roads.clusters import LEFT, RIGHT, ClusterRules, Paths, new_state
from sfumato.kernels.roads.inverted_lists import gather_by_lists, new_lists
from sfumato.methods.base import Method, Outcome, Run, require_units
from sfumato.methods.trajectories.roads.partial_trajectories import Different, Partial, each_once
from sfumato.methods.trajectories.roads.time_intervals import Intervals
from sfumato.params import exact, param
from sfumato.privacy import NoInferenceRoute, StrictKAnonymity
from sfumato.privacy.not_covered import Limit

__all__ = ["Clustered", "RoadClustering", "shared_roads"]

_BATCH = 5_000  # trajectories between two looks at the clock


@dataclass(frozen=True, kw_only=True)
class RoadClustering(Method[RoadTrajectories]):
    """Publish in place of each partial trajectory the representative of its cluster."""

    kind: ClassVar[str] = "roads"
    paper: ClassVar[str] = "Gurung et al., ACM TECS 2014"
    promises: ClassVar[tuple[str, ...]] = ("strict-k", "inference-route")
    record_changes: ClassVar[tuple[str, ...]] = ("suppressed", "added", "split")
    untruthful: ClassVar[Limit] = Limit(
        "representatives",
        "the trajectories are not those of single persons: each represents a cluster, so that roads that a person "
        "travelled may be missing and roads that a person did not travel may occur; dummies (records.added) belong to "
        "no person, and where there are dummies, as few as k/2 persons may be behind a trajectory",
        rank=2,
    )

    k: int = param(at_least=2, help="smallest number of occurrences of a trajectory in its interval; the paper's k")
    interval: Intervals | None = param(
        None,
        help="length of an interval in seconds, or the borders between intervals; if not given, the intervals of the "
        "data, or one",
    )
    similarity: float = param(
        0.8,
        at_least=0,
        below=1,
        grid=(0.6, 0.8, 0.95),
        help="a cluster is a candidate if it holds more than this share of a trajectory's roads; the paper's rho_t",
    )
    dummies: bool = param(
        True, help="fill a cluster of at least k/2 up to k with dummies; if false, remove every cluster below k"
    )
    index: str = param(
        "lists",
        choices=("lists", "tree", "none"),
        help="how candidates are found, with the same result: inverted lists, the paper's C-tree, or by comparing with "
        "every cluster",
    )

    @property
    def guarantees(self) -> tuple[StrictKAnonymity | NoInferenceRoute, ...]:
        return (StrictKAnonymity(k=self.k), NoInferenceRoute(k=self.k))

    @property
    @abstractmethod
    def rules(self) -> ClusterRules:
        """How clusters are judged: by their mean error below a threshold, or by the local error; and k."""

    def transform(self, data: RoadTrajectories, run: Run) -> Outcome[RoadTrajectories]:
        if self.interval is not None and data.times is None:
            raise MissingKnowledge(
                f"{self.name}: needs times to cut trajectories into intervals, these data carry none",
                remedy="leave-out-intervals",
            )
        require_units(self, self.k, data)
        with run.phase("removing infrequent roads"):
            partial = Partial.of(data, self.k, self.interval)
            if partial.outside == len(data.codes):
                raise Infeasible(
                    f"{self.name}: no road was entered in any of these intervals", remedy="choose-intervals"
                )
            different = Different.of(partial)
        with run.phase("clustering"):
            clusters = Clustered.of(different, self, run)
        with run.phase("adjusting"):
            return self._adjusted(data, partial, clusters, clusters.of_path[different.of_fragment])

    def _adjusted(
        self, data: RoadTrajectories, partial: Partial, clusters: Clustered, cluster: Ints
    ) -> Outcome[RoadTrajectories]:
        """Figure 3, lines 15 to 20: clusters below k are raised to k by dummies, or removed."""
        n = len(clusters.lengths)
        crowds = partial.crowds(cluster, n)
        stays = (crowds >= self.k) | (self.dummies & (2 * crowds >= self.k))
        added = np.where(stays, np.maximum(0, self.k - crowds), 0)
        fragments = np.flatnonzero(stays[cluster])
        if len(fragments) == 0:
            raise Infeasible(
                f"{self.name}: k={self.k} leaves nothing to publish, because no cluster on roads that {self.k} "
                f"{data.unit}s travel in an interval is large enough; choose a smaller k or longer intervals"
            )
        shown = np.concatenate((cluster[fragments], np.repeat(np.arange(n), added)))
        lengths = clusters.lengths[shown]
        ends = np.cumsum(lengths)
        step = np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)
        own = len(fragments) and int(clusters.lengths[cluster[fragments]].sum())
        # whose trajectory a step stands for, not which road: a representative need not have it
        origin = np.full(len(step), -1, dtype=np.int64)
        of_step = np.repeat(fragments, clusters.lengths[cluster[fragments]])
        origin[:own] = partial.first[of_step] + np.minimum(step[:own], partial.fragments.lengths[of_step] - 1)
        assert clusters.paths.intervals is not None
        published = replace(
            clusters.paths,
            offsets=np.append(0, ends),
            codes=clusters.paths.codes[np.repeat(clusters.starts[shown], lengths) + step],
            intervals=clusters.intervals[shown],
        )
        per_record = np.bincount(partial.record[fragments], minlength=len(data))
        return Outcome(
            published,
            origin,
            counts={
                "suppressed_records": int(np.count_nonzero((per_record == 0) & (data.lengths > 0))),
                "split_records": int(np.count_nonzero(per_record > 1)),
                "added_records": int(added.sum()),
                "dummies": int(added.sum()),
                "partial_trajectories": len(cluster),
                "removed_trajectories": len(cluster) - len(fragments),
                "infrequent_roads": partial.infrequent,
                "outside_intervals": partial.outside,
                "clusters": int(np.count_nonzero(stays)),
                "removed_clusters": int(np.count_nonzero(~stays)),
                "smallest_anonymity_set": int(crowds[stays].min()),
            },
        )


@dataclass(frozen=True, eq=False)
class Clustered:
    """Clusters of different trajectories, by interval.

    of_path : the cluster of each.  starts, lengths : where the representative of each cluster lies in the codes of
    `paths`.  intervals : of each cluster.
    """

    paths: RoadTrajectories
    of_path: Ints
    starts: Ints
    lengths: Ints
    intervals: Ints

    @classmethod
    def of(cls, different: Different, method: RoadClustering, run: Run) -> Clustered:
        paths = different.paths
        assert paths.intervals is not None
        borders = np.flatnonzero(np.diff(paths.intervals, prepend=-1, append=-1))
        of_path = np.empty(len(paths), dtype=np.int64)
        starts, ends = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        n_clusters = 0
        for first, end in pairwise(borders.tolist()):
            interval = _Interval(different, first, end)
            clusters = interval.gather(method, of_path[first:end], run)
            of_path[first:end] += n_clusters
            n_clusters += clusters.shape[1]
            starts.append(clusters[LEFT] + paths.offsets[first])
            ends.append(clusters[RIGHT] + paths.offsets[first])
        start, end_of = np.concatenate(starts), np.concatenate(ends)
        intervals = np.empty(n_clusters, dtype=np.int32)
        intervals[of_path] = paths.intervals
        return cls(paths, of_path, start, end_of - start, intervals)


class _Interval:
    """The trajectories of one interval, with their roads numbered from 0."""

    def __init__(self, different: Different, first: int, end: int) -> None:
        offsets = different.paths.offsets[first : end + 1]
        labels = different.paths.codes[offsets[0] : offsets[-1]]
        used = np.zeros(len(different.paths.names), dtype=bool)
        used[labels] = True
        codes = (np.cumsum(used, dtype=np.int32) - 1)[labels]
        supports = different.supports[first:end].astype(np.int64)
        self.paths = Paths(codes, offsets - offsets[0], supports, different.ranks[first:end])
        self.n_roads = int(np.count_nonzero(used))
        self._done, self._all = first, len(different.paths)

    def _originals(self) -> npt.NDArray[np.float64]:
        """How many travel each road: a trajectory that does so twice counts once."""
        codes, offsets, supports, _ = self.paths
        path = np.repeat(np.arange(len(supports)), np.diff(offsets))
        once = each_once(path * self.n_roads + codes)
        support = supports[once // self.n_roads].astype(np.float64)
        weights: Any = np.bincount(once % self.n_roads, weights=support, minlength=self.n_roads)
        return np.asarray(weights, dtype=np.float64)

    def gather(self, method: RoadClustering, of_path: Ints, run: Run) -> Ints:
        """Settle every trajectory; writes the cluster of each and returns the clusters."""
        codes, offsets = self.paths.codes, self.paths.offsets
        n = len(offsets) - 1
        state = new_state(n, len(codes), self.n_roads, int(np.diff(offsets).max()))
        shared = np.zeros(n, dtype=np.int64)
        originals = self._originals() if method.rules.by_mean else np.empty(0)  # ICBA does not look at them
        needed = shared_roads(method.similarity, int(np.diff(offsets).max()))
        common = (needed, method.rules, self.paths, originals, state)
        lists = new_lists(n, len(codes), self.n_roads) if method.index == "lists" else None
        tree = None
        if method.index == "tree":
            from sfumato.kernels.roads.c_tree import gather_by_tree, new_tree

            tree = new_tree(n, self.n_roads)
        elif method.index == "none":
            from sfumato.kernels.roads.linear_scan import gather_by_scan
        for first in range(0, n, _BATCH):
            run.advance(self._done + first, self._all)
            end = min(first + _BATCH, n)
            if lists is not None:
                gather_by_lists(first, end, *common, lists, of_path)
            elif tree is not None:
                gather_by_tree(first, end, *common, tree, shared, of_path)
            else:
                gather_by_scan(first, end, *common, shared, of_path)
        clusters: Ints = state.clusters[:, : state.counts[0]]
        return clusters


def shared_roads(similarity: float, most: int) -> Ints:
    """For each number of roads up to the most, the fewest of them whose share is above the similarity.

    >>> shared_roads(0.6, 6).tolist()
    [1, 1, 2, 2, 3, 4, 4]
    """
    share = exact(similarity)
    return np.array([int(share * roads) + 1 for roads in range(most + 1)], dtype=np.int64)
