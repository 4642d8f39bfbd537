"""Pieces and the supports inside them, beside a literal cutting and a recount from scratch."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import contains, supports
from sfumato.kernels.pieces.cutting import fill_table, with_forbidden
from sfumato.methods.base import Run
from sfumato.methods.trajectories.sparse.cutting import Cutting
from sfumato.methods.trajectories.sparse.unit_visits import UnitVisits
from twins.sparse import cut, pieces_of

LABELS = 5
rows_of_units = st.lists(st.lists(st.lists(st.integers(0, LABELS - 1), max_size=7), max_size=3), max_size=8)
thorough = settings(max_examples=150, deadline=None)


def grouped(units: Any) -> tuple[UnitVisits, list[list[int]], list[int]]:
    """Records grouped by unit, as flat arrays and as lists."""
    rows = [row for unit in units for row in unit]
    whose = [number for number, unit in enumerate(units) for _ in unit]
    offsets = np.concatenate(([0], np.cumsum([len(row) for row in rows], dtype=np.int64)))
    unit_offsets = np.concatenate(([0], np.cumsum([len(unit) for unit in units], dtype=np.int64)))
    flat = np.array([label for row in rows for label in row], dtype=np.int32)
    visits = UnitVisits(flat, offsets.astype(np.int64), unit_offsets.astype(np.int64), np.arange(len(flat)), LABELS)
    return visits, rows, whose


@thorough
@given(
    units=rows_of_units,
    k=st.integers(1, 3),
    m=st.integers(1, 4),
    most=st.integers(0, 3) | st.just(99),
    least=st.integers(1, 3),
)
def test_pieces_are_those_of_the_twin(units: Any, k: int, m: int, most: int, least: int) -> None:
    visits, rows, whose = grouped(units)
    bound = np.full(len(rows), most, dtype=np.int64)
    piece = Cutting(visits, visits.places, LABELS, k, m, most=bound, least=least).run(Run(None))
    found = [part.tolist() for part in np.split(piece, visits.offsets[1:-1])] if rows else []
    assert found == cut(rows, whose, k, m, [most] * len(rows), least)
    inside = [part for row, number in zip(rows, found, strict=True) for part in pieces_of(row, number)]
    units_of_pieces = [
        unit for row, number, unit in zip(rows, found, whose, strict=True) for _ in pieces_of(row, number)
    ]
    assert all(count >= k for count in supports(inside, units_of_pieces, m).values())
    assert all(len(part) >= least for part in inside)
    assert all(max(number, default=-1) < max(most, 0) for number in found)


@thorough
@given(units=rows_of_units, k=st.integers(2, 4), again=st.data())
def test_supports_inside_pieces_are_kept_up_to_date(units: Any, k: int, again: Any) -> None:
    """After each round of cutting, the supports are those of a count from scratch."""
    visits, rows, whose = grouped(units)
    bound = np.diff(visits.offsets)
    cutting = Cutting(visits, visits.places, LABELS, k, 2, most=bound, least=1)
    todo = np.zeros(len(rows), dtype=bool)
    for _ in range(4):
        _assert_recounted(cutting, rows, whose)
        if not cutting._mark(todo):
            todo[:] = again.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
        cutting._cut(todo, fresh=False)
    _assert_recounted(cutting, rows, whose)


def _assert_recounted(cutting: Cutting, rows: list[list[int]], whose: list[int]) -> None:
    numbers = [part.tolist() for part in np.split(cutting.piece, cutting._visits.offsets[1:-1])] if rows else []
    inside = [(part, unit) for row, n, unit in zip(rows, numbers, whose, strict=True) for part in pieces_of(row, n)]
    expected = supports([part for part, _ in inside], [unit for _, unit in inside], 2)
    labels, pairs = (counts[0] for counts in cutting._supports)
    assert {(label,): count for label, count in enumerate(labels.tolist()) if count} == {
        pattern: count for pattern, count in expected.items() if len(pattern) == 1
    }
    assert sorted(count for count in pairs.tolist() if count) == sorted(
        count for pattern, count in expected.items() if len(pattern) == 2
    )


@thorough
@given(
    rows=st.lists(st.lists(st.integers(0, 4), max_size=7), min_size=1, max_size=6),
    patterns=st.sets(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4), st.integers(-1, 4)), max_size=9
    ),
)
def test_forbidden_patterns_are_found_in_pieces(rows: list[list[int]], patterns: set[tuple[int, ...]]) -> None:
    table = np.full((32, 4), -1, dtype=np.int32)
    fill_table(np.array(sorted(patterns), dtype=np.int32).reshape(-1, 4), table)
    offsets = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    found = with_forbidden(np.array([label for row in rows for label in row], dtype=np.int32), offsets, table)
    wanted = [tuple(label for label in pattern if label >= 0) for pattern in patterns]
    assert found.tolist() == [any(contains(row, pattern) for pattern in wanted) for row in rows]


def test_labels_beyond_the_room_for_pairs_take_no_part(monkeypatch: Any) -> None:
    """5 labels of one record and 2 of three others need 37 entries; with 2 labels each, 16 are enough."""
    monkeypatch.setattr("sfumato.methods.trajectories.sparse.cutting._SQUARES", 16)
    visits, _, _ = grouped([[[0, 1, 2, 3, 4]], [[0, 1]], [[0, 1]], [[0, 1]]])
    piece = Cutting(visits, visits.places, LABELS, 2, 2, most=np.diff(visits.offsets), least=1).run(Run(None))
    assert piece.tolist() == [0, 0, -1, -1, -1, 0, 0, 0, 0, 0, 0]
