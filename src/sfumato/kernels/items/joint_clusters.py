"""REFINE's single step: whether two clusters gain by sharing chunks, and which terms they then share.

A term in the term chunk of a leaf is an entry: its records are postings[starts[e]:starts[e + 1]] and its items stand
beside them.  A cluster has a rising list of terms, the support of each, and the first and the last of its entries;
`following` leads from an entry to the next one of the same cluster and term, -1 for none.  Only what the common terms
of two clusters lead to is looked at, so that a large cluster costs no more than what it may share.
"""

import numpy as np
from numba import njit

from sfumato.kernels.items.term_chunks import chunks_of_terms
from sfumato.kernels.mining.pattern_buffers import sort

__all__ = ["SHARED", "merge_sizes", "merge_terms", "move_terms", "shared_terms"]

SHARED = -3


@njit(cache=True)
def _common_terms(terms, supports, more_terms, more_supports, k, names, place_of):
    """Where the terms stand in both lists that k have together: best supported first, then by name.

    names : int64 by term.  place_of : room by name, left as it comes.
    """
    n = min(len(terms), len(more_terms))
    keys, at, beside = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    count, i, j, most = 0, 0, 0, np.int64(0)
    while i < len(terms) and j < len(more_terms):
        if terms[i] == more_terms[j]:
            support = supports[i] + more_supports[j]
            if support >= k:
                keys[count], at[count], beside[count] = support, i, j
                most = max(most, support)
                count += 1
            i += 1
            j += 1
        elif terms[i] < more_terms[j]:
            i += 1
        else:
            j += 1
    for i in range(count):
        name = names[terms[at[i]]]
        keys[i], place_of[name] = (most - keys[i]) * len(names) + name, i
    sort(keys, count)
    ranked, ranked_beside = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    for i in range(count):
        place = place_of[keys[i] % len(names)]
        ranked[i], ranked_beside[i] = at[place], beside[place]
    return ranked, ranked_beside


@njit(cache=True)
def _entries_of(at, beside, heads, more_heads, following, total):
    """The entries of each common term, and where those of each begin; `total` is no less than their number."""
    entries, starts = np.empty(total, dtype=np.int64), np.zeros(len(at) + 1, dtype=np.int64)
    n = 0
    for i in range(len(at)):
        for head in (heads[at[i]], more_heads[beside[i]]):
            entry = head
            while entry >= 0:
                entries[n] = entry
                n += 1
                entry = following[entry]
        starts[i + 1] = n
    return entries[:n], starts


@njit(cache=True)
def _rows_of(entries, entry_starts, starts, postings, row_of, total):
    """The common terms of each record that has some, rising; rows come in the order in which records are met.

    row_of : scratch of -1 by record.  total : how many postings there are.
    """
    row_starts, n_rows = np.zeros(total + 1, dtype=np.int64), 0
    for entry in entries:
        for i in range(starts[entry], starts[entry + 1]):
            if row_of[postings[i]] < 0:
                row_of[postings[i]] = n_rows
                n_rows += 1
            row_starts[row_of[postings[i]] + 1] += 1
    for row in range(n_rows):
        row_starts[row + 1] += row_starts[row]
    rows, filled = np.empty(total, dtype=np.int64), row_starts.copy()
    for term in range(len(entry_starts) - 1):
        for at in range(entry_starts[term], entry_starts[term + 1]):
            for i in range(starts[entries[at]], starts[entries[at] + 1]):
                row = row_of[postings[i]]
                rows[filled[row]] = term
                filled[row] += 1
    for entry in entries:
        for i in range(starts[entry], starts[entry + 1]):
            row_of[postings[i]] = -1
    return rows, row_starts[: n_rows + 1]


@njit(cache=True)
def _add_sizes(wanted, terms, sizes, found):
    """Add to `found` the size beside each wanted term in a rising list."""
    for i in range(len(wanted)):
        low, high = 0, len(terms)
        while low < high:
            middle = (low + high) // 2
            if terms[middle] < wanted[i]:
                low = middle + 1
            else:
                high = middle
        if low < len(terms) and terms[low] == wanted[i]:
            found[i] += sizes[low]


@njit(cache=True)
def _gains(entries, entry_starts, chunk_of, leaf_of, leaf_sizes, left, stands_alone, here, supported, total):
    """Equation 1, and Lemma 2 for every leaf once the chosen terms have left its term chunk.

    here : scratch of zeros by leaf.
    """
    moved, places, fine = 0, 0, True
    for term in range(len(chunk_of)):
        if chunk_of[term] >= 0:
            for at in range(entry_starts[term], entry_starts[term + 1]):
                here[leaf_of[entries[at]]] += 1
                moved += 1
    for entry in entries:
        leaf = leaf_of[entry]
        if here[leaf] > 0:
            fine = fine and (left[leaf] > here[leaf] or stands_alone[leaf])
            places += leaf_sizes[leaf]
            here[leaf] = 0
    return fine and moved > 0 and supported * places >= moved * total


