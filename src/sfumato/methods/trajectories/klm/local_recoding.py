"""Publishing a recoding of its own for every cluster: the same members make the same label everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints, Members
from sfumato.methods.base import Outcome
from sfumato.methods.trajectories.klm.lm_anon import Recoded
from sfumato.methods.trajectories.klm.unit_order import Flags

__all__ = ["LocalLabels", "names_with_labels", "published"]


class LocalLabels:
    """The published label of every location in every cluster.

    A label is numbered by its first location and, where it has several, by its members: `of(cluster)` gives for every
    location of the cluster a number below ``n_locations`` if it keeps its name, otherwise ``n_locations`` plus the
    number of its label in `groups`, the members of all labels in name order.
    """

    def __init__(self, n_locations: int, clusters: Sequence[Recoded]) -> None:
        self._n, self._clusters = n_locations, clusters
        group_numbers: dict[tuple[int, ...], int] = {}
        self._keys = [self._groups_of(cluster) for cluster in clusters]
        for groups in self._keys:
            for group in groups.values():
                group_numbers.setdefault(group, 0)
        self.groups = sorted(group_numbers)
        self._number = {group: number for number, group in enumerate(self.groups)}

    @staticmethod
    def _groups_of(cluster: Recoded) -> dict[int, tuple[int, ...]]:
        """The members of each merged label, by the smallest of them."""
        order = np.argsort(cluster.first, kind="stable")
        firsts, starts = np.unique(cluster.first[order], return_index=True)
        members = np.split(cluster.locations[order], starts[1:])
        return {
            int(first): tuple(group.tolist()) for first, group in zip(firsts, members, strict=True) if len(group) > 1
        }

    def of(self, cluster: int) -> tuple[Ints, Ints]:
        """The cluster's locations, rising, and the number of the label of each."""
        recoded, groups = self._clusters[cluster], self._keys[cluster]
        label = recoded.first.astype(np.int64)
        merged = {first: self._n + self._number[group] for first, group in groups.items()}
        firsts = np.array(sorted(merged), dtype=np.int64)
        numbers = np.array([merged[int(first)] for first in firsts], dtype=np.int64)
        inside = np.isin(label, firsts)
        label[inside] = numbers[np.searchsorted(firsts, label[inside])]
        return recoded.locations, label


def published(
    data: Trajectories, records: Ints, bounds: Ints, sensitive: Flags, others: Ints, labels: LocalLabels, lost: Ints
) -> Outcome[Trajectories]:
    """The records of each cluster under its labels, and the others as they are.

    records : private numbers, cluster by cluster; bounds : where each cluster begins among them, and their end.
    sensitive : of each location.  others : private numbers of records that need no label.
    lost : private numbers of the visits to suppress.
    """
    element = data.elements_of(np.concatenate((records, others)))
    lengths = data.lengths[np.concatenate((records, others))]
    starts = np.concatenate(([0], np.cumsum(lengths)))
    codes = data.codes[element].astype(np.int64)
    for cluster in range(len(bounds) - 1):
        here = codes[starts[bounds[cluster]] : starts[bounds[cluster + 1]]]
        locations, label = labels.of(cluster)
        open_visit = ~sensitive[here]
        here[open_visit] = label[np.searchsorted(locations, here[open_visit])]
    kept = ~np.isin(element, lost)
    record = np.repeat(np.arange(len(lengths)), lengths)
    cluster_of = np.searchsorted(bounds, record, side="right")
    merged = kept & (codes >= len(data.names))
    left = np.bincount(record[kept], minlength=len(lengths))
    names, members, code_of = names_with_labels(data.names, labels.groups)
    release = replace(
        data,
        offsets=np.concatenate(([0], np.cumsum(left))),
        codes=code_of[codes[kept]],
        names=names,
        members=members,
        ids=None,
        persons=None,
        times=None,
        taxonomy=None,
    )
    counts = {
        "clusters": len(bounds) - 1,
        "cluster_labels": len(np.unique(cluster_of[merged] * (len(data.names) + len(labels.groups)) + codes[merged])),
        "suppressed_visits": int(np.count_nonzero(~kept)),
        "suppressed_records": int(np.count_nonzero(left == 0)),
        "merged_locations": len({member for group in labels.groups for member in group}),
    }
    return Outcome(release, element[kept], counts)


def names_with_labels(
    names: tuple[str, ...], groups: Sequence[tuple[int, ...]]
) -> tuple[tuple[str, ...], Members, Ints]:
    """All names in order, the members of the generated ones, and the new code of every number."""
    prefix = "g"
    while any(name.startswith(prefix) and name[len(prefix) :].isdigit() for name in names):
        prefix += "g"
    generated = [f"{prefix}{number}" for number in range(1, len(groups) + 1)]
    everything = tuple(sorted((*names, *generated)))
    position = {name: code for code, name in enumerate(everything)}
    members = {label: tuple(names[member] for member in group) for label, group in zip(generated, groups, strict=True)}
    return everything, members, np.array([position[name] for name in (*names, *generated)], dtype=np.int32)
