"""The order of content: the same whatever order rows came in and whatever persons are called."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Table
from sfumato.data import Persons
from sfumato.methods.relational.content_order import content_order


@settings(max_examples=100, deadline=None)
@given(draw=st.data())
def test_only_content_decides(draw: Any) -> None:
    n = draw.draw(st.integers(1, 10))
    ages = draw.draw(st.lists(st.sampled_from([1.0, 2.0, None, float("nan")]), min_size=n, max_size=n))
    who = draw.draw(st.lists(st.sampled_from("uvw"), min_size=n, max_size=n))
    moved = draw.draw(st.permutations(range(n)))
    names = dict(zip("uvw", draw.draw(st.permutations("uvw")), strict=True))
    one = Table(pl.DataFrame({"age": pl.Series(ages, dtype=pl.Float64)}), persons=Persons.of(who))
    two = one.take(np.array(moved)).with_persons(Persons.of([names[who[at]] for at in moved]))
    (order, units), (other, others) = content_order(one), content_order(two)
    assert sorted(order.tolist()) == list(range(n))
    assert [str(one["age"][at]) for at in order.tolist()] == [str(two["age"][at]) for at in other.tolist()]
    assert units.tolist() == others.tolist()


def test_rows_of_equal_content_stand_in_the_order_of_all_that_their_persons_have() -> None:
    table = Table({"age": [5, 5, 9, 1]}, persons=Persons.of(["u", "v", "v", "u"]))
    order, units = content_order(table)
    assert order.tolist() == [3, 0, 1, 2]  # u, who also has 1, comes before v
    assert units.tolist() == [0, 0, 1, 1]


def test_without_persons_every_row_is_its_own() -> None:
    order, units = content_order(Table({"age": [2, 1, 2]}))
    assert order.tolist() == [1, 0, 2]
    assert units.tolist() == [0, 1, 2]
