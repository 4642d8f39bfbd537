"""Division of terms into k^m-anonymous chunks by the greedy of VERPART, for clusters and for shared chunks alike.

Rows are records; terms are numbered in the order in which they are tried.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.inner import inner

__all__ = [
    "TermRows",
    "chunks_of_terms",
    "count_left",
    "has_cover",
    "is_frequent",
    "longest_row",
    "rows_left",
    "term_rows",
]


class TermRows(NamedTuple):
    """The terms of each row, the rows of each term, and which occurrences are suppressed."""

    rows: Any  # int64[...]: the terms of each row, rising
    row_starts: Any  # int64[rows + 1]
    starts: Any  # int64[terms + 1]: where the rows of each term begin
    holders: Any  # int64[...]: the rows of each term
    places: Any  # int64[...]: beside each, the place of the term in `rows`
    suppressed: Any  # bool[...], by place


@inner
def term_rows(rows, row_starts, n_terms, suppressed):
    """The rows of each term; suppressed : bool[len(rows)]."""
    starts = np.zeros(n_terms + 1, dtype=np.int64)
    for i in range(len(rows)):
        starts[rows[i] + 1] += 1
    for term in range(n_terms):
        starts[term + 1] += starts[term]
    holders, places = np.empty(len(rows), dtype=np.int64), np.empty(len(rows), dtype=np.int64)
    filled = starts.copy()
    for row in range(len(row_starts) - 1):
        for i in range(row_starts[row], row_starts[row + 1]):
            holders[filled[rows[i]]] = row
            places[filled[rows[i]]] = i
            filled[rows[i]] += 1
    return TermRows(rows, row_starts, starts, holders, places, suppressed)


@inner
def _companions(some, n, after, k, data, inside, counts, companions):
    """Write the terms of the chunk, behind `after`, that occur in these rows; -1 if one of them in fewer than k."""
    rows, row_starts, suppressed = data.rows, data.row_starts, data.suppressed
    n_found = 0
    for position in range(n):
        for i in range(row_starts[some[position]], row_starts[some[position] + 1]):
            term = rows[i]
            if term > after and inside[term] and not suppressed[i]:
                if counts[term] == 0:
                    companions[n_found] = term
                    n_found += 1
                counts[term] += 1
    enough = True
    for i in range(n_found):
        enough = enough and counts[companions[i]] >= k
        counts[companions[i]] = 0
    return n_found if enough else -1


@inner
def is_frequent(some, n, after, left, k, data, inside, counts):
    """Whether every set of up to `left` more terms of the chunk that occurs in these rows occurs in k of them.

    Terms behind `after` only.  Sets grow depth first, each by terms behind its last one, so that none is met twice.
    """
    rows, row_starts, suppressed = data.rows, data.row_starts, data.suppressed
    depth = np.int64(0)
    companions = np.empty((left, len(counts)), dtype=np.int64)
    n_found, next_one = np.zeros(left, dtype=np.int64), np.zeros(left, dtype=np.int64)
    n_found[0] = _companions(some, n, after, k, data, inside, counts, companions[0])
    if n_found[0] < 0 or left == 1:
        return n_found[0] >= 0
    fewer, n_fewer = np.empty((left, n), dtype=np.int64), np.zeros(left, dtype=np.int64)
    for position in range(n):
        fewer[0, position] = some[position]
    n_fewer[0] = n
    while depth >= 0:
        if next_one[depth] == n_found[depth] or depth == left - 1:
            depth -= 1
            continue
        term = companions[depth, next_one[depth]]
        next_one[depth] += 1
        count = np.int64(0)
        for position in range(n_fewer[depth]):
            row = fewer[depth, position]
            for i in range(row_starts[row], row_starts[row + 1]):
                if rows[i] == term and not suppressed[i]:
                    fewer[depth + 1, count] = row
                    count += 1
        depth += 1
        n_fewer[depth], next_one[depth] = count, 0
        n_found[depth] = _companions(fewer[depth], count, term, k, data, inside, counts, companions[depth])
        if n_found[depth] < 0:
            return False
    return True


@inner
def rows_left(term, data):
    """The rows in which a term is not suppressed."""
    some = np.empty(data.starts[term + 1] - data.starts[term], dtype=np.int64)
    n = 0
    for position in range(data.starts[term], data.starts[term + 1]):
        if not data.suppressed[data.places[position]]:
            some[n] = data.holders[position]
            n += 1
    return some[:n]


@inner
def count_left(term, data):
    """Count the rows in which a term is not suppressed."""
    n = 0
    for position in range(data.starts[term], data.starts[term + 1]):
        n += not data.suppressed[data.places[position]]
    return n


@inner
def _anonymous(some, k, kind_of, kind_sizes, split):
    """Whether the distinct subrecords of these rows and the rest of theirs would occur k times with one more term.

    kind_of : which subrecord each row has so far, 0 for none; split : scratch, zeros by kind.
    """
    first = kind_of[some[0]]
    if len(some) < 2 * k:  # not enough for two kinds
        for position in range(1, len(some)):
            if kind_of[some[position]] != first:
                return False
    for position in range(len(some)):
        split[kind_of[some[position]]] += 1
    fine = True
    for position in range(len(some)):
        kind = kind_of[some[position]]
        rest = kind_sizes[kind] - split[kind]
        fine = fine and split[kind] >= k and (kind == 0 or rest == 0 or rest >= k)
    for position in range(len(some)):
        split[kind_of[some[position]]] = 0
    return fine


@inner
def _split_kinds(some, k, kind_of, kind_sizes, n_kinds, split, kind_before):
    """Give the rows with a new term their new subrecord.

    kind_before : scratch, filled for the new kinds: the one that each was a part of.
    Returns the number of kinds, and how many kinds that occur fewer than k times there are more than before.
    """
    first_new, more_rare = n_kinds, 0
    for position in range(len(some)):
        kind = kind_of[some[position]]
        if split[kind] == 0:
            split[kind], kind_before[n_kinds] = n_kinds, kind
            n_kinds += 1
        kind_of[some[position]] = split[kind]
        kind_sizes[kind] -= 1
        kind_sizes[split[kind]] += 1
    for kind in range(first_new, n_kinds):
        before = kind_before[kind]
        split[before] = 0
        more_rare += kind_sizes[kind] < k
        if before > 0:  # 0 stands for no subrecord
            more_rare += 0 < kind_sizes[before] < k
            more_rare -= kind_sizes[before] + kind_sizes[kind] < k
    return n_kinds, more_rare


@inner
def _rare_pairs(data, n_terms, k, counts):
    """The pairs of terms that occur together, in fewer than k rows: of each term the earlier ones.

    counts : zeros by term, scratch.  Returns where the pairs of each term begin, int64[n_terms + 1], and the others.
    """
    starts, holders, places, rows = data.starts, data.holders, data.places, data.rows
    pair_starts, others, n = np.zeros(n_terms + 1, dtype=np.int64), np.empty(len(rows) + 16, dtype=np.int64), 0
    for term in range(n_terms):
        for position in range(starts[term], starts[term + 1]):
            for i in range(data.row_starts[holders[position]], places[position]):
                if counts[rows[i]] == 0:
                    if n == len(others):
                        longer = np.empty(2 * n, dtype=np.int64)
                        for j in range(n):
                            longer[j] = others[j]
                        others = longer
                    others[n] = rows[i]
                    n += 1
                counts[rows[i]] += 1
        end, n = n, pair_starts[term]
        for i in range(n, end):
            other = others[i]
            if counts[other] < k:
                others[n] = other
                n += 1
            counts[other] = 0
        pair_starts[term + 1] = n
    return pair_starts, others


@inner
def has_cover(term, some, inside, data, counts):
    """Whether a new term would always occur with another of the chunk, or another with it."""
    rows, row_starts = data.rows, data.row_starts
    for position in range(len(some)):
        for i in range(row_starts[some[position]], row_starts[some[position] + 1]):
            if inside[rows[i]] and not data.suppressed[i]:
                counts[rows[i]] += 1
    covered = False
    for position in range(len(some)):
        for i in range(row_starts[some[position]], row_starts[some[position] + 1]):
            other = rows[i]
            if counts[other] > 0 and other != term:
                covered = covered or counts[other] == len(some)
                covered = covered or counts[other] == count_left(other, data)
            counts[other] = 0
    return covered


@inner
def longest_row(row_starts):
    """How many terms a row has at most; larger sets do not occur."""
    longest = np.int64(1)
    for row in range(len(row_starts) - 1):
        longest = max(longest, row_starts[row + 1] - row_starts[row])
    return longest


@inner
def _is_frequent_inside(term, some, m, k, data, pairs, inside, counts):
    """Whether every set of up to m terms that a new term would make in the chunk occurs in k rows.

    pairs : as by `_rare_pairs`.
    """
    pair_starts, others = pairs
    for i in range(pair_starts[term], pair_starts[term + 1]):
        if inside[others[i]]:
            return False
    return m == 2 or is_frequent(some, len(some), np.int64(-1), m - 1, k, data, inside, counts)


@inner
def _unrestricted(some, restricted):
    """How many of these rows are not restricted."""
    n = 0
    for row in some:
        n += not restricted[row]
    return n


@inner
def _still_waiting(waiting, n, inside, starts, holders, kind_of, restricted):
    """Drop the terms that went into the chunk, and reset what is known about their rows; returns how many wait."""
    n_left = 0
    for i in range(n):
        term = waiting[i]
        if inside[term]:
            inside[term] = False
            for position in range(starts[term], starts[term + 1]):
                kind_of[holders[position]], restricted[holders[position]] = 0, False
        else:
            waiting[n_left] = term
            n_left += 1
    return n_left


@inner
def chunks_of_terms(rows, row_starts, n_terms, blocked, total, m, k, safe):
    """Divide terms into chunks greedily (VERPART, lines 8 to 15).

    rows : int64[...] and row_starts : int64[n + 1], the terms of each row, rising.  Every term has k rows.
    blocked : int64[n_terms], in how many records of the `total` a term must not be put (Property 1); a chunk with a
    blocked term is k-anonymous, and at least k more records remain where nothing is blocked.
    safe : no term may always occur with another in its chunk.
    Returns int64[n_terms], the chunk of each term, -1 for a blocked term that fits nowhere.
    """
    data = term_rows(rows, row_starts, n_terms, np.zeros(len(rows), dtype=np.bool_))
    starts, holders, n_rows = data.starts, data.holders, len(row_starts) - 1
    chunk_of = np.full(n_terms, -1, dtype=np.int64)
    m = min(m, longest_row(row_starts))
    waiting, n_waiting = np.empty(n_terms, dtype=np.int64), np.int64(0)
    any_blocked = False
    for term in range(n_terms):
        any_blocked = any_blocked or blocked[term] > 0
        if blocked[term] == 0 or starts[term + 1] - starts[term] + k <= total - blocked[term]:
            waiting[n_waiting] = term  # the others do not even fit into a chunk of their own
            n_waiting += 1
    inside, counts = np.zeros(n_terms, dtype=np.bool_), np.zeros(n_terms, dtype=np.int64)
    kind_of, restricted = np.zeros(n_rows, dtype=np.int64), np.zeros(n_rows, dtype=np.bool_)
    kind_sizes, split = np.zeros(len(rows) + 1, dtype=np.int64), np.zeros(len(rows) + 1, dtype=np.int64)
    kind_before, chunk = np.empty(len(rows) + 1, dtype=np.int64), 0
    least_blocked = np.empty(n_terms, dtype=np.int64)  # of a term that waits and those behind it
    pairs = _rare_pairs(data, n_terms, k, counts)
    while n_waiting > 0:
        n_kinds, n_rare, closed, n_restricted, strict = np.int64(1), 0, np.int64(0), 0, np.bool_(False)
        kind_sizes[0] = n_rows
        least_blocked[n_waiting - 1] = blocked[waiting[n_waiting - 1]]
        for i in range(n_waiting - 2, -1, -1):
            least_blocked[i] = min(least_blocked[i + 1], blocked[waiting[i]])
        for i in range(n_waiting):
            term = waiting[i]
            some = holders[starts[term] : starts[term + 1]]
            if blocked[term] > 0 or strict:
                room = total - closed - k - n_restricted
                if strict and room < least_blocked[i]:
                    break
                if n_rare > 0 or room < blocked[term]:
                    continue
                if not _anonymous(some, k, kind_of, kind_sizes, split):  # what is k-anonymous is k^m-anonymous
                    continue
                if blocked[term] > 0 and _unrestricted(some, restricted) > room - blocked[term]:
                    continue
            elif i > 0 and m > 1 and not _is_frequent_inside(term, some, m, k, data, pairs, inside, counts):
                continue
            if safe and has_cover(term, some, inside, data, counts):
                continue
            inside[term] = True
            chunk_of[term] = chunk
            if any_blocked:
                n_kinds, more_rare = _split_kinds(some, k, kind_of, kind_sizes, n_kinds, split, kind_before)
                n_rare += more_rare
            if blocked[term] > 0:
                strict = True
                closed += blocked[term]
                n_restricted += _unrestricted(some, restricted)
                for row in some:
                    restricted[row] = True
        chunk += 1
        n_before = n_waiting
        n_waiting = _still_waiting(waiting, n_waiting, inside, starts, holders, kind_of, restricted)
        if n_waiting == n_before:  # a blocked term with fewer rows than promised
            break
        for kind in range(n_kinds):
            kind_sizes[kind] = 0
    return chunk_of
