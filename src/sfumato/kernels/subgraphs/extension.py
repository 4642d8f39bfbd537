"""Patterns with one edge more or less than a pattern that is given by its minimum DFS code (see `dfs_codes`).

They are returned for `canonical`, which is called from outside: each kernel that called it would compile it again.
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.mining.pattern_buffers import with_rows

__all__ = ["part_without", "pattern_of", "rightmost_rows", "rows_alike"]


@njit(cache=True, nogil=True)
def pattern_of(code, directed):
    """The labels and edges (left, right, label) of a pattern, from left to right if directed."""
    n, m = code[0, 0], code[0, 1]
    labels, left = np.empty(n, dtype=np.int32), np.empty(m, dtype=np.int32)
    right, edge_label = np.empty(m, dtype=np.int32), np.empty(m, dtype=np.int32)
    labels[0] = code[0, 2]
    for e in range(m):
        source, target, look = code[e + 1, 0], code[e + 1, 1], code[e + 1, 2]
        labels[target] = code[e + 1, 3]
        back = directed and look & 1 == 1
        left[e], right[e] = (target, source) if back else (source, target)
        edge_label[e] = look >> 1 if directed else look
    return labels, left, right, edge_label


@njit(cache=True, nogil=True)
def _precedes(near, look, far, first, directed):
    """Whether a kind of edge, from one of its ends, comes before that of a pattern's first edge."""
    back = look ^ 1 if directed else look
    if (far, back, near) < (near, look, far):
        near, look, far = far, back, near
    return (near, look, far) < first


@njit(cache=True, nogil=True)
def rightmost_rows(code, directed, kind_begin, kind_look, kind_far, failed):
    """The rows that gSpan's rightmost extension may add: back edges, then forward edges; int32[..., 4].

    kind_begin : int64[labels + 1], kind_look, kind_far : int32[...], the frequent kinds of edges at each label.
    failed : int32[..., 4], rows that gave an infrequent pattern when added to a part of the code; they are left out.
    """
    n, m, labels = code[0, 0], code[0, 1], pattern_of(code, directed)[0]
    first = (code[0, 2], code[1, 2], code[1, 3])
    above, path, rows, count = np.zeros(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty((16, 4), np.int32), 0
    for e in range(1, m + 1):
        if code[e, 0] < code[e, 1]:
            above[code[e, 1]] = code[e, 0]
    path[0], length, tip = n - 1, 1, n - 1
    while path[length - 1] != 0:
        path[length] = above[path[length - 1]]
        length += 1
    for k in range(kind_begin[labels[tip]], kind_begin[labels[tip] + 1]):
        look, far = kind_look[k], kind_far[k]
        for i in range(length - 1, 0, -1):
            known = labels[path[i]] != far or _precedes(labels[tip], look, far, first, directed)
            for e in range(1, m + 1):
                seen = code[e, 2]
                known |= code[e, 0] == tip and code[e, 1] == path[i] and seen == look
                seen = seen ^ 1 if directed else seen
                known |= code[e, 1] == tip and code[e, 0] == path[i] and seen == look
            if not known:
                rows = with_rows(rows, count, count + 1)
                rows[count, 0], rows[count, 1], rows[count, 2], rows[count, 3] = tip, path[i], look, far
                count += 1
    for i in range(length):
        for k in range(kind_begin[labels[path[i]]], kind_begin[labels[path[i]] + 1]):
            if not _precedes(labels[path[i]], kind_look[k], kind_far[k], first, directed):
                rows = with_rows(rows, count, count + 1)
                rows[count, 0], rows[count, 1], rows[count, 2], rows[count, 3] = path[i], n, kind_look[k], kind_far[k]
                count += 1
    kept = 0
    for r in range(count):
        if not _has_failed(rows[r], labels, directed, failed):
            for i in range(4):
                rows[kept, i] = rows[r, i]
            kept += 1
    return rows[:kept]


@njit(cache=True, nogil=True)
def _has_failed(row, labels, directed, failed):
    """Whether the pattern with this row has an infrequent part by the failed rows.

    That is so for the same edge, where the new node of a forward edge may have had another number; and for a back edge
    also if a forward edge like it failed before the node was there from which it leads back.
    """
    forward, back_look = row[0] < row[1], row[2] ^ 1 if directed else row[2]
    for f in range(len(failed)):
        source, target, look, label = failed[f]
        same = source == row[0] and look == row[2] and label == row[3]
        seen_back = not forward and source == row[1] and look == back_look and label == labels[row[0]]
        if same and (target == row[1] or (forward and source < target)):
            return True
        if seen_back and source < target <= row[0]:
            return True
    return False


@njit(cache=True, nogil=True)
def rows_alike(failed, orbit):
    """The failed rows, and the forward rows that a symmetry of the pattern makes of them; see `rightmost_rows`.

    orbit : int64[n], of each node of the pattern.
    """
    n, count = len(orbit), len(failed)
    rows = np.empty((max(1, 2 * count), 4), dtype=np.int32)
    for f in range(count):
        for i in range(4):
            rows[f, i] = failed[f, i]
    for f in range(len(failed)):
        source, target, look, label = failed[f]
        for v in range(n if source < target else 0):
            known = orbit[v] != orbit[source]
            for r in range(0 if known else count):
                same = rows[r, 0] == v and rows[r, 0] < rows[r, 1] and rows[r, 2] == look and rows[r, 3] == label
                known = known or same
            if not known:
                rows = with_rows(rows, count, count + 1)
                rows[count, 0], rows[count, 1], rows[count, 2], rows[count, 3] = v, n, look, label
                count += 1
    return rows[:count].copy()


@njit(cache=True, nogil=True)
def part_without(code, directed, begin):
    """The first connected part without one edge, from the edge `begin` on.

    Returns (the edge, or m if no edge fits; the labels and edges of the part, as `pattern_of`; nodes : int64[...], the
    node of the pattern for each of its nodes).
    """
    n, m = code[0, 0], code[0, 1]
    labels, left, right, edge_label = pattern_of(code, directed)
    place, rest = np.empty(n, dtype=np.int64), np.empty((3, m - 1), dtype=np.int32)
    for removed in range(begin, m):
        if m == 1 or not _connected_without(n, left, right, removed, place):
            continue
        size = 0
        for v in range(n):
            if place[v] == 1:
                place[v] = size
                size += 1
        kept, nodes, count = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int64), 0
        for v in range(n):
            if place[v] >= 0:
                kept[place[v]], nodes[place[v]] = labels[v], v
        for e in range(m):
            if e != removed:
                rest[0, count], rest[1, count], rest[2, count] = place[left[e]], place[right[e]], edge_label[e]
                count += 1
        return removed, kept, rest[0], rest[1], rest[2], nodes
    return m, labels, left, right, edge_label, place


@njit(cache=True, nogil=True)
def _connected_without(n, left, right, removed, reached):
    """Whether the other edges are connected; writes 1 for each node that they reach, otherwise -1."""
    for v in range(n):
        reached[v] = -1
    start = 1 if removed == 0 else 0
    reached[left[start]], changed = 1, True
    while changed:
        changed = False
        for e in range(len(left)):
            if e != removed and reached[left[e]] != reached[right[e]]:
                reached[left[e]] = reached[right[e]] = 1
                changed = True
    apart = 0
    for e in range(len(left)):
        apart += e != removed and reached[left[e]] < 0
    return apart == 0
