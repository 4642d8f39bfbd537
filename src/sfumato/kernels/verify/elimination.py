"""Matchings between customers and published trajectories, when every customer has exactly one; used by attacks only.

Customers of one kind are a *source* with as many units as there are customers, trajectories of one kind a *target*.
A source may have a target if the target's projection is a subsequence of the source's.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.verify.prefixes.growing import with_length

__all__ = ["Edges", "certain_labels", "common_labels", "components", "largest_flow", "possible_targets"]


class Edges(NamedTuple):
    """The edges between sources and targets."""

    starts: Any  # int64[sources + 1]: where the edges of each source begin
    targets: Any  # int64[edges]: rising by source
    source_of: Any  # int64[edges]
    back_starts: Any  # int64[targets + 1]: where the edges into each target begin
    back_edges: Any  # int64[edges]: the edges, by target


@njit(cache=True)
def _child(first, labels, children, node, label):
    """The child of a node under a label, or -1; children of a node lie together in label order."""
    low, high = first[node], first[node + 1]
    while low < high:
        middle = (low + high) // 2
        if labels[children[middle]] < label:
            low = middle + 1
        else:
            high = middle
    if low < first[node + 1] and labels[children[low]] == label:
        return children[low]
    return -1


@njit(cache=True)
def possible_targets(codes, offsets, first, labels, children, target_of, n_labels, limit):
    """The targets whose projection is a subsequence of each source.

    codes, offsets : the sources' projections.  first, labels, children : the trie of the targets' projections, whose
    root is node 0.  target_of : int64[nodes], the target at a node, or -1.
    Returns starts int64[sources + 1] and targets; after `limit` of them no target, and starts is then too short.
    A node of the trie is met once for a source, at its leftmost embedding.
    """
    starts = np.zeros(len(offsets), dtype=np.int64)
    targets = np.empty(1024, dtype=np.int64)
    nodes, places = np.empty(64, dtype=np.int64), np.empty(64, dtype=np.int64)
    seen = np.full(n_labels, -1, dtype=np.int64)
    tick, filled = 0, 0
    for source in range(len(offsets) - 1):
        if filled > limit:
            return starts[:source], targets[:0]
        nodes[0], places[0] = 0, offsets[source]
        height = 1
        while height:
            height -= 1
            node, floor = nodes[height], places[height]
            if target_of[node] >= 0:
                targets = with_length(targets, filled, filled + 1)
                targets[filled] = target_of[node]
                filled += 1
            if first[node] == first[node + 1]:
                continue
            tick += 1
            for position in range(floor, offsets[source + 1]):
                if seen[codes[position]] == tick:
                    continue
                seen[codes[position]] = tick
                below = _child(first, labels, children, node, codes[position])
                if below >= 0:
                    nodes = with_length(nodes, height, height + 1)
                    places = with_length(places, height, height + 1)
                    nodes[height], places[height] = below, position + 1
                    height += 1
        starts[source + 1] = filled
    return starts, targets[:filled]


@njit(cache=True)
def _levels(edges, flow, supply, demand, level):
    """Write the breadth-first levels of the residual graph from sources with supply; whether a target with demand is
    reached."""
    starts, targets, source_of, back_starts, back_edges = edges
    n_sources = len(starts) - 1
    queue = np.empty(len(level), dtype=np.int64)
    head, tail = 0, 0
    for node in range(len(level)):
        level[node] = -1
    for source in range(n_sources):
        if supply[source] > 0:
            level[source] = 0
            queue[tail] = source
            tail += 1
    reached = False
    while head < tail:
        node = queue[head]
        head += 1
        if node < n_sources:
            for edge in range(starts[node], starts[node + 1]):
                other = n_sources + targets[edge]
                if level[other] < 0:
                    level[other] = level[node] + 1
                    queue[tail] = other
                    tail += 1
        else:
            target = node - n_sources
            reached = reached or demand[target] > 0
            for slot in range(back_starts[target], back_starts[target + 1]):
                edge = back_edges[slot]
                if flow[edge] > 0 and level[source_of[edge]] < 0:
                    level[source_of[edge]] = level[node] + 1
                    queue[tail] = source_of[edge]
                    tail += 1
    return reached


@njit(cache=True)
def _push(start, edges, flow, supply, demand, level, next_edge, path):
    """Send as much flow as possible along one path of rising levels from a source; returns how much."""
    starts, targets, source_of, back_starts, back_edges = edges
    n_sources = len(starts) - 1
    node, depth = start, 0
    while True:
        if node >= n_sources and demand[node - n_sources] > 0:
            break
        moved = False
        end = starts[node + 1] if node < n_sources else back_starts[node - n_sources + 1]
        while next_edge[node] < end:
            edge = next_edge[node] if node < n_sources else back_edges[next_edge[node]]
            other = n_sources + targets[edge] if node < n_sources else source_of[edge]
            if level[other] == level[node] + 1 and (node < n_sources or flow[edge] > 0):
                path[depth] = edge
                depth += 1
                node = other
                moved = True
                break
            next_edge[node] += 1
        if moved:
            continue
        if depth == 0:
            return 0
        depth -= 1
        level[node] = -1
        node = source_of[path[depth]] if node >= n_sources else n_sources + targets[path[depth]]
        next_edge[node] += 1
    sent = min(supply[start], demand[node - n_sources])
    for step in range(1, depth, 2):  # every second edge is walked backwards
        sent = min(sent, flow[path[step]])
    for step in range(depth):
        flow[path[step]] += sent if step % 2 == 0 else -sent
    supply[start] -= sent
    demand[node - n_sources] -= sent
    return sent


@njit(cache=True)
def largest_flow(edges, supply, demand):
    """A largest flow from sources to targets, by Dinic's blocking flows.

    edges : Edges.  supply and demand are used up.  Returns the flow on each edge.
    """
    n_sources, n_targets = len(edges.starts) - 1, len(edges.back_starts) - 1
    flow = np.zeros(len(edges.targets), dtype=np.int64)
    level = np.empty(n_sources + n_targets, dtype=np.int64)
    next_edge = np.empty(n_sources + n_targets, dtype=np.int64)
    path = np.empty(n_sources + n_targets + 1, dtype=np.int64)
    while _levels(edges, flow, supply, demand, level):
        for source in range(n_sources):
            next_edge[source] = edges.starts[source]
        for target in range(n_targets):
            next_edge[n_sources + target] = edges.back_starts[target]
        for source in range(n_sources):
            while supply[source] > 0 and _push(source, edges, flow, supply, demand, level, next_edge, path):
                pass
    return flow


@njit(cache=True)
def components(edges, flow):
    """The strongly connected components of the residual graph, by Tarjan: a number for each source, then target.

    An edge is used by some largest flow that uses up all supply if and only if its ends are in one component.
    """
    starts, targets, source_of, back_starts, back_edges = edges
    n_sources, n_targets = len(starts) - 1, len(back_starts) - 1
    n = n_sources + n_targets
    number = np.full(n, -1, dtype=np.int64)
    low = np.zeros(n, dtype=np.int64)
    component = np.full(n, -1, dtype=np.int64)
    next_edge = np.zeros(n, dtype=np.int64)
    calls, waiting = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    n_numbered, n_waiting, n_components = 0, 0, 0
    for root in range(n):
        if number[root] >= 0:
            continue
        calls[0] = root
        depth = 1
        while depth:
            node = calls[depth - 1]
            if number[node] < 0:
                number[node] = low[node] = n_numbered
                n_numbered += 1
                waiting[n_waiting] = node
                n_waiting += 1
                next_edge[node] = starts[node] if node < n_sources else back_starts[node - n_sources]
            end = starts[node + 1] if node < n_sources else back_starts[node - n_sources + 1]
            below = -1
            while next_edge[node] < end and below < 0:
                edge = next_edge[node] if node < n_sources else back_edges[next_edge[node]]
                next_edge[node] += 1
                if node >= n_sources and flow[edge] == 0:
                    continue
                other = n_sources + targets[edge] if node < n_sources else source_of[edge]
                if number[other] < 0:
                    below = other
                elif component[other] < 0:
                    low[node] = min(low[node], number[other])
            if below >= 0:
                calls[depth] = below
                depth += 1
                continue
            if low[node] == number[node]:
                while True:
                    n_waiting -= 1
                    component[waiting[n_waiting]] = n_components
                    if waiting[n_waiting] == node:
                        break
                n_components += 1
            depth -= 1
            if depth:
                low[calls[depth - 1]] = min(low[calls[depth - 1]], low[node])
    return component


@njit(cache=True)
def common_labels(codes, offsets, hidden, group_starts, records):
    """The labels that are not hidden and that every record of a group has.

    hidden : bool[labels].  Returns starts int64[groups + 1] and the labels of each group, in order.
    """
    starts = np.zeros(len(group_starts), dtype=np.int64)
    labels = np.empty(1024, dtype=np.int64)
    count = np.zeros(len(hidden), dtype=np.int64)
    filled = 0
    for group in range(len(group_starts) - 1):
        begin = group_starts[group]
        for entry in range(begin, group_starts[group + 1]):
            for position in range(offsets[records[entry]], offsets[records[entry] + 1]):
                if count[codes[position]] == entry - begin and not hidden[codes[position]]:
                    count[codes[position]] += 1
        if group_starts[group + 1] > begin:
            first = records[begin]
            for position in range(offsets[first], offsets[first + 1]):
                if count[codes[position]] == group_starts[group + 1] - begin:
                    labels = with_length(labels, filled, filled + 1)
                    labels[filled] = codes[position]
                    filled += 1
                    count[codes[position]] = 0  # a place that comes again is named once
            for position in range(offsets[first], offsets[first + 1]):
                count[codes[position]] = 0
        starts[group + 1] = filled
    return starts, labels[:filled]


@njit(cache=True)
def certain_labels(starts, targets, component, n_labels, label_starts, labels):
    """For each source the first label, in name order, that all of its possible targets have, or -1."""
    n_sources = len(starts) - 1
    answer = np.full(n_sources, -1, dtype=np.int64)
    count = np.zeros(n_labels, dtype=np.int64)
    last = np.full(n_labels, -1, dtype=np.int64)
    for source in range(n_sources):
        usable, some = 0, -1
        for edge in range(starts[source], starts[source + 1]):
            target = targets[edge]
            if component[n_sources + target] != component[source]:
                continue
            usable += 1
            some = target
            for slot in range(label_starts[target], label_starts[target + 1]):
                if last[labels[slot]] != source:
                    last[labels[slot]] = source
                    count[labels[slot]] = 0
                count[labels[slot]] += 1
        if some < 0:
            continue
        for slot in range(label_starts[some], label_starts[some + 1]):
            label = labels[slot]
            if count[label] == usable and (answer[source] < 0 or label < answer[source]):
                answer[source] = label
    return answer
