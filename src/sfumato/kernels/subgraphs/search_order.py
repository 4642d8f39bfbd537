"""The order in which a search places the nodes of a pattern, and the images that it tries at each depth.

A search is a stack of frames, one a depth: IMAGE, arcs of a pivot still to try (FROM, UPTO), PIVOT, the earlier depths
that are to BLAME for what failed (a bit each), and TRIED.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.items.bisection import lower_bound

__all__ = [
    "BLAME",
    "FIELDS",
    "FROM",
    "IMAGE",
    "PIVOT",
    "TRIED",
    "UPTO",
    "Plans",
    "bits_before",
    "depth_bit",
    "distances",
    "open_depth",
    "plans",
]

IMAGE, FROM, UPTO, PIVOT, BLAME, TRIED = range(6)
FIELDS = 6
BITS = 63  # deeper depths share these bits: more is blamed than need be, never less


class Plans(NamedTuple):
    """For a search that begins in a domain, the order of the pattern's nodes, and their arcs from earlier ones."""

    variables: Any  # int64[rows, n]: the pattern node at each depth
    begin: Any  # int64[rows, n + 1]: where the arcs of each depth begin
    depth: Any  # int64[rows, m]: the earlier depth
    kind: Any  # int64[rows, m]
    reach: Any  # int64[rows, n]: edges on a shortest path in the pattern from its first node to that of each depth
    ordered: Any  # bool: images are tried at the arc of an earlier node that has fewest, otherwise at the first arc


@njit(cache=True, nogil=True)
def depth_bit(depth):
    """The bit of a depth among those to blame."""
    return np.int64(1) << (depth % BITS)


@njit(cache=True, nogil=True)
def bits_before(depth):
    """The bits of all earlier depths."""
    return depth_bit(depth) - 1 if depth < BITS else np.int64(-1)


@njit(cache=True, nogil=True)
def plans(pattern, sizes, ordered):
    """The search order for each first domain: most arcs to earlier nodes first, then the smallest domain.

    If it is not to be `ordered`, by number, the first node that has an arc to an earlier one.
    """
    begin, to, kind, row, _ = pattern
    n, m, rows = len(begin) - 1, len(to), len(sizes)
    variables, starts = np.empty((rows, n), dtype=np.int64), np.zeros((rows, n + 1), dtype=np.int64)
    depth, kinds = np.empty((rows, m), dtype=np.int64), np.empty((rows, m), dtype=np.int64)
    reach = np.empty((rows, n), dtype=np.int64)
    for domain in range(rows):
        place = np.zeros(n, dtype=np.int64)
        for v in range(n):
            place[v] = -1
        arcs = 0
        for d in range(n):
            best, best_links = -1, -1
            for v in range(n):
                if place[v] >= 0:
                    continue
                links = 0
                for a in range(begin[v], begin[v + 1]):
                    if place[to[a]] >= 0:
                        links += 1
                if d == 0:
                    links = 1 if row[v] == domain else 0
                if not ordered:
                    links = min(links, 1)
                if links > best_links or (ordered and links == best_links and sizes[row[v]] < sizes[row[best]]):
                    best, best_links = v, links
            place[best], variables[domain, d] = d, best
            for e in range(d):
                earlier = variables[domain, e]
                for a in range(begin[earlier], begin[earlier + 1]):
                    if to[a] == best:
                        depth[domain, arcs], kinds[domain, arcs] = e, kind[a]
                        arcs += 1
            starts[domain, d + 1] = arcs
        _reach(begin, to, variables[domain], place, reach[domain])
    return variables, starts, depth, kinds, reach, ordered


@njit(cache=True, nogil=True)
def _reach(begin, to, variables, place, reach):
    """Write the distance of each depth's node from the first, edge by edge outwards."""
    n, changed = len(variables), True
    for d in range(n):
        reach[d] = 0 if d == 0 else n
    while changed:
        changed = False
        for d in range(n):
            for a in range(begin[variables[d]], begin[variables[d] + 1]):
                if reach[d] + 1 < reach[place[to[a]]]:
                    reach[place[to[a]]] = reach[d] + 1
                    changed = True


@njit(cache=True, nogil=True)
def distances(graph, inside, root, radius, distance, queue):
    """Write the distance of every node from the root along nodes that are in some domain; returns how many there are.

    distance : int64[N], -1 everywhere; those of the nodes in `queue`, int64[N], are written, up to the radius.
    """
    offsets, keys, n = graph
    distance[root], queue[0], head, tail = 0, root, 0, 1
    while head < tail:
        node = queue[head]
        head += 1
        if distance[node] == radius:
            break
        for a in range(offsets[node], offsets[node + 1]):
            there = keys[a] % n
            if distance[there] >= 0:
                continue
            for row in range(len(inside)):
                if inside[row, there] != 0:
                    distance[there] = distance[node] + 1
                    queue[tail] = there
                    tail += 1
                    break
    return tail


@njit(cache=True, nogil=True)
def open_depth(graph, plan, domain, frames, d):
    """Begin to try images at a depth: the neighbours of the earlier node that has fewest, or of the first one."""
    offsets, keys, n = graph
    _, starts, depth, kind, _, ordered = plan
    fewest = np.int64(1) << 60
    for a in range(starts[domain, d], starts[domain, d + 1]):
        node, base = frames[depth[domain, a], IMAGE], kind[domain, a] * n
        low = lower_bound(keys, offsets[node], offsets[node + 1], base)
        high = lower_bound(keys, low, offsets[node + 1], base + n)
        if high - low < fewest:
            fewest = high - low
            frames[d, FROM], frames[d, UPTO], frames[d, PIVOT] = low, high, a
        if not ordered:
            break
    frames[d, BLAME] = depth_bit(depth[domain, frames[d, PIVOT]])
    frames[d, TRIED] = 0
