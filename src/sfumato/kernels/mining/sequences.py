"""Frequent subsequences by growing prefixes (PrefixSpan with pseudo-projection; Pei et al., 2004).

A prefix is held as its leftmost embeddings, one (record, position) a record that contains it.  Which labels can
follow is read off a short list a record, its labels by their last positions (LAPIN; Yang et al., 2007); only for
those that are frequent the record itself is read again.  Records of one unit lie together, so that distinct units
are counted by watching the unit change.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.mining.pattern_buffers import (
    ALL,
    BAR,
    BUCKETS,
    CLOSED,
    clear_touched,
    keep,
    sort,
    with_length,
    with_rows,
)
from sfumato.kernels.mining.sequence_closure import grows, grows_inside

__all__ = ["SequenceIndex", "grow_sequences"]


class SequenceIndex(NamedTuple):
    """Earlier positions of the same label, and for each record its labels, each at its last position, from the end."""

    previous: Any  # int32[total]: the last earlier position of the same label in the same record, or -1
    starts: Any  # int64[records + 1]: where the labels of each record begin
    labels: Any  # int32[...]
    lasts: Any  # int32[...]: the last position of each


@njit(cache=True)
def _tally(here, places, units, index, scratch):
    """Count the units and the records of every label that can follow; returns how many labels there are."""
    starts, labels, lasts = index.starts, index.labels, index.lasts
    supports, entries, last_unit, _, touched = scratch
    n_touched = 0
    for entry in range(len(here)):
        record, floor = here[entry], places[entry]
        unit = units[record]
        for i in range(starts[record], starts[record + 1]):
            if lasts[i] <= floor:
                break
            label = labels[i]
            if entries[label] == 0:
                touched[n_touched] = label
                n_touched += 1
            entries[label] += 1
            if last_unit[label] != unit:
                last_unit[label] = unit
                supports[label] += 1
    return n_touched


@njit(cache=True)
def _project(here, places, codes, offsets, previous, spare, fill, records, floors):
    """Write the leftmost embeddings of every extension with a place to go (fill >= 0), records in their order.

    The last `spare` positions of a record are passed over: what ends there cannot be extended.
    """
    for entry in range(len(here)):
        record, floor = here[entry], places[entry]
        for position in range(floor + 1, offsets[record + 1] - spare):
            slot = fill[codes[position]]
            if slot >= 0 and previous[position] <= floor:
                records[slot] = record
                floors[slot] = position
                fill[codes[position]] = slot + 1


@njit(cache=True)
def _push(stack, n_buckets, n_touched, bar, by_support, free, level, scratch):
    """Put a bucket on the stack for each extension that reaches the bar, the best supported or the first name on top.

    Returns the stack, perhaps longer, and how many buckets were put there.
    """
    supports, entries, _, fill, touched = scratch
    keys = np.empty(n_touched, dtype=np.int64)
    n_labels, n = len(supports), 0
    for i in range(n_touched):
        label = touched[i]
        if supports[label] >= bar:
            keys[n] = (supports[label] if by_support else 0) * n_labels + (n_labels - 1 - label)
            n += 1
    sort(keys, n)
    stack = with_rows(stack, n_buckets, n_buckets + n)
    for i in range(n):
        label = n_labels - 1 - keys[i] % n_labels
        fill[label] = free
        row = stack[n_buckets + i]
        row[0], row[1], row[2], row[3], row[4] = label, free, free + entries[label], level, supports[label]
        free += entries[label]
    return stack, n


@njit(cache=True)
def grow_sequences(data, index, rules, state, prefix, histogram, counters, scratch, gaps):
    """Mine sequences until the stack is empty or about `budget` embeddings were read; returns the new state.

    data : Records.  index : SequenceIndex.  rules : MiningRules.  state : MiningState.  prefix : int32[longest record].
    histogram, counters : see `keep`.  scratch : Scratch.  gaps : Gaps.
    Time per prefix: the labels that can follow its embeddings, and the visits behind them if a frequent one does;
    memory: one embedding per visit and level.
    """
    which, longest = rules.which, rules.longest
    stack, records, positions, patterns = state
    supports, entries, fill, touched = scratch.supports, scratch.entries, scratch.fill, scratch.touched
    work = 0
    while counters[BUCKETS] > 0 and work < rules.budget:
        counters[BUCKETS] -= 1
        label, start, end, level, support = stack[counters[BUCKETS]]
        if level > 0:
            prefix[level - 1] = label
        if support < counters[BAR]:
            continue
        here, places = records[start:end], positions[start:end]
        work += len(here) + level
        if which != ALL and grows_inside(here, places, prefix[:level], gaps):
            continue
        n_touched = 0
        if which != ALL or (level < longest and len(here) >= counters[BAR]):
            n_touched = _tally(here, places, data.units, index, scratch)
        best, total = 0, 0
        for i in range(n_touched):
            best = max(best, supports[touched[i]])
            total += entries[touched[i]]
        if level < longest and best >= counters[BAR]:
            # buckets lie on the arrays as on the stack: whatever is behind this one is free
            records, positions = with_length(records, end, end + total), with_length(positions, end, end + total)
            stack, n_pushed = _push(
                stack, counters[BUCKETS], n_touched, counters[BAR], len(histogram) > 0, end, level + 1, scratch
            )
            spare = 1 if which == ALL else 0
            _project(here, places, data.codes, data.offsets, index.previous, spare, fill, records, positions)
            for i in range(counters[BUCKETS], counters[BUCKETS] + n_pushed):
                stack[i, 2] = fill[stack[i, 0]]
            counters[BUCKETS] += n_pushed
        clear_touched(scratch, n_touched)
        threshold = support if which == CLOSED else rules.frequent
        if level >= rules.shortest and (
            which == ALL or not (best >= threshold or grows(here, prefix[:level], support, threshold, gaps))
        ):
            patterns = keep(prefix[:level], support, rules.top, histogram, patterns, counters)
    return stack, records, positions, patterns.codes, patterns.ends, patterns.supports
