"""CBA: road trajectories in clusters by the mean error of their roads, the forerunner of ICBA (Lin et al., 2010)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.kernels.roads.clusters import OF_CLUSTER, ClusterRules
from sfumato.methods.trajectories.roads.clustering import RoadClustering
from sfumato.params import param

__all__ = ["Cba"]


@dataclass(frozen=True, kw_only=True)
class Cba(RoadClustering):
    """Publish road trajectories each of which occurs at least k times in its interval; the forerunner of `Icba`.

    Notes
    -----
    As `Icba`, but a trajectory joins the candidate with the smallest error E (Equation 1 of [1]_), if that is below a
    fixed `threshold` (60 % in [1]_).  E is the mean, over the roads of the cluster and the trajectory, of
    ``|published - true| / original``: how many the representative would show on the road, how many of the cluster
    travel it, and how many of the whole interval do.  [1]_ says of E that roads with large original counts make it low,
    however dissimilar a trajectory is; that is so if only the denominator is taken from the whole interval.

    References
    ----------
    .. [1] S. Gurung, D. Lin, W. Jiang, A. Hurson, R. Zhang, "Traffic information publication with privacy
       preservation", ACM Transactions on Embedded Computing Systems 13(3s), 2014.
    .. [2] D. Lin, S. Gurung, W. Jiang, A. Hurson, "Privacy-preserving location publishing under road-network
       constraints", Proc. DASFAA, 2010.

    Examples
    --------
    >>> from sfumato import Network, RoadTrajectories
    >>> town = Network.from_frames(
    ...     {"node": ["a", "b", "c"], "x": [0, 1, 2], "y": [0, 0, 0]},
    ...     {"road": ["ab", "bc"], "from": ["a", "b"], "to": ["b", "c"]},
    ... )
    >>> drives = RoadTrajectories.from_lists([["ab+", "bc+"], ["ab+", "bc+"], ["ab+"]], network=town)
    >>> Cba(k=2).anonymize(drives).data.to_lists()
    [['ab+', 'bc+'], ['ab+', 'bc+'], ['ab+', 'bc+']]
    """

    name: ClassVar[str] = "cba"
    title: ClassVar[str] = "CBA"
    paper: ClassVar[str] = "Lin et al., DASFAA 2010"

    threshold: float = param(
        0.6,
        above=0,
        grid=(0.3, 0.6),
        help="a trajectory joins a cluster whose error E is below this; the paper's fixed 60 %",
    )

    @property
    def rules(self) -> ClusterRules:
        return ClusterRules(True, self.k, self.threshold, OF_CLUSTER)
