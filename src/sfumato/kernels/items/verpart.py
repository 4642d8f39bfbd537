"""VERPART over many clusters: the division of each cluster's terms into record chunks and a term chunk."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner
from sfumato.kernels.items.term_chunks import chunks_of_terms
from sfumato.kernels.mining.pattern_buffers import sort

__all__ = ["SUPPRESSED", "TERM", "cluster_rows", "ranked_terms", "rows_of_terms", "vertical_parts", "write_parts"]

TERM, SUPPRESSED = -1, -2


class ClusterRows(NamedTuple):
    """The ranked terms of a cluster, record by record."""

    n_ranked: Any  # how many terms are ranked
    n_seen: Any  # how many terms there are
    rows: Any  # int64[...]: the ranked terms of each record, rising
    row_starts: Any  # int64[records + 1]
    origin: Any  # int64[...]: the item of each


@inner
def ranked_terms(seen, n_seen, supports, skipped, k, n_terms):
    """The terms with a support of at least k, best supported first and then by name; int64[...]."""
    keys = np.empty(n_seen, dtype=np.int64)
    most, n = np.int64(0), np.int64(0)
    for i in range(n_seen):
        most = max(most, supports[seen[i]])
    for i in range(n_seen):
        if supports[seen[i]] >= k and not skipped[seen[i]]:
            keys[n] = (most - supports[seen[i]]) * n_terms + seen[i]
            n += 1
    sort(keys, n)
    for i in range(n):
        keys[i] %= n_terms
    return keys[:n]


@inner
def rows_of_terms(codes, places, ends, rank):
    """The ranked terms of each row, rising, and the place of each in `codes`.

    places : int64[...], where the rows' terms lie, row after row; ends : where each row ends among them.
    rank : int64 by code, -1 for terms that do not count.
    """
    rows, origin = np.empty(len(places), dtype=np.int64), np.empty(len(places), dtype=np.int64)
    row_starts = np.zeros(len(ends) + 1, dtype=np.int64)
    n, position = 0, 0
    for row in range(len(ends)):
        begun = n
        while position < ends[row]:
            term = rank[codes[places[position]]]
            if term >= 0:
                spot = n
                while spot > begun and rows[spot - 1] > term:
                    rows[spot], origin[spot] = rows[spot - 1], origin[spot - 1]
                    spot -= 1
                rows[spot], origin[spot] = term, places[position]
                n += 1
            position += 1
        row_starts[row + 1] = n
    return rows[:n], row_starts, origin[:n]


@inner
def _repair(chunk_of, rows, row_starts, suppressed, size, m, k):
    """The rarest term, which goes to the term chunk where Lemma 2 asks for it; otherwise -1."""
    n_chunks = np.int64(0)
    for term in range(len(chunk_of)):
        n_chunks = max(n_chunks, chunk_of[term] + 1)
    last, subrecords = np.full(n_chunks, -1, dtype=np.int64), 0
    supports = np.zeros(len(chunk_of), dtype=np.int64)
    for row in range(len(row_starts) - 1):
        for i in range(row_starts[row], row_starts[row + 1]):
            if not suppressed[i]:
                supports[rows[i]] += 1
                if last[chunk_of[rows[i]]] != row:
                    last[chunk_of[rows[i]]] = row
                    subrecords += 1
    if n_chunks == 0 or subrecords >= size + k * (min(m, n_chunks) - 1):
        return -1
    rarest = 0
    for term in range(len(chunk_of)):
        if supports[term] < supports[rarest]:
            rarest = term
    for term in range(len(chunk_of)):  # ranked by support as it was: among the rarest, the earliest name
        if supports[term] == supports[rarest]:
            return term
    return -1


@inner
def cluster_rows(codes, offsets, starts, cluster, n_terms, skipped, k, supports, rank, seen, parts):
    """The terms of a cluster with a support of at least k, as rows of ranked terms (lines 1 to 7).

    supports : zeros by term, rank : -1 by term, seen : int64 by term; scratch, left so.
    Returns ClusterRows.
    parts : all items of the cluster are put into the term chunk.
    """
    begin, end = offsets[starts[cluster]], offsets[starts[cluster + 1]]
    n_seen = np.int64(0)
    for i in range(begin, end):
        parts[i] = TERM
        if supports[codes[i]] == 0:
            seen[n_seen] = codes[i]
            n_seen += 1
        supports[codes[i]] += 1
    ranked = ranked_terms(seen, n_seen, supports, skipped, k, n_terms)
    for i in range(n_seen):
        supports[seen[i]] = 0
    for i in range(len(ranked)):
        rank[ranked[i]] = i
    places, ends = (
        np.empty(end - begin, dtype=np.int64),
        np.empty(starts[cluster + 1] - starts[cluster], dtype=np.int64),
    )
    for i in range(begin, end):
        places[i - begin] = i
    for row in range(len(ends)):
        ends[row] = offsets[starts[cluster] + row + 1] - begin
    rows, row_starts, origin = rows_of_terms(codes, places, ends, rank)
    for i in range(len(ranked)):
        rank[ranked[i]] = -1
    return ClusterRows(len(ranked), n_seen, rows, row_starts, origin)


@inner
def write_parts(chunk_of, cluster, suppressed, m, k, parts):
    """Write the record chunks of a cluster's items, with the repair of Lemma 2 where the term chunk is empty."""
    _, n_seen, rows, row_starts, origin = cluster
    moved = -1
    if len(chunk_of) == n_seen:
        moved = _repair(chunk_of, rows, row_starts, suppressed, len(row_starts) - 1, m, k)
    for i in range(len(rows)):
        if rows[i] != moved:
            parts[origin[i]] = SUPPRESSED if suppressed[i] else chunk_of[rows[i]]


@njit(cache=True)
def vertical_parts(codes, offsets, starts, first, last, n_terms, skipped, m, k, parts):
    """Divide the terms of the clusters first to last - 1.

    codes, offsets : records in the order of their clusters; starts : int64[clusters + 1], over records.
    skipped : bool[n_terms], terms that never leave the term chunk.
    parts : int32[total], filled: the record chunk of each item within its cluster, TERM or SUPPRESSED.
    """
    supports, rank = np.zeros(n_terms, dtype=np.int64), np.full(n_terms, -1, dtype=np.int64)
    seen = np.empty(n_terms, dtype=np.int64)
    for cluster in range(first, last):
        content = cluster_rows(codes, offsets, starts, cluster, n_terms, skipped, k, supports, rank, seen, parts)
        rows, row_starts, n_ranked = content.rows, content.row_starts, content.n_ranked
        suppressed, blocked = np.zeros(len(rows), dtype=np.bool_), np.zeros(n_ranked, dtype=np.int64)
        chunk_of = chunks_of_terms(rows, row_starts, n_ranked, blocked, len(row_starts) - 1, m, k, np.bool_(False))
        write_parts(chunk_of, content, suppressed, m, k, parts)
