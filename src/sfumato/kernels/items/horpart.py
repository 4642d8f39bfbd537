"""HORPART: division of records into clusters by their frequent terms (Terrovitis et al., 2012)."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner

__all__ = ["split_records"]


class _Work(NamedTuple):
    """Records by their place, and scratch arrays.  The records of a part lie side by side, and so do their terms."""

    order: Any  # int64[n]: the record at each place
    begins: Any  # int64[n]: where its terms begin
    ends: Any  # int64[n]
    items: Any  # int32[...]: the terms
    moved_order: Any  # int64[n]: the same, of the part that is being split
    moved_ends: Any  # int64[n]
    moved_items: Any  # int32[...]
    alive: Any  # bool[n]: whether the record is still in the part that is being split
    counts: Any  # int64 by term: how many records of the part have it, 0 for terms that it does not have
    eligible: Any  # bool by term: whether it may split the part
    first: Any  # int64 by term: where its places begin
    places: Any  # int32[...]: the places of the records with each eligible term
    seen: Any  # int64 by term: the terms of the part
    heap: Any  # int64[n_terms + 1]


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
def _count(start, end, skipped, smallest, work):
    """Count the terms of a part, mark those that may split it, and list them all; returns how many there are."""
    counts, items, seen, n = work.counts, work.items, work.seen, 0
    for place in range(start, end):
        for i in range(work.begins[place], work.ends[place]):
            if counts[items[i]] == 0:
                seen[n] = items[i]
                n += 1
            counts[items[i]] += 1
    for i in range(n):
        work.eligible[seen[i]] = counts[seen[i]] >= smallest and not skipped[seen[i]]
    return n


@inner
def _list_places(start, end, n_seen, work):
    """List the places of each eligible term of a part.

    All other terms are removed from the records of the part: they can split neither it nor a part of it.
    """
    eligible, first, items, total = work.eligible, work.first, work.items, 0
    for i in range(n_seen):
        if eligible[work.seen[i]]:
            first[work.seen[i]] = total
            total += work.counts[work.seen[i]]
    kept = work.begins[start]
    for place in range(start, end):
        begin, work.begins[place] = work.begins[place], kept
        for i in range(begin, work.ends[place]):
            term = items[i]
            if eligible[term]:
                work.places[first[term]] = place
                first[term] += 1
                items[kept] = term
                kept += 1
        work.ends[place] = kept
    for i in range(n_seen):
        if eligible[work.seen[i]]:
            first[work.seen[i]] -= work.counts[work.seen[i]]  # every first has moved to its end


@inner
def _move(term, written, filled, work):
    """Move the records that have a term behind those that were moved before; returns how far items are filled."""
    position, end = work.first[term], written + work.counts[term]
    while written < end:
        place = work.places[position]
        position += 1
        if work.alive[place]:
            work.alive[place] = False
            for i in range(work.begins[place], work.ends[place]):
                work.counts[work.items[i]] -= 1
                work.moved_items[filled] = work.items[i]
                filled += 1
            work.moved_order[written], work.moved_ends[written] = work.order[place], filled
            written += 1
    return filled


@inner
def _finish(start, written, end, filled, n_seen, work):
    """Put the moved records back, those that were not moved behind them, and clear what is known about the terms."""
    rest, begin = written, work.begins[start]
    for place in range(start, end):
        if work.alive[place]:
            work.moved_order[rest] = work.order[place]
            rest += 1
        work.alive[place] = True
    for i in range(filled):
        work.items[begin + i] = work.moved_items[i]
    for place in range(start, end):
        work.order[place] = work.moved_order[place]
    before = begin
    for place in range(start, written):
        work.begins[place], work.ends[place] = before, begin + work.moved_ends[place]
        before = work.ends[place]
    for i in range(n_seen):
        work.counts[work.seen[i]], work.eligible[work.seen[i]] = 0, False


@inner
def _longer(values):
    """The same values with room for as many more."""
    longer = np.empty(2 * len(values), dtype=np.int64)
    for i in range(len(values)):
        longer[i] = values[i]
    return longer


@njit(cache=True)
def split_records(items, offsets, n_terms, skipped, smallest, largest, order):
    """Clusters of records: split by the most frequent term, again and again, until every part is small enough.

    items : int32[total], overwritten; offsets : int64[n + 1].  skipped : bool[n_terms], terms that never split.
    smallest, largest : sizes of a cluster, 2 * smallest <= largest, smallest <= n.
    order : int64[n], all records, rising; left in the order of their clusters.
    Returns where each cluster begins, int64[...].
    A part keeps the order of its records.  About O(total * depth) time, O(total) memory.
    """
    n, most = len(order), len(order) // smallest + 2
    numbers, total = np.empty((3, n_terms + 1), dtype=np.int64), len(items)
    work = _Work(
        order,
        offsets[:-1].copy(),
        offsets[1:].copy(),
        items,
        np.empty(n, dtype=np.int64),
        np.empty(n, dtype=np.int64),
        np.empty(total, dtype=np.int32),
        np.ones(n, dtype=np.bool_),
        np.zeros(n_terms, dtype=np.int64),
        np.zeros(n_terms, dtype=np.bool_),
        numbers[0],
        np.empty(total, dtype=np.int32),
        numbers[1],
        numbers[2],
    )
    starts, n_clusters = np.empty(most, dtype=np.int64), np.int64(0)
    # parts to look at: where they lie, and the last of the terms that led there
    part_start, part_end, part_used = np.zeros(most, np.int64), np.zeros(most, np.int64), np.full(most, -1, np.int64)
    part_end[0] = n
    n_parts = 1 if n > 0 else 0
    used_term, used_before, n_used = np.empty(64, dtype=np.int64), np.empty(64, dtype=np.int64), 0
    counts, heap = work.counts, work.heap
    while n_parts > 0:
        n_parts -= 1
        start, end, used = part_start[n_parts], part_end[n_parts], part_used[n_parts]
        if end - start <= largest:  # line 1
            n_clusters = _cut(start, end, largest, starts, n_clusters)
            continue
        n_seen, n_heap, filled = _count(start, end, skipped, smallest, work), np.int64(0), np.int64(0)
        node = used
        while node >= 0:
            work.eligible[used_term[node]] = False
            node = used_before[node]
        for i in range(n_seen):
            if work.eligible[work.seen[i]]:
                n_heap = _push(heap, n_heap, counts[work.seen[i]] * n_terms + (n_terms - 1 - work.seen[i]))
        _list_places(start, end, n_seen, work)
        written = start
        while end - written > largest and n_heap > 0:
            key = heap[0]
            n_heap = _pop(heap, n_heap)
            term = n_terms - 1 - key % n_terms  # line 3
            if counts[term] != key // n_terms:  # some of its records have gone
                if counts[term] >= smallest:
                    n_heap = _push(heap, n_heap, counts[term] * n_terms + (n_terms - 1 - term))
                continue
            if n_used == len(used_term):
                used_term, used_before = _longer(used_term), _longer(used_before)
            used_term[n_used], used_before[n_used] = term, used
            n_used += 1
            if end - written - counts[term] < smallest:  # the rest would be too small: both stay together
                used = n_used - 1
                continue
            begun, written = written, written + counts[term]
            filled = _move(term, begun, filled, work)  # lines 4 and 5
            part_start[n_parts], part_end[n_parts], part_used[n_parts] = begun, written, n_used - 1  # line 6
            n_parts += 1
        _finish(start, written, end, filled, n_seen, work)
        n_clusters = _cut(written, end, largest, starts, n_clusters)
    return starts[:n_clusters]
