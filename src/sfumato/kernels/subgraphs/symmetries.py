"""Symmetries of a small pattern that are found without a search: nodes and branches that can be exchanged.

A pattern has nodes 0..n-1 with labels and edges (one, other, label).  Seen from a node, an edge has a *look*: its
label, and in directed patterns also whether it leaves (2 * label) or arrives (2 * label + 1).
"""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["branches", "exchangeable_nodes", "look_of", "orbits"]


@njit(cache=True, nogil=True)
def look_of(label, arrives, directed):
    """The look of an edge from one of its ends."""
    if not directed:
        return label
    return 2 * label + 1 if arrives else 2 * label


@njit(cache=True, nogil=True)
def _swappable(v, w, labels, left, right, edge_label, directed):
    """Whether exchanging two nodes leaves the pattern as it is."""
    if labels[v] != labels[w]:
        return False
    for e in range(len(left)):
        a, b = left[e], right[e]
        if (a != v and a != w) and (b != v and b != w):
            continue
        x = w if a == v else (v if a == w else a)
        y = w if b == v else (v if b == w else b)
        has_twin = False
        for f in range(len(left)):
            same = (left[f] == x and right[f] == y) or (not directed and left[f] == y and right[f] == x)
            if same and edge_label[f] == edge_label[e]:
                has_twin = True
                break
        if not has_twin:
            return False
    return True


@njit(cache=True, nogil=True)
def exchangeable_nodes(labels, left, right, edge_label, directed):
    """For each node the first node with which it can be exchanged while all others stay.  Returns int64[n]."""
    n = len(labels)
    first = np.zeros(n, dtype=np.int64)
    for w in range(1, n):
        first[w] = w
        for v in range(w):
            if first[v] == v and _swappable(v, w, labels, left, right, edge_label, directed):
                first[w] = v
                break
    return first


@njit(cache=True, nogil=True)
def branches(labels, left, right, edge_label, directed):
    """The branches at the core of a pattern: leaves are taken off, all at once, until none (or two nodes) are left.

    Returns (parent : int64[n], -1 in the core; order : int64[n], in which nodes were taken off, and how many; alike :
    int64[n], the first node at which an equal branch begins, seen from its parent; -1 in the core).
    """
    n, m = len(labels), len(left)
    parent, look, alike = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    order, taken, degree = np.zeros(n, dtype=np.int64), 0, np.zeros(n, dtype=np.int64)
    for v in range(n):
        parent[v] = alike[v] = -1
    for e in range(m):
        degree[left[e]] += 1
        degree[right[e]] += 1
    while n - taken > 2:
        first = taken
        for v in range(n):
            if parent[v] < 0 and degree[v] == 1:
                order[taken] = v
                taken += 1
        if taken == first:
            break
        for i in range(first, taken):
            v = order[i]
            for e in range(m):
                if left[e] != v and right[e] != v:
                    continue
                up = right[e] if left[e] == v else left[e]
                if parent[up] < 0:
                    parent[v], look[v] = up, look_of(edge_label[e], right[e] != v, directed)
            degree[v] = 0
            degree[parent[v]] -= 1
    for i in range(taken):
        v = order[i]
        alike[v] = v
        for j in range(i):
            w = order[j]
            same = alike[w] == w and labels[v] == labels[w] and look[v] == look[w]
            if same and _same_children(v, w, parent, alike, order, i):
                alike[v] = w
                break
    return parent, order, taken, alike


@njit(cache=True, nogil=True)
def _same_children(v, w, parent, alike, order, taken):
    """Whether equal branches begin at the children of two nodes."""
    balance = 0
    for i in range(taken):
        balance += 1 if parent[order[i]] == v else (-1 if parent[order[i]] == w else 0)
    if balance != 0:
        return False
    for i in range(taken):
        if parent[order[i]] != v:
            continue
        balance = 0
        for j in range(taken):
            if alike[order[j]] == alike[order[i]]:
                balance += 1 if parent[order[j]] == v else (-1 if parent[order[j]] == w else 0)
        if balance != 0:
            return False
    return True


@njit(cache=True, nogil=True)
def orbits(places, rows, first_equal, parent, order, taken, alike):
    """The orbit of each node: nodes that a symmetry exchanges share a number.

    places : int64[rows, n or more], numberings with the same code; first_equal : see `exchangeable_nodes`; the others :
    see `branches`.
    """
    n = len(first_equal)
    orbit = first_equal.copy()
    changed = True
    while changed:
        changed = False
        for t in range(rows):
            for i in range(n):
                a, b = places[0, i], places[t, i]
                c, d = first_equal[a], first_equal[b]
                low = min(min(orbit[a], orbit[b]), min(orbit[c], orbit[d]))
                if orbit[a] != low or orbit[b] != low or orbit[c] != low or orbit[d] != low:
                    orbit[a] = orbit[b] = orbit[c] = orbit[d] = low
                    changed = True
    for i in range(taken - 1, -1, -1):  # outwards from the core: equal branches at nodes that are exchanged
        v = order[i]
        orbit[v] = v
        for j in range(taken - 1, i, -1):
            w = order[j]
            if alike[w] == alike[v] and orbit[parent[w]] == orbit[parent[v]]:
                orbit[v] = orbit[w]
                break
    return orbit
