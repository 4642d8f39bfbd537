"""What the owners of places see of each trajectory, and what they could conclude from it.

M. Terrovitis, G. Poulis, N. Mamoulis, S. Skiadopoulos, "Local suppression and splitting techniques for privacy
preserving publication of trajectories", IEEE TKDE 29(7), 2017, Definitions 3 to 8 and Algorithm THREATID.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.trajectories import Trajectories
from sfumato.kernels.verify.projections import most_frequent_places, projections, records_by_node
from sfumato.params import JsonObject, exact
from sfumato.privacy.checks.place_owners import Adversaries

__all__ = ["Sightings", "most_allowed"]


@dataclass(frozen=True, eq=False)
class Sightings:
    """Every projection with the trajectories and persons behind it.

    A projection is a node: its last label, and the node before it; node 0 is the empty projection of every record.
    `records` holds the trajectories of node i from starts[i] to starts[i + 1], as rows of `data`, which are the
    original rows in the order of their persons; `unit_counts` is how many persons (or records) they belong to.
    """

    data: Trajectories
    adversaries: Adversaries
    parents: Ints
    labels: Ints
    starts: Ints
    records: Ints
    unit_counts: Ints

    @classmethod
    def of(cls, data: Trajectories, adversaries: Adversaries) -> Self:
        """Project every trajectory to every adversary."""
        grouped, _ = data.by_unit()
        parents, labels, records, nodes = projections(grouped.codes, grouped.offsets, adversaries.of_label)
        starts, ordered, unit_counts = records_by_node(records, nodes, grouped.units, len(parents))
        return cls(grouped, adversaries, parents, labels, starts, ordered, unit_counts)

    @property
    def sizes(self) -> Ints:
        """How many trajectories have each projection."""
        return np.diff(self.starts)

    def threats(self, threshold: float, rows: int = 0) -> Threats:
        """THREATID: which places are behind a projection with a probability above the threshold."""
        top = np.zeros((len(self.parents), 4), dtype=np.int64)
        pairs = np.empty((rows, 4), dtype=np.int64)
        n_pairs, n_problems = most_frequent_places(
            self.data.codes,
            self.data.offsets,
            self.data.units,
            self.adversaries.of_label,
            self.labels,
            self.starts,
            self.records,
            most_allowed(threshold, self.sizes),
            most_allowed(threshold, self.unit_counts),
            top,
            pairs,
        )
        return Threats(self, int(n_pairs), int(n_problems), top, pairs)

    def owner(self, node: int) -> str:
        """Whose projection this is."""
        return self.adversaries.names[int(self.adversaries.of_label[self.labels[node]])]

    def places(self, node: int) -> list[str]:
        """A projection, as names."""
        rows = []
        while node:
            rows.append(self.data.names[self.labels[node]])
            node = int(self.parents[node])
        return rows[::-1]

    def paths(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Some projections as codes, one after the other, and where each begins."""
        depth = self.depths()[nodes]
        offsets = np.concatenate(([0], np.cumsum(depth)))
        codes = np.empty(offsets[-1], dtype=np.int64)
        ends = offsets[1:] - 1
        while len(nodes):
            codes[ends] = self.labels[nodes]
            go_on = self.parents[nodes] != 0
            nodes, ends = self.parents[nodes][go_on], ends[go_on] - 1
        return codes, offsets

    def depths(self) -> Ints:
        """How many visits each projection has; a node comes after its parent."""
        depth = np.zeros(len(self.parents), dtype=np.int64)
        open_nodes = np.arange(1, len(self.parents))
        above = self.parents[open_nodes]
        while len(open_nodes):
            depth[open_nodes] += 1
            go_on = above != 0
            open_nodes, above = open_nodes[go_on], self.parents[above[go_on]]
        return depth


