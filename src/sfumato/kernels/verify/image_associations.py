"""Supports of sequences of original places over all their published images, alone and with sensitive values.

Used by verifiers only, where labels overlap between records.  Places behind the same labels are one *profile*, and
patterns are sequences of profiles.  No record holds two labels of one profile, so that the records of a profile are
the disjoint union of those of its labels, and a prefix is held as ranges of embeddings, a range a label.

Behind a prefix, profiles differ only by those of their labels that follow it.  These sets of labels form a trie: a node
adds one label to its parent, and its records are counted on top of the parent's.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.verify.prefixes.associations import SMALLEST, SUPPORT, TOGETHER, VALUE, count_pattern
from sfumato.kernels.verify.prefixes.growing import previous_positions, with_length

__all__ = ["Holders", "Profiles", "image_supports"]

PROFILE, WEIGHT, SIZE, FIRST_RANGE, END_RANGE, TOP = range(6)  # of a prefix that is still to be grown
BLOCK = 64  # labels that are looked through together
MANY = 1 << 32  # patterns that are counted one by one, so that no sum overflows


class Profiles(NamedTuple):
    """The profiles that hold each label; labels in many profiles have the lowest numbers."""

    starts: Any  # int64[labels + 1]
    of_labels: Any  # int32[...], rising for each label
    n: Any  # int: how many profiles there are


class Holders(NamedTuple):
    """Who holds which sensitive value: the unit of each record, and the number of each pair of unit and value."""

    units: Any  # int32[records]
    pairs: Any  # int64[...], beside the values of `SensitiveValues`
    n_units: Any  # int
    n_pairs: Any  # int


class _Records(NamedTuple):
    """The records that prefixes are grown in, and what follows the present prefix by label."""

    codes: Any  # int32[total]
    offsets: Any  # int64[records + 1]
    previous: Any  # int32[total]: see `previous_positions`
    entries: Any  # int64[labels], all 0: embeddings
    begin: Any  # int64[labels]: where the embeddings start
    fill: Any  # int64[labels]: where the next embedding goes; then where they end
    touched: Any  # int64[labels]: the labels with an entry, rising
    blocks: Any  # bool[...]: whether a label of the block has an entry


class _Trie(NamedTuple):
    """What follows a prefix: nodes from 1; node 0 is the root, behind which no label follows."""

    label: Any  # int64[nodes]
    parent: Any  # int64[nodes]
    child: Any  # int64[nodes]: the latest child, or 0
    sibling: Any  # int64[nodes]: the child before, or 0
    weight: Any  # int64[nodes]: how many profiles end here
    first: Any  # int64[nodes]: the first of them
    figures: Any  # int64[nodes, 3]: support, together, value
    node_of: Any  # int64[profiles], all 0
    seen: Any  # int64[profiles]: the profiles that have a node


class _Marks(NamedTuple):
    """What the nodes from the root to the present one hold."""

    unit_node: Any  # int32[units]: the node that holds the unit first, or 0
    pair_node: Any  # int32[pairs]: the node that holds the pair first, or 0
    together: Any  # int64[values]


@njit(cache=True)
def _tally(ranges, search_records, positions, records):
    """Count the embeddings of every label that extends a prefix; returns how many labels there are."""
    codes, offsets, previous, entries, _, _, touched, blocks = records
    for row in range(len(ranges)):
        for entry in range(ranges[row, 0], ranges[row, 1]):
            record, floor = search_records[entry], positions[entry]
            for position in range(floor + 1, offsets[record + 1]):
                if offsets[record] + previous[position] <= floor:
                    blocks[codes[position] // BLOCK] = True
                    entries[codes[position]] += 1
    n_touched = 0
    for block in range(len(blocks)):
        if not blocks[block]:
            continue
        blocks[block] = False
        for label in range(block * BLOCK, min(len(entries), (block + 1) * BLOCK)):
            if entries[label] > 0:
                touched[n_touched] = label
                n_touched += 1
    return n_touched


@njit(cache=True)
def _extend(ranges, n_touched, top, ordered, search_records, positions, records):
    """Write the embeddings of every touched label behind `top`; returns the arrays, perhaps longer, and their end."""
    codes, offsets, previous, entries, begin, fill, touched, _ = records
    end = top
    for i in range(n_touched):
        begin[touched[i]] = fill[touched[i]] = end
        end += entries[touched[i]]
        entries[touched[i]] = 0
    search_records, positions = with_length(search_records, top, end), with_length(positions, top, end)
    for row in range(len(ranges)):
        for entry in range(ranges[row, 0], ranges[row, 1]):
            record, floor = search_records[entry], positions[entry]
            for position in range(floor + 1, offsets[record + 1]):
                if offsets[record] + previous[position] <= floor:
                    slot = fill[codes[position]]
                    search_records[slot] = record
                    positions[slot] = position if ordered else floor
                    fill[codes[position]] = slot + 1
    return search_records, positions, end


@njit(cache=True)
def _build_trie(touched, profiles, above, trie):
    """Put profiles with the same touched labels at the same node; returns how many have a node.

    above : only profiles of a higher number count.
    """
    starts, of_labels, _ = profiles
    label_of, parent, child, sibling, weight, first, _, node_of, seen = trie
    n_seen, n_nodes = 0, 1
    child[0] = 0
    for i in range(len(touched)):
        oldest = n_nodes
        for at in range(starts[touched[i]], starts[touched[i] + 1]):
            profile = of_labels[at]
            if profile <= above:
                continue
            node = node_of[profile]
            if node == 0:
                seen[n_seen] = profile
                n_seen += 1
            if child[node] < oldest:  # the label is new here
                label_of[n_nodes], parent[n_nodes], sibling[n_nodes] = touched[i], node, child[node]
                child[n_nodes], weight[n_nodes], first[n_nodes] = 0, 0, len(node_of)
                child[node] = n_nodes
                n_nodes += 1
            node_of[profile] = child[node]
    for i in range(n_seen):
        node = node_of[seen[i]]
        weight[node] += 1
        first[node] = min(first[node], seen[i])
    return n_seen


@njit(cache=True)
def _enter(node, bucket, holders, sensitive, trie, marks):
    """Count the records of a node on top of those of its parent."""
    starts, values, _ = sensitive
    unit_node, pair_node, together = marks
    above = trie.figures[trie.parent[node]]
    support, most, worst = above[SUPPORT], above[TOGETHER], above[VALUE]
    for entry in range(len(bucket)):
        record = bucket[entry]
        unit = holders.units[record]
        if unit_node[unit] == 0:
            unit_node[unit] = node
            support += 1
        for position in range(starts[record], starts[record + 1]):
            if pair_node[holders.pairs[position]] != 0:
                continue
            pair_node[holders.pairs[position]] = node
            value = values[position]
            together[value] += 1
            if together[value] > most or (together[value] == most and value < worst):
                worst, most = np.int64(value), together[value]
    trie.figures[node, SUPPORT], trie.figures[node, TOGETHER], trie.figures[node, VALUE] = support, most, worst


@njit(cache=True)
def _leave(node, bucket, holders, sensitive, marks):
    """Forget what a node holds beyond its parent."""
    unit_node, pair_node, together = marks
    for entry in range(len(bucket)):
        record = bucket[entry]
        if unit_node[holders.units[record]] == node:
            unit_node[holders.units[record]] = 0
        for position in range(sensitive.starts[record], sensitive.starts[record + 1]):
            if pair_node[holders.pairs[position]] == node:
                pair_node[holders.pairs[position]] = 0
                together[sensitive.values[position]] -= 1


@njit(cache=True)
def _next_node(node, entered, trie):
    """The next step of a walk through the trie: a node and whether it is entered or left."""
    if entered and trie.child[node] > 0:
        return trie.child[node], True
    if entered:
        return node, False
    if trie.sibling[node] > 0:
        return trie.sibling[node], True
    return trie.parent[node], False


@njit(cache=True)
def _count_patterns(pattern, size, weight, search_records, records, holders, sensitive, trie, marks, tally):
    """Add every profile that follows a prefix to the tally; the patterns have this size.

    weight : how many prefixes this one stands for.  tally : the last arguments of `count_pattern`.
    """
    node, entered = trie.child[0], True
    while node > 0:
        label = trie.label[node]
        bucket = search_records[records.begin[label] : records.fill[label]]
        if not entered:
            _leave(node, bucket, holders, sensitive, marks)
        else:
            _enter(node, bucket, holders, sensitive, trie, marks)
            if trie.weight[node] > 0:
                pattern[size - 1] = trie.first[node]
                count_pattern(trie.figures[node], pattern, min(MANY, weight * trie.weight[node]), *tally)
        node, entered = _next_node(node, entered, trie)


@njit(cache=True)
def _push(prefix, n_prefixes, n_seen, end, ordered, stack, ranges, records, trie):
    """Put the profiles that follow a prefix on the stack; returns how many prefixes there are, and the arrays.

    Of a sequence, profiles that end at the same node are pushed as one; of a set, each, to keep their order.
    """
    top_range = prefix[FIRST_RANGE]  # the prefix itself is not needed any more
    weight, size = prefix[WEIGHT], prefix[SIZE] + 1
    for i in range(n_seen):
        profile, node = trie.seen[i], trie.node_of[trie.seen[i]]
        if ordered and profile != trie.first[node]:
            continue
        stack = _roomier(stack, n_prefixes)
        first_range = top_range
        step = node
        while step > 0:
            ranges = _roomier(ranges, top_range)
            ranges[top_range, 0], ranges[top_range, 1] = records.begin[trie.label[step]], records.fill[trie.label[step]]
            top_range += 1
            step = trie.parent[step]
        row = stack[n_prefixes]
        row[PROFILE], row[SIZE], row[FIRST_RANGE], row[END_RANGE], row[TOP] = profile, size, first_range, top_range, end
        row[WEIGHT] = min(MANY, weight * trie.weight[node]) if ordered else weight
        n_prefixes += 1
    return n_prefixes, stack, ranges


@njit(cache=True)
def _roomier(rows, used):
    """The table with room for another row behind the used ones."""
    if used < len(rows):
        return rows
    grown = np.empty((2 * used + 1, rows.shape[1]), dtype=rows.dtype)
    for row in range(used):
        for column in range(rows.shape[1]):
            grown[row, column] = rows[row, column]
    return grown


@njit(cache=True)
def _start(codes, offsets, holders, profiles, sensitive):
    """The arrays of a search that has not begun."""
    n_labels, n_nodes = len(profiles.starts) - 1, len(profiles.of_labels) + 1
    counters = np.zeros((4, n_labels), np.int64)
    records = _Records(
        codes, offsets, previous_positions(codes, offsets, n_labels),
        counters[0], counters[1], counters[2], counters[3], np.zeros(n_labels // BLOCK + 1, np.bool_),
    )  # fmt: skip
    nodes, by_profile = np.zeros((6, n_nodes), np.int64), np.zeros((2, profiles.n), np.int64)
    figures = np.zeros((n_nodes, 3), np.int64)
    figures[0, VALUE] = -1
    trie = _Trie(
        nodes[0], nodes[1], nodes[2], nodes[3], nodes[4], nodes[5], figures, by_profile[0], by_profile[1]
    )  # fmt: skip
    marks = _Marks(
        np.zeros(holders.n_units, np.int32), np.zeros(holders.n_pairs, np.int32), np.zeros(sensitive.n, np.int64)
    )
    return records, trie, marks


@njit(cache=True)
def image_supports(
    codes, offsets, holders, profiles, sensitive, ordered, m, k, diversity, witness_figures, witnesses
):  # fmt: skip
    """Check every sequence of 1 to m profiles that occurs, alone and together with every sensitive value.

    codes : int32[total], labels; no record holds two labels of one profile.  ordered : whether records are sequences;
    if not, they are sets, and so are the patterns.  holders : Holders.  profiles : Profiles.
    sensitive : SensitiveValues.  k, diversity, witness_figures, witnesses : see `association_supports`, also for what
    is returned; labels are profiles here.  Memory: one embedding per visit and level.
    """
    result = np.zeros(5, dtype=np.int64)
    result[SMALLEST] = np.iinfo(np.int64).max
    witness_figures[:, SUPPORT] = 1  # no association yet: 0 of 1
    tally = (k, diversity, result, witness_figures, witnesses)
    records, trie, marks = _start(codes, offsets, holders, profiles, sensitive)
    search_records, positions = np.arange(len(offsets) - 1).astype(np.int32), offsets[:-1] - 1
    stack, ranges = np.zeros((1, 6), np.int64), np.zeros((1, 2), np.int64)
    stack[0, PROFILE], stack[0, WEIGHT], stack[0, END_RANGE] = -1, 1, 1
    ranges[0, 1] = stack[0, TOP] = len(search_records)
    pattern = np.full(m, -1, np.int32)
    n_prefixes = 1
    while n_prefixes > 0:
        n_prefixes -= 1
        prefix = stack[n_prefixes].copy()
        size = prefix[SIZE]
        if size > 0:
            pattern[size - 1] = prefix[PROFILE]
        for level in range(size, m):
            pattern[level] = -1
        here = ranges[prefix[FIRST_RANGE] : prefix[END_RANGE]]
        n_touched = _tally(here, search_records, positions, records)
        search_records, positions, end = _extend(
            here, n_touched, prefix[TOP], ordered, search_records, positions, records
        )
        n_seen = _build_trie(records.touched[:n_touched], profiles, -1 if ordered else prefix[PROFILE], trie)
        _count_patterns(
            pattern, size + 1, prefix[WEIGHT], search_records, records, holders, sensitive, trie, marks, tally
        )
        if size + 1 < m:
            n_prefixes, stack, ranges = _push(prefix, n_prefixes, n_seen, end, ordered, stack, ranges, records, trie)
        for i in range(n_seen):
            trie.node_of[trie.seen[i]] = 0
    return result
