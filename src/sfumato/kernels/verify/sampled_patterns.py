"""Patterns of a unit drawn at random by their number, and the support of each; used by attacks only.

The number of subsequences after each position (`prefixes.risks`) numbers the patterns of a record:
those that begin at its first position come first, and so on.  A number drawn at random is then a pattern drawn at
random, each distinct one with the same probability, without listing them.
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.verify.prefixes.growing import previous_positions

__all__ = ["LONG", "numbered_patterns", "pattern_supports"]

LONG = 32  # records with more positions are not read from the front


@njit(cache=True)
def _unrank(rank, size, start, end, codes, previous, after, pattern):
    """Write pattern number `rank` among the distinct subsequences of `size` labels of codes[start:end]."""
    floor = start - 1
    for level in range(size):
        chosen = -1
        for position in range(floor + 1, end):
            ways = float(after[position, size - level - 2]) if size - level > 1 else 1.0
            if start + previous[position] > floor or ways == 0.0:
                continue
            chosen = position
            if rank < ways:
                break
            rank -= ways
        # beyond 2^53 the counts are rounded, and the rank can pass the last one: that one is taken
        pattern[level] = codes[chosen]
        floor = chosen


@njit(cache=True)
def numbered_patterns(owners, ranks, m, codes, offsets, unit_offsets, n_labels, after, whole):
    """The patterns of these numbers, each among those of its owner's records, one record after the other.

    owners : int64[n], units.  ranks : float64[n], whole, below the sum of the records' counts.
    unit_offsets : int64[units + 1], over records.  after, whole : of `continuation_counts`.
    Returns int32[n, m], padded with -1.
    """
    previous = previous_positions(codes, offsets, n_labels)
    patterns = np.full((len(owners), m), -1, dtype=np.int32)
    for row in range(len(owners)):
        rank = ranks[row]
        chosen = -1
        for record in range(unit_offsets[owners[row]], unit_offsets[owners[row] + 1]):
            if offsets[record + 1] == offsets[record]:
                continue
            chosen = record
            if rank < whole[record]:
                break
            rank -= whole[record]
        start, end = offsets[chosen], offsets[chosen + 1]
        _unrank(rank, min(m, end - start), start, end, codes, previous, after, patterns[row])
    return patterns


@njit(cache=True)
def _contains_by_reading(pattern, size, codes, start, end):
    """Whether codes[start:end] contains the pattern, by reading it."""
    level = 0
    for position in range(start, end):
        if codes[position] == pattern[level]:
            level += 1
            if level == size:
                return True
    return False


@njit(cache=True)
def _contains_by_lookup(pattern, size, place_starts, places, start, end):
    """Whether codes[start:end] contains the pattern, by looking up the next position of each label."""
    floor = start
    for level in range(size):
        low, high = place_starts[pattern[level]], place_starts[pattern[level] + 1]
        while low < high:
            middle = (low + high) // 2
            if places[middle] < floor:
                low = middle + 1
            else:
                high = middle
        if low == place_starts[pattern[level] + 1] or places[low] >= end:
            return False
        floor = places[low] + 1
    return True


@njit(cache=True)
def pattern_supports(patterns, owners, codes, offsets, units, record_of, place_starts, places):
    """How many units contain each pattern, and in how many of its owner's records it was numbered.

    patterns : int32[n, m], padded with -1.  owners : int64[n], the unit that each pattern is of.
    record_of : int32[total].  place_starts : int64[labels + 1] and places : int64[total], rising, the positions of
    each label.  Returns int64[n] and int64[n].  Visits the records of each pattern's rarest label.
    """
    supports = np.zeros(len(patterns), dtype=np.int64)
    copies = np.zeros(len(patterns), dtype=np.int64)
    m = patterns.shape[1]
    for row in range(len(patterns)):
        pattern = patterns[row]
        size, rarest = 0, pattern[0]
        while size < m and pattern[size] >= 0:
            label = pattern[size]
            if place_starts[label + 1] - place_starts[label] < place_starts[rarest + 1] - place_starts[rarest]:
                rarest = label
            size += 1
        counted, visited = -1, -1
        for i in range(place_starts[rarest], place_starts[rarest + 1]):
            record = record_of[places[i]]
            unit, start, end = units[record], offsets[record], offsets[record + 1]
            if record == visited or (unit == counted and unit != owners[row]):
                continue
            visited = record
            if end - start > LONG:
                contained = _contains_by_lookup(pattern, size, place_starts, places, start, end)
            else:
                contained = _contains_by_reading(pattern, size, codes, start, end)
            if not contained:
                continue
            if unit != counted:
                counted = unit
                supports[row] += 1
            if unit == owners[row] and (size == m or end - start == size):
                copies[row] += 1
    return supports, copies