@njit(cache=True)
def shared_terms(
    one, supports, heads, other, other_supports, other_heads, held, held_sizes, other_held, other_held_sizes,
    following, starts, postings, leaf_of, leaf_sizes, left, stands_alone, names, place_of, row_of, here,
    total, m, k, safe,
):  # fmt: skip
    """The terms that two clusters may share, int64[...], and the shared chunk of each, int64[...] (-1: none).

    one, other : the terms of the clusters.  held, held_sizes : terms in chunks below, rising, and in how many records
    each must not be put for that.  leaf_of : the leaf of each entry.  left : how many terms the term chunk of each
    leaf still has.  stands_alone : bool[leaves], whether Lemma 2 holds for the leaf without a term chunk.
    names : by which terms of the same support are ranked.  total : how many records both have.
    Then the entries of the terms, and where those of each begin.  The terms are none where the clusters do not gain.
    """
    at, beside = _common_terms(one, supports, other, other_supports, k, names, place_of)
    terms, blocked = np.empty(len(at), dtype=np.int64), np.zeros(len(at), dtype=np.int64)
    for i in range(len(at)):
        terms[i] = one[at[i]]
    _add_sizes(terms, held, held_sizes, blocked)
    _add_sizes(terms, other_held, other_held_sizes, blocked)
    n, n_postings, support = 0, np.int64(0), np.empty(len(at), dtype=np.int64)
    for i in range(len(at)):
        have = supports[at[i]] + other_supports[beside[i]]
        if blocked[i] == 0 or have + k <= total - blocked[i]:  # the others do not fit into a chunk of their own
            at[n], beside[n], terms[n], blocked[n], support[n] = at[i], beside[i], terms[i], blocked[i], have
            n_postings += have
            n += 1
    at, beside, terms, blocked = at[:n], beside[:n], terms[:n], blocked[:n]
    entries, entry_starts = _entries_of(at, beside, heads, other_heads, following, n_postings)
    rows, row_starts = _rows_of(entries, entry_starts, starts, postings, row_of, n_postings)
    chunk_of = chunks_of_terms(rows, row_starts, len(terms), blocked, total, m, k, safe)
    supported = np.int64(0)
    for i in range(len(terms)):
        if chunk_of[i] >= 0:
            supported += support[i]
    if not _gains(entries, entry_starts, chunk_of, leaf_of, leaf_sizes, left, stands_alone, here, supported, total):
        return terms[:0], chunk_of[:0], entries, entry_starts
    return terms, chunk_of, entries, entry_starts


@njit(cache=True)
def move_terms(entries, entry_starts, chunk_of, starts, items, leaf_of, left, first_chunk, parts, chunks):
    """Take the chosen terms out of the term chunks; the items' shared chunks go into `chunks`.

    items : the item of each posting.  chunks : int32 by item, the number of its shared chunk, counted from first_chunk.
    """
    for term in range(len(chunk_of)):
        if chunk_of[term] < 0:
            continue
        for at in range(entry_starts[term], entry_starts[term + 1]):
            left[leaf_of[entries[at]]] -= 1
            for i in range(starts[entries[at]], starts[entries[at] + 1]):
                parts[items[i]] = SHARED
                chunks[items[i]] = first_chunk + chunk_of[term]


@njit(cache=True)
def merge_terms(terms, supports, heads, tails, more_terms, more_supports, more_heads, more_tails, chosen, following):
    """The union of two clusters' terms without the chosen ones (rising): terms, supports, first and last entries.

    following : the entries of a term that both have are chained.
    """
    n = len(terms) + len(more_terms)
    merged, summed = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    first, last = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    count, i, j, c = 0, 0, 0, 0
    while i < len(terms) or j < len(more_terms):
        if j == len(more_terms) or (i < len(terms) and terms[i] < more_terms[j]):
            merged[count], summed[count], first[count], last[count] = terms[i], supports[i], heads[i], tails[i]
            i += 1
        elif i == len(terms) or terms[i] > more_terms[j]:
            merged[count], summed[count] = more_terms[j], more_supports[j]
            first[count], last[count] = more_heads[j], more_tails[j]
            j += 1
        else:
            merged[count], summed[count] = terms[i], supports[i] + more_supports[j]
            first[count], last[count] = heads[i], more_tails[j]
            following[tails[i]] = more_heads[j]
            i += 1
            j += 1
        while c < len(chosen) and chosen[c] < merged[count]:
            c += 1
        if c == len(chosen) or chosen[c] != merged[count]:
            count += 1
    return merged[:count], summed[:count], first[:count], last[:count]


@njit(cache=True)
def merge_sizes(terms, sizes, more_terms, more_sizes):
    """The union of two rising lists of terms, the sizes beside them added up."""
    n = len(terms) + len(more_terms)
    merged, summed = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    count, i, j = 0, 0, 0
    while i < len(terms) or j < len(more_terms):
        if j == len(more_terms) or (i < len(terms) and terms[i] < more_terms[j]):
            merged[count], summed[count] = terms[i], sizes[i]
            i += 1
        elif i == len(terms) or terms[i] > more_terms[j]:
            merged[count], summed[count] = more_terms[j], more_sizes[j]
            j += 1
        else:
            merged[count], summed[count] = terms[i], sizes[i] + more_sizes[j]
            i += 1
            j += 1
        count += 1
    return merged[:count].copy(), summed[:count].copy()
