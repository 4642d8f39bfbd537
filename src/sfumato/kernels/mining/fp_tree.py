"""Trees of the records, items from the commonest to the rarest, and the trees of the records with one more item.

The nodes of a tree lie together by item, so that a node comes after its parent.  A weight holds a number of records in
its low 32 bits, and above it the sum of a hash of each of them: different records hardly ever have the same weight.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.mining.pattern_buffers import sort

__all__ = [
    "COUNT",
    "FIRST",
    "RANK",
    "TOTAL",
    "Conditional",
    "RankedRecords",
    "climb",
    "forget",
    "grow_tree",
    "rank_items",
    "read_records",
    "tree_of_records",
]

ITEM, PARENT, WEIGHT, SUM, NEW, CHILD = range(6)  # columns of nodes; ITEM counts the items of the tree, -1 at its root
RANK, TOTAL, FIRST = range(3)  # columns of items; the row after the last item has the end of the nodes as FIRST
COUNT = (1 << 32) - 1  # the bits of a weight that hold the number of records


class Conditional(NamedTuple):
    """The nodes above those of an item, or the records that hold it, and their items; sums and sizes are cleared."""

    touched: Any  # int64[total]: nodes
    ordered: Any  # int64[total]: the same, or records, by item
    sums: Any  # int64[items]: the weight of each item
    sizes: Any  # int64[items]: the nodes or records of each item
    met: Any  # int64[items]: the items; after `sift`, those that reach the bar are first and rise


class RankedRecords(NamedTuple):
    """Records, the items of each from the commonest to the rarest, and where each item is."""

    codes: Any  # int32[total]: ranks, 0 for the commonest
    offsets: Any  # int64[records + 1]
    weights: Any  # int64[records]
    begin: Any  # int64[items + 1]: where the places of each item begin
    holders: Any  # int32[total]: the records of an item
    places: Any  # int64[total]: the places of the item in them


@njit(cache=True)
def rank_items(codes, offsets, ranks, totals):
    """The arrays `codes`, `begin`, `holders` and `places` of RankedRecords.

    codes : int32[total], offsets : int64[records + 1].  ranks : int64[labels], 0 for the commonest.
    totals : int64[labels], the records of each label.  Linear.
    """
    n_items, begin, fill = len(ranks), np.zeros(len(ranks) + 1, dtype=np.int64), offsets.copy()
    for label in range(n_items):
        begin[ranks[label] + 1] = totals[label]
    for rank in range(n_items):
        begin[rank + 1] += begin[rank]
    free = begin.copy()
    holders, places = np.empty(len(codes), dtype=np.int32), np.empty(len(codes), dtype=np.int64)
    for record in range(len(offsets) - 1):
        for position in range(offsets[record], offsets[record + 1]):
            rank = ranks[codes[position]]
            holders[free[rank]] = record
            free[rank] += 1
    ranked = np.empty_like(codes)
    for rank in range(n_items):
        for i in range(begin[rank], begin[rank + 1]):
            places[i] = fill[holders[i]]
            ranked[places[i]] = rank
            fill[holders[i]] += 1
    return ranked, begin, holders, places


@njit(cache=True)
def read_records(records, item, conditional):
    """Add the weights of an item's records to their commoner items; returns how many entries and items there are."""
    codes, offsets, weights, begin, holders, places = records
    sums, sizes, met = conditional.sums, conditional.sizes, conditional.met
    n_entries, n_met = 0, 0
    for i in range(begin[item], begin[item + 1]):
        record = holders[i]
        weight = weights[record]
        n_entries += places[i] - offsets[record]
        for position in range(offsets[record], places[i]):
            other = codes[position]
            if sums[other] == 0:
                met[n_met] = other
                n_met += 1
            sums[other] += weight
    for i in range(n_met):
        sizes[met[i]] = sums[met[i]] & COUNT
    return n_entries, n_met


@njit(cache=True)
def tree_of_records(nodes, items, records, item, last, n_kept, conditional):
    """Write the tree of the records with this item, read and sifted: root at node 0, items behind those of the records.

    last : int32[records], scratch.
    """
    codes, offsets, weights, begin, holders, places = records
    _, ordered, sums, sizes, met = conditional
    _begin_groups(n_kept, sizes, met)
    for i in range(begin[item], begin[item + 1]):
        last[holders[i]] = 0
        for position in range(offsets[holders[i]], places[i]):
            slot = sizes[codes[position]]
            if slot >= 0:
                ordered[slot] = holders[i]
                sizes[codes[position]] = slot + 1
    _put(nodes, 0, -1, -1, 0)
    place, done, free = len(begin), 0, 1
    for n in range(n_kept):
        first = free
        items[place + n, RANK], items[place + n, TOTAL], items[place + n, FIRST] = met[n], sums[met[n]], first
        for j in range(done, sizes[met[n]]):
            record = ordered[j]
            free = _add(nodes, free, first, n, last[record], weights[record])
            last[record] = nodes[last[record], CHILD]
        done = sizes[met[n]]
    items[place + n_kept, FIRST] = free


