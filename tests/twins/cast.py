"""FindBestGroup of CAST, literally: all groups are tried, the cheapest is taken, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from sfumato.data import Taxonomy

Row = Sequence[str]


def generalization_cost(rows: Sequence[Row], tree: Taxonomy, distance: str) -> float:
    """Definition 13 of the paper for a group whose positions become their closest common ancestors."""
    total = 0.0
    for row in rows:
        for at, place in enumerate(row):
            label = tree.common_ancestor([other[at] for other in rows])
            if distance == "hops":
                total += (tree.depth(place) - tree.depth(label)) / tree.height / len(row)
            else:
                total += (tree.leaf_count(label) - tree.leaf_count(place)) / len(tree.leaves) / len(row)
    return total / len(rows)


def best_groups(rows: Sequence[Row], size: int, tree: Taxonomy, distance: str) -> list[tuple[Row, ...]]:
    """All groups of a size, cheapest first; what is left over is left out."""
    left, groups = list(range(len(rows))), []
    while len(left) >= size:
        best = min(
            combinations(left, size),
            key=lambda group: (generalization_cost([rows[at] for at in group], tree, distance), group),
        )
        groups.append(tuple(rows[at] for at in best))
        left = [at for at in left if at not in best]
    return groups
