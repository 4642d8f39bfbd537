"""Domains of a pattern's nodes: the graph nodes that each can be mapped to, reduced by node and arc consistency."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.items.bisection import lower_bound

__all__ = [
    "OUT",
    "UNKNOWN",
    "VALID",
    "Arcs",
    "Domains",
    "PatternArcs",
    "Removed",
    "count_lists",
    "has_arc",
    "propagate",
    "take_out",
]

OUT, UNKNOWN, VALID = 0, 1, 2


class Arcs(NamedTuple):
    """The arcs of a graph.  The kind of an arc is its look from the node and the neighbour's label, as one number."""

    offsets: Any  # int64[N + 1]: where the arcs at each node begin
    keys: Any  # int64[...], rising at each node: kind * N + neighbour
    n: Any  # int: the number of nodes, N


class PatternArcs(NamedTuple):
    """The arcs of a pattern, and the domain of each of its nodes; nodes that a symmetry exchanges share a domain."""

    begin: Any  # int64[n + 1]: where the arcs at each node begin
    to: Any  # int64[...]: the neighbour, arcs to one neighbour together
    kind: Any  # int64[...]
    row: Any  # int64[n]: the domain of each node
    distinct: Any  # bool: arc consistency requires different images for the neighbours of a node


class Domains(NamedTuple):
    """The graph nodes that pattern nodes can be mapped to."""

    inside: Any  # uint8[rows, N]: OUT, UNKNOWN or VALID
    members: Any  # int32[...]: the nodes that were inside at first
    starts: Any  # int64[rows + 1]: where the members of each domain begin
    sizes: Any  # int64[rows]: how many are inside
    valid: Any  # int64[rows]: how many are valid


class Removed(NamedTuple):
    """Nodes taken out of domains, in this order."""

    rows: Any  # int64[...]: the domain
    nodes: Any  # int64[...]
    used: Any  # int64[2]: how many were taken out, and how many of them were propagated


@njit(cache=True, nogil=True)
def has_arc(graph, node, kind, neighbour):
    """Whether the graph has this arc."""
    key, end = kind * graph.n + neighbour, graph.offsets[node + 1]
    place = lower_bound(graph.keys, graph.offsets[node], end, key)
    return place < end and graph.keys[place] == key


@njit(cache=True, nogil=True)
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
        scratch[0, queue], head, tail, augmented = i, 0, 1, False
        while head < tail and not augmented:
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
                    augmented = True
                    break
                if scratch[owner, seen] == 0:
                    scratch[owner, seen], scratch[owner, back], scratch[tail, queue] = 1, j, owner
                    tail += 1
        if not augmented:
            return False
    return True


@njit(cache=True, nogil=True)
def _supported(graph, pattern, inside, variable, node, scratch):
    """Whether each neighbour of a variable placed at this node can lie at a neighbour of the node.

    With pattern.distinct, they must be able to lie at different neighbours.
    """
    offsets, keys, n = graph
    begin, to, kind, row, distinct = pattern
    low, high = begin[variable], begin[variable + 1]
    wanted = 0
    for a in range(low, high):
        if (distinct and (a == low or to[a] != to[a - 1])) or wanted == 0:
            wanted += 1
    k = 0
    for a in range(low, high):
        if a > low and to[a] == to[a - 1]:
            continue
        base, domain, count = kind[a] * n, row[to[a]], 0
        position = lower_bound(keys, offsets[node], offsets[node + 1], base)
        while position < offsets[node + 1] and keys[position] < base + n and count < wanted:
            neighbour = keys[position] - base
            position += 1
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
    return k == 1 or not distinct or _matching(scratch, k)


@njit(cache=True, nogil=True)
def count_lists(inside, nodes, lists):
    """Raise the count of those nodes that all lists before this one held; inside : uint8[N], lists : how many."""
    for node in nodes:
        if inside[node] == lists:
            inside[node] += 1


@njit(cache=True, nogil=True)
def take_out(domains, removed, row, node):
    """Take a node out of a domain and remember it."""
    domains.inside[row, node] = OUT
    domains.sizes[row] -= 1
    removed.rows[removed.used[0]], removed.nodes[removed.used[0]] = row, node
    removed.used[0] += 1


@njit(cache=True, nogil=True)
def propagate(graph, pattern, domains, removed, least, afresh):
    """Make the domains node and arc consistent: take out the nodes that lost their support (`afresh`: test all nodes).

    Returns whether each domain keeps at least so many nodes.
    """
    offsets, keys, n = graph
    begin, to, kind, row, _ = pattern
    inside, sizes = domains.inside, domains.sizes
    rows, nodes, used = removed
    n_nodes = len(begin) - 1
    scratch = np.empty((n_nodes, n_nodes + 5), dtype=np.int64)
    for variable in range(n_nodes if afresh else 0):
        first = 0
        while row[first] != row[variable]:
            first += 1
        if first < variable:
            continue
        for i in range(domains.starts[row[variable]], domains.starts[row[variable] + 1]):
            node = domains.members[i]
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
                position = lower_bound(keys, offsets[node], offsets[node + 1], base)
                while position < offsets[node + 1] and keys[position] < base + n:
                    near = keys[position] - base
                    position += 1
                    if inside[row[other], near] != OUT and not _supported(graph, pattern, inside, other, near, scratch):
                        take_out(domains, removed, row[other], near)
                if sizes[row[other]] < least:
                    return False
    return True
