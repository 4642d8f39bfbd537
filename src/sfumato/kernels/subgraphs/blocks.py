"""Blocks of a graph: its largest parts that stay connected without any one of their nodes, and what fits into them.

An occurrence maps a block of a pattern into one block of the graph: a cycle leads back to where it began.
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.subgraphs.domains import OUT, take_out

__all__ = ["blocks", "keep_in_blocks"]


@njit(cache=True, nogil=True)
def blocks(offsets, keys, n, allowed, wanted):
    """The blocks with at least two nodes of the part of a graph that has these nodes and kinds of arcs.

    offsets : int64[n + 1], keys : int64[...], kind * n + neighbour.  allowed : bool[n].  wanted : bool[kinds].
    Returns (nodes : int64[...], block after block; ends : int64[blocks]).  Linear (Hopcroft and Tarjan, 1973).
    """
    order, low, above = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    path, open_nodes, arc = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), offsets.copy()
    nodes, ends = np.empty(2 * n, dtype=np.int64), np.empty(n, dtype=np.int64)
    n_nodes, n_blocks, n_open, seen = 0, 0, 0, 0
    for root in range(n):
        if order[root] != 0 or not allowed[root]:
            continue
        path[0], depth, seen = root, 1, seen + 1
        order[root] = low[root] = seen
        while depth > 0:
            here = path[depth - 1]
            if arc[here] < offsets[here + 1]:
                kind, there = divmod(keys[arc[here]], n)
                arc[here] += 1
                if not (wanted[kind] and allowed[there]):
                    continue
                if order[there] == 0:
                    seen += 1
                    order[there] = low[there] = seen
                    above[there], path[depth], open_nodes[n_open] = here, there, there
                    depth, n_open = depth + 1, n_open + 1
                elif depth == 1 or there != above[here]:
                    low[here] = min(low[here], order[there])
                continue
            depth -= 1
            if depth == 0:
                break
            up = path[depth - 1]
            low[up] = min(low[up], low[here])
            if low[here] >= order[up]:  # nothing below reaches further up: a block ends here
                nodes[n_nodes] = up
                n_nodes += 1
                while True:
                    n_open -= 1
                    nodes[n_nodes] = open_nodes[n_open]
                    n_nodes += 1
                    if open_nodes[n_open] == here:
                        break
                ends[n_blocks] = n_nodes
                n_blocks += 1
    return nodes[:n_nodes], ends[:n_blocks]


@njit(cache=True, nogil=True)
def keep_in_blocks(domains, removed, rows, needed, nodes, ends):
    """Take the nodes out of some domains that lie in no block with enough nodes for a block of the pattern.

    rows : int64[r], the domains.  needed : int64[r], how many nodes of the pattern's block have each.
    nodes, ends : see `blocks`.
    """
    inside, members, starts, _, _ = domains
    fits, counts = np.zeros((len(rows), inside.shape[1]), dtype=np.bool_), np.zeros(len(rows), dtype=np.int64)
    begin, size = 0, needed.sum()
    for end in ends:
        enough = end - begin >= size
        for r in range(len(rows) if enough else 0):
            counts[r] = 0
            for i in range(begin, end):
                counts[r] += inside[rows[r], nodes[i]] != OUT
            enough = enough and counts[r] >= needed[r]
        for r in range(len(rows) if enough else 0):
            for i in range(begin, end):
                fits[r, nodes[i]] = True
        begin = end
    for r in range(len(rows)):
        for i in range(starts[rows[r]], starts[rows[r] + 1]):
            node = members[i]
            if inside[rows[r], node] != OUT and not fits[r, node]:
                take_out(domains, removed, rows[r], node)