@dataclass(frozen=True, eq=False)
class Threats:
    """What THREATID finds: `n_pairs` problematic pairs, `n_problems` (the paper's N), and each projection's worst."""

    seen: Sightings
    n_pairs: int
    n_problems: int
    top: Ints
    pairs: Ints

    @property
    def certainty(self) -> npt.NDArray[np.float64]:
        """For each projection the largest probability of any place, counting trajectories or persons."""
        by_record = self.top[:, 0] / np.maximum(self.seen.sizes, 1)
        return np.asarray(np.maximum(by_record, self.top[:, 2] / np.maximum(self.seen.unit_counts, 1)))

    @property
    def worst_unit(self) -> str:
        """The unit of the largest probability of all: trajectories ("record") or persons."""
        by_record = float((self.top[:, 0] / np.maximum(self.seen.sizes, 1)).max(initial=0.0))
        return "record" if by_record >= float(self.certainty.max(initial=0.0)) else "person"

    def worst(self, number: int, above: float) -> list[JsonObject]:
        """The projections with the largest probabilities above a threshold: shortest first, then in name order."""
        certainty = self.certainty
        by_record = self.top[:, 0] > most_allowed(above, self.seen.sizes)
        nodes = np.flatnonzero(by_record | (self.top[:, 2] > most_allowed(above, self.seen.unit_counts)))
        depth = self.seen.depths()[nodes]
        order = np.lexsort((depth, -certainty[nodes]))
        if len(order) > number:
            last = order[number - 1]
            tied = (certainty[nodes] == certainty[nodes[last]]) & (depth <= depth[last])
            order = np.flatnonzero((certainty[nodes] > certainty[nodes[last]]) | tied)
        places = self._matrix(nodes[order], int(depth[order].max(initial=0)))
        ranked = order[np.lexsort((*places.T[::-1], depth[order], -certainty[nodes[order]]))]
        return [self._witness(int(node)) for node in nodes[ranked[:number]]]

    def _matrix(self, nodes: Ints, width: int) -> Ints:
        """The labels of some projections, a row each, first to last and then -1."""
        depth = self.seen.depths()[nodes]
        matrix = np.full((len(nodes), width), -1, dtype=np.int64)
        for step in range(width):
            rows = np.flatnonzero(depth > step)
            matrix[rows, depth[rows] - 1 - step] = self.seen.labels[nodes[rows]]
            nodes = self.seen.parents[nodes]
        return matrix

    def _witness(self, node: int) -> JsonObject:
        count, label, persons, by_person = self.top[node].tolist()
        size, units = int(self.seen.sizes[node]), int(self.seen.unit_counts[node])
        unit = "record"
        if persons * size > count * units:
            unit, count, label, size = "person", persons, by_person, units
        return {
            "owner": self.seen.owner(node),
            "projection": self.seen.places(node),
            "location": self.seen.data.names[label],
            "count": count,
            "of": size,
            "unit": unit,
            "probability": count / size,
        }

    def frame(self) -> pl.DataFrame:
        """The listed pairs: owner, projection, location; how many of how many trajectories, and of persons."""
        seen = self.seen
        nodes, which = np.unique(self.pairs[:, 0], return_inverse=True)
        names = pl.Series(seen.data.names, dtype=pl.String)
        owners = pl.Series(seen.adversaries.names, dtype=pl.String)
        codes, offsets = seen.paths(nodes)
        steps = pl.DataFrame({"node": np.repeat(np.arange(len(nodes)), np.diff(offsets)), "name": names.gather(codes)})
        projection = steps.group_by("node", maintain_order=True).agg("name")["name"]
        table = pl.DataFrame(
            {
                "owner": owners.gather(seen.adversaries.of_label[seen.labels[self.pairs[:, 0]]]),
                "projection": projection.gather(which),
                "location": names.gather(self.pairs[:, 1]),
                "records": self.pairs[:, 2],
                "of_records": seen.sizes[self.pairs[:, 0]],
                "persons": self.pairs[:, 3],
                "of_persons": seen.unit_counts[self.pairs[:, 0]],
            }
        )
        shares = pl.col("records") / pl.col("of_records"), pl.col("persons") / pl.col("of_persons")
        table = table.with_columns(pl.max_horizontal(shares).alias("probability"))
        if seen.data.persons is None:
            table = table.drop("persons", "of_persons")
        return table.sort("owner", pl.col("projection").list.join("\0"), "location")


def most_allowed(threshold: float, sizes: Ints) -> Ints:
    """How many of each size may be before their share exceeds the threshold, without rounding.

    >>> most_allowed(0.3, np.array([10, 11, 20])).tolist()
    [3, 3, 6]
    """
    share = exact(threshold)
    different, where = np.unique(sizes, return_inverse=True)
    most = [share.numerator * int(size) // share.denominator for size in different]
    return np.array(most, dtype=np.int64)[where]
