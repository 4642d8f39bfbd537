"""The recoded items of clusters that are being merged, and what they lose."""

from __future__ import annotations

from sfumato.methods.base import Run
from sfumato.methods.mixed.base import Job
from sfumato.methods.mixed.clusters import Clusters
from sfumato.methods.mixed.item_recoding import Recoded

__all__ = ["RecodedClusters"]


class RecodedClusters:
    """The items of each cluster, recoded when they are asked for, and anew only where a cluster has grown."""

    def __init__(self, job: Job, clusters: Clusters) -> None:
        self._job, self._clusters = job, clusters
        self._records = max(1, int(clusters.sizes[clusters.alive].sum()))
        self._parts: dict[int, tuple[int, Recoded]] = {}  # of each cluster the records that were recoded, and the items
        self._merges = -1  # that the parts know of

    def parts(self, run: Run | None = None) -> list[Recoded]:
        """(k,k^m)-anonymization of each cluster."""
        clusters, parts = self._clusters, {}
        if self._merges == clusters.merges:
            return [part for _, part in self._parts.values()]
        for place, number in enumerate(clusters.numbers.tolist()):
            if run is not None:
                run.advance(place, len(clusters))
            size, part = self._parts.get(number, (0, None))
            if part is None or size != clusters.sizes[number]:
                part = self._job.recoded_items(clusters, number)
            parts[number] = (int(clusters.sizes[number]), part)
        self._parts, self._merges = parts, clusters.merges
        return [part for _, part in parts.values()]

    @property
    def loss(self) -> float:
        """UL of the items of all records in clusters, in which a record whose items are all suppressed counts 1."""
        return sum(part.lost for part in self.parts()) / self._records
