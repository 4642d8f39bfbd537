"""Flows, components and common labels against brute force."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.kernels.verify.elimination import Edges, common_labels, components, largest_flow


@st.composite
def networks(draw: Any) -> tuple[list[list[int]], list[int], list[int]]:
    """Possible targets of each source, supplies and demands."""
    n_targets = draw(st.integers(1, 4))
    reach = draw(st.lists(st.lists(st.integers(0, n_targets - 1), unique=True, max_size=4), min_size=1, max_size=4))
    amounts = st.integers(0, 4)
    return reach, [draw(amounts) for _ in reach], [draw(amounts) for _ in range(n_targets)]


def arrays(reach: list[list[int]], n_targets: int) -> Edges:
    targets = np.array([target for row in reach for target in row], dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum([len(row) for row in reach]))).astype(np.int64)
    source_of = np.repeat(np.arange(len(reach)), [len(row) for row in reach]).astype(np.int64)
    back_edges = np.argsort(targets, kind="stable")
    back_starts = np.concatenate(([0], np.cumsum(np.bincount(targets, minlength=n_targets)))).astype(np.int64)
    return Edges(starts, targets, source_of, back_starts, back_edges)


@settings(max_examples=150, deadline=None)
@given(networks())
def test_a_flow_is_as_large_as_its_smallest_cut(network: Any) -> None:
    reach, supply, demand = network
    edges = arrays(reach, len(demand))
    left, open_ = np.array(supply, dtype=np.int64), np.array(demand, dtype=np.int64)
    flow = largest_flow(edges, left, open_)
    _, targets, source_of, _, _ = edges
    assert (flow >= 0).all()
    assert np.bincount(source_of, flow, len(supply)).tolist() == [a - b for a, b in zip(supply, left, strict=True)]
    assert np.bincount(targets, flow, len(demand)).tolist() == [a - b for a, b in zip(demand, open_, strict=True)]
    cut = min(
        sum(supply) - sum(supply[at] for at in chosen) + sum(demand[t] for t in {t for at in chosen for t in reach[at]})
        for size in range(len(reach) + 1)
        for chosen in combinations(range(len(reach)), size)
    )
    assert flow.sum() == cut


@settings(max_examples=100, deadline=None)
@given(networks())
def test_components_are_what_reaches_each_other(network: Any) -> None:
    reach, supply, demand = network
    edges = arrays(reach, len(demand))
    flow = largest_flow(edges, np.array(supply, dtype=np.int64), np.array(demand, dtype=np.int64))
    n = len(reach)
    steps = {(source, n + target) for source, row in enumerate(reach) for target in row}
    _, targets, source_of, _, _ = edges
    steps |= {(n + int(t), int(s)) for t, s, f in zip(targets, source_of, flow, strict=True) if f}
    size = n + len(demand)
    far = [[a == b or (a, b) in steps for b in range(size)] for a in range(size)]
    for middle in range(size):
        for a in range(size):
            for b in range(size):
                far[a][b] = far[a][b] or (far[a][middle] and far[middle][b])
    component = components(edges, flow)
    assert all((component[a] == component[b]) == (far[a][b] and far[b][a]) for a in range(size) for b in range(size))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=3), max_size=4))
def test_common_labels_are_an_intersection(groups: Any) -> None:
    rows = [row for group in groups for row in group]
    codes = np.array([code for row in rows for code in row], dtype=np.int32)
    offsets = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    group_starts = np.concatenate(([0], np.cumsum([len(group) for group in groups]))).astype(np.int64)
    hidden = np.array([True, False, False, False])
    starts, labels = common_labels(codes, offsets, hidden, group_starts, np.arange(len(rows)))
    for number, group in enumerate(groups):
        wanted = set.intersection(*map(set, group)) - {0} if group else set()
        found = labels[starts[number] : starts[number + 1]].tolist()
        assert sorted(found) == sorted(wanted)
