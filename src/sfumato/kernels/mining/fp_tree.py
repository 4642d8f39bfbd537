"""Trees of the records, items from the commonest to the rarest, and the trees of the records with one more item.

The nodes of a tree lie together by item, so that a node comes after its parent.  A weight holds a number of records in
its low 32 bits, and above it the sum of a hash of each of them: different records hardly ever have the same weight.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner
from sfumato.kernels.mining.pattern_buffers import sort

__all__ = [
    "COUNT",
    "FIRST",
    "RANK",
    "TOTAL",
    "Conditional",
    "Nodes",
    "RankedRecords",
    "climb",
    "forget",
    "grow_tree",
    "list_parts",
    "rank_items",
    "read_records",
    "sift",
    "tree_of_records",
]

RANK, TOTAL, FIRST = range(3)  # columns of items; the row after the last item has the end of the nodes as FIRST
COUNT = (1 << 32) - 1  # the bits of a weight that hold the number of records
BLOCK = 32  # records that are fetched together


class Nodes(NamedTuple):
    """Trees, one behind the other; numbers without a sign, as a signed index costs a test."""

    item: Any  # uint32[n]: which of the items of the tree; nothing at its root
    parent: Any  # uint32[n]
    weight: Any  # int64[n]
    sum: Any  # int64[n]: the weight of the nodes below that are climbed from; cleared
    new: Any  # uint32[n]: its node in the tree that is being grown
    child: Any  # uint32[n]: the last child so far, 0 for none


class Conditional(NamedTuple):
    """The nodes above those of an item, or the records that hold it, and their items; sums and sizes are cleared."""

    touched: Any  # uint32[total + 1]: nodes
    ordered: Any  # uint32[total + 1]: the same, or parts of records, by item, from 1 on
    sums: Any  # int64[items]: the weight of each item
    sizes: Any  # int64[items]: the nodes or records of each item; later where its group ends, or its bit
    met: Any  # uint32[items + 1]: the items; after `sift`, those that reach the bar are first and rise
    last: Any  # uint32[...]: the node of each part of an item


class RankedRecords(NamedTuple):
    """Records, the items of each from the commonest to the rarest, and the parts of them up to each item.

    Where a record begins like the one before, the parts are the same: only one is listed, with the weight of both.
    """

    codes: Any  # uint32[total]: ranks, 0 for the commonest
    begin: Any  # int64[items + 1]: where the parts up to each item begin in the next three, with some room behind
    ends: Any  # int64[items]: where they end
    starts: Any  # int64[total]: where the part begins in codes
    places: Any  # int64[total]: where the item stands in codes
    weights: Any  # int64[total]: the weight of the records


@njit(cache=True)
def rank_items(codes, offsets, ranks, begin, depth):
    """The ranks of every record, rising, and a number that sorts records by their first `depth` ranks.

    codes : int32[total], offsets : int64[records + 1].  ranks : int64[labels], 0 for the commonest.
    begin : int64[labels + 1], where the records of each rank begin when they are listed by rank.  Linear.
    """
    n_items, fill, free = len(ranks), offsets.copy(), begin.copy()
    holders, ranked = np.empty(len(codes), dtype=np.int64), np.empty(len(codes), dtype=np.uint32)
    for record in range(len(offsets) - 1):
        for position in range(offsets[record], offsets[record + 1]):
            rank = ranks[codes[position]]
            holders[free[rank]] = record
            free[rank] += 1
    for rank in range(n_items):
        for i in range(begin[rank], begin[rank + 1]):
            ranked[fill[holders[i]]] = rank
            fill[holders[i]] += 1
    keys = np.zeros(len(offsets) - 1, dtype=np.int64)
    for record in range(len(keys)):
        for i in range(depth):
            position = offsets[record] + i
            keys[record] = keys[record] * (n_items + 1) + (
                np.int64(ranked[position]) + 1 if position < offsets[record + 1] else 0
            )
    return ranked, keys


@njit(cache=True)
def list_parts(ranked, offsets, order, weights, begin, longest):
    """The arrays of RankedRecords, records in the given order, and the weight of each item.

    ranked : uint32[total], offsets : int64[records + 1].  order : int64[records].  weights : int64[records].
    begin : as in RankedRecords, with room for all records.  longest : length of the longest record.
    """
    codes, ends = np.empty_like(ranked), begin[:-1].copy()
    starts, places, by_item = np.empty((3, len(codes)), dtype=np.int64)
    listed = np.empty(longest, dtype=np.int64)  # where the parts of the record before are listed
    totals = np.zeros(len(ends), dtype=np.int64)
    used, before, size = 0, 0, 0
    for record in order:
        common, start = True, used
        for position in range(offsets[record], offsets[record + 1]):
            rank, depth = ranked[position], used - start
            common = common and depth < size and codes[before + depth] == rank
            if not common:
                listed[depth] = ends[rank]
                starts[ends[rank]], places[ends[rank]], by_item[ends[rank]] = start, used, 0
                ends[rank] += 1
            by_item[listed[depth]] += weights[record]
            totals[rank] += weights[record]
            codes[used] = rank
            used += 1
        before, size = start, used - start
    return codes, begin, ends, starts, places, by_item, totals


@inner
def read_records(records, item, conditional):
    """Add the weights of an item's records to their commoner items; returns how many entries and items there are."""
    codes, begin, ends, starts, places, weights = records
    sums, met = conditional.sums, conditional.met
    n_entries, n_met = 0, 0
    for block in range(begin[item], ends[item], BLOCK):
        end = min(block + BLOCK, ends[item])
        for i in range(block, end):  # fetches the records, which lie apart, all at once
            n_entries += codes[starts[i]] >= 0
        for i in range(block, end):
            weight = weights[i]
            n_entries += places[i] - starts[i]
            for position in range(starts[i], places[i]):
                other = codes[position]
                met[n_met] = other  # stays if the item is new; without a branch, which could not be predicted
                n_met += sums[other] == 0
                sums[other] += weight
    return n_entries, n_met


