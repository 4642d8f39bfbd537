"""BF-P2kA: prune a prefix tree of all sequences, and put what was cut back where it fits best (Pensa et al., 2008)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import sequence_order
from sfumato.errors import Infeasible
from sfumato.kernels.recoding.closest_path import closest_paths
from sfumato.kernels.recoding.prefix_tree import prefix_tree, tree_paths, tree_shape
from sfumato.methods.base import Method, Outcome, Run, require_units
from sfumato.params import param
from sfumato.privacy import SequenceKAnonymity
from sfumato.privacy.not_covered import Limit

__all__ = ["BfP2ka"]

_PIECE = 10_000  # sequences between two looks at the clock


@dataclass(frozen=True, kw_only=True)
class BfP2ka(Method[Trajectories]):
    """Publish sequences in which no subsequence, however long, is supported by fewer than k of the original ones.

    Sequences that k begin with are published as they are; every other one is published as the part of them that has
    most in common with it.  This keeps frequent patterns and their supports nearly as they were, which is what the
    release is for: its sequences are not the persons' own.

    Notes
    -----
    Algorithms 1 to 5 of [1]_.  A node of the prefix tree stays if at least k persons (records, where persons are
    unknown) have a sequence that begins with its path; nodes count records for generation.  What was cut includes
    sequences that end at inner nodes of a pruned subtree.

    *Closest LCS.*  Of all paths in the pruned tree with a longest common subsequence, the minimum prefix at the
    smallest Levenshtein distance from it is taken.  A subsequence differs from the whole by deletions alone, so this is
    the shortest path; ties go to the first in name order.  The LCS is carried down the tree, so that a beginning shared
    by many paths is compared once, and subtrees that cannot do better are passed over.

    A sequence that has nothing in common with the tree is suppressed and counted.  Where no place begins the
    sequences of k persons, nothing could be published and the data are refused.

    References
    ----------
    .. [1] R. G. Pensa, A. Monreale, F. Pinelli, D. Pedreschi, "Pattern-preserving k-anonymization of sequences and its
       application to mobility data mining", Proc. PiLBA, 2008.

    Examples
    --------
    >>> walks = Trajectories.from_lists(["abc", "abc", "adc", "bxc"])
    >>> BfP2ka(k=2).anonymize(walks).data.to_lists()
    [['a', 'b', 'c'], ['a', 'b', 'c'], ['a', 'b', 'c'], ['a', 'b', 'c']]
    """

    name: ClassVar[str] = "bf-p2ka"
    title: ClassVar[str] = "BF-P2kA"
    kind: ClassVar[str] = "trajectories"
    paper: ClassVar[str] = "Pensa et al., PiLBA 2008"
    promises: ClassVar[tuple[str, ...]] = ("sequence-k",)
    traces: ClassVar[bool] = False
    untruthful: ClassVar[Limit] = Limit(
        "sequences-of-nobody",
        "the sequences are not those of single persons: a sequence that fewer than k persons share is published as "
        "one that k persons begin with, so that visits may be missing from it or added to it",
        rank=2,
    )

    k: int = param(
        at_least=2, help="how many original sequences must contain every published subsequence; the paper's k"
    )

    @property
    def guarantees(self) -> tuple[SequenceKAnonymity, ...]:
        return (SequenceKAnonymity(k=self.k),)

    def transform(self, data: Trajectories, run: Run) -> Outcome[Trajectories]:
        require_units(self, self.k, data)
        with run.phase("building the prefix tree"):  # Algorithms 3 and 4
            tree, stays = _Tree.of(data, self.k)
        if len(tree.labels) == 0:
            raise Infeasible(
                f"{self.name}: k={self.k} leaves nothing to publish, because no location begins the trajectories of "
                f"{self.k} {data.unit}s; choose a smaller k or coarser locations"
            )
        counts = np.bincount(stays[stays >= 0], minlength=len(tree.labels))
        with run.phase("putting back what was cut"):  # Algorithm 5
            cut = np.flatnonzero((stays < 0) & (data.lengths > 0))
            nodes, common = tree.closest(data.take(cut), run)
        moved = nodes >= 0
        counts += np.bincount(nodes[moved], minlength=len(tree.labels))
        with run.phase("generating"):
            offsets, codes = tree_paths(tree.labels, tree.depths, counts)
        published = replace(data, offsets=offsets, codes=codes, times=None, ids=None, persons=None)
        return Outcome(
            published,
            origin=None,
            counts={
                "suppressed_records": len(data) - len(published),
                "moved_records": int(np.count_nonzero(moved)),
                "suppressed_visits": int((data.lengths[cut] - common).sum()),
                "added_visits": int((tree.depths[nodes[moved]] - common[moved]).sum()),
            },
        )


@dataclass(frozen=True, eq=False)
class _Tree:
    """A prefix tree in preorder: the label and the depth of each node."""

    labels: Ints
    depths: Ints

    @classmethod
    def of(cls, data: Trajectories, k: int) -> tuple[Self, Ints]:
        """The tree pruned to nodes of at least k units, and the node at which each record ends, or -1 if it was cut.

        A node has no more units than its parent, so that pruning from the root and keeping what has k are one.
        """
        order = sequence_order(data)
        labels, depths, units, ends = prefix_tree(data.codes, data.offsets, order, _earlier(data.units[order]))
        stays = units >= k
        number = np.append(np.where(stays, np.cumsum(stays) - 1, -1), -1)  # the last entry is for empty records
        nodes = np.empty(len(data), dtype=np.int64)
        nodes[order] = number[ends]
        return cls(labels[stays], depths[stays]), nodes

    def closest(self, cut: Trajectories, run: Run) -> tuple[Ints, Ints]:
        """For each record the node to publish it at, or -1, and how many of its visits the path has in common."""
        distinct, which = _distinct(_at_labels(cut, self.labels))
        after, heights = tree_shape(self.depths)
        nodes, common = np.empty(len(distinct), dtype=np.int64), np.empty(len(distinct), dtype=np.int64)
        for first in range(0, len(distinct), _PIECE):
            run.advance(first, len(distinct))
            end = min(first + _PIECE, len(distinct))
            nodes[first:end], common[first:end] = closest_paths(
                distinct.codes,
                distinct.offsets,
                first,
                end,
                len(cut.names),
                self.labels,
                self.depths,
                after,
                heights,
            )
        return nodes[which], common[which]


def _earlier(units: Ints) -> Ints:
    """For each place the last one before it with the same unit, or -1.

    >>> _earlier(np.array([7, 3, 7, 7])).tolist()
    [-1, -1, 0, 2]
    """
    order = np.argsort(units, kind="stable")
    earlier = np.full(len(units), -1, dtype=np.int64)
    again = np.flatnonzero(np.diff(units[order]) == 0)
    earlier[order[again + 1]] = order[again]
    return earlier


def _at_labels(data: Trajectories, labels: Ints) -> Trajectories:
    """The records without the visits to locations that are not among the labels: nothing can be in common there."""
    known = np.zeros(len(data.names), dtype=bool)
    known[labels] = True
    stays = known[data.codes]
    lengths = np.bincount(data.record_of_element()[stays], minlength=len(data))
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    return replace(data, offsets=offsets, codes=data.codes[stays], times=None)


def _distinct(data: Trajectories) -> tuple[Trajectories, Ints]:
    """Each different record once, in the order of content, and which of these each record is."""
    order = sequence_order(data)
    ordered = data.take(order)
    lengths = ordered.lengths
    fresh = np.ones(len(data), dtype=bool)
    fresh[1:] = np.diff(lengths) != 0
    alike = np.flatnonzero(~fresh)  # as long as the record before: compare visit by visit
    shift = np.repeat(lengths[alike], lengths[alike])
    elements = ordered.elements_of(alike)
    differs = np.repeat(np.arange(len(alike)), lengths[alike])[
        ordered.codes[elements] != ordered.codes[elements - shift]
    ]
    fresh[alike[differs]] = True
    which = np.empty(len(data), dtype=np.int64)
    which[order] = np.cumsum(fresh) - 1
    return ordered.take(np.flatnonzero(fresh)), which
