"""Occurrences of a pattern made of those found for its parent, which has one edge less."""

from typing import Any, NamedTuple

from sfumato.kernels.compiled import njit
from sfumato.kernels.items.bisection import lower_bound
from sfumato.kernels.subgraphs.domains import OUT, UNKNOWN, VALID, has_arc

__all__ = ["Witnesses", "extend_witnesses", "mark_witness"]


class Witnesses(NamedTuple):
    """Occurrences that each showed for at least one node that it is valid."""

    images: Any  # int32[rows, n]: the node of the graph for each node of the pattern
    used: Any  # int64[1]: how many rows are filled


@njit(cache=True, nogil=True)
def _mark(domains, row, node):
    """Mark a node as valid in a domain; whether that is new."""
    if domains.inside[row, node] != UNKNOWN:
        return False
    domains.inside[row, node] = VALID
    domains.valid[row] += 1
    return True


@njit(cache=True, nogil=True)
def mark_witness(rows, domains, witnesses, image):
    """Mark all nodes of an occurrence as valid; store it if that is new for one of them, while there is space.

    rows : int64[n], the domain of each node of the pattern.  image : int32[n].
    """
    is_new, place = False, witnesses.used[0]
    for v in range(len(rows)):
        is_new |= _mark(domains, rows[v], image[v])
    if is_new and place < len(witnesses.images):
        for v in range(len(rows)):
            witnesses.images[place, v] = image[v]
        witnesses.used[0] = place + 1


@njit(cache=True, nogil=True)
def extend_witnesses(graph, rows, domains, parents, edge, taken, image, witnesses, enough):
    """Add the newest edge to occurrences of the parent, until every domain has `enough` valid nodes.

    rows : int64[n], the domain of each node of the pattern.  parents : int32[..., n or n - 1].  edge : (source, target,
    kind), from a node of the parent; if the parent lacks the target, every neighbour that fits is valid for it.
    taken : int32[N], zeros before and after.  image : int32[n], a buffer.
    """
    source, target, kind = edge
    size, base = parents.shape[1], kind * graph.n
    for p in range(len(parents)):
        if domains.valid.min() >= enough:
            return
        for v in range(size):
            image[v] = parents[p, v]
        node = image[source]
        if target < size:
            if has_arc(graph, node, kind, image[target]):
                mark_witness(rows, domains, witnesses, image)
            continue
        for v in range(size):
            taken[image[v]] = 1
        end, first = graph.offsets[node + 1], True
        position = lower_bound(graph.keys, graph.offsets[node], end, base)
        while position < end and graph.keys[position] < base + graph.n:
            image[target] = graph.keys[position] - base
            position += 1
            inside = domains.inside[rows[target], image[target]]
            if taken[image[target]] == 0 and inside != OUT and (first or inside == UNKNOWN):
                mark_witness(rows, domains, witnesses, image)
                first = False
                if domains.valid[rows[target]] >= enough:
                    break
        for v in range(size):
            taken[image[v]] = 0
