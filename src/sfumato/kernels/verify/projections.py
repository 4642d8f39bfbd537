"""The projection of each trajectory to each owner of places, and the places visited with each; for verifiers only.

Projections are the nodes of a trie that all adversaries share: the places of one are never those of another.
A node is found by its parent and its last label in an open-addressing table that compares both, so that two
projections are one only if they are the same; there are no digests that could collide.  The trajectories behind
a node are gathered by counting, and their other places are counted node by node in one row of counters.
"""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["most_frequent_places", "projections", "records_by_node"]


@njit(cache=True)
def _slot(table, parents, labels, parent, label):
    """Where the table holds the node of this parent and label, or where it belongs."""
    mixed = parent * 7046029254386353131 + label * 3202034522624059733
    mixed ^= mixed >> 31
    mixed *= 6364136223846793005
    slot = (mixed >> 20) & (len(table) - 1)
    while table[slot] != 0 and (parents[table[slot]] != parent or labels[table[slot]] != label):
        slot = (slot + 1) & (len(table) - 1)
    return slot


@njit(cache=True)
def _doubled(array):
    """The array with twice its length."""
    grown = np.zeros(2 * len(array), dtype=array.dtype)
    for position in range(len(array)):
        grown[position] = array[position]
    return grown


@njit(cache=True)
def projections(codes, offsets, adversary_of):
    """The projection of every record to every adversary who sees something of it.

    adversary_of : int32[labels], -1 for none.  O(visits) time and memory.  Returns the parent of each node of the trie
    (int64; node 0 is the root, which belongs to no adversary) and its last label (int32); for each pair of a record and
    an adversary who sees something of it, the record (int64, rising) and the node of its projection (int64).
    """
    n_seen = 0
    for position in range(len(codes)):
        n_seen += adversary_of[codes[position]] >= 0
    records = np.empty(n_seen, dtype=np.int64)
    nodes = np.empty(n_seen, dtype=np.int64)
    parents = np.zeros(1024, dtype=np.int64)
    labels = np.full(1024, -1, dtype=np.int32)
    table = np.zeros(4096, dtype=np.int64)
    n_nodes, n_pairs = 1, 0
    current = np.zeros(max(1, len(adversary_of)), dtype=np.int64)  # node of each adversary in this record
    met = np.empty(max(1, len(adversary_of)), dtype=np.int64)
    for record in range(len(offsets) - 1):
        n_met = 0
        for position in range(offsets[record], offsets[record + 1]):
            label = codes[position]
            adversary = adversary_of[label]
            if adversary < 0:
                continue
            if current[adversary] == 0:
                met[n_met] = adversary
                n_met += 1
            slot = _slot(table, parents, labels, current[adversary], label)
            if table[slot] == 0:
                if n_nodes == len(parents):
                    parents, labels = _doubled(parents), _doubled(labels)
                    table = np.zeros(2 * len(table), dtype=np.int64)
                    for node in range(1, n_nodes):
                        table[_slot(table, parents, labels, parents[node], labels[node])] = node
                    slot = _slot(table, parents, labels, current[adversary], label)
                parents[n_nodes] = current[adversary]
                labels[n_nodes] = label
                table[slot] = n_nodes
                n_nodes += 1
            current[adversary] = table[slot]
        for i in range(n_met):
            records[n_pairs] = record
            nodes[n_pairs] = current[met[i]]
            current[met[i]] = 0
            n_pairs += 1
    return parents[:n_nodes], labels[:n_nodes], records[:n_pairs], nodes[:n_pairs]


@njit(cache=True)
def records_by_node(records, nodes, units, n_nodes):
    """The records of each node, in their order, and how many distinct units they have.

    Returns where each node's records begin, the records, and how many units each node has; records of one unit
    must follow each other.
    """
    starts = np.zeros(n_nodes + 1, dtype=np.int64)
    for pair in range(len(nodes)):
        starts[nodes[pair] + 1] += 1
    for node in range(n_nodes):
        starts[node + 1] += starts[node]
    fill = starts.copy()
    ordered = np.empty(len(records), dtype=np.int64)
    unit_counts = np.zeros(n_nodes, dtype=np.int64)
    last = np.full(n_nodes, -1, dtype=np.int64)
    for pair in range(len(nodes)):
        node = nodes[pair]
        ordered[fill[node]] = records[pair]
        fill[node] += 1
        unit = units[records[pair]]
        if last[node] != unit:
            last[node] = unit
            unit_counts[node] += 1
    return starts, ordered, unit_counts


@njit(cache=True)
def most_frequent_places(
    codes, offsets, units, adversary_of, labels, starts, records, allowed, units_allowed, top, pairs
):
    """For each projection the place that most of its records visit, and how many pairs are above what is allowed.

    allowed, units_allowed : int64[nodes], how many records and units may share a place that is not the adversary's.
    top : int64[nodes, 4], filled with the largest number of records and its label, of units and its label (the
    first in name order); -1 where none exists.
    pairs : int64[n, 4], filled with node, label, records and units of as many problematic pairs as it has rows.
    Returns the number of problematic pairs and the sum of their records.
    """
    n_pairs, n_problems = 0, 0
    n_labels = len(adversary_of)
    count = np.zeros(n_labels, dtype=np.int64)
    unit_counts = np.zeros(n_labels, dtype=np.int64)
    last_unit = np.empty(n_labels, dtype=np.int64)
    last_entry = np.full(n_labels, -1, dtype=np.int64)
    met = np.empty(n_labels, dtype=np.int64)
    for node in range(1, len(starts) - 1):
        top[node, 0], top[node, 1], top[node, 2], top[node, 3] = 0, -1, 0, -1
        adversary = adversary_of[labels[node]]
        n_met = 0
        for entry in range(starts[node], starts[node + 1]):
            record = records[entry]
            for position in range(offsets[record], offsets[record + 1]):
                label = codes[position]
                if adversary_of[label] == adversary or last_entry[label] == entry:
                    continue
                last_entry[label] = entry
                if count[label] == 0:
                    met[n_met] = label
                    n_met += 1
                if count[label] == 0 or last_unit[label] != units[record]:
                    last_unit[label] = units[record]
                    unit_counts[label] += 1
                count[label] += 1
        for i in range(n_met):
            label = met[i]
            if count[label] > top[node, 0] or (count[label] == top[node, 0] and label < top[node, 1]):
                top[node, 0], top[node, 1] = count[label], label
            if unit_counts[label] > top[node, 2] or (unit_counts[label] == top[node, 2] and label < top[node, 3]):
                top[node, 2], top[node, 3] = unit_counts[label], label
            if count[label] > allowed[node] or unit_counts[label] > units_allowed[node]:
                if n_pairs < len(pairs):
                    pairs[n_pairs, 0], pairs[n_pairs, 1] = node, label
                    pairs[n_pairs, 2], pairs[n_pairs, 3] = count[label], unit_counts[label]
                n_pairs += 1
                n_problems += count[label]
            count[label] = 0
            unit_counts[label] = 0
    return n_pairs, n_problems
