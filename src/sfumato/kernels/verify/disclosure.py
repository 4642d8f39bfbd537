"""Published sequences of quasi-identifiers that match background knowledge, through a taxonomy; for verifiers only.

A node is a number in the order of a walk through the taxonomy from its root; the nodes under it, itself included, are
those from its own number to its `end` - 1.
"""

from sfumato.kernels.compiled import njit

__all__ = ["advance", "containing"]


@njit(cache=True)
def advance(ends_before, known, nodes, offsets, ends, moved):
    """Match one more node of background knowledge in every sequence, as early as possible.

    ends_before : int64[n], how much of each sequence is used up; -1 where a known node was not found.
    known : int, a node.  nodes : int32[total], the published nodes; offsets : int64[n + 1].  ends : int32[nodes].
    moved : int64[n], receives the same for one known node more.  Returns how many sequences are left.
    """
    left = 0
    for row in range(len(ends_before)):
        moved[row] = -1
        if ends_before[row] < 0:
            continue
        for position in range(offsets[row] + ends_before[row], offsets[row + 1]):
            if nodes[position] <= known < ends[nodes[position]]:
                moved[row] = position + 1 - offsets[row]
                left += 1
                break
    return left


@njit(cache=True)
def containing(pattern, nodes, offsets, ends, matches):
    """Mark the sequences that contain the pattern: gaps are allowed, a node matches itself and what is above it.

    pattern : int32[m].  matches : bool[n], receives the answer.  O(total) time.
    """
    for row in range(len(offsets) - 1):
        matched = 0
        for position in range(offsets[row], offsets[row + 1]):
            if matched == len(pattern):
                break
            if nodes[position] <= pattern[matched] < ends[nodes[position]]:
                matched += 1
        matches[row] = matched == len(pattern)
