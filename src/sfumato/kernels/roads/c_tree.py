"""Clustering of road trajectories with a C-tree (Gurung et al., 2014, Section 4.2 and Figure 5).

A node holds up to FANOUT entries: in a leaf a cluster and the roads that occur in it, above a child and the union of
its roads.  Where the union shares too few roads with a trajectory, so does everything below it.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.roads.clusters import mark_roads, settle

__all__ = ["CTree", "gather_by_tree", "new_tree"]

FANOUT = 16
_FILL, _UP, _LEAF = 0, 1, 2
_FIVES, _THREES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_FIFTEENS, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_ONE, _TWO, _FOUR, _LAST = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


class CTree(NamedTuple):
    """The nodes of a C-tree and their entries."""

    nodes: Any  # int64[3, n]: number of entries, the slot that points here (-1 for the root), whether it is a leaf
    slots: Any  # int64[n * FANOUT]: the child or cluster of each entry
    bits: Any  # uint64[n * FANOUT, words]: the roads of each entry
    where: Any  # int64[n_paths]: the slot of each cluster
    top: Any  # int64[2]: the root, and how many nodes there are


def new_tree(n_paths: int, n_roads: int) -> CTree:
    """An empty tree, large enough for a node of every cluster at every level."""
    n_nodes = 2 * n_paths + 2
    nodes = np.zeros((3, n_nodes), dtype=np.int64)
    nodes[_UP, 0], nodes[_LEAF, 0] = -1, 1
    slots = np.empty(n_nodes * FANOUT, dtype=np.int64)
    bits = np.empty((n_nodes * FANOUT, n_roads // 64 + 1), dtype=np.uint64)  # only what is used takes up memory
    return CTree(nodes, slots, bits, np.zeros(n_paths, dtype=np.int64), np.array([0, 1], dtype=np.int64))


@njit(cache=True)
def _ones(word):
    """How many bits are set."""
    word = word - ((word >> _ONE) & _FIVES)
    word = (word & _THREES) + ((word >> _TWO) & _THREES)
    word = (word + (word >> _FOUR)) & _FIFTEENS
    return np.int64((word * _BYTES) >> _LAST)


@njit(cache=True)
def _shared(slot, roads, n_roads, bits):
    """How many of these roads an entry holds."""
    n = 0
    for position in range(n_roads):
        n += np.int64((bits[slot, roads[position] >> 6] >> np.uint64(roads[position] & 63)) & _ONE)
    return n


@njit(cache=True)
def _candidates(roads, n_roads, least, tree, waiting, shared, candidates):
    """Figure 5, lines 1 to 8; returns how many candidates there are."""
    nodes, slots, bits, _, top = tree
    waiting[0] = top[0]
    n_waiting, n = 1, 0
    while n_waiting:
        n_waiting -= 1
        node = waiting[n_waiting]
        for slot in range(node * FANOUT, node * FANOUT + nodes[_FILL, node]):
            common = _shared(slot, roads, n_roads, bits)
            if common < least:
                continue
            if nodes[_LEAF, node]:
                shared[slots[slot]] = common
                candidates[n] = slots[slot]
                n += 1
            else:
                waiting[n_waiting] = slots[slot]
                n_waiting += 1
    return n


@njit(cache=True)
def _place(node, child, row, tree):
    """Put an entry into a node that is not full."""
    nodes, slots, bits, where, _ = tree
    slot = node * FANOUT + nodes[_FILL, node]
    slots[slot] = child
    for word in range(len(row)):
        bits[slot, word] = row[word]
    if nodes[_LEAF, node]:
        where[child] = slot
    else:
        nodes[_UP, child] = slot
    nodes[_FILL, node] += 1


@njit(cache=True)
def _union(node, row, tree):
    """Write the roads of all entries of a node into a row."""
    nodes, bits = tree.nodes, tree.bits
    for word in range(len(row)):
        row[word] = 0
        for slot in range(node * FANOUT, node * FANOUT + nodes[_FILL, node]):
            row[word] |= bits[slot, word]


@njit(cache=True)
def _likeness(row, seed):
    """The share of a row's roads that the seed has (Equation 3)."""
    both, own = 0, 0
    for word in range(len(row)):
        both += _ones(row[word] & seed[word])
        own += _ones(row[word])
    return both / own


