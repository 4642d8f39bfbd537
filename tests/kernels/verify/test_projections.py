"""The trie of projections against dictionaries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.kernels.verify.projections import most_frequent_places, projections, records_by_node

ADVERSARIES = np.array([0, 0, 1, 1, -1], dtype=np.int32)
ROWS = st.lists(st.lists(st.integers(0, 4), max_size=6), max_size=12)


def flat(rows: Any) -> tuple[Any, Any]:
    codes = np.array([code for row in rows for code in row], dtype=np.int32)
    return codes, np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)


def path(node: int, parents: Any, labels: Any) -> tuple[int, ...]:
    return (*path(int(parents[node]), parents, labels), int(labels[node])) if node else ()


@settings(max_examples=100, deadline=None)
@given(ROWS)
def test_every_record_has_its_projections_in_order(rows: Any) -> None:
    parents, labels, records, nodes = projections(*flat(rows), ADVERSARIES)
    found = [(int(record), path(int(node), parents, labels)) for record, node in zip(records, nodes, strict=True)]
    wanted = {
        (number, tuple(code for code in row if ADVERSARIES[code] == adversary))
        for number, row in enumerate(rows)
        for adversary in (0, 1)
    }
    assert set(found) == {(record, seen) for record, seen in wanted if seen}
    assert len(found) == len(set(found))
    assert [record for record, _ in found] == sorted(record for record, _ in found)
    every = [path(node, parents, labels) for node in range(len(parents))]
    assert len(every) == len(set(every)), "one node for one projection"


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, draw=st.data())
def test_records_and_units_are_gathered_by_node(rows: Any, draw: Any) -> None:
    units = np.sort(np.array([draw.draw(st.integers(0, 3)) for _ in rows], dtype=np.int32))
    parents, _, records, nodes = projections(*flat(rows), ADVERSARIES)
    starts, ordered, crowd = records_by_node(records, nodes, units, len(parents))
    for node in range(len(parents)):
        mine = [int(record) for record, at in zip(records, nodes, strict=True) if at == node]
        assert ordered[starts[node] : starts[node + 1]].tolist() == mine
        assert crowd[node] == len({int(units[record]) for record in mine})


def test_projections_survive_a_growing_table() -> None:
    rows = [[number // 100, number % 100] for number in range(9_999)] * 2
    parents, labels, _, nodes = projections(*flat(rows), np.zeros(100, dtype=np.int32))
    assert len(parents) == 1 + 100 + 9_999
    assert nodes[:9_999].tolist() == nodes[9_999:].tolist()
    assert path(int(nodes[4_321]), parents, labels) == (43, 21)


@pytest.mark.parametrize("rows", [0, 1, 9])
def test_as_many_pairs_are_listed_as_there_is_room_for(rows: int) -> None:
    codes, offsets = flat([[0, 2, 4], [0, 4]])
    parents, labels, records, nodes = projections(codes, offsets, ADVERSARIES)
    units = np.arange(2, dtype=np.int32)
    starts, ordered, _ = records_by_node(records, nodes, units, len(parents))
    none = np.zeros(len(parents), dtype=np.int64)
    top = np.zeros((len(parents), 4), dtype=np.int64)
    pairs = np.full((rows, 4), -7, dtype=np.int64)
    found = most_frequent_places(codes, offsets, units, ADVERSARIES, labels, starts, ordered, none, none, top, pairs)
    assert found == (4, 5)  # behind 0: 2 once, 4 twice; behind 2: 0 and 4
    assert (pairs[:, 0] != -7).sum() == min(rows, 4)
    assert top[1].tolist() == [2, 4, 2, 4]
    assert top[2].tolist() == [1, 0, 1, 0], "the first in name order"
