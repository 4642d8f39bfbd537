"""The order of rows by content against the sort of polars."""

from __future__ import annotations

import datetime as dt

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data.tables import content_order as module
from sfumato.data.tables.content_order import content_order

COLUMNS = {
    "text": (["x", "é", "", "Z", "zz", None], pl.String),
    "number": ([1, 2, -5, None], pl.Int64),
    "share": ([0.0, 1.5, float("inf"), -2.0, None], pl.Float64),
    "flag": ([True, False, None], pl.Boolean),
    "day": ([dt.date(2020, 1, 1), dt.date(1999, 1, 1), None], pl.Date),
    "nothing": ([None], pl.Null),
}


@settings(max_examples=100, deadline=None)
@given(data=st.data(), bits=st.sampled_from([3, 62]))
def test_it_is_the_order_of_polars(data: st.DataObject, bits: int) -> None:
    names = data.draw(st.permutations(list(COLUMNS)))[: data.draw(st.integers(1, 5))]
    n = data.draw(st.integers(0, 20))
    frame = pl.DataFrame(
        {
            name: pl.Series(data.draw(st.lists(st.sampled_from(COLUMNS[name][0]), min_size=n, max_size=n)), dtype=dtype)
            for name, dtype in ((name, COLUMNS[name][1]) for name in names)
        }
    )
    ordered = frame.with_row_index("\0row").sort(frame.columns, nulls_last=False, maintain_order=True)["\0row"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BITS", bits)  # few bits: the ranks of the columns do not fit into one number
        assert content_order(frame).tolist() == ordered.to_list()
