"""Who is near whom: shortest paths from many nodes, each no longer than a bound."""

import numpy as np
from numba import njit

__all__ = ["within_distance"]


@njit(cache=True)
def _sift_up(heap_key, heap_node, at):
    key, node = heap_key[at], heap_node[at]
    while at > 0 and heap_key[(at - 1) >> 1] > key:
        parent = (at - 1) >> 1
        heap_key[at], heap_node[at] = heap_key[parent], heap_node[parent]
        at = parent
    heap_key[at], heap_node[at] = key, node


@njit(cache=True)
def _sift_down(heap_key, heap_node, size):
    """Put what stands last to the top of a heap of this size, and in its place."""
    key, node, at = heap_key[size], heap_node[size], 0
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and heap_key[child + 1] < heap_key[child]:
            child += 1
        if heap_key[child] >= key:
            break
        heap_key[at], heap_node[at] = heap_key[child], heap_node[child]
        at = child
    heap_key[at], heap_node[at] = key, node


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
            node = heap_node[0]
            size -= 1
            _sift_down(heap_key, heap_node, size)
            if settled[node]:
                continue
            settled[node] = True
            if node != source and ends[node]:
                if count == len(pairs):
                    grown = np.empty((2 * count, 2), dtype=np.int32)
                    for i in range(count):
                        grown[i, 0], grown[i, 1] = pairs[i, 0], pairs[i, 1]
                    pairs = grown
                pairs[count, 0], pairs[count, 1] = source, node
                count += 1
            for a in range(offsets[node], offsets[node + 1]):
                to, length = neighbours[a], best[node] + weights[a]
                if length <= bound and length < best[to]:
                    if best[to] == np.inf:
                        touched[n_touched] = to
                        n_touched += 1
                    best[to] = length
                    heap_key[size], heap_node[size] = length, to
                    _sift_up(heap_key, heap_node, size)
                    size += 1
        for i in range(n_touched):
            best[touched[i]], settled[touched[i]] = np.inf, False
        if count >= most:
            break
    return pairs[:count]
