"""Where the nodes of a pattern can lie in a graph: domains, and what their neighbours take out of them.

The graph is (offsets : int64[N + 1], keys : int64[...], N): the arcs at a node, sorted by key = kind * N + neighbour,
where a kind is how the arc looks from the node and the label of the neighbour, as one number.  The pattern is
(begin : int64[n + 1], to, kind : int64[...], row : int64[n]): the arcs at each of its nodes, those to one neighbour
together, and the domain of each node; nodes that a symmetry exchanges share a domain.  The domains are
(inside : uint8[rows, N], members : int32[...], starts : int64[rows + 1], sizes, valid : int64[rows]): OUT, UNKNOWN or
VALID for each node of the graph, the nodes that were inside at first, and how many are inside and valid.
"""

import numpy as np
from numba import njit

__all__ = ["OUT", "UNKNOWN", "VALID", "find", "has_arc", "propagate", "take_out"]

OUT, UNKNOWN, VALID = 0, 1, 2


@njit(cache=True)
def find(keys, low, high, key):
    """The first place from low to high whose key is not below."""
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True)
def has_arc(graph, node, kind, neighbour):
    """Whether the graph has this arc."""
    offsets, keys, n = graph
    key = kind * n + neighbour
    at = find(keys, offsets[node], offsets[node + 1], key)
    return at < offsets[node + 1] and keys[at] == key


@njit(cache=True)
def _matching(scratch, k):
    """Whether each of k variables can take a choice of its own (augmenting paths).

    scratch : int64[k or more, ...], the choices of each variable, after them PARTNER, BACK, QUEUE, SEEN and COUNT.
    """
    partner = scratch.shape[1] - 5
    back, queue, seen, count = partner + 1, partner + 2, partner + 3, partner + 4
    for i in range(k):
        scratch[i, partner] = -1
    for i in range(k):
        for j in range(k):
            scratch[j, seen] = 1 if j == i else 0
        scratch[0, queue], head, tail, found = i, 0, 1, False
        while head < tail and not found:
            j = scratch[head, queue]
            head += 1
            for c in range(scratch[j, count]):
                value, owner = scratch[j, c], -1
                for o in range(k):
                    if scratch[o, partner] == value:
                        owner = o
                        break
                if owner < 0:
                    while True:
                        old = scratch[j, partner]
                        scratch[j, partner] = value
                        if j == i:
                            break
                        value, j = old, scratch[j, back]
                    found = True
                    break
                if scratch[owner, seen] == 0:
                    scratch[owner, seen], scratch[owner, back], scratch[tail, queue] = 1, j, owner
                    tail += 1
        if not found:
            return False
    return True


@njit(cache=True)
def _supported(graph, pattern, inside, variable, node, scratch):
    """Whether the neighbours of a variable placed at this node can lie at different neighbours of the node."""
    offsets, keys, n = graph
    begin, to, kind, row = pattern
    low, high = begin[variable], begin[variable + 1]
    wanted = 0
    for a in range(low, high):
        if a == low or to[a] != to[a - 1]:
            wanted += 1
    k = 0
    for a in range(low, high):
        if a > low and to[a] == to[a - 1]:
            continue
        base, domain, count = kind[a] * n, row[to[a]], 0
        at = find(keys, offsets[node], offsets[node + 1], base)
        while at < offsets[node + 1] and keys[at] < base + n and count < wanted:
            neighbour = keys[at] - base
            at += 1
            fits = inside[domain, neighbour] != OUT
            also = a + 1
            while fits and also < high and to[also] == to[a]:
                fits = has_arc(graph, node, kind[also], neighbour)
                also += 1
            if fits:
                scratch[k, count] = neighbour
                count += 1
        if count == 0:
            return False
        scratch[k, scratch.shape[1] - 1] = count
        k += 1
    return k == 1 or _matching(scratch, k)


@njit(cache=True)
def take_out(domains, removed, row, node):
    """Take a node out of a domain and remember it; removed : (rows, nodes : int64[...], used : int64[2])."""
    inside, _, _, sizes, _ = domains
    rows, nodes, used = removed
    inside[row, node] = OUT
    sizes[row] -= 1
    rows[used[0]], nodes[used[0]] = row, node
    used[0] += 1


@njit(cache=True)
def propagate(graph, pattern, domains, removed, least, afresh):
    """Node and arc consistency: take out what stood only by nodes that were removed, or whatever cannot stand (afresh).

    Returns whether each domain keeps at least so many nodes.
    """
    offsets, keys, n = graph
    begin, to, kind, row = pattern
    inside, members, starts, sizes, _ = domains
    rows, nodes, used = removed
    n_nodes = len(begin) - 1
    scratch = np.empty((n_nodes, n_nodes + 5), dtype=np.int64)
    for variable in range(n_nodes if afresh else 0):
        first = 0
        while row[first] != row[variable]:
            first += 1
        if first < variable:
            continue
        for i in range(starts[row[variable]], starts[row[variable] + 1]):
            node = members[i]
            if inside[row[variable], node] != OUT and not _supported(graph, pattern, inside, variable, node, scratch):
                take_out(domains, removed, row[variable], node)
        if sizes[row[variable]] < least:
            return False
    while used[1] < used[0]:
        gone, node = rows[used[1]], nodes[used[1]]
        used[1] += 1
        for variable in range(n_nodes):
            if row[variable] != gone:
                continue
            for a in range(begin[variable], begin[variable + 1]):
                other, base = to[a], kind[a] * n
                at = find(keys, offsets[node], offsets[node + 1], base)
                while at < offsets[node + 1] and keys[at] < base + n:
                    near = keys[at] - base
                    at += 1
                    if inside[row[other], near] != OUT and not _supported(graph, pattern, inside, other, near, scratch):
                        take_out(domains, removed, row[other], near)
                if sizes[row[other]] < least:
                    return False
    return True
