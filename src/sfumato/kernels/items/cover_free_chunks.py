"""VERPART without covers: no term of a record chunk is always met with another (partial suppression)."""

import numpy as np
from numba import njit

from sfumato.kernels.items.term_chunks import (
    count_alive,
    has_cover,
    is_frequent,
    longest_row,
    rows_alive,
    rows_with_terms,
)
from sfumato.kernels.items.verpart import cluster_rows, write_parts

__all__ = ["safe_vertical_parts"]


@njit(cache=True, nogil=True)
def _kill(loser, other, starts, holders, places, rows, row_starts, dead):
    """Suppress a term in the first untouched row that has both; returns the place or -1."""
    for at in range(starts[loser], starts[loser + 1]):
        row, has_both, fresh = holders[at], False, True
        for i in range(row_starts[row], row_starts[row + 1]):
            fresh = fresh and not dead[i]
            has_both = has_both or rows[i] == other
        if fresh and has_both:
            dead[places[at]] = True
            return places[at]
    return -1


@njit(cache=True, nogil=True)
def _uncover(term, n_with, inside, starts, holders, places, rows, row_starts, dead, counts, killed):
    """Suppress one occurrence for each cover between a term and the others of its chunk; returns how many."""
    n_terms = len(starts) - 1
    n_killed = 0
    for at in range(starts[term], starts[term + 1]):
        if not dead[places[at]]:
            for i in range(row_starts[holders[at]], row_starts[holders[at] + 1]):
                if inside[rows[i]] and not dead[i]:
                    counts[rows[i]] += 1
    for other in range(n_terms):
        together = counts[other]
        counts[other] = 0
        if together == 0 or other == term:
            continue
        always = together == count_alive(other, starts, places, dead)
        if together == n_with:  # whoever has the term has the other
            place = _kill(other, term, starts, holders, places, rows, row_starts, dead)
            if place >= 0:
                killed[n_killed] = place
                n_killed += 1
        if always:
            place = _kill(term, other, starts, holders, places, rows, row_starts, dead)
            if place >= 0:
                killed[n_killed] = place
                n_killed += 1
    return n_killed


@njit(cache=True, nogil=True)
def _is_safe(inside, m, k, starts, holders, places, rows, row_starts, dead, counts):
    """Whether the chunk is k^m-anonymous and no term in it is always met with another."""
    n_terms = len(starts) - 1
    for term in range(n_terms):
        if not inside[term]:
            continue
        some = rows_alive(term, starts, holders, places, dead)
        if len(some) < k:
            return False
        if m > 1 and not is_frequent(some, len(some), term, m - 1, k, rows, row_starts, dead, inside, counts):
            return False
        for at in range(len(some)):
            for i in range(row_starts[some[at]], row_starts[some[at] + 1]):
                if inside[rows[i]] and not dead[i]:
                    counts[rows[i]] += 1
        covered = False
        for other in range(n_terms):
            covered = covered or (other != term and counts[other] == len(some))
            counts[other] = 0
        if covered:
            return False
    return True


@njit(cache=True, nogil=True)
def _fits_safely(term, m, k, inside, starts, holders, places, rows, row_starts, dead, counts, killed):
    """Whether a term can join a chunk without a cover; suppresses a few occurrences where that helps."""
    some = rows_alive(term, starts, holders, places, dead)
    if m > 1 and not is_frequent(some, len(some), -1, m - 1, k, rows, row_starts, dead, inside, counts):
        return False
    if not has_cover(term, some, inside, starts, places, rows, row_starts, dead, counts):
        return True
    inside[term] = True
    n_killed = _uncover(term, len(some), inside, starts, holders, places, rows, row_starts, dead, counts, killed)
    if n_killed > 0 and _is_safe(inside, m, k, starts, holders, places, rows, row_starts, dead, counts):
        return True
    for i in range(n_killed):
        dead[killed[i]] = False
    inside[term] = False
    return False


@njit(cache=True, nogil=True)
def _safe_chunks(rows, row_starts, n_terms, m, k, dead):
    """Divide terms into chunks without covers, greedily; dead is set where an occurrence was suppressed."""
    starts, holders, places = rows_with_terms(rows, row_starts, n_terms)
    chunk_of, counts = np.full(n_terms, -1, dtype=np.int64), np.zeros(n_terms, dtype=np.int64)
    killed = np.empty(2 * n_terms + 2, dtype=np.int64)
    m = min(m, longest_row(row_starts))
    chunk, left = 0, n_terms
    while left > 0:
        inside = np.zeros(n_terms, dtype=np.bool_)
        for term in range(n_terms):
            if chunk_of[term] < 0 and _fits_safely(
                term, m, k, inside, starts, holders, places, rows, row_starts, dead, counts, killed
            ):
                inside[term], chunk_of[term] = True, chunk
                left -= 1
        chunk += 1
    return chunk_of


@njit(cache=True, nogil=True)
def safe_vertical_parts(codes, offsets, starts, first, last, n_terms, skipped, m, k, parts):
    """As `vertical_parts`, without covers."""
    supports, rank = np.zeros(n_terms, dtype=np.int64), np.full(n_terms, -1, dtype=np.int64)
    seen = np.empty(n_terms, dtype=np.int64)
    for cluster in range(first, last):
        n_ranked, n_seen, rows, row_starts, origin = cluster_rows(
            codes, offsets, starts, cluster, n_terms, skipped, k, supports, rank, seen, parts
        )
        dead = np.zeros(len(rows), dtype=np.bool_)
        chunk_of = _safe_chunks(rows, row_starts, n_ranked, m, k, dead)
        write_parts(chunk_of, n_seen, rows, row_starts, origin, dead, m, k, parts)
