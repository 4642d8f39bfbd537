"""REFINE's single step: whether two clusters gain by sharing chunks, and which terms they then share.

Clusters are given by their leaves.  For leaf number l: records leaf_starts[l] to leaf_starts[l + 1]; term chunk
terms[term_starts[l]:term_starts[l + 1]], of which those with gone[i] were shared before; terms in record chunks
held[held_starts[l]:held_starts[l + 1]].
"""

import numpy as np
from numba import njit

from sfumato.kernels.term_chunks import chunks_of_terms
from sfumato.kernels.vertical import TERM, ranked_terms, rows_of_terms

__all__ = ["SHARED", "leading_ranks", "merge_terms", "move_terms", "promising", "shared_terms"]

SHARED = -3


@njit(cache=True)
def _common_terms(leaves, n_first, term_starts, terms, gone, skipped, sides, seen):
    """Mark by 3 the terms in a term chunk of the first n_first leaves and in one of the others; lists all met."""
    n_seen = 0
    for at in range(len(leaves)):
        side = 1 if at < n_first else 2
        for i in range(term_starts[leaves[at]], term_starts[leaves[at] + 1]):
            if not gone[i] and not skipped[terms[i]]:
                if sides[terms[i]] == 0:
                    seen[n_seen] = terms[i]
                    n_seen += 1
                sides[terms[i]] |= side
    return n_seen


@njit(cache=True)
def _rows_with(leaves, leaf_starts, offsets, codes, parts, sides, supports):
    """Where the common terms lie in the records of the leaves: places, and where each row with some ends."""
    n_places, n_rows = 0, 0
    for at in range(len(leaves)):
        for record in range(leaf_starts[leaves[at]], leaf_starts[leaves[at] + 1]):
            before = n_places
            for i in range(offsets[record], offsets[record + 1]):
                n_places += parts[i] == TERM and sides[codes[i]] == 3
            n_rows += n_places > before
    places, ends = np.empty(n_places, dtype=np.int64), np.empty(n_rows, dtype=np.int64)
    n_places, n_rows = 0, 0
    for at in range(len(leaves)):
        for record in range(leaf_starts[leaves[at]], leaf_starts[leaves[at] + 1]):
            before = n_places
            for i in range(offsets[record], offsets[record + 1]):
                if parts[i] == TERM and sides[codes[i]] == 3:
                    supports[codes[i]] += 1
                    places[n_places] = i
                    n_places += 1
            if n_places > before:
                ends[n_rows] = n_places
                n_rows += 1
    return places, ends


@njit(cache=True)
def _gains(leaves, leaf_starts, term_starts, terms, gone, chunk_of, rank, supported, total, stands_alone):
    """Equation 1, and Lemma 2 for every leaf once the chosen terms have left its term chunk."""
    moved, places = 0, 0
    for at in range(len(leaves)):
        leaf = leaves[at]
        here, left = 0, 0
        for i in range(term_starts[leaf], term_starts[leaf + 1]):
            if not gone[i]:
                if rank[terms[i]] >= 0 and chunk_of[rank[terms[i]]] >= 0:
                    here += 1
                else:
                    left += 1
        if left == 0 and here > 0 and not stands_alone[leaf]:
            return False
        if here > 0:
            moved += here
            places += leaf_starts[leaf + 1] - leaf_starts[leaf]
    return moved > 0 and supported * places >= moved * total


@njit(cache=True)
def shared_terms(
    leaves, n_first, leaf_starts, offsets, codes, parts, term_starts, terms, gone, held_starts, held,
    shared, shared_sizes, skipped, stands_alone, n_terms, m, k, safe, scratch,
):  # fmt: skip
    """The terms that the two clusters may share, int64[...], and the shared chunk of each, int64[...] (-1: none).

    leaves : int64[...], of the first cluster and then of the second.  parts : int32[total], as by `vertical_parts`.
    shared, shared_sizes : terms in shared chunks below, and how many records those cover.
    stands_alone : bool[leaves], whether Lemma 2 holds for the leaf without a term chunk.
    scratch : int64[4, n_terms], zeros and, in the last row, -1; left as found.
    Both results are empty where the clusters do not gain by it.
    """
    sides, seen, supports, rank = scratch[0], scratch[1], scratch[2], scratch[3]
    n_seen = _common_terms(leaves, n_first, term_starts, terms, gone, skipped, sides, seen)
    places, ends = _rows_with(leaves, leaf_starts, offsets, codes, parts, sides, supports)
    ranked = ranked_terms(seen, n_seen, supports, skipped, k, n_terms)
    total, blocked = np.int64(0), np.zeros(len(ranked), dtype=np.int64)
    for i in range(len(ranked)):
        rank[ranked[i]] = i
    for at in range(len(leaves)):
        size = leaf_starts[leaves[at] + 1] - leaf_starts[leaves[at]]
        total += size
        for i in range(held_starts[leaves[at]], held_starts[leaves[at] + 1]):
            if rank[held[i]] >= 0:
                blocked[rank[held[i]]] += size
    for i in range(len(shared)):
        if rank[shared[i]] >= 0:
            blocked[rank[shared[i]]] += shared_sizes[i]
    rows, row_starts, _ = rows_of_terms(codes, places, ends, rank)
    chunk_of = chunks_of_terms(rows, row_starts, len(ranked), blocked, total, m, k, safe)
    supported = np.int64(0)
    for i in range(len(ranked)):
        if chunk_of[i] >= 0:
            supported += supports[ranked[i]]
    gains = _gains(leaves, leaf_starts, term_starts, terms, gone, chunk_of, rank, supported, total, stands_alone)
    for i in range(n_seen):
        sides[seen[i]], supports[seen[i]], rank[seen[i]] = 0, 0, -1
    for i in range(n_seen):
        seen[i] = 0
    return (ranked, chunk_of) if gains else (ranked[:0], chunk_of[:0])


