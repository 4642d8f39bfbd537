"""Prefix trees by hand and by listing every prefix."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Trajectories
from sfumato.data.ragged import sequence_order
from sfumato.kernels.mining.pattern_counts import count_containing
from sfumato.kernels.recoding.closest_path import closest_paths
from sfumato.kernels.recoding.prefix_tree import prefix_tree, tree_paths, tree_shape
from sfumato.kernels.recoding.subsequence_supports import holders_of_labels
from twins.p2ka import contained

rows = st.lists(st.lists(st.sampled_from("abc"), max_size=5), min_size=1, max_size=9)


def tree_of(data: Trajectories) -> tuple[Any, ...]:
    order = sequence_order(data)
    return prefix_tree(data.codes, data.offsets, order, np.full(len(order), -1))


def paths(labels: Any, depths: Any) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    current: list[int] = []
    for label, depth in zip(labels.tolist(), depths.tolist(), strict=True):
        current = [*current[: depth - 1], label]
        found.append(tuple(current))
    return found


def test_a_tree_by_hand() -> None:
    labels, depths, units, ends = tree_of(Trajectories.from_lists(["ab", "", "a", "ac", "b", "ab"]))
    assert paths(labels, depths) == [(0,), (0, 1), (0, 2), (1,)]
    assert units.tolist() == [4, 2, 1, 1]
    assert ends.tolist() == [-1, 0, 1, 1, 2, 3]
    after, heights = tree_shape(depths)
    assert after.tolist() == [3, 2, 3, 4]
    assert heights.tolist() == [1, 0, 0, 0]
    offsets, codes = tree_paths(labels, depths, np.array([0, 2, 0, 1]))
    assert (offsets.tolist(), codes.tolist()) == ([0, 2, 4, 5], [0, 1, 0, 1, 1])


@given(rows)
def test_every_prefix_is_a_node_with_its_supporters(given_rows: Any) -> None:
    data = Trajectories.from_lists(given_rows)
    labels, depths, units, _ = tree_of(data)
    codes = [tuple(data.names.index(name) for name in row) for row in given_rows]
    expected = sorted({row[:size] for row in codes for size in range(1, len(row) + 1)})
    assert paths(labels, depths) == expected
    assert units.tolist() == [sum(row[: len(path)] == path for row in codes) for path in expected]
    after, heights = tree_shape(depths)
    for node, path in enumerate(expected):
        below = [other for other in expected if other[: len(path)] == path]
        assert after[node] - node == len(below)
        assert heights[node] == max(map(len, below)) - len(path)


def test_nothing_to_search_in_and_nothing_to_search_for() -> None:
    none, depths = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32)
    after, heights = tree_shape(depths)
    codes, offsets = np.array([0, 1], dtype=np.int32), np.array([0, 2, 2])
    nodes, common = closest_paths(codes, offsets, 0, 2, 2, none, depths, after, heights)
    assert (nodes.tolist(), common.tolist()) == ([-1, -1], [0, 0])


@given(rows, st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3), min_size=1, max_size=5))
def test_containing_records_are_counted(given_rows: Any, patterns: Any) -> None:
    data = Trajectories.from_lists([*given_rows, list("abc")])
    units = np.arange(len(data) + 1, dtype=np.int64)
    starts, holders = holders_of_labels(data.codes, data.offsets, units, len(data.names))
    codes = np.array([data.names.index(name) for pattern in patterns for name in pattern], dtype=np.int32)
    offsets = np.concatenate(([0], np.cumsum([len(pattern) for pattern in patterns]))).astype(np.int64)
    counts = count_containing(data.codes, data.offsets, starts, holders, codes, offsets)
    assert counts.tolist() == [sum(contained(one, row) for row in data.to_lists()) for one in patterns]
