"""Elimination: an owner who knows all its customers, and that each of them is behind exactly one trajectory.

Projection safety does not cover trajectories in which an owner sees no visit.  But a customer who cannot be behind any
other trajectory must be behind one of those.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.trajectories import Trajectories
from sfumato.kernels.verify.elimination import (
    Edges,
    certain_labels,
    common_labels,
    components,
    largest_flow,
    possible_targets,
)
from sfumato.privacy.checks.owner_views import Sightings
from sfumato.privacy.checks.place_owners import Adversaries

__all__ = ["Elimination", "eliminated"]

BUDGET = 20_000_000


@dataclass(frozen=True)
class Elimination:
    """What one owner concludes.

    records : the original trajectories for which it can infer with certainty a place that it does not own, by matching.
    seen, location : one of them, as the owner knows it, and where it must have been.
    """

    owner: str
    records: Ints
    seen: tuple[str, ...] = ()
    location: str = ""


def eliminated(original: Trajectories, published: Trajectories, adversaries: Adversaries) -> list[Elimination] | str:
    """The result of each owner who can infer something with certainty, or why this cannot be computed.

    The owner knows its part of every original trajectory, how many others there are, and that visits were suppressed,
    nothing else.  So a person may be behind a published trajectory if what the owner sees of it is a subsequence of
    what it knows, and each person is behind one (or behind one that was not published, because it became empty).  A
    place is certain if it is in every trajectory that the person is behind in *some* matching of all with all.

    adversaries : of the original.

    >>> from sfumato import Places
    >>> shops = Places.from_frame({"location": ["a1", "a2", "b1"], "owner": ["A", "A", "B"]})
    >>> walks = Trajectories.from_lists([["a1", "b1"], ["a2"]], places=shops)
    >>> release = Trajectories.from_lists([["a2"], ["b1"]], places=shops)  # a1 was suppressed
    >>> [(found.owner, found.seen, found.location) for found in eliminated(walks, release, Adversaries.of(walks))]
    [('A', ('a1',), 'b1'), ('B', (), '')]
    """
    walked = original.take(np.flatnonzero(original.lengths > 0))
    left = _coded_as_original(walked, published)
    if left is None:
        return "the release names locations that the original does not have"
    gone = len(walked) - len(left)
    if gone < 0:
        return "the release has more trajectories than the original: some were split or added"
    before = Sightings.of(replace(walked, persons=None), adversaries)
    after = Sightings.of(replace(left, persons=None), adversaries)
    eliminations = []
    for adversary, owner in enumerate(adversaries.names):
        answer = _Matching(before, after, adversary, gone).places()
        if isinstance(answer, str):
            return answer
        eliminations.append(_read(owner, before, np.flatnonzero(original.lengths > 0), answer))
    return eliminations


def _coded_as_original(original: Trajectories, published: Trajectories) -> Trajectories | None:
    published = published.with_used_names()
    code_of = {name: code for code, name in enumerate(original.names)}
    if any(name not in code_of for name in published.names) or published.members:
        return None
    lookup = np.array([code_of[name] for name in published.names], dtype=np.int32)
    codes = lookup[published.codes] if len(lookup) else published.codes
    kept = replace(published, codes=codes, names=original.names)
    return kept.take(np.flatnonzero(kept.lengths > 0))


class _Matching:
    """One owner's customers and what it sees of the release.

    Sources are the kinds of customers, as nodes of the original's trie, then the others if there are any; targets
    are the trajectories in which the owner sees nothing, then the nodes of the release's trie that it sees.
    """

    def __init__(self, before: Sightings, after: Sightings, adversary: int, gone: int) -> None:
        self.after, self.adversary, self.gone = after, adversary, gone
        self.kinds = _nodes_of(before, adversary)
        self.seen = _nodes_of(after, adversary)
        self.codes, self.offsets = before.paths(self.kinds)
        others = len(before.data) - int(before.sizes[self.kinds].sum())
        self.unseen = np.setdiff1d(np.arange(len(after.data)), _records(after, self.seen))
        self.supply = before.sizes[self.kinds]
        if others:
            self.supply = np.append(self.supply, others)
            self.offsets = np.append(self.offsets, self.offsets[-1])
        self.demand = np.concatenate(([len(self.unseen) + gone], after.sizes[self.seen]))

    def places(self) -> dict[int, int] | str:
        """The place where all customers of a kind (a node) must have been, for those kinds that have one."""
        starts, targets = self._possible()
        if len(starts) < len(self.offsets):
            return f"there are more than {BUDGET:,} ways to match persons with trajectories"
        source_of = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        back_edges = np.argsort(targets, kind="stable")
        back_starts = np.concatenate(([0], np.cumsum(np.bincount(targets, minlength=len(self.demand)))))
        edges = Edges(starts, targets, source_of, back_starts, back_edges)
        missing = self.supply.astype(np.int64)
        flow = largest_flow(edges, missing, self.demand.astype(np.int64))
        if missing.any():
            return "the release is not the original with visits suppressed"
        label_starts, labels = self._common()
        n_labels = len(self.after.data.names)
        sure = certain_labels(starts, targets, components(edges, flow), n_labels, label_starts, labels)
        sure = sure[: len(self.kinds)]
        return {int(self.kinds[index]): int(sure[index]) for index in np.flatnonzero(sure >= 0)}

    def _possible(self) -> tuple[Ints, Ints]:
        order = np.lexsort((self.after.labels, self.after.parents))[1:]  # the root has no parent
        first = np.searchsorted(self.after.parents[order], np.arange(len(self.after.parents) + 1))
        target_of = np.full(len(self.after.parents), -1, dtype=np.int64)
        target_of[self.seen] = np.arange(1, len(self.seen) + 1)
        target_of[0] = 0
        n_labels = len(self.after.data.names)
        codes, offsets = self.codes.astype(np.int64), self.offsets.astype(np.int64)
        pairs: tuple[Ints, Ints] = possible_targets(
            codes, offsets, first, self.after.labels, order, target_of, n_labels, BUDGET
        )
        return pairs

    def _common(self) -> tuple[Ints, Ints]:
        """The places of others that all trajectories of a target have; none where one was not published."""
        data = self.after.data
        records = np.concatenate((self.unseen, _records(self.after, self.seen)))
        starts = np.concatenate(([0, len(self.unseen)], len(self.unseen) + np.cumsum(self.after.sizes[self.seen])))
        hidden = self.after.adversaries.of_label == self.adversary
        label_starts, labels = common_labels(data.codes, data.offsets, hidden, starts, records)
        if self.gone:
            labels = labels[label_starts[1] :]
            label_starts = np.maximum(label_starts - label_starts[1], 0)
        return label_starts, labels


def _nodes_of(seen: Sightings, adversary: int) -> Ints:
    """The projections of one owner that occur."""
    owner_of = np.append(seen.adversaries.of_label, -1)[seen.labels]  # the root has label -1
    return np.flatnonzero((owner_of == adversary) & (seen.sizes > 0))


def _records(seen: Sightings, nodes: Ints) -> Ints:
    """The trajectories behind some projections, projection by projection."""
    ends = np.cumsum(seen.sizes[nodes])
    shift = np.repeat(seen.starts[nodes] - (ends - seen.sizes[nodes]), seen.sizes[nodes])
    return np.asarray(seen.records[np.arange(len(shift)) + shift])


def _read(owner: str, before: Sightings, rows: Ints, places: dict[int, int]) -> Elimination:
    if not places:
        return Elimination(owner, np.empty(0, dtype=np.int64))
    nodes = np.array(sorted(places), dtype=np.int64)
    shown = min(places, key=lambda node: (len(before.places(node)), before.places(node)))
    location = before.data.names[places[shown]]
    return Elimination(owner, np.sort(rows[_records(before, nodes)]), tuple(before.places(shown)), location)
