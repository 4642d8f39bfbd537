"""HORPART: division of records into clusters by their frequent terms (Terrovitis et al., 2012)."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner

__all__ = ["split_records"]


@inner
def _push(heap, n, key):
    """Put a key into a heap whose largest key is on top; returns the new size."""
    heap[n] = key
    position = n
    while position > 0 and heap[(position - 1) // 2] < heap[position]:
        heap[position], heap[(position - 1) // 2] = heap[(position - 1) // 2], heap[position]
        position = (position - 1) // 2
    return n + 1


@inner
def _pop(heap, n):
    """Move the largest key of a heap behind its end; returns the new size."""
    heap[0], heap[n - 1] = heap[n - 1], heap[0]
    n -= 1
    position = 0
    while True:
        child = 2 * position + 1
        if child >= n:
            return n
        if child + 1 < n and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= heap[position]:
            return n
        heap[position], heap[child] = heap[child], heap[position]
        position = child


@inner
def _cut(start, end, largest, starts, n_clusters):
    """Cut a range of records into clusters of nearly the same size, none above the largest."""
    n = end - start
    parts = (n + largest - 1) // largest
    for part in range(parts):
        starts[n_clusters] = start + n * part // parts
        n_clusters += 1
    return n_clusters


@inner
def _postings(order, start, end, codes, offsets, eligible, counts, first, places):
    """The records (as places in the order) of each eligible term; `first` is filled, `places` returned."""
    total = 0
    for position in range(start, end):
        for i in range(offsets[order[position]], offsets[order[position] + 1]):
            term = codes[i]
            if eligible[term] and first[term] < 0:
                first[term] = total
                total += counts[term]
    if total > len(places):
        places = np.empty(2 * total, dtype=np.int64)
    for position in range(start, end):
        for i in range(offsets[order[position]], offsets[order[position] + 1]):
            term = codes[i]
            if eligible[term]:
                places[first[term]] = position
                first[term] += 1
    for position in range(start, end):  # every first has moved to its end
        for i in range(offsets[order[position]], offsets[order[position] + 1]):
            if eligible[codes[i]]:
                first[codes[i]] -= 1
    return places


@njit(cache=True)
def split_records(codes, offsets, n_terms, skipped, smallest, largest, order):
    """Clusters of records: split by the most frequent term, again and again, until every part is small enough.

    codes : int32[total], offsets : int64[n + 1].  skipped : bool[n_terms], terms that never split.
    smallest, largest : sizes of a cluster, 2 * smallest <= largest, smallest <= n.
    order : int64[n], all records, rising; left in the order of their clusters.
    Returns where each cluster begins, int64[...].
    A part keeps the order of its records.  About O(total * depth) time, O(total) memory.
    """
    n = len(offsets) - 1
    moved = np.empty(n, dtype=np.int64)
    starts = np.empty(n // smallest + 1, dtype=np.int64)
    n_clusters = np.int64(0)
    # parts to look at: where they lie, and the last of the terms that led there
    part_start, part_end = np.zeros(n // smallest + 2, dtype=np.int64), np.zeros(n // smallest + 2, dtype=np.int64)
    part_used = np.full(n // smallest + 2, -1, dtype=np.int64)
    part_end[0] = n
    n_parts = 1 if n > 0 else 0
    used_term, used_before, n_used = np.empty(64, dtype=np.int64), np.empty(64, dtype=np.int64), 0
    counts, first = np.zeros(n_terms, dtype=np.int64), np.full(n_terms, -1, dtype=np.int64)
    eligible = np.zeros(n_terms, dtype=np.bool_)
    seen = np.empty(n_terms, dtype=np.int64)
    heap = np.empty(n_terms + 1, dtype=np.int64)
    alive = np.ones(n, dtype=np.bool_)
    places = np.empty(len(codes) // 2 + 16, dtype=np.int64)
    while n_parts > 0:
        n_parts -= 1
        start, end, used = part_start[n_parts], part_end[n_parts], part_used[n_parts]
        if end - start <= largest:  # line 1
            n_clusters = _cut(start, end, largest, starts, n_clusters)
            continue
        n_seen = 0
        for position in range(start, end):
            for i in range(offsets[order[position]], offsets[order[position] + 1]):
                if counts[codes[i]] == 0:
                    seen[n_seen] = codes[i]
                    n_seen += 1
                counts[codes[i]] += 1
        n_heap = np.int64(0)
        for i in range(n_seen):
            eligible[seen[i]] = counts[seen[i]] >= smallest and not skipped[seen[i]]
        node = used
        while node >= 0:
            eligible[used_term[node]] = False
            node = used_before[node]
        for i in range(n_seen):
            term = seen[i]
            if eligible[term]:
                n_heap = _push(heap, n_heap, counts[term] * n_terms + (n_terms - 1 - term))
        places = _postings(order, start, end, codes, offsets, eligible, counts, first, places)
        left, written = end - start, start
        while True:
            if left <= largest or n_heap == 0:
                break
            key = heap[0]
            n_heap = _pop(heap, n_heap)
            term = n_terms - 1 - key % n_terms  # line 3
            if counts[term] != key // n_terms:  # some of its records have gone
                if counts[term] >= smallest:
                    n_heap = _push(heap, n_heap, counts[term] * n_terms + (n_terms - 1 - term))
                else:
                    eligible[term] = False
                continue
            eligible[term] = False
            if n_used == len(used_term):
                longer, before = np.empty(2 * n_used, dtype=np.int64), np.empty(2 * n_used, dtype=np.int64)
                for i in range(n_used):
                    longer[i], before[i] = used_term[i], used_before[i]
                used_term, used_before = longer, before
            used_term[n_used], used_before[n_used] = term, used
            n_used += 1
            if left - counts[term] < smallest:  # the rest would be too small: both stay together
                used = n_used - 1
                continue
            begun, wanted, position = written, counts[term], first[term]
            while written - begun < wanted:  # line 4
                place = places[position]
                position += 1
                if alive[place]:
                    alive[place] = False
                    moved[written] = order[place]
                    written += 1
                    for i in range(offsets[order[place]], offsets[order[place] + 1]):
                        counts[codes[i]] -= 1
            left -= written - begun  # line 5
            part_start[n_parts], part_end[n_parts], part_used[n_parts] = begun, written, n_used - 1  # line 6
            n_parts += 1
        begun = written
        for position in range(start, end):
            if alive[position]:
                moved[written] = order[position]
                written += 1
                for i in range(offsets[order[position]], offsets[order[position] + 1]):
                    counts[codes[i]] -= 1
            alive[position] = True
        for position in range(start, end):
            order[position] = moved[position]
            for i in range(offsets[order[position]], offsets[order[position] + 1]):
                first[codes[i]] = -1
                eligible[codes[i]] = False
        n_clusters = _cut(begun, end, largest, starts, n_clusters)
    return starts[:n_clusters]
