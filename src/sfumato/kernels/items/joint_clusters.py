"""Joining of two clusters of disassociated records (a step of REFINE): the terms that they share, and the merged lists.

Only the entries of common terms are read, so that a large cluster costs no more than what it may share.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner
from sfumato.kernels.items.bisection import lower_bound
from sfumato.kernels.items.term_chunks import chunks_of_terms
from sfumato.kernels.mining.pattern_buffers import sort

__all__ = [
    "BEGIN",
    "END",
    "SHARED",
    "ClusterTerms",
    "Entries",
    "HeldTerms",
    "JoinScratch",
    "Leaves",
    "SharedTerms",
    "merge_sizes",
    "merge_terms",
    "move_terms",
    "shared_terms",
]

SHARED = -3
NEXT, BEGIN, END, LEAF = range(4)  # the next entry of the same cluster and term, or -1; its records; its leaf


class ClusterTerms(NamedTuple):
    """The terms that a cluster may share."""

    terms: Any  # rising
    supports: Any
    heads: Any  # the first entry of each
    tails: Any  # the last entry of each


class HeldTerms(NamedTuple):
    """Terms in chunks below a cluster."""

    terms: Any  # rising
    sizes: Any  # in how many records each must not be put for that


class Entries(NamedTuple):
    """An entry is a term in the term chunk of a leaf, with its records.

    Four numbers of an entry lie together, so that a jump to it reads memory once.
    """

    chain: Any  # int32[entries, 4]: NEXT, BEGIN, END, LEAF
    postings: Any  # int32[...]: the records
    items: Any  # int32[...]: the item of each record


class Leaves(NamedTuple):
    """The clusters that are not joint."""

    sizes: Any  # int64[leaves]
    left: Any  # int64[leaves]: how many terms the term chunk still has
    stands_alone: Any  # bool[leaves]: whether Lemma 2 holds without a term chunk


class JoinScratch(NamedTuple):
    """Scratch arrays."""

    place_of: Any  # int64 by name
    row_of: Any  # int32 by record, all -1
    here: Any  # int64 by leaf, all 0


class SharedTerms(NamedTuple):
    """The terms that two clusters may share, and their entries; no term where the clusters do not gain."""

    terms: Any  # int64[...]
    chunk_of: Any  # int64[...]: the shared chunk of each term, -1 for none
    entries: Any  # int64[...]
    entry_starts: Any  # int64[...]: where the entries of each term begin


@inner
def _common_terms(terms, supports, more_terms, more_supports, k, names, place_of):
    """Where the terms stand in both lists whose common support is at least k: best supported first, then by name.

    names : int64 by term.  place_of : int64 by name, scratch.
    """
    n = min(len(terms), len(more_terms))
    keys, places, beside = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    count, i, j, most = np.int64(0), 0, 0, np.int64(0)
    while i < len(terms) and j < len(more_terms):
        if terms[i] == more_terms[j]:
            support = supports[i] + more_supports[j]
            if support >= k:
                keys[count], places[count], beside[count] = support, i, j
                most = max(most, support)
                count += 1
            i += 1
            j += 1
        elif terms[i] < more_terms[j]:
            i += 1
        else:
            j += 1
    for i in range(count):
        name = names[terms[places[i]]]
        keys[i], place_of[name] = (most - keys[i]) * len(names) + name, i
    sort(keys, count)
    ranked, ranked_beside = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    for i in range(count):
        place = place_of[keys[i] % len(names)]
        ranked[i], ranked_beside[i] = places[place], beside[place]
    return ranked, ranked_beside


@inner
def _entries_of(places, beside, heads, more_heads, chain, total):
    """The entries of each common term, and where those of each begin; `total` is no less than their number."""
    entries, starts = np.empty(total, dtype=np.int64), np.zeros(len(places) + 1, dtype=np.int64)
    n = 0
    for i in range(len(places)):
        for head in (heads[places[i]], more_heads[beside[i]]):
            entry = head
            while entry >= 0:
                entries[n] = entry
                n += 1
                entry = chain[entry, NEXT]
        starts[i + 1] = n
    return entries[:n], starts


@inner
def _rows_of(entries, entry_starts, chain, postings, row_of, total):
    """The common terms of each record that has some, rising; rows come in the order in which records are met.

    row_of : scratch of -1 by record.  total : how many postings there are.
    """
    row_starts, n_rows = np.zeros(total + 1, dtype=np.int64), 0
    for entry in entries:
        for i in range(chain[entry, BEGIN], chain[entry, END]):
            if row_of[postings[i]] < 0:
                row_of[postings[i]] = n_rows
                n_rows += 1
            row_starts[row_of[postings[i]] + 1] += 1
    for row in range(n_rows):
        row_starts[row + 1] += row_starts[row]
    rows, filled = np.empty(total, dtype=np.int64), row_starts.copy()
    for term in range(len(entry_starts) - 1):
        for position in range(entry_starts[term], entry_starts[term + 1]):
            entry = entries[position]
            for i in range(chain[entry, BEGIN], chain[entry, END]):
                row = row_of[postings[i]]
                rows[filled[row]] = term
                filled[row] += 1
    for entry in entries:
        for i in range(chain[entry, BEGIN], chain[entry, END]):
            row_of[postings[i]] = -1
    return rows, row_starts[: n_rows + 1]


@inner
def _add_sizes(wanted, terms, sizes, totals):
    """Add to `totals` the size beside each wanted term in a rising list."""
    for i in range(len(wanted)):
        place = lower_bound(terms, np.int64(0), len(terms), wanted[i])
        if place < len(terms) and terms[place] == wanted[i]:
            totals[i] += sizes[place]


@inner
def _gains(entries, entry_starts, chunk_of, chain, leaves, here, supported, total):
    """Whether Equation 1 holds, and Lemma 2 for every leaf once the chosen terms have left its term chunk.

    here : scratch of zeros by leaf.
    """
    moved, places, fine = 0, 0, True
    for term in range(len(chunk_of)):
        if chunk_of[term] >= 0:
            for position in range(entry_starts[term], entry_starts[term + 1]):
                here[chain[entries[position], LEAF]] += 1
                moved += 1
    for entry in entries:
        leaf = chain[entry, LEAF]
        if here[leaf] > 0:
            fine = fine and (leaves.left[leaf] > here[leaf] or leaves.stands_alone[leaf])
            places += leaves.sizes[leaf]
            here[leaf] = 0
    return fine and moved > 0 and supported * places >= moved * total


@njit(cache=True)
def shared_terms(left, right, held, other_held, entries, leaves, names, scratch, total, m, k, safe):
    """The terms that two clusters may share, and the shared chunk of each, as SharedTerms.

    left, right : ClusterTerms.  held, other_held : HeldTerms.  entries : Entries.  leaves : Leaves.
    names : by which terms of the same support are ranked.  scratch : JoinScratch.  total : how many records both have.
    """
    places, beside = _common_terms(left.terms, left.supports, right.terms, right.supports, k, names, scratch.place_of)
    terms, blocked = np.empty(len(places), dtype=np.int64), np.zeros(len(places), dtype=np.int64)
    for i in range(len(places)):
        terms[i] = left.terms[places[i]]
    _add_sizes(terms, held.terms, held.sizes, blocked)
    _add_sizes(terms, other_held.terms, other_held.sizes, blocked)
    n, n_postings, support = 0, np.int64(0), np.empty(len(places), dtype=np.int64)
    for i in range(len(places)):
        have = left.supports[places[i]] + right.supports[beside[i]]
        if blocked[i] == 0 or have + k <= total - blocked[i]:  # the others do not fit into a chunk of their own
            places[n], beside[n], terms[n], blocked[n], support[n] = places[i], beside[i], terms[i], blocked[i], have
            n_postings += have
            n += 1
    places, beside, terms, blocked = places[:n], beside[:n], terms[:n], blocked[:n]
    numbers, entry_starts = _entries_of(places, beside, left.heads, right.heads, entries.chain, n_postings)
    rows, row_starts = _rows_of(numbers, entry_starts, entries.chain, entries.postings, scratch.row_of, n_postings)
    chunk_of = chunks_of_terms(rows, row_starts, len(terms), blocked, total, m, k, safe)
    supported = np.int64(0)
    for i in range(len(terms)):
        if chunk_of[i] >= 0:
            supported += support[i]
    if not _gains(numbers, entry_starts, chunk_of, entries.chain, leaves, scratch.here, supported, total):
        return terms[:0], chunk_of[:0], numbers, entry_starts
    return terms, chunk_of, numbers, entry_starts


@njit(cache=True)
def move_terms(shared, entries, left, first_chunk, parts, chunks):
    """Take the shared terms out of the term chunks, and write the items' shared chunks into `chunks`.

    left : see Leaves.  chunks : int32 by item, the number of its shared chunk, counted from first_chunk.
    """
    for term in range(len(shared.chunk_of)):
        if shared.chunk_of[term] < 0:
            continue
        for position in range(shared.entry_starts[term], shared.entry_starts[term + 1]):
            entry = shared.entries[position]
            left[entries.chain[entry, LEAF]] -= 1
            for i in range(entries.chain[entry, BEGIN], entries.chain[entry, END]):
                parts[entries.items[i]] = SHARED
                chunks[entries.items[i]] = first_chunk + shared.chunk_of[term]


@njit(cache=True)
def merge_terms(left, right, chosen, chain):
    """The union of two clusters' terms without the chosen ones (rising), as ClusterTerms.

    chain : of Entries; the entries of a term that both have are chained.
    """
    terms, supports, heads, tails = left
    more_terms, more_supports, more_heads, more_tails = right
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
            chain[tails[i], NEXT] = more_heads[j]
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
    merged, summed = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int64)
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
