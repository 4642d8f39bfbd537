"""Stored occurrences of a pattern, filtered or extended by one more edge."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.items.bisection import lower_bound
from sfumato.kernels.mining.pattern_buffers import with_rows
from sfumato.kernels.subgraphs.domains import has_arc

__all__ = ["closed_rows", "extended_rows"]


@njit(cache=True, nogil=True)
def closed_rows(graph, rows, source, to, kind):
    """Which occurrences (int32[r, n], an image of each node a row) have this arc between two of their nodes."""
    keep = np.empty(len(rows), dtype=np.bool_)
    for r in range(len(rows)):
        keep[r] = has_arc(graph, rows[r, source], kind, rows[r, to])
    return keep


@njit(cache=True, nogil=True)
def extended_rows(graph, rows, source, kind, most):
    """Every occurrence with every further node at an arc of this kind.  Returns int32[..., n + 1], at most so many."""
    offsets, keys, n_nodes = graph
    n, base = rows.shape[1], kind * n_nodes
    grown, count = np.empty((1024, n + 1), dtype=np.int32), 0
    for r in range(len(rows)):
        node = rows[r, source]
        a = lower_bound(keys, offsets[node], offsets[node + 1], base)
        while a < offsets[node + 1] and keys[a] < base + n_nodes and count < most:
            near = keys[a] - base
            a += 1
            fresh = True
            for c in range(n):
                if rows[r, c] == near:
                    fresh = False
            if fresh:
                grown = with_rows(grown, count, count + 1)
                for c in range(n):
                    grown[count, c] = rows[r, c]
                grown[count, n] = near
                count += 1
    return grown[:count]
