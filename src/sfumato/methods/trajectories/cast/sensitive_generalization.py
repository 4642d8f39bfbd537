"""Generalizing sensitive places inside a group of CAST until each of them is improbable enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from sfumato.methods.trajectories.cast.taxonomy_arrays import Tree

__all__ = ["lifted_places"]

SUPPRESSED = -1


def lifted_places(sensitive_leaves: Sequence[Sequence[int]], allowed: Fraction, tree: Tree) -> dict[int, int]:
    """What to publish for each sensitive leaf of a group: a node, or -1 for nothing.

    sensitive_leaves : those that each record of the group visits.  allowed : how large the sum of the records'
    probabilities may be, for every leaf.

    A leaf that is too probable climbs to its parent with everything in the group under that, as long as all leaves
    there are sensitive; otherwise it is suppressed in the whole group.  All leaves under a node are equally probable,
    whether they are visited or not, so that nodes decide.  The most probable node climbs first, ties by name.
    """
    label = {leaf: leaf for visited in sensitive_leaves for leaf in visited}
    while True:
        totals: dict[int, Fraction] = {}
        for visited in sensitive_leaves:
            for node, times in Counter(label[leaf] for leaf in visited).items():
                if node != SUPPRESSED:
                    totals[node] = totals.get(node, Fraction(0)) + _chance(int(tree.leaf_count[node]), times)
        unsafe = [node for node, total in totals.items() if total > allowed]
        if not unsafe:
            return label
        worst = min(unsafe, key=lambda node: (-totals[node], tree.names[node]))
        above = int(tree.parent[worst])
        if above >= 0 and tree.all_sensitive[above]:
            level = tree.depth[above]
            label = {
                leaf: above if node != SUPPRESSED and tree.path[node, level] == above else node
                for leaf, node in label.items()
            }
        else:
            label = {leaf: SUPPRESSED if node == worst else node for leaf, node in label.items()}


@lru_cache(maxsize=100_000)
def _chance(leaves: int, times: int) -> Fraction:
    """How probably a leaf is met by one of several visits to a node with so many leaves."""
    return 1 - Fraction(leaves - 1, leaves) ** times
