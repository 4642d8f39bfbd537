"""Minimum DFS codes of small patterns, equal for isomorphic patterns, and the symmetries of a pattern.

Patterns and looks are those of `symmetries`.  A traversal is a row of int64: the node at each place, the
place of each node (-1: not reached yet), and for each edge whether it is used.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.mining.pattern_buffers import with_rows
from sfumato.kernels.subgraphs.chains import chain_code, chain_neighbours
from sfumato.kernels.subgraphs.symmetries import branches, exchangeable_nodes, look_of, orbits

__all__ = ["canonical"]

MOST_TRAVERSALS = 1 << 17


class Pattern(NamedTuple):
    """A pattern with n nodes and m edges."""

    labels: Any  # int32[n]
    one: Any  # int32[m]: an end of each edge
    other: Any  # int32[m]: the other end
    edge_label: Any  # int32[m]
    directed: Any  # bool
    begin: Any  # int64[n + 1]: where the edges at each node begin
    edges: Any  # int64[2 m]


class Symmetry(NamedTuple):
    """Exchanges that leave a pattern as it is; see `exchangeable_nodes` and `branches`."""

    first_equal: Any  # int64[n]
    parent: Any  # int64[n]
    alike: Any  # int64[n]


@njit(cache=True, nogil=True)
def _first_of_alike(to, here, row, symmetry):
    """Whether no earlier node or branch that is not reached yet could be exchanged with this one."""
    first_equal, parent, alike = symmetry
    n = len(first_equal)
    for w in range(to):
        if row[n + w] >= 0:
            continue
        if first_equal[w] == first_equal[to] or (parent[to] == here and parent[w] == here and alike[w] == alike[to]):
            return False
    return True


@njit(cache=True, nogil=True)
def _lower(best, row, path, depth, pattern, symmetry):
    """Lower the best next edge to that of a traversal, if this is below.

    An edge is (major, look, label of the new node): back edges first, by the place they go to; then forward edges,
    from the last node of the path upwards.
    """
    labels, left, right, edge_label, directed, begin, edges = pattern
    n = len(labels)
    for up in range(depth):
        if up > 0 and best[0] < n + up:
            break
        here = row[path[depth - 1 - up]]
        for i in range(begin[here], begin[here + 1]):
            e = edges[i]
            if row[2 * n + e] == 1:
                continue
            to = right[e] if left[e] == here else left[e]
            met = row[n + to] >= 0
            if (met and up > 0) or not (met or _first_of_alike(to, here, row, symmetry)):
                continue
            major, label = (row[n + to], 0) if met else (n + up, labels[to])
            look = look_of(edge_label[e], left[e] != here, directed)
            if major < best[0] or (major == best[0] and (look < best[1] or (look == best[1] and label < best[2]))):
                best[0], best[1], best[2] = major, look, label


@njit(cache=True, nogil=True)
def _reaches(e, here, best, row, pattern, symmetry):
    """Whether an edge at the node `here` is the best next one in a traversal."""
    labels, left, right, edge_label, directed, _, _ = pattern
    n = len(labels)
    if row[2 * n + e] == 1:
        return False
    to = right[e] if left[e] == here else left[e]
    if look_of(edge_label[e], left[e] != here, directed) != best[1]:
        return False
    if best[0] < n:
        return row[n + to] == best[0]
    return row[n + to] < 0 and labels[to] == best[2] and _first_of_alike(to, here, row, symmetry)


@njit(cache=True, nogil=True)
def _edges_at(n, left, right):
    """The edges at each node: those of node v are edges[begin[v]:begin[v + 1]]."""
    begin, edges = np.zeros(n + 1, dtype=np.int64), np.empty(2 * len(left), dtype=np.int64)
    for e in range(len(left)):
        begin[left[e]] += 1
        begin[right[e]] += 1
    for v in range(n):
        begin[v + 1] += begin[v]
    for e in range(len(left)):  # from the end of each node's part to its beginning
        begin[left[e]] -= 1
        edges[begin[left[e]]] = e
        begin[right[e]] -= 1
        edges[begin[right[e]]] = e
    return begin, edges


@njit(cache=True, nogil=True)
def _first_traversals(labels, m, first_equal):
    """A traversal from every node that could be first, and their number."""
    n, rows, least = len(labels), 0, labels[0]
    for v in range(n):
        least = min(least, labels[v])
    table = np.zeros((n, 2 * n + m), dtype=np.int64)
    for v in range(n):
        if labels[v] == least and first_equal[v] == v:
            for i in range(2 * n):
                table[rows, i] = -1
            table[rows, 0], table[rows, n + v] = v, 0
            rows += 1
    return table, rows


@njit(cache=True, nogil=True)
def canonical(labels, left, right, edge_label, directed, against):
    """The minimum DFS code of a connected pattern with an edge.

    labels : int32[n].  left, right, edge_label : int32[m], from left to right if directed.
    against : int32[m + 1, 4], a code of the same pattern, or of length 0; once it turns out not to be the smallest, the
    code returned begins with 0.
    Returns (code : int32[m + 1, 4], order : int64[n], orbit : int64[n]).  The first row of the code is
    (n, m, label of node 0, 0), the others are (from, to, look, label of `to`); order[p] is the node at place p of the
    code; nodes that a symmetry exchanges have the same orbit.

    All traversals that give the smallest code so far are followed side by side; at the end each is a symmetry.  Of
    those that differ by an exchange of nodes or branches only one is followed; a pattern that is symmetric in too many
    other ways is given up: the code then begins with -1.
    """
    n, m = len(labels), len(left)
    near = chain_neighbours(labels, left, right, edge_label, directed)
    if len(near) > 0:
        code, order, orbit = chain_code(near, labels, m)
        for i in range(code.size if len(against) > 0 else 0):
            if code.flat[i] != against.flat[i]:
                code[0, 0] = 0
        return code, order, orbit
    first_equal = exchangeable_nodes(labels, left, right, edge_label, directed)
    parent, taken_off, n_off, alike = branches(labels, left, right, edge_label, directed)
    begin, edges = _edges_at(n, left, right)
    pattern = Pattern(labels, left, right, edge_label, directed, begin, edges)
    symmetry = Symmetry(first_equal, parent, alike)
    table, rows = _first_traversals(labels, m, first_equal)
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
            return code, first_equal, first_equal
        for t in range(rows):
            here = table[t, tip]
            for k in range(begin[here], begin[here + 1]):
                e = edges[k]
                if not _reaches(e, here, best, table[t], pattern, symmetry):
                    continue
                after = with_rows(after, kept, kept + 1)
                for i in range(2 * n + m):
                    after[kept, i] = table[t, i]
                after[kept, 2 * n + e] = 1
                if forward:
                    to = right[e] if left[e] == here else left[e]
                    after[kept, seen], after[kept, n + to] = to, seen
                kept += 1
        if forward:
            depth -= best[0] - n
            path[depth] = seen
            depth, seen = depth + 1, seen + 1
        table, after, rows = after, table, kept
        if rows > MOST_TRAVERSALS:
            code[0, 0] = -1
            return code, first_equal, first_equal
    return code, table[0, :n].copy(), orbits(table, rows, first_equal, parent, taken_off, n_off, alike)
