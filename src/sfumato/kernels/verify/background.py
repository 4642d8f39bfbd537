"""How many units of a release match each possible background knowledge about a target; used by attacks only.

Background knowledge is up to m visits or items of one original record.  Prefixes are grown over the release and over
the original at once: of the release the leftmost embedding in each record, which gives the support; of the original
every embedding with the number of ways to choose it, which gives the targets.  A prefix without a target or without a
match is not grown.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.verify.prefixes.growing import with_length

__all__ = ["background_supports", "earlier_positions"]


class _Release(NamedTuple):
    codes: Any  # int32[total]: one class of values for each entry; a label of several classes has several entries
    following: Any  # int64[total]: where the search goes on after this entry was matched
    previous: Any  # int64[total]: the last earlier entry of the same class in the same record, or -1
    offsets: Any  # int64[records + 1]
    units: Any  # int32[records], not falling


class _Targets(NamedTuple):
    codes: Any  # int32[total]: the class of each known visit or item
    offsets: Any  # int64[records + 1]
    units: Any  # int32[records], not falling, in the numbering of the release's units
    sizes: Any  # int64[records]: how many visits or items are known in a random choice


class _Counters(NamedTuple):
    supports: Any  # int64[classes], all 0: units of the release
    matches: Any  # int64[classes], all 0: embeddings in the release
    choices: Any  # int64[classes], all 0: embeddings in the targets
    last_unit: Any  # int64[classes], all -1
    own: Any  # int64[classes], all -1: the last target whose own record matches
    touched: Any  # int64[classes]


class _Prefixes(NamedTuple):
    stack: Any  # int64[n, 5]: first and end of the matches, first and end of the choices, length of the prefix
    records: Any  # int32[...]: matches in the release
    starts: Any  # int64[...]: where the search for the next class starts
    targets: Any  # int32[...]: choices in the original, by record, then by position
    positions: Any  # int64[...]
    ways: Any  # float64[...]: how many choices end at this position


@njit(cache=True)
def earlier_positions(codes, offsets, n_classes):
    """For each entry the last earlier one of the same class in the same record, or -1."""
    previous = np.full(len(codes), -1, dtype=np.int64)
    last = np.full(n_classes, -1, dtype=np.int64)
    for record in range(len(offsets) - 1):
        for i in range(offsets[record], offsets[record + 1]):
            if last[codes[i]] >= offsets[record]:
                previous[i] = last[codes[i]]
            last[codes[i]] = i
    return previous


@njit(cache=True)
def _tally_matches(first, end, release, prefixes, counters):
    """Count for every class that extends the prefix its units; returns the classes touched and the entries read."""
    n_touched, read = 0, 0
    for entry in range(first, end):
        record, start = prefixes.records[entry], prefixes.starts[entry]
        unit = release.units[record]
        read += release.offsets[record + 1] - start
        for i in range(start, release.offsets[record + 1]):
            if release.previous[i] >= start:
                continue
            code = release.codes[i]
            if counters.matches[code] == 0:
                counters.touched[n_touched] = code
                n_touched += 1
            counters.matches[code] += 1
            if counters.last_unit[code] != unit:
                counters.last_unit[code] = unit
                counters.supports[code] += 1
    return n_touched, read


@njit(cache=True)
def _mark_own(entry, end, unit, release, prefixes, counters):
    """Mark the classes that extend the prefix in the records of one unit; returns the first match of a later unit."""
    while entry < end and release.units[prefixes.records[entry]] < unit:
        entry += 1
    while entry < end and release.units[prefixes.records[entry]] == unit:
        record = prefixes.records[entry]
        for i in range(prefixes.starts[entry], release.offsets[record + 1]):
            counters.own[release.codes[i]] = unit
        entry += 1
    return entry


@njit(cache=True)
def _weigh_record(first, end, size, own_only, targets, prefixes, counters, lowest, chances):
    """Enter every extension of the choices of one target record; returns the smallest support and the entries read."""
    record = prefixes.targets[first]
    unit, entry, ways, smallest = targets.units[record], first, 0.0, np.iinfo(np.int64).max
    for position in range(prefixes.positions[first] + 1, targets.offsets[record + 1]):
        while entry < end and prefixes.positions[entry] < position:
            ways += prefixes.ways[entry]
            entry += 1
        code = targets.codes[position]
        support = counters.supports[code]
        if support == 0:
            continue
        counters.choices[code] += 1
        smallest = min(smallest, support)
        if own_only and counters.own[code] != unit:
            continue
        lowest[unit] = min(lowest[unit], support)
        if targets.sizes[record] == size:
            chances[record] += ways / support
    return smallest, targets.offsets[record + 1] - prefixes.positions[first]


@njit(cache=True)
def _weigh(bucket, own_only, release, targets, prefixes, counters, lowest, chances):
    """Enter every extension of the prefix for its targets; returns the smallest support and the entries read."""
    first, end, entry, last, level = bucket
    smallest, read, unit = np.iinfo(np.int64).max, 0, -1
    while entry < last:
        behind = entry
        while behind < last and prefixes.targets[behind] == prefixes.targets[entry]:
            behind += 1
        if own_only and targets.units[prefixes.targets[entry]] != unit:
            unit = targets.units[prefixes.targets[entry]]
            first = _mark_own(first, end, unit, release, prefixes, counters)
        support, work = _weigh_record(entry, behind, level + 1, own_only, targets, prefixes, counters, lowest, chances)
        smallest = min(smallest, support)
        read += work
        entry = behind
    return smallest, read


@njit(cache=True)
def _push_extensions(bucket, n_buckets, n_touched, prefixes, counters):
    """Make room for every extension that has a target; returns the prefixes and how many buckets there are then.

    matches and choices become the places where the next embedding of the class goes, or -1 for no bucket.
    """
    _, end, _, last, level = bucket
    stack = prefixes.stack
    for i in range(n_touched):
        code = counters.touched[i]
        matches, choices = counters.matches[code], counters.choices[code]
        if choices == 0:
            counters.matches[code] = -1
            continue
        if n_buckets == len(stack):
            longer = np.zeros((2 * len(stack), 5), dtype=np.int64)
            for row in range(n_buckets):
                for column in range(5):
                    longer[row, column] = stack[row, column]
            stack = longer
        row = stack[n_buckets]
        row[0], row[1], row[2], row[3], row[4] = end, end + matches, last, last + choices, level + 1
        counters.matches[code], counters.choices[code] = end, last
        end += matches
        last += choices
        n_buckets += 1
    grown = _Prefixes(
        stack,
        with_length(prefixes.records, len(prefixes.records), end),
        with_length(prefixes.starts, len(prefixes.starts), end),
        with_length(prefixes.targets, len(prefixes.targets), last),
        with_length(prefixes.positions, len(prefixes.positions), last),
        with_length(prefixes.ways, len(prefixes.ways), last),
    )
    return grown, n_buckets


@njit(cache=True)
def _grow_matches(first, end, release, prefixes, counters):
    """Write the embeddings of every extension in the release."""
    for entry in range(first, end):
        record, start = prefixes.records[entry], prefixes.starts[entry]
        for i in range(start, release.offsets[record + 1]):
            into = counters.matches[release.codes[i]]
            if into >= 0 and release.previous[i] < start:
                prefixes.records[into], prefixes.starts[into] = record, release.following[i]
                counters.matches[release.codes[i]] += 1


@njit(cache=True)
def _grow_choices(first, end, targets, prefixes, counters):
    """Write the embeddings of every extension in the targets, with the number of ways that lead there."""
    entry = first
    while entry < end:
        record, ways = prefixes.targets[entry], 0.0
        for position in range(prefixes.positions[entry] + 1, targets.offsets[record + 1]):
            while entry < end and prefixes.targets[entry] == record and prefixes.positions[entry] < position:
                ways += prefixes.ways[entry]
                entry += 1
            code = targets.codes[position]
            if counters.supports[code] > 0:
                into = counters.choices[code]
                prefixes.targets[into], prefixes.positions[into], prefixes.ways[into] = record, position, ways
                counters.choices[code] += 1
        while entry < end and prefixes.targets[entry] == record:  # nothing follows these
            entry += 1


@njit(cache=True)
def _clear_counters(counters, n_touched):
    for i in range(n_touched):
        code = counters.touched[i]
        counters.supports[code], counters.matches[code], counters.choices[code] = 0, 0, 0
        counters.last_unit[code], counters.own[code] = -1, -1


@njit(cache=True)
def _empty_prefix(release, targets):
    """The empty prefix: it matches every record of the release, and every target record has one choice of it."""
    n_records, n_targets = len(release.offsets) - 1, len(targets.offsets) - 1
    stack = np.zeros((16, 5), dtype=np.int64)
    stack[0, 1], stack[0, 3] = n_records, n_targets
    return _Prefixes(
        stack,
        np.arange(n_records).astype(np.int32),
        release.offsets[:-1].copy(),
        np.arange(n_targets).astype(np.int32),
        targets.offsets[:-1] - 1,
        np.ones(n_targets),
    )


@njit(cache=True)
def background_supports(release, targets, n_classes, m, own_only, limit, lowest, chances):
    """The smallest anonymity set of each target over every choice of up to m visits or items.

    release : codes, following, previous, offsets, units.  targets : codes, offsets, units, sizes (see the tuples).
    own_only : whether a set counts for a target only if it holds a record of the target's own unit.
    limit : stop once more than this many entries were read; the results are then incomplete.
    lowest : int64[units], lowered to the size of the smallest set.
    chances : float64[target records], zeros; receives the sum of 1 / set size over all choices of `sizes` entries.
    Returns the smallest set of all (the largest int64 for none) and the entries read, -1 where the limit was met.
    """
    published, private = _Release(*release), _Targets(*targets)
    counters = _Counters(
        np.zeros(n_classes, np.int64),
        np.zeros(n_classes, np.int64),
        np.zeros(n_classes, np.int64),
        np.full(n_classes, -1, np.int64),
        np.full(n_classes, -1, np.int64),
        np.empty(n_classes, np.int64),
    )
    prefixes = _empty_prefix(published, private)
    smallest, n_buckets, read = np.iinfo(np.int64).max, 1, 0
    while n_buckets > 0:
        n_buckets -= 1
        top = prefixes.stack[n_buckets]
        bucket = (top[0], top[1], top[2], top[3], top[4])
        n_touched, work = _tally_matches(bucket[0], bucket[1], published, prefixes, counters)
        support, more = _weigh(bucket, own_only, published, private, prefixes, counters, lowest, chances)
        smallest = min(smallest, support)
        read += work + more
        if read > limit:
            return smallest, -1
        if bucket[4] + 1 < m:
            prefixes, n_buckets = _push_extensions(bucket, n_buckets, n_touched, prefixes, counters)
            _grow_matches(bucket[0], bucket[1], published, prefixes, counters)
            _grow_choices(bucket[2], bucket[3], private, prefixes, counters)
        _clear_counters(counters, n_touched)
    return smallest, read
