"""What a group must be, against counting by hand and by brute force."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.kernels.tables.class_requirements import Demand, close_by_person, distinct_numbers, matched_values, meets
from twins.diversity import matched

ROWS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=10)


def scratch() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.zeros(64, dtype=np.int64), np.zeros(64, dtype=np.int64), np.zeros(1, dtype=np.int64)


@settings(max_examples=100, deadline=None)
@given(rows=ROWS)
def test_the_matching_is_a_largest_one(rows: list[tuple[int, int]]) -> None:
    units, values = (np.array(part, dtype=np.int32) for part in zip(*rows, strict=True))
    seen, slot, tick = scratch()
    found = matched_values(np.arange(len(rows)), len(rows), values, units, 99, seen, slot, tick)
    assert found == matched(sorted(set(rows)))
    assert distinct_numbers(np.arange(len(rows)), len(rows), units, seen, tick) == len(set(units.tolist()))


@settings(max_examples=100, deadline=None)
@given(rows=ROWS, size=st.integers(1, 10), t=st.sampled_from([0.0, 0.2, 0.25, 0.5, 0.75]))
def test_closeness_is_on_the_safe_side_by_a_hair(rows: list[tuple[int, int]], size: int, t: float) -> None:
    size = min(size, len(rows))
    pairs = sorted(set(rows))
    values = np.array([value for _, value in rows], dtype=np.int32)
    numbers = np.array([pairs.index(row) for row in rows], dtype=np.int32)
    everybody = np.bincount([value for _, value in pairs], minlength=4)
    seen, _, tick = scratch()
    said = close_by_person(np.arange(size), size, values, numbers, everybody, t, seen, tick)
    here = set(rows[:size])
    apart = sum(
        abs(Fraction(sum(v == value for _, v in here), len(here)) - Fraction(int(everybody[value]), len(pairs)))
        for value in range(4)
    )
    if apart / 2 > Fraction(str(t)):
        assert not said
    elif apart == 0 or float(apart / 2) < t - 1e-9:
        assert said


def test_every_demand_counts() -> None:
    units, sensitive = np.array([0, 0, 1, 2], dtype=np.int32), np.array([[0], [1], [0], [0]], dtype=np.int32)
    everybody, pairs = np.array([[3, 1]]), np.array([[0], [1], [2], [3]], dtype=np.int32)
    rows = everybody.copy()
    members = np.arange(4)

    def asked(k: int, l: int, t: float, size: int) -> bool:  # noqa: E741
        seen, slot, tick = scratch()
        demand = Demand(k, l, t, units, False, sensitive, pairs, everybody, rows, seen, slot, tick)
        return bool(meets(members, size, demand))

    assert asked(3, 2, 0.0, 4)
    assert not asked(4, 1, 1.0, 4)  # three persons
    assert not asked(2, 3, 1.0, 4)  # two values
    assert asked(2, 2, 1.0, 3)
    assert not asked(2, 1, 0.05, 3)  # two in three instead of three in four
    assert not asked(2, 1, 1.0, 2)  # two rows of one person
    rows[0] = [9, 1]  # the others' rows are elsewhere
    assert not asked(2, 1, 0.1, 4)  # three in four rows instead of nine in ten
    assert asked(2, 1, 0.2, 4)
