"""Uniqueness is exact."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from datasets import persons, records
from sfumato import Trajectories
from sfumato.attacks.uniqueness import anonymity_set_sizes, unique_share


@settings(max_examples=150, deadline=None)
@given(rows=records("abcd"), known=st.integers(1, 4), draw=st.data())
def test_crowds_are_those_of_brute_force(rows: Any, known: int, draw: Any) -> None:
    data = Trajectories.from_lists(rows, persons=draw.draw(persons(len(rows))))
    units = data.units.tolist()
    counted = oracles.supports(rows, units, known)
    everybody = len(set(units))
    expected = [
        min(
            (
                counted[pattern]
                for row, unit in zip(rows, units, strict=True)
                if unit == who
                for pattern in oracles.subsequences(row, 1, known)
            ),
            default=everybody,
        )
        for who in range(everybody)
    ]
    assert anonymity_set_sizes(data, known).tolist() == expected
    assert unique_share(data, known) == expected.count(1) / everybody


def test_nobody_is_unique_in_nothing() -> None:
    assert unique_share(Trajectories.from_lists([]), 2) == 0.0
