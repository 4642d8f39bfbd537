"""Minimum DFS codes of chains: paths and cycles, which can be long, with a step for each node instead of a table.

Patterns and looks are those of `symmetries`, codes those of `dfs_codes`.
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.subgraphs.symmetries import look_of

__all__ = ["chain_code", "chain_neighbours"]


@njit(cache=True, nogil=True)
def chain_neighbours(labels, left, right, edge_label, directed):
    """Both neighbours of each node and the looks of the edges to them; int64[n, 4], -1 for none.

    int64[0, 4] if a node has more than two edges, or the pattern fewer than three nodes.
    """
    n = len(labels)
    near = np.full((n if n > 2 else 0, 4), -1, dtype=np.int64)
    for e in range(len(left) if n > 2 else 0):
        for here, there, arrives in ((left[e], right[e], False), (right[e], left[e], True)):
            side = 0 if near[here, 0] < 0 else 1
            if near[here, side] >= 0:
                return near[:0]
            near[here, side], near[here, 2 + side] = there, look_of(edge_label[e], arrives, directed)
    return near


@njit(cache=True, nogil=True)
def _traverse(near, labels, start, side, order, code):
    """Write the nodes and the code of the traversal that begins at a node, towards one of its neighbours.

    Returns how the code compares with what stood there: below 0 for smaller, 0 for equal; if it is larger, above 0,
    and nothing more is written.
    """
    n, verdict = len(near), np.int64(0)
    order[0], here, before, place = start, start, np.int64(-1), 0
    for step in range(1, len(code)):
        way = side if here == start else (1 if near[here, 0] == before else 0)
        if near[here, way] < 0:  # the end of a path: on from the start, towards the other side
            here, before, place, way = start, order[1], 0, 1 - side
        there, look = near[here, way], near[here, 2 + way]
        target = step if step < n else 0
        label = labels[there]
        if verdict == 0:
            verdict = code[step, 0] - place  # the deeper node comes first
            verdict = look - code[step, 2] if verdict == 0 else verdict
            verdict = label - code[step, 3] if verdict == 0 else verdict
            if verdict > 0:
                return verdict
        code[step, 0], code[step, 1], code[step, 2], code[step, 3] = place, target, look, label
        if target > 0:
            order[step] = there
        before, here, place = here, there, step
    return verdict


@njit(cache=True, nogil=True)
def chain_code(near, labels, m):
    """The minimum DFS code of a path or cycle, its order and its orbits, as `canonical` returns them.

    near : see `chain_neighbours`; m : the number of edges.  O(n^2) time, O(n) memory.
    """
    n, least = len(labels), labels.min()
    code, first = np.full((m + 1, 4), np.iinfo(np.int32).max, dtype=np.int32), np.empty(n, dtype=np.int64)
    order, best, orbit = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    code[0, 0], code[0, 1], code[0, 2], code[0, 3] = n, m, least, 0
    code[1, 0] = -1  # above every code
    for start in range(n):
        for side in range(2 if labels[start] == least else 0):
            if near[start, side] < 0:
                continue
            verdict = _traverse(near, labels, start, side, order, code)
            if verdict > 0:
                continue
            for place in range(n):  # each traversal with this code is a symmetry
                best[place] = order[place] if verdict < 0 else best[place]
                first[place] = order[place] if verdict < 0 else min(first[place], order[place])
    for place in range(n):
        orbit[best[place]] = first[place]
    return code, best, orbit