@inner
def tree_of_records(nodes, items, records, item, n_kept, conditional):
    """Write the tree of an item's records, read and sifted: root at node 0, items behind those of the records."""
    codes, begin, ends, starts, places, weights = records
    _, ordered, sums, sizes, met, last = conditional
    for i in range(n_kept):
        sizes[met[i]] = sums[met[i]] & COUNT  # or fewer
    _begin_groups(n_kept, sizes, met)
    for i in range(begin[item], ends[item]):
        last[i - begin[item]] = 0
        for position in range(starts[i], places[i]):
            slot = sizes[codes[position]]
            ordered[slot] = i  # slot 0 takes what is not kept
            sizes[codes[position]] = slot + (slot > 0)
    _put(nodes, 0, 0, 0, 0)
    place, group, free = len(begin), 1, 1
    for n in range(n_kept):
        first = free
        items[place + n, RANK], items[place + n, TOTAL], items[place + n, FIRST] = met[n], sums[met[n]], first
        for j in range(group, sizes[met[n]]):
            part = ordered[j]
            up = last[part - begin[item]]
            free = _add(nodes, free, first, n, up, weights[part])
            last[part - begin[item]] = nodes.child[up]
        group += sums[met[n]] & COUNT
    items[place + n_kept, FIRST] = free


@inner
def _begin_groups(n_kept, sizes, met):
    """Replace the size of each kept item by where its group begins, from 1 on."""
    total = 1
    for i in range(n_kept):
        size = sizes[met[i]]
        sizes[met[i]] = total
        total += size


@inner
def _put(nodes, node, item, parent, weight):
    nodes.item[node], nodes.parent[node], nodes.weight[node] = item, parent, weight
    nodes.sum[node], nodes.child[node] = 0, 0


@inner
def _add(nodes, free, first, item, parent, weight):
    """Add the weight to the parent's child with this item, whose nodes begin at `first`; returns the next free node."""
    child = nodes.child[parent]
    if child >= first:
        nodes.weight[child] += weight
        return free
    nodes.child[parent] = free
    _put(nodes, free, item, parent, weight)
    return free + 1


@inner
def climb(nodes, root, first, end, conditional):
    """Add the weights of an item's nodes to all nodes above and to their items; returns how many of each there are."""
    touched, sums, sizes, met = conditional.touched, conditional.sums, conditional.sizes, conditional.met
    n_touched, n_met = 0, 0
    for node in range(first, end):
        weight, up = nodes.weight[node], nodes.parent[node]
        while up != root:
            touched[n_touched] = up  # stays if the node is new
            n_touched += nodes.sum[up] == 0
            nodes.sum[up] += weight
            up = nodes.parent[up]
    for i in range(n_touched):
        item = nodes.item[touched[i]]
        met[n_met] = item
        n_met += sums[item] == 0
        sums[item] += nodes.sum[touched[i]]
        sizes[item] += 1
    return n_touched, n_met


@inner
def sift(n_met, bar, support, conditional, perfect, n_perfect, items, base):
    """Sort the met items that reach the bar to the front and clear the others; those that all records hold are perfect.

    Returns how many reach the bar, and how many perfect ones there are now.
    """
    sums, sizes, met = conditional.sums, conditional.sizes, conditional.met
    n_kept = 0
    for i in range(n_met):
        item = met[i]
        count = sums[item] & COUNT
        if bar <= count < support:
            met[n_kept] = item
            n_kept += 1
            continue
        if count == support:
            perfect[n_perfect] = items[base + item, RANK]
            n_perfect += 1
        sums[item], sizes[item] = 0, 0
    sort(met, n_kept)
    return n_kept, n_perfect


@inner
def forget(nodes, n_touched, n_kept, conditional):
    """Clear what `climb` or `read_records` wrote and `sift` kept."""
    for i in range(n_touched):
        nodes.sum[conditional.touched[i]] = 0
    for i in range(n_kept):
        conditional.sums[conditional.met[i]] = conditional.sizes[conditional.met[i]] = 0


@inner
def grow_tree(nodes, items, root, base, place, n_touched, n_kept, conditional):
    """Write the tree of the nodes that were climbed and sifted.

    root : the root of the tree that was climbed; base : its first row of items.  The new root goes to the node
    items[place - 1, FIRST], its items to the rows from `place` on.
    """
    touched, ordered, sums, sizes, met, _ = conditional
    _begin_groups(n_kept, sizes, met)
    for i in range(n_touched):
        item = nodes.item[touched[i]]
        slot = sizes[item]
        ordered[slot] = touched[i]  # slot 0 takes what is not kept
        sizes[item] = slot + (slot > 0)
    free, done = items[place - 1, FIRST], 1
    _put(nodes, free, 0, 0, 0)
    nodes.new[root] = free
    free += 1
    for n in range(n_kept):
        first = free
        items[place + n, RANK], items[place + n, TOTAL] = items[base + met[n], RANK], sums[met[n]]
        items[place + n, FIRST] = first
        for j in range(done, sizes[met[n]]):
            node = ordered[j]
            up = nodes.parent[node]
            while up != root and sizes[nodes.item[up]] == 0:
                up = nodes.parent[up]
            parent = nodes.new[up]
            free = _add(nodes, free, first, n, parent, nodes.sum[node])
            nodes.new[node] = nodes.child[parent]
        done = sizes[met[n]]
    items[place + n_kept, FIRST] = free
