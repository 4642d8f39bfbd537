"""The path of a prefix tree that has the longest common subsequence with a sequence.

The length of the longest common subsequence is carried down the tree, one row of bits a level (H. Hyyrö, "Bit-parallel
LCS-length computation revisited", Proc. AWOCA, 2004): a node costs a few operations for every 64 visits of the
sequence, for any length of its path.  A carry out of the last word is one more visit in common.
"""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["closest_paths"]

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@njit(cache=True)
def closest_paths(codes, offsets, first, end, n_labels, labels, depths, after, heights):
    """For the sequences first to end - 1 the node with the longest common subsequence, and its length.

    Of several the one of the smallest depth, then the first in preorder, which is name order; -1 if nothing is in
    common.  codes : int32[total] below n_labels, offsets : int64[n + 1].  labels, depths, after, heights : the tree in
    preorder.  Returns nodes int64[end - first], common int64[end - first].
    """
    longest, deepest = 0, 0
    for sequence in range(first, end):
        longest = max(longest, offsets[sequence + 1] - offsets[sequence])
    for node in range(len(depths)):
        deepest = max(deepest, depths[node])
    masks = np.zeros((n_labels, longest // 64 + 1), dtype=np.uint64)
    rows = np.empty((deepest + 1, longest // 64 + 1), dtype=np.uint64)
    lengths = np.zeros(deepest + 1, dtype=np.int64)
    nodes, common = np.full(end - first, -1, dtype=np.int64), np.zeros(end - first, dtype=np.int64)
    for sequence in range(first, end):
        begin, size = offsets[sequence], offsets[sequence + 1] - offsets[sequence]
        words = (size + 63) // 64
        for position in range(size):
            masks[codes[begin + position], position // 64] |= _ONE << np.uint64(position % 64)
        for word in range(words):
            rows[0, word] = _ALL
        nodes[sequence - first], common[sequence - first] = _search(
            size, words, masks, rows, lengths, labels, depths, after, heights
        )
        for position in range(size):
            for word in range(words):
                masks[codes[begin + position], word] = _ZERO
    return nodes, common


@njit(cache=True)
def _search(size, words, masks, rows, lengths, labels, depths, after, heights):
    """The best node for one sequence, by branch and bound in preorder."""
    best, best_depth, best_node, node = 0, 0, -1, 0
    while node < len(labels):
        depth = depths[node]
        length = lengths[depth - 1] + _step(rows, depth, masks, labels[node], words)
        lengths[depth] = length
        if length > best or (length == best and best > 0 and depth < best_depth):
            best, best_depth, best_node = length, depth, node
        more = min(heights[node], size - length)  # what the subtree can add at most, one level a visit
        if length + more > best or (length + more == best and depth + more < best_depth):
            node += 1
        else:
            node = after[node]
    return best_node, best


@njit(cache=True)
def _step(rows, depth, masks, label, words):
    """Write the row of a node from that of its parent; returns 1 if one more visit is in common, else 0."""
    carry = _ZERO
    for word in range(words):
        row, mask = rows[depth - 1, word], masks[label, word]
        total = row + (row & mask)
        overflow = total < row
        total += carry
        carry = _ONE if overflow or total < carry else _ZERO
        rows[depth, word] = total | (row & ~mask)
    return 1 if carry == _ONE else 0
