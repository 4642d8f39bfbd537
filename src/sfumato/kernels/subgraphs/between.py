"""Whether what is left of a pattern has room in the graph: a path from a node on, a cycle between two nodes.

A simple path goes through a block (see `blocks`) once.  With an edge added between two nodes, the nodes on simple paths
between them are those of the block that holds this edge.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.subgraphs.search_order import IMAGE, depth_bit

__all__ = ["Ahead", "has_room", "left_beyond", "new_buffers", "nodes_between", "path_beyond"]

MOST_SEEN = 4_096  # nodes; a larger part is not looked through
FEWEST_LEFT = 8  # nodes of the pattern; fewer are tried sooner than looked ahead for
MOST_TOO_LARGE = 16  # parts that were too large, after which no more are looked through


class Buffers(NamedTuple):
    """Arrays of one number a node; `order` is 0 before and after each call."""

    order: Any  # int64[N]
    low: Any  # int64[N]
    arc: Any  # int64[N]
    above: Any  # int64[N]
    path: Any  # int64[N]
    waiting: Any  # int64[N]
    seen: Any  # int64[N]
    longest: Any  # int64[N]
    too_large: Any  # int64[1]: how many parts were


class Ahead(NamedTuple):
    """For each first domain and depth, what is left of the pattern beyond the node of that depth."""

    other: Any  # int64[rows, n]: an earlier depth to which it leads back, -1 for none
    needed: Any  # int64[rows, n]: nodes on simple paths between the two; in a tree, of a longest path from here on


@njit(cache=True, nogil=True)
def _look_through(graph, inside, taken, n_seen, buffers):
    """Visit the nodes in some domain that are not taken, from the last one seen on; find the blocks that end there.

    taken : int32[N], the depth + 1 at which a node is in use.  buffers.longest of a node becomes the number of nodes
    after it on a path outwards that uses all nodes of the blocks it goes through: no simple path is longer.
    Returns (how many nodes are seen, how many are in no block that ended, a bit for each depth that bounds the part
    looked through); it stops at MOST_SEEN.
    """
    offsets, keys, n = graph
    order, low, arc, above, path, waiting, seen, longest, too_large = buffers
    path[0], depth, n_waiting, blame = seen[n_seen - 1], 1, 0, np.int64(0)
    while depth > 0 and n_seen < MOST_SEEN:
        here = path[depth - 1]
        if arc[here] < offsets[here + 1]:
            there = keys[arc[here]] % n
            arc[here] += 1
            if order[there] > 0:
                if there != above[here]:
                    low[here] = min(low[here], order[there])
            elif taken[there] != 0:
                blame |= depth_bit(np.int64(taken[there] - 1))
            elif _in_some_domain(inside, there):
                waiting[n_waiting], path[depth] = there, there
                n_waiting, depth = n_waiting + 1, depth + 1
                n_seen = _see(there, here, graph, n_seen, buffers)
            continue
        depth -= 1
        up = above[here]
        if depth > 0:
            low[up] = min(low[up], low[here])
            if low[here] >= order[up]:
                size, further = 0, 0
                while size == 0 or waiting[n_waiting] != here:
                    n_waiting, size = n_waiting - 1, size + 1
                    further = max(further, longest[waiting[n_waiting]])
                longest[up] = max(longest[up], size + further)
    too_large[0] += n_seen == MOST_SEEN
    return n_seen, n_waiting, blame


@njit(cache=True, nogil=True)
def _see(node, above, graph, n_seen, buffers):
    """Enter a node into the buffers; how many are seen then."""
    buffers.seen[n_seen], buffers.above[node], buffers.arc[node] = node, above, graph[0][node]
    buffers.order[node] = buffers.low[node] = n_seen + 1
    buffers.longest[node] = 0
    return n_seen + 1


@njit(cache=True, nogil=True)
def _forget(n_seen, buffers):
    for i in range(n_seen):
        buffers.order[buffers.seen[i]] = 0


@njit(cache=True, nogil=True)
def nodes_between(graph, inside, taken, tip, other, buffers):
    """How many nodes in some domain that are not taken lie on simple paths between two nodes, and who is to blame.

    Returns (the number of nodes, a bit for each depth); (N, 0) where there is too much to look through.
    """
    _see(tip, -1, graph, 0, buffers)
    _see(other, tip, graph, 1, buffers)
    n_seen, between, blame = _look_through(graph, inside, taken, 2, buffers)
    _forget(n_seen, buffers)
    return (between, blame) if n_seen < MOST_SEEN else (graph[2], np.int64(0))


@njit(cache=True, nogil=True)
def path_beyond(graph, inside, taken, tip, buffers):
    """A bound on the nodes of a simple path from a node on, in some domain and not taken, and who is to blame.

    It is exact in trees.  Returns what `nodes_between` returns.
    """
    _see(tip, -1, graph, 0, buffers)
    n_seen, _, blame = _look_through(graph, inside, taken, 1, buffers)
    _forget(n_seen, buffers)
    return (buffers.longest[tip], blame) if n_seen < MOST_SEEN else (graph[2], np.int64(0))


@njit(cache=True, nogil=True)
def has_room(graph, inside, taken, frames, ahead, domain, depth, node, buffers):
    """Whether what is left of the pattern beyond a depth can have room if a node is placed there, and who is to blame.

    frames : see `search_order`.
    """
    other, needed = ahead.other[domain, depth], ahead.needed[domain, depth]
    if needed < FEWEST_LEFT or buffers.too_large[0] >= MOST_TOO_LARGE:
        return True, np.int64(0)
    if other >= 0:
        room, blame = nodes_between(graph, inside, taken, node, frames[other, IMAGE], buffers)
        return room >= needed, blame | depth_bit(other)
    room, blame = path_beyond(graph, inside, taken, node, buffers)
    return room >= needed, blame


@njit(cache=True, nogil=True)
def _in_some_domain(inside, node):
    row = 0
    while row < len(inside) and inside[row, node] == 0:
        row += 1
    return row < len(inside)


@njit(cache=True, nogil=True)
def new_buffers(n):
    """Buffers for n nodes."""
    table = np.zeros((8, n), dtype=np.int64)
    counter = np.zeros(1, dtype=np.int64)
    return Buffers(table[0], table[1], table[2], table[3], table[4], table[5], table[6], table[7], counter)


@njit(cache=True, nogil=True)
def left_beyond(begin, to, variables, tree):
    """For each depth of a search, what is left of the pattern beyond its node; see `Ahead`.

    begin, to : the arcs of the pattern.  variables : int64[rows, n], the pattern node at each depth.  tree : bool.
    """
    rows, n = variables.shape
    graph, everywhere, buffers = (begin, to, n), np.ones((1, n), dtype=np.uint8), new_buffers(n)
    other, needed, taken = variables.copy(), np.zeros((rows, n), dtype=np.int64), np.zeros(n, dtype=np.int32)
    for row in range(rows):
        for d in range(n):
            taken[variables[row, d]] = 0
        for d in range(n):
            here, other[row, d] = variables[row, d], -1
            beyond, ends = path_beyond(graph, everywhere, taken, here, buffers)
            needed[row, d] = beyond if tree else 0
            for e in range(0 if tree else d):
                if ends & depth_bit(np.int64(e)) != 0:
                    count, _ = nodes_between(graph, everywhere, taken, here, variables[row, e], buffers)
                    if count > needed[row, d]:
                        other[row, d], needed[row, d] = e, count
            taken[here] = d + 1
    return other, needed