@njit(cache=True)
def _begin_groups(n_kept, sizes, met):
    """Replace the size of each kept item by where its group begins."""
    total = 0
    for i in range(n_kept):
        size = sizes[met[i]]
        sizes[met[i]] = total
        total += size


@njit(cache=True)
def _put(nodes, node, item, parent, weight):
    nodes[node, ITEM], nodes[node, PARENT], nodes[node, WEIGHT] = item, parent, weight
    nodes[node, SUM], nodes[node, CHILD] = 0, -1


@njit(cache=True)
def _add(nodes, free, first, item, parent, weight):
    """Add the weight to the parent's child with this item, whose nodes begin at `first`; returns the next free node."""
    child = nodes[parent, CHILD]
    if child >= first:
        nodes[child, WEIGHT] += weight
        return free
    nodes[parent, CHILD] = free
    _put(nodes, free, item, parent, weight)
    return free + 1


@njit(cache=True)
def climb(nodes, first, end, conditional):
    """Add the weights of an item's nodes to all nodes above and to their items; returns how many of each there are."""
    touched, _, sums, sizes, met = conditional
    n_touched, n_met = 0, 0
    for node in range(first, end):
        weight, up = nodes[node, WEIGHT], nodes[node, PARENT]
        item = nodes[up, ITEM]
        while item >= 0:
            if nodes[up, SUM] == 0:
                touched[n_touched] = up
                n_touched += 1
                if sizes[item] == 0:
                    met[n_met] = item
                    n_met += 1
                sizes[item] += 1
            nodes[up, SUM] += weight
            sums[item] += weight
            up = nodes[up, PARENT]
            item = nodes[up, ITEM]
    return n_touched, n_met


@njit(cache=True)
def sift(n_met, bar, support, conditional, perfect, n_perfect, items, base):
    """Sort the met items that reach the bar to the front and clear the others; those that all records hold are perfect.

    A size of -1 marks the others.  Returns how many reach the bar, and how many perfect ones there are now.
    """
    _, _, sums, sizes, met = conditional
    n_kept = 0
    for i in range(n_met):
        item = met[i]
        count = sums[item] & COUNT
        if bar <= count < support:
            met[i], met[n_kept] = met[n_kept], item
            n_kept += 1
            continue
        if count == support:
            perfect[n_perfect] = items[base + item, RANK]
            n_perfect += 1
        sums[item], sizes[item] = 0, -1
    sort(met, n_kept)
    return n_kept, n_perfect


@njit(cache=True)
def forget(nodes, n_touched, n_met, conditional):
    """Clear what `climb` or `read_records` wrote."""
    for i in range(n_touched):
        nodes[conditional.touched[i], SUM] = 0
    for i in range(n_met):
        conditional.sums[conditional.met[i]] = conditional.sizes[conditional.met[i]] = 0


@njit(cache=True)
def grow_tree(nodes, items, root, base, place, n_touched, n_kept, conditional):
    """Write the tree of the nodes that were climbed and sifted.

    root : the root of the tree that was climbed; base : its first row of items.  The new root goes to the node
    items[place - 1, FIRST], its items to the rows from `place` on.
    """
    touched, ordered, sums, sizes, met = conditional
    _begin_groups(n_kept, sizes, met)
    for i in range(n_touched):
        slot = sizes[nodes[touched[i], ITEM]]
        if slot >= 0:
            ordered[slot] = touched[i]
            sizes[nodes[touched[i], ITEM]] = slot + 1
    free, done = items[place - 1, FIRST], 0
    _put(nodes, free, -1, -1, 0)
    nodes[root, NEW] = free
    free += 1
    for n in range(n_kept):
        first = free
        items[place + n, RANK], items[place + n, TOTAL] = items[base + met[n], RANK], sums[met[n]]
        items[place + n, FIRST] = first
        for j in range(done, sizes[met[n]]):
            node = ordered[j]
            up = nodes[node, PARENT]
            while up != root and sizes[nodes[up, ITEM]] < 0:
                up = nodes[up, PARENT]
            parent = nodes[up, NEW]
            free = _add(nodes, free, first, n, parent, nodes[node, SUM])
            nodes[node, NEW] = nodes[parent, CHILD]
        done = sizes[met[n]]
    items[place + n_kept, FIRST] = free
