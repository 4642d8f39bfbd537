"""Minimum DFS codes of small patterns: a name that is the same for isomorphic patterns, and their symmetries.

Patterns and looks are those of `symmetries`.  A traversal is a row of int64: the node at each place, the
place of each node (-1: not met yet), and for each edge whether it is used.
"""

import numpy as np
from numba import njit

from sfumato.kernels.subgraphs.symmetries import branches, look_of, orbits, twins

__all__ = ["canonical"]

MOST_TRAVERSALS = 1 << 17


@njit(cache=True)
def _first_of_alike(to, here, row, symmetry):
    """Whether no earlier node or branch, not met yet either, could be exchanged with this one."""
    twin, parent, alike = symmetry
    n = len(twin)
    for w in range(to):
        if row[n + w] >= 0:
            continue
        if twin[w] == twin[to] or (parent[to] == here and parent[w] == here and alike[w] == alike[to]):
            return False
    return True


@njit(cache=True)
def _lower(best, row, path, depth, pattern, symmetry):
    """Lower the best next edge to that of one traversal, if this is below.

    An edge is (major, look, label of the new node): back edges first, by the place they go to; then forward edges,
    from the last node of the path upwards.
    """
    labels, one, other, edge_label, directed, begin, at = pattern
    n = len(labels)
    for up in range(depth):
        if up > 0 and best[0] < n + up:
            break
        here = row[path[depth - 1 - up]]
        for i in range(begin[here], begin[here + 1]):
            e = at[i]
            if row[2 * n + e] == 1:
                continue
            to = other[e] if one[e] == here else one[e]
            met = row[n + to] >= 0
            if (met and up > 0) or not (met or _first_of_alike(to, here, row, symmetry)):
                continue
            major, label = (row[n + to], 0) if met else (n + up, labels[to])
            look = look_of(edge_label[e], one[e] != here, directed)
            if major < best[0] or (major == best[0] and (look < best[1] or (look == best[1] and label < best[2]))):
                best[0], best[1], best[2] = major, look, label


@njit(cache=True)
def _reaches(e, here, best, row, pattern, symmetry):
    """Whether an edge at the node `here` is the best next one in a traversal."""
    labels, one, other, edge_label, directed, _, _ = pattern
    n = len(labels)
    if row[2 * n + e] == 1:
        return False
    to = other[e] if one[e] == here else one[e]
    if look_of(edge_label[e], one[e] != here, directed) != best[1]:
        return False
    if best[0] < n:
        return row[n + to] == best[0]
    return row[n + to] < 0 and labels[to] == best[2] and _first_of_alike(to, here, row, symmetry)


@njit(cache=True)
def _with_row(table, rows):
    """A table with room for one row more."""
    if rows < len(table):
        return table
    grown = np.empty((2 * rows, table.shape[1]), dtype=np.int64)
    for i in range(rows):
        for j in range(table.shape[1]):
            grown[i, j] = table[i, j]
    return grown


@njit(cache=True)
def _edges_at(n, one, other):
    """The edges at each node: those of node v are at[begin[v]:begin[v + 1]]."""
    begin, at = np.zeros(n + 1, dtype=np.int64), np.empty(2 * len(one), dtype=np.int64)
    for e in range(len(one)):
        begin[one[e]] += 1
        begin[other[e]] += 1
    for v in range(n):
        begin[v + 1] += begin[v]
    for e in range(len(one)):  # from the end of each node's part to its beginning
        begin[one[e]] -= 1
        at[begin[one[e]]] = e
        begin[other[e]] -= 1
        at[begin[other[e]]] = e
    return begin, at


@njit(cache=True)
def _beginnings(labels, m, twin):
    """A traversal from every node that could be first, and how many."""
    n, rows, least = len(labels), 0, labels[0]
    for v in range(n):
        least = min(least, labels[v])
    table = np.zeros((n, 2 * n + m), dtype=np.int64)
    for v in range(n):
        if labels[v] == least and twin[v] == v:
            for i in range(2 * n):
                table[rows, i] = -1
            table[rows, 0], table[rows, n + v] = v, 0
            rows += 1
    return table, rows


@njit(cache=True)
def canonical(labels, one, other, edge_label, directed, against):
    """The minimum DFS code of a connected pattern with an edge.

    labels : int32[n].  one, other, edge_label : int32[m], from one to the other if directed.
    against : int32[m + 1, 4], a code of the same pattern, or of length 0; once it turns out not to be the smallest, the
    code returned begins with 0.
    Returns (code : int32[m + 1, 4], order : int64[n], orbit : int64[n]).  The first row of the code is
    (n, m, label of node 0, 0), the others are (from, to, look, label of `to`); order[p] is the node at place p of the
    code; nodes that a symmetry exchanges have the same orbit.

    All traversals that give the smallest code so far are followed side by side; at the end each is a symmetry.  Of
    those that differ by an exchange of nodes or branches only one is followed; a pattern that is symmetric in too many
    other ways is given up: the code then begins with -1.
    """
    n, m = len(labels), len(one)
    twin = twins(labels, one, other, edge_label, directed)
    parent, taken_off, n_off, alike = branches(labels, one, other, edge_label, directed)
    begin, at = _edges_at(n, one, other)
    pattern, symmetry = (labels, one, other, edge_label, directed, begin, at), (twin, parent, alike)
    table, rows = _beginnings(labels, m, twin)
    after = np.zeros((n, 2 * n + m), dtype=np.int64)
    code, best = np.zeros((m + 1, 4), dtype=np.int32), np.empty(3, dtype=np.int64)
    path, depth, seen = np.zeros(n, dtype=np.int64), 1, 1
    code[0, 0], code[0, 1], code[0, 2] = n, m, labels[table[0, 0]]
    for step in range(1, m + 1):
        best[0] = best[1] = best[2] = np.int64(1) << 60
        for t in range(rows):
            _lower(best, table[t], path, depth, pattern, symmetry)
        forward = best[0] >= n
        tip, kept = path[depth - 1 - max(0, best[0] - n)], 0
        code[step, 0], code[step, 1], code[step, 2] = tip, seen if forward else best[0], best[1]
        code[step, 3] = best[2] if forward else labels[table[0, best[0]]]
        for i in range(4 if len(against) > 0 else 0):
            if code[step, i] != against[step, i]:
                code[0, 0] = 0
        if code[0, 0] == 0:
            return code, twin, twin
        for t in range(rows):
            here = table[t, tip]
            for k in range(begin[here], begin[here + 1]):
                e = at[k]
                if not _reaches(e, here, best, table[t], pattern, symmetry):
                    continue
                after = _with_row(after, kept)
                for i in range(2 * n + m):
                    after[kept, i] = table[t, i]
                after[kept, 2 * n + e] = 1
                if forward:
                    to = other[e] if one[e] == here else one[e]
                    after[kept, seen], after[kept, n + to] = to, seen
                kept += 1
        if forward:
            depth -= best[0] - n
            path[depth] = seen
            depth, seen = depth + 1, seen + 1
        table, after, rows = after, table, kept
        if rows > MOST_TRAVERSALS:
            code[0, 0] = -1
            return code, twin, twin
    return code, table[0, :n].copy(), orbits(table, rows, twin, parent, taken_off, n_off, alike)
