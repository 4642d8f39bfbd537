"""Prefix trees of sequences, as flat arrays in preorder: a node stands before its children, siblings in name order."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["prefix_tree", "tree_paths", "tree_shape"]


@njit(cache=True)
def prefix_tree(codes, offsets, order, earlier):
    """The prefix tree of records, and how many units have each prefix.

    codes : int32[total], offsets : int64[n + 1].  order : int64[n], the records sorted by their content.
    earlier : int64[n], for each place in that order the place of the last record before it of the same unit, or -1.
    Returns labels int32[t], depths int32[t] (from 1), units int64[t], and for each place in the order the node at
    which its record ends, or -1 if it is empty.  O(total) time and memory.
    """
    labels, depths = np.empty(len(codes), dtype=np.int32), np.empty(len(codes), dtype=np.int32)
    units, first = np.zeros(len(codes), dtype=np.int64), np.empty(len(codes), dtype=np.int64)
    ends = np.full(len(order), -1, dtype=np.int64)
    longest = 0
    for record in range(len(order)):
        longest = max(longest, offsets[record + 1] - offsets[record])
    path = np.empty(longest, dtype=np.int64)
    n_nodes, open_depth = 0, 0
    for place in range(len(order)):
        begin = offsets[order[place]]
        length = offsets[order[place] + 1] - begin
        shared = 0
        while shared < min(length, open_depth) and labels[path[shared]] == codes[begin + shared]:
            shared += 1
        for depth in range(shared, length):
            labels[n_nodes], depths[n_nodes], first[n_nodes] = codes[begin + depth], depth + 1, place
            path[depth] = n_nodes
            n_nodes += 1
        for depth in range(length):
            if earlier[place] < first[path[depth]]:  # the first record of its unit below this node
                units[path[depth]] += 1
        open_depth = length
        if length > 0:
            ends[place] = path[length - 1]
    return labels[:n_nodes], depths[:n_nodes], units[:n_nodes], ends


@njit(cache=True)
def tree_shape(depths):
    """For each node the first one after its subtree, and how many levels lie below it.

    depths : int32[t] in preorder.  Returns after int64[t], heights int64[t].  O(t) time.
    """
    after, heights = np.full(len(depths), len(depths), dtype=np.int64), np.zeros(len(depths), dtype=np.int64)
    path = np.empty(len(depths) + 1, dtype=np.int64)
    open_depth = 0
    for node in range(len(depths) + 1):
        depth = depths[node] if node < len(depths) else 1
        while open_depth >= depth:
            closed = path[open_depth]
            after[closed] = node
            open_depth -= 1
            if open_depth > 0:
                above = path[open_depth]
                heights[above] = max(heights[above], heights[closed] + 1)
        if node < len(depths):
            path[depth] = node
            open_depth = depth
    return after, heights


@njit(cache=True)
def tree_paths(labels, depths, counts):
    """The labels from the root to each node, as often as its count says.

    Returns offsets int64[counts.sum() + 1], codes int32[...], in preorder.
    """
    n_records, total = 0, 0
    for node in range(len(labels)):
        n_records += counts[node]
        total += counts[node] * depths[node]
    offsets, codes = np.zeros(n_records + 1, dtype=np.int64), np.empty(total, dtype=np.int32)
    path = np.empty(len(labels), dtype=np.int32)
    record, position = 0, 0
    for node in range(len(labels)):
        path[depths[node] - 1] = labels[node]
        for _ in range(counts[node]):
            for depth in range(depths[node]):
                codes[position] = path[depth]
                position += 1
            record += 1
            offsets[record] = position
    return offsets, codes
