"""Pairs of nodes whose shortest path is no longer than a bound."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.mining.pattern_buffers import with_rows
from sfumato.kernels.roads.routes import pop, push

__all__ = ["within_distance"]


@njit(cache=True)
def within_distance(offsets, neighbours, weights, sources, ends, bound, most):
    """All pairs (source, other node with ends[node]) whose shortest path is no longer than the bound.

    offsets : int64[n + 1], neighbours : int32[m], weights : float64[m] >= 0.  sources : int64[s].  ends : bool[n].
    most : int, pairs after which it stops.  Returns int32[pairs, 2].  Dijkstra's method from every source.
    """
    n = len(offsets) - 1
    best, settled = np.full(n, np.inf), np.zeros(n, dtype=np.bool_)
    touched = np.empty(n, dtype=np.int64)
    heap_key, heap_node = np.empty(len(neighbours) + 2), np.empty(len(neighbours) + 2, dtype=np.int64)
    pairs, count = np.empty((1024, 2), dtype=np.int32), 0
    for source in sources:
        best[source], touched[0], n_touched = 0.0, source, 1
        heap_key[0], heap_node[0], size = 0.0, source, 1
        while size > 0:
            node = pop(heap_key, heap_node, size)
            size -= 1
            if settled[node]:
                continue
            settled[node] = True
            if node != source and ends[node]:
                pairs = with_rows(pairs, count, count + 1)
                pairs[count, 0], pairs[count, 1] = source, node
                count += 1
            for a in range(offsets[node], offsets[node + 1]):
                to, length = neighbours[a], best[node] + weights[a]
                if length <= bound and length < best[to]:
                    if best[to] == np.inf:
                        touched[n_touched] = to
                        n_touched += 1
                    best[to] = length
                    push(heap_key, heap_node, size, length, to)
                    size += 1
        for i in range(n_touched):
            best[touched[i]], settled[touched[i]] = np.inf, False
        if count >= most:
            break
    return pairs[:count]
