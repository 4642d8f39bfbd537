"""The order of records by content, and of persons by what they have."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mixed_people import people
from sfumato.methods.mixed.content_order import by_content


@given(chance=st.integers(0, 50), persons=st.none() | st.integers(1, 9), seed=st.integers(0, 9))
def test_the_private_order_is_gone(chance: int, persons: int | None, seed: int) -> None:
    data = people(12, chance=chance, persons=persons, items=1)
    moved = data.take(np.random.default_rng(seed).permutation(12))
    one, order = by_content(data)
    two, _ = by_content(moved)
    assert one.to_polars().equals(two.to_polars())
    assert one.units.tolist() == two.units.tolist()
    assert one.to_polars().equals(data.take(order).to_polars())
    assert one.items.units.tolist() == one.units.tolist()


def test_the_persons_keep_their_records() -> None:
    data = people(30, persons=7)
    moved, order = by_content(data)
    assert data.persons is not None
    assert moved.persons is not None
    before = data.persons.names.gather(data.persons.codes[order]).to_list()
    assert moved.persons.names.gather(moved.persons.codes).to_list() == before
