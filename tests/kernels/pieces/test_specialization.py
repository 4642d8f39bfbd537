"""Patterns around some labels, and the largest set of pieces that may take finer labels, beside plain programs."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import subsequences
from sfumato.kernels.pieces.specialization import largest_safe_set, numbered_rows, patterns_with

thorough = settings(max_examples=200, deadline=None)


@thorough
@given(
    rows=st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=6), min_size=1, max_size=6),
    wanted=st.lists(st.booleans(), min_size=5, max_size=5),
    m=st.integers(1, 4),
    draw=st.data(),
)
def test_patterns_with_a_wanted_label(rows: list[list[int]], wanted: list[bool], m: int, draw: Any) -> None:
    chosen = sorted(draw.draw(st.sets(st.integers(0, len(rows) - 1))))
    offsets = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    codes = np.array([label for row in rows for label in row], dtype=np.int32)
    patterns, owners = patterns_with(codes, offsets, np.array(chosen, dtype=np.int64), np.array(wanted), m)
    assert (np.diff(owners) >= 0).all()
    found = {
        (owner, tuple(label for label in pattern if label >= 0))
        for owner, pattern in zip(owners.tolist(), patterns.tolist(), strict=True)
    }
    assert found == {
        (at, pattern)
        for at, piece in enumerate(chosen)
        for pattern in subsequences(rows[piece], 1, m)
        if any(wanted[label] for label in pattern)
    }


@given(rows=st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 3)), max_size=20))
def test_equal_rows_have_one_number(rows: list[tuple[int, int]]) -> None:
    keys = np.full((64, 2), -1, dtype=np.int32)
    numbers, used = numbered_rows(np.array(rows, dtype=np.int32).reshape(-1, 2), keys, np.zeros(64, dtype=np.int32))
    first = list(dict.fromkeys(rows))
    assert used == len(first)
    assert numbers.tolist() == [first.index(row) for row in rows]


@thorough
@given(
    holdings=st.lists(
        st.tuples(st.integers(0, 4), st.sets(st.integers(0, 3)), st.sets(st.integers(4, 6), max_size=2)),
        min_size=1,
        max_size=7,
    ),
    k=st.integers(1, 3),
)
def test_the_set_is_the_result_of_its_rule(holdings: Any, k: int) -> None:
    """Pieces with a rare pattern, before or after, leave the set together until none is rare."""
    pieces = sorted(holdings, key=lambda each: each[0])
    units = [unit for unit, _, _ in pieces]

    def supports(inside: set[int]) -> dict[int, set[int]]:
        held: dict[int, set[int]] = {}
        for at, (unit, before, after) in enumerate(pieces):
            for pattern in after if at in inside else before:
                held.setdefault(pattern, set()).add(unit)
        return held

    chosen = {at for at, (_, _, after) in enumerate(pieces) if after}
    while True:
        rare = {pattern for pattern, who in supports(chosen).items() if len(who) < k}
        out = {at for at in chosen if rare & (pieces[at][1] | pieces[at][2])}
        if not out:
            break
        chosen -= out
    rows = [
        (pattern, at, later)
        for at, (_, before, after) in enumerate(pieces)
        for later, patterns in ((False, before), (True, after))
        for pattern in sorted(patterns)
    ]
    inside = np.array([bool(after) for _, _, after in pieces])
    safe = largest_safe_set(
        np.array([row[0] for row in rows], dtype=np.int32),
        np.array([row[1] for row in rows], dtype=np.int64),
        np.array([row[2] for row in rows], dtype=bool),
        np.array(units, dtype=np.int32),
        inside,
        k,
        np.zeros(7, dtype=np.int64),
        np.zeros(7, dtype=np.int64),
    )
    assert {int(at) for at in np.flatnonzero(inside)} == chosen
    assert safe is (not rare)
    if all(len(who) >= k for who in supports(set()).values()):  # the set of nothing is safe, so that a safe one exists
        assert safe