@njit(cache=True)
def move_terms(
    leaves, leaf_starts, offsets, codes, parts, term_starts, terms, gone, ranked, chunk_of, first_chunk, chunks, rank
):
    """Take the chosen terms out of the term chunks; the items' shared chunks go into `chunks`.

    chunks : int32[total], the number of an item's shared chunk, counted from first_chunk.  rank : scratch of -1.
    """
    for i in range(len(ranked)):
        rank[ranked[i]] = chunk_of[i]
    for at in range(len(leaves)):
        leaf = leaves[at]
        for i in range(term_starts[leaf], term_starts[leaf + 1]):
            if rank[terms[i]] >= 0:
                gone[i] = True
        for i in range(offsets[leaf_starts[leaf]], offsets[leaf_starts[leaf + 1]]):
            if parts[i] == TERM and rank[codes[i]] >= 0:
                parts[i] = SHARED
                chunks[i] = first_chunk + rank[codes[i]]
    for i in range(len(ranked)):
        rank[ranked[i]] = -1


@njit(cache=True)
def leading_ranks(terms, starts, rank, width):
    """The smallest `width` ranks of each row's terms, rising; int64[rows, width], filled up with -1.

    terms : int64[...], starts : int64[rows + 1].  rank : int64 by term.
    """
    leading = np.full((len(starts) - 1, width), -1, dtype=np.int64)
    for row in range(len(starts) - 1):
        n = 0
        for i in range(starts[row], starts[row + 1]):
            value = rank[terms[i]]
            if n == width and value >= leading[row, width - 1]:
                continue
            spot = min(n, width - 1)
            while spot > 0 and leading[row, spot - 1] > value:
                leading[row, spot] = leading[row, spot - 1]
                spot -= 1
            leading[row, spot] = value
            n = min(n + 1, width)
    return leading


@njit(cache=True)
def promising(terms, supports, starts, order, k):
    """For each row and the next, in this order: whether k have a term that both have; bool[len(order) - 1].

    terms : int64[...], rising in a row, supports : int64[...] of each, starts : int64[rows + 1].
    """
    found = np.zeros(max(0, len(order) - 1), dtype=np.bool_)
    for at in range(len(found)):
        i, j = starts[order[at]], starts[order[at + 1]]
        while i < starts[order[at] + 1] and j < starts[order[at + 1] + 1]:
            if terms[i] < terms[j]:
                i += 1
            elif terms[i] > terms[j]:
                j += 1
            else:
                if supports[i] + supports[j] >= k:
                    found[at] = True
                    break
                i += 1
                j += 1
    return found


@njit(cache=True)
def merge_terms(terms, supports, more_terms, more_supports, chosen):
    """The union of two rising lists of terms, supports added up, without the chosen ones (rising)."""
    n = len(terms) + len(more_terms)
    merged, summed = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    count, i, j, c = 0, 0, 0, 0
    while i < len(terms) or j < len(more_terms):
        if j == len(more_terms) or (i < len(terms) and terms[i] < more_terms[j]):
            term, support = terms[i], supports[i]
            i += 1
        elif i == len(terms) or terms[i] > more_terms[j]:
            term, support = more_terms[j], more_supports[j]
            j += 1
        else:
            term, support = terms[i], supports[i] + more_supports[j]
            i += 1
            j += 1
        while c < len(chosen) and chosen[c] < term:
            c += 1
        if c == len(chosen) or chosen[c] != term:
            merged[count], summed[count] = term, support
            count += 1
    return merged[:count].copy(), summed[:count].copy()