@njit(cache=True)
def _split(node, child, row, tree):
    """Step 2: entries more like the first than the average stay, the others move to a new node, which is returned."""
    nodes, slots, bits, _, top = tree
    other = top[1]
    top[1] += 1
    nodes[_FILL, other], nodes[_UP, other], nodes[_LEAF, other] = 0, -1, nodes[_LEAF, node]
    seed = bits[node * FANOUT].copy()
    likeness = np.empty(FANOUT)
    for entry in range(1, FANOUT):
        likeness[entry] = _likeness(bits[node * FANOUT + entry], seed)
    average = likeness[1:].mean()
    nodes[_FILL, node] = 1
    for entry in range(1, FANOUT):
        slot = node * FANOUT + entry
        goes = other if likeness[entry] <= average else node
        _place(goes, slots[slot], bits[slot], tree)
    _place(node if _likeness(row, seed) > average else other, child, row, tree)
    return other


@njit(cache=True)
def _insert(cluster, roads, n_roads, tree):
    """Steps 1 to 3: a new cluster goes into the leaf on the way of the most shared roads."""
    nodes, slots, bits, where, top = tree
    row = np.zeros(bits.shape[1], dtype=np.uint64)
    for position in range(n_roads):
        row[roads[position] >> 6] |= _ONE << np.uint64(roads[position] & 63)
    node, child = top[0], cluster
    while not nodes[_LEAF, node]:
        best, most = node * FANOUT, -1
        for slot in range(node * FANOUT, node * FANOUT + nodes[_FILL, node]):
            common = _shared(slot, roads, n_roads, bits)
            if common > most:
                best, most = slot, common
        node = slots[best]
    while nodes[_FILL, node] == FANOUT:
        other = _split(node, child, row, tree)
        slot = nodes[_UP, node]
        if slot < 0:  # a new root above both
            root = top[1]
            top[1] += 1
            top[0] = root
            nodes[_FILL, root], nodes[_UP, root], nodes[_LEAF, root] = 0, -1, 0
            _union(node, row, tree)
            _place(root, node, row, tree)
        else:
            _union(node, row, tree)
            for word in range(len(row)):
                bits[slot, word] = row[word]
        _union(other, row, tree)
        node, child = (top[0] if slot < 0 else slot // FANOUT), other
    _place(node, child, row, tree)
    _grow(where[cluster], roads, n_roads, tree)


@njit(cache=True)
def _grow(slot, roads, n_roads, tree):
    """Add roads to an entry and to all above it."""
    nodes, bits = tree.nodes, tree.bits
    while slot >= 0:
        for position in range(n_roads):
            bits[slot, roads[position] >> 6] |= _ONE << np.uint64(roads[position] & 63)
        slot = nodes[_UP, slot // FANOUT]


@njit(cache=True)
def gather_by_tree(first, end, needed, rules, paths, originals, state, tree, shared, cluster_of):
    """Settle the paths from first to end, in order, and write the cluster of each.  shared : int64[n_paths]."""
    counts, new_roads = state.counts, state.new_roads
    candidates = np.empty(len(shared), dtype=np.int64)
    waiting = np.empty(tree.nodes.shape[1], dtype=np.int64)
    for path in range(first, end):
        n_roads = mark_roads(path, paths, state)
        n = 0
        if paths.supports[path] < rules.k:
            least = needed[n_roads]
            n = _candidates(state.roads, n_roads, least, tree, waiting, shared, candidates)
        before = counts[0]
        cluster, n_new = settle(path, n_roads, candidates, shared, n, rules, paths, originals, state)
        cluster_of[path] = cluster
        if counts[0] > before:
            _insert(cluster, new_roads, n_new, tree)
        elif n_new:
            _grow(tree.where[cluster], new_roads, n_new, tree)
