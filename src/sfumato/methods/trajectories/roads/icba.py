"""ICBA: road trajectories in clusters by local error, free of inference routes (Gurung et al., 2014)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.kernels.roads.clusters import OF_CLUSTER, OF_FOUNDER, OF_REPRESENTATIVE, ClusterRules
from sfumato.methods.trajectories.roads.clustering import RoadClustering
from sfumato.params import param

__all__ = ["Icba"]

_ROADS = {"founder": OF_FOUNDER, "cluster": OF_CLUSTER, "representative": OF_REPRESENTATIVE}


@dataclass(frozen=True, kw_only=True)
class Icba(RoadClustering):
    """Publish road trajectories each of which occurs at least k times in its interval.

    Trajectories are cut at the borders of intervals and at roads that fewer than k travel in an interval.  What is
    left of them, partial trajectories, is put into clusters; each is published as the representative of its cluster, a
    path on the road network.  An anonymity set that enters an intersection then also leaves it as one: there are no
    inference routes.

    Notes
    -----
    Figures 3, 5 and 7 of [1]_.  Partial trajectories are taken from the most to the least frequent; one that k share
    has a cluster of its own.  Any other joins the candidate with the smallest local error
    ``ED(representative, trajectory) * support^2 / |R|`` (Equation 6), if that is below ``(k/2)^2``.  The edit distance
    counts insertions and deletions of directed roads.  Candidates hold more than the share `similarity` of the
    trajectory's roads.  Ties: the smaller cluster, then name order of what founded it.

    R are the roads of the trajectory together with those that `error_roads` names.  [1]_ defines them as all roads of
    the cluster (``error_roads="cluster"``).  These grow with every trajectory, so that a large cluster takes in ever
    more, and only `similarity` stops it.  The default counts the roads of the trajectory that founded the cluster;
    both give the 7.2 of the paper's Table I.  The roads of the representative, which is trimmed, give 9.  [1]_ does
    not say which `similarity` it uses (60 % in an example of Section 4.2); the default of 80 % keeps clusters apart
    better where trajectories are long.

    The representative is the most frequent trajectory of the cluster, which is the one that founded it, without ends
    that less than half of the cluster travels; at least one road stays.  Clusters of at least ``k/2`` but below k are
    raised to k by dummies, smaller ones are removed (Figure 3, lines 17 and 18; Section 4.5 removes those of exactly
    ``k/2``).

    Support, the frequency of roads and the size of a cluster count distinct persons where they are known, otherwise
    records, also where one has several partial trajectories; each of these is published, with a number of its own.
    Intervals of one length begin at multiples of it.

    The inverted lists of the default `index` give the candidates of the paper's C-tree.

    References
    ----------
    .. [1] S. Gurung, D. Lin, W. Jiang, A. Hurson, R. Zhang, "Traffic information publication with privacy
       preservation", ACM Transactions on Embedded Computing Systems 13(3s), 2014.

    Examples
    --------
    The paper's Figure 1: three come from different homes and drive over a and b to c, a fourth turns off at b to d.

    >>> from sfumato import Network, RoadTrajectories
    >>> town = Network.from_frames(
    ...     {"node": ["a", "b", "c", "d", "i", "j", "l"], "x": [0, 1, 2, 1, -1, -1, -1], "y": [0, 0, 0, 1, -1, 0, 1]},
    ...     {"road": ["ia", "ja", "la", "ab", "bc", "bd"], "from": [*"ijlabb"], "to": [*"aaabcd"]},
    ... )
    >>> drives = RoadTrajectories.from_lists(
    ...     [["ia+", "ab+", "bc+"], ["ja+", "ab+", "bc+"], ["la+", "ab+", "bc+"], ["ab+", "bd+"]], network=town
    ... )
    >>> release = Icba(k=3).anonymize(drives)
    >>> release.data.to_lists()
    [['ab+', 'bc+'], ['ab+', 'bc+'], ['ab+', 'bc+'], ['ab+', 'bc+']]
    """

    name: ClassVar[str] = "icba"
    title: ClassVar[str] = "ICBA"

    error_roads: str = param(
        "founder",
        choices=tuple(_ROADS),
        help="the local error is divided by the number of roads of the trajectory together with those of the "
        "trajectory that founded the cluster, of the whole cluster, or of its representative; the paper's R",
    )

    @property
    def rules(self) -> ClusterRules:
        return ClusterRules(False, self.k, 0.0, _ROADS[self.error_roads])
