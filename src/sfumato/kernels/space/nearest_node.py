"""The nearest of many nodes on a plane, found ring by ring in the cells of a grid."""

from typing import Any

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["nearest_nodes"]


def nearest_nodes(points: Any, asked: Any) -> Any:
    """The nearest node of each asked point; of equally near ones the first.

    points : float64[n, 2], n >= 1.  asked : float64[q, 2].  Returns int64[q].
    """
    low = points.min(axis=0)
    size = np.ptp(points, axis=0)
    side = max(float(size.max()), 1e-300) / max(1, int(np.sqrt(len(points) / 2)))
    wide, high = (np.floor(size / side).astype(np.int64) + 1).tolist()
    cell = np.floor((points - low) / side).astype(np.int64)
    number = cell[:, 1] * wide + cell[:, 0]
    order = np.argsort(number, kind="stable")
    starts = np.searchsorted(number[order], np.arange(wide * high + 1))
    return _nearest(points, asked, low, side, wide, high, order, starts)


@njit(cache=True)
def _nearest(points, asked, low, side, wide, high, order, starts):
    nodes = np.empty(len(asked), dtype=np.int64)
    for query in range(len(asked)):
        x, y = asked[query, 0], asked[query, 1]
        column = min(max(int(np.floor((x - low[0]) / side)), 0), wide - 1)
        row = min(max(int(np.floor((y - low[1]) / side)), 0), high - 1)
        best, nearest = np.inf, -1
        for ring in range(max(wide, high)):
            # whatever lies in this ring or beyond is at least ring - 1 cells away
            if best < ((ring - 1) * side) ** 2 and ring > 1:
                break
            for r in range(max(row - ring, 0), min(row + ring, high - 1) + 1):
                whole = abs(r - row) == ring
                for c in range(column - ring, column + ring + 1, 1 if whole or ring == 0 else 2 * ring):
                    if c < 0 or c >= wide:
                        continue
                    for position in range(starts[r * wide + c], starts[r * wide + c + 1]):
                        node = order[position]
                        away = (points[node, 0] - x) ** 2 + (points[node, 1] - y) ** 2
                        if away < best or (away == best and node < nearest):
                            best, nearest = away, node
        nodes[query] = nearest
    return nodes
