"""VERPART without covers: record chunks in which no term always occurs with another (partial suppression)."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner
from sfumato.kernels.items.term_chunks import count_left, has_cover, is_frequent, longest_row, rows_left, term_rows
from sfumato.kernels.items.verpart import cluster_rows, write_parts

__all__ = ["safe_vertical_parts"]


@inner
def _suppress_one(term, other, data):
    """Suppress a term in the first row that has both terms and no suppression; returns the place or -1."""
    for position in range(data.starts[term], data.starts[term + 1]):
        row, has_both, untouched = data.holders[position], False, True
        for i in range(data.row_starts[row], data.row_starts[row + 1]):
            untouched = untouched and not data.suppressed[i]
            has_both = has_both or data.rows[i] == other
        if untouched and has_both:
            data.suppressed[data.places[position]] = True
            return data.places[position]
    return -1


@inner
def _count_together(some, inside, data, counts):
    """Count the terms of the chunk in these rows."""
    for row in some:
        for i in range(data.row_starts[row], data.row_starts[row + 1]):
            if inside[data.rows[i]] and not data.suppressed[i]:
                counts[data.rows[i]] += 1


@inner
def _uncover(term, some, inside, data, counts, places):
    """Suppress one occurrence for each cover between a term and the others of its chunk; returns how many.

    some : the rows with the term.  places : receives the places of the suppressed occurrences.
    """
    n_places = 0
    _count_together(some, inside, data, counts)
    for other in range(len(data.starts) - 1):
        together = counts[other]
        counts[other] = 0
        if together == 0 or other == term:
            continue
        always = together == count_left(other, data)
        if together == len(some):  # every row with the term has the other
            place = _suppress_one(other, term, data)
            if place >= 0:
                places[n_places] = place
                n_places += 1
        if always:
            place = _suppress_one(term, other, data)
            if place >= 0:
                places[n_places] = place
                n_places += 1
    return n_places


@inner
def _is_safe(inside, m, k, data, counts):
    """Whether the chunk is k^m-anonymous and no term in it always occurs with another."""
    n_terms = len(data.starts) - 1
    for term in range(n_terms):
        if not inside[term]:
            continue
        some = rows_left(term, data)
        if len(some) < k:
            return False
        if m > 1 and not is_frequent(some, len(some), term, m - 1, k, data, inside, counts):
            return False
        _count_together(some, inside, data, counts)
        covered = False
        for other in range(n_terms):
            covered = covered or (other != term and counts[other] == len(some))
            counts[other] = 0
        if covered:
            return False
    return True


@inner
def _fits_safely(term, m, k, inside, data, counts, places):
    """Whether a term can join a chunk without a cover; suppresses a few occurrences where that helps."""
    some = rows_left(term, data)
    if m > 1 and not is_frequent(some, len(some), np.int64(-1), m - 1, k, data, inside, counts):
        return False
    if not has_cover(term, some, inside, data, counts):
        return True
    inside[term] = True
    n_places = _uncover(term, some, inside, data, counts, places)
    if n_places > 0 and _is_safe(inside, m, k, data, counts):
        return True
    for i in range(n_places):
        data.suppressed[places[i]] = False
    inside[term] = False
    return False


@inner
def _safe_chunks(rows, row_starts, n_terms, m, k, suppressed):
    """Divide terms into chunks without covers, greedily; marks the suppressed occurrences."""
    data = term_rows(rows, row_starts, n_terms, suppressed)
    chunk_of, counts = np.full(n_terms, -1, dtype=np.int64), np.zeros(n_terms, dtype=np.int64)
    places = np.empty(2 * n_terms + 2, dtype=np.int64)
    m = min(m, longest_row(row_starts))
    chunk, left = 0, n_terms
    while left > 0:
        inside = np.zeros(n_terms, dtype=np.bool_)
        for term in range(n_terms):
            if chunk_of[term] < 0 and _fits_safely(term, m, k, inside, data, counts, places):
                inside[term], chunk_of[term] = True, chunk
                left -= 1
        chunk += 1
    return chunk_of


@njit(cache=True)
def safe_vertical_parts(codes, offsets, starts, first, last, n_terms, skipped, m, k, parts):
    """Divide the terms of the clusters first to last - 1 like `vertical_parts`, without covers."""
    supports, rank = np.zeros(n_terms, dtype=np.int64), np.full(n_terms, -1, dtype=np.int64)
    seen = np.empty(n_terms, dtype=np.int64)
    for cluster in range(first, last):
        rows = cluster_rows(codes, offsets, starts, cluster, n_terms, skipped, k, supports, rank, seen, parts)
        suppressed = np.zeros(len(rows.rows), dtype=np.bool_)
        chunk_of = _safe_chunks(rows.rows, rows.row_starts, rows.n_ranked, m, k, suppressed)
        write_parts(chunk_of, rows, suppressed, m, k, parts)
